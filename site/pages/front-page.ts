// A language's front page: the twelve signs to choose from, the sky of the day, the beginning of each sign's text, the cards, the pairs.
import { isOfCards, type Operation, operationNames, type Sign, signs } from "../../readings/tables.ts";
import { allPairs } from "../../readings/pairs.ts";
import { addDays, type PeriodKind, periodKinds } from "../../readings/calendar.ts";
import type { Reading } from "../../readings/reading.schema.ts";
import type { ReadingSet } from "../edition.ts";
import { html, type Markup } from "../html.ts";
import type { Context } from "../context.ts";
import { scriptElement } from "../style.ts";
import type { TreePath } from "../tree.ts";
import { cardName } from "./card-pages.ts";
import { glyph, operationDrawing, wheel } from "./drawings.ts";
import { mySigns } from "./my-signs.ts";
import { signGrid } from "./navigation.ts";
import { siteSteps } from "./next-steps.ts";
import { dateline, nextEdition, nothingYet, openingOf, type Page, sectionTitle } from "./page.ts";

/** `sets` are the current ones, from whose horoscopes each sign shows its nearest. */
export function frontPage(context: Context, sets: readonly ReadingSet[]): Page {
  const { language, labels, date, settings } = context;
  const readings = sets.flatMap((set) => set.readings.map(({ reading }) => reading));
  const kinds = periodKinds.filter((kind) => context.has({ row: "signPage", language, kind, sign: "aries" }));
  const [nearest] = kinds;
  const texts = readings.find(({ operation }) => operation === "daily-horoscope");
  const list = cardList(context, readings);
  const nearestSet = sets.find(({ operation }) => operation === `${nearest}-horoscope`);
  const mine = nearestSet && mySigns(context, nearestSet);
  return {
    kind: "website",
    title: labels.tagline,
    scripts: mine === undefined ? [] : ["my-signs"],
    description: labels.tagline,
    // If today's texts are not there yet, the page has the date of its texts.
    dateline: dateline(context, "daily", texts?.period ?? date),
    next: siteSteps(context),
    body: html`<header class="hero">
        <h1>${settings.name}</h1>
        <p class="caps">${labels.tagline}</p>
      </header>
      ${mine}
      <div class="sky">${nearest !== undefined && houses(context, nearest)} ${wheel(context)}</div>
      ${nearest !== undefined && twelve(context, kinds, readings)}
      ${
        list !== undefined &&
        html`<section>
          ${sectionTitle(labels.cards)} ${list}
        </section>`
      }
      <div class="turn">${nextEdition(context, context.formats.date(addDays(date, 1)))}</div>`,
  };
}

/** On a phone all twelve fit on the first screen. */
function houses(context: Context, kind: PeriodKind) {
  const { labels, language, formats } = context;
  const page = (sign: Sign): TreePath => ({ row: "signPage", language, kind, sign });
  return signGrid(context, labels.signs, page, (sign) => formats.sunDates(sign));
}

function twelve(context: Context, kinds: readonly PeriodKind[], readings: readonly Reading[]) {
  const { labels, language } = context;
  const [nearest = "daily", ...others] = kinds;
  const horoscopes = readings.filter((reading) => reading.family === "horoscope");
  const text = (sign: Sign) => {
    const reading = horoscopes.find((one) => one.sign === sign && one.operation === `${nearest}-horoscope`);
    return reading && openingOf(reading, 130);
  };
  return html`<section>
    ${sectionTitle(labels.operations[`${nearest}-horoscope`])}
    <ul class="twelve">
      ${signs.map(
        (sign) =>
          html`<li class="hue ${sign}">
            ${glyph(sign)}
            <h3>
              ${context.linkTo({ row: "signPage", language, kind: nearest, sign }, context.signNames[sign])}
            </h3>
            ${text(sign) && html`<p>${text(sign)}</p>`}
            <p class="more small">
              ${others.map((kind) => context.linkTo({ row: "signPage", language, kind, sign }, labels.periods[kind]))}
            </p>
          </li>`,
      )}
    </ul>
  </section>`;
}

// The card operations of a language, today's cards first: the list on the front page, and the page of all.
export function cardsPage(context: Context, readings: readonly Reading[]): Page {
  const { language, labels, signNames } = context;
  const dates = readings.filter(({ operation }) => isOfCards(operation)).map(({ period }) => period);
  const date = dates.toSorted().at(-1);
  const list = cardList(context, readings);
  // A script makes the card of all pairs that of the reader's own pair.
  const isPaired =
    context.has({ row: "pairsPage", language }) &&
    allPairs.every(([sign1, sign2]) => context.has({ row: "pairPage", language, sign1, sign2 }));
  const names = signs.map((sign) => `${sign}=${signNames[sign]}`).join("&");
  return {
    trail: [{ name: labels.navigation.cards }],
    kind: "website",
    title: labels.cards,
    description: `${labels.cards} · ${labels.tagline}`,
    dateline: date && dateline(context, "daily", date),
    scripts: isPaired ? ["pair"] : [],
    next: siteSteps(context),
    body: html`<header class="hero"><h1>${labels.cards}</h1></header>
      ${isPaired ? html`<div data-names="${names}">${list}</div>` : (list ?? nothingYet(context))}
      ${isPaired && scriptElement("pair")} ${toDraw(context)}`,
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
