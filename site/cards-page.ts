// All that is drawn in a language, today's cards first: the list on the front page, and a page of its own.
import { isOfCards, type Operation, operationNames } from "../readings/operations.ts";
import type { Reading } from "../readings/reading.schema.ts";
import { cardName } from "./card-name.ts";
import type { Context } from "./page-context.ts";
import { operationDrawing } from "./drawings.ts";
import { html, type Markup } from "./html.ts";
import { dateline, nothingYet, type Page, sectionTitle } from "./page.ts";
import type { TreePath } from "./tree.ts";

export function cardsPage(context: Context, readings: readonly Reading[]): Page {
  const { labels } = context;
  const dates = readings.filter(({ operation }) => isOfCards(operation)).map(({ period }) => period);
  const date = dates.toSorted().at(-1);
  const list = cardList(context, readings);
  return {
    trail: [{ name: labels.navigation.cards }],
    kind: "website",
    title: labels.cards,
    description: `${labels.cards} · ${labels.tagline}`,
    dateline: date && dateline(context, "daily", date),
    body: html`<header class="hero"><h1>${labels.cards}</h1></header>
      ${list ?? nothingYet(context)} ${toDraw(context)}`,
  };
}

/** The decks of which enough is known to draw from them. */
function toDraw(context: Context): Markup | undefined {
  const { language, labels } = context;
  const links = operationNames.flatMap((operation) =>
    isOfCards(operation)
      ? (context.linkTo({ row: "drawPage", language, operation }, labels.operations[operation]) ?? [])
      : [],
  );
  if (links.length === 0) return undefined;
  return html`<section>
    ${sectionTitle(labels.draw.title)}
    <p class="onward">${links}</p>
  </section>`;
}

/** A tile for each operation that has cards, for the pairs and for each person; undefined where there is none. */
export function cardList(context: Context, readings: readonly Reading[]): Markup | undefined {
  const { language, labels } = context;
  const link = (operation: Operation, at: TreePath, note?: string) =>
    context.has(at) &&
    html`<li>
      <a href="${context.address(at)}">
        ${operationDrawing(operation)}
        <span>${labels.operations[operation]}</span
        >${note !== undefined && html`<span class="small">${cardName(language, note)}</span>`}
      </a>
    </li>`;
  const ordered = readings.toSorted(inOrder);
  const drawn = ordered.filter(
    (reading) => reading.family !== "animal" && reading.family !== "pair" && reading.family !== "horoscope",
  );
  const pairs = link("love-compatibility", { row: "pairsPage", language });
  const people = ordered.filter((reading) => reading.family === "animal");
  if (drawn.length === 0 && people.length === 0 && pairs === false) return undefined;
  return html`<ul class="deck">
    ${drawn.map((reading) => link(reading.operation, { row: "cardPage", language, operation: reading.operation }, teaser(reading)))}
    ${pairs}
    ${people.map(({ operation, person, animal }) => link(operation, { row: "personPage", language, person }, animal))}
  </ul>`;
}

/** In the order of the table of operations, and people by their ids: not in the order they came. */
function inOrder(one: Reading, other: Reading) {
  const place = (reading: Reading) =>
    `${String(operationNames.indexOf(reading.operation)).padStart(2, "0")} ${reading.family === "animal" ? reading.person : ""}`;
  return place(one) < place(other) ? -1 : 1;
}

/** The name of the day's card where there is only one. */
function teaser(reading: Reading) {
  if (reading.family === "tarot") return reading.name;
  return reading.family === "cards" && reading.cards.length === 1 ? reading.cards[0]?.name : undefined;
}
