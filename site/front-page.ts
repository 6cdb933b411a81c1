// A language's front page: the sky of the day, the twelve signs, the cards, the pairs.
import { familyOf, type Operation, operationNames } from "../readings/operations.ts";
import { type PeriodKind, periodKinds } from "../readings/periods.ts";
import type { Reading } from "../readings/reading.schema.ts";
import { type Sign, signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { familyDrawing, glyph, wheel } from "./drawings.ts";
import { html } from "./html.ts";
import { dateline, hero, type Page, sectionTitle } from "./page.ts";
import { openingOf } from "./text-opening.ts";
import type { TreePath } from "./tree.ts";

/** `readings` are the current ones, from whose horoscopes each sign shows its nearest. */
export function frontPage(context: Context, readings: readonly Reading[]): Page {
  const { language, labels, date, settings } = context;
  const kinds = periodKinds.filter((kind) => context.has({ row: "signPage", language, kind, sign: "aries" }));
  const [nearest] = kinds;
  return {
    kind: "website",
    title: settings.name,
    description: labels.tagline,
    dateline: dateline(context, "daily", date),
    body: html`${hero(wheel(context, nearest ?? "daily"), settings.name, labels.tagline)}
      ${nearest !== undefined && twelve(context, kinds, readings)} ${cards(context, readings.toSorted(inOrder))}`,
  };
}

function twelve(context: Context, kinds: readonly PeriodKind[], readings: readonly Reading[]) {
  const { labels, language, formats } = context;
  const [nearest = "daily", ...others] = kinds;
  const horoscopes = readings.filter((reading) => reading.family === "horoscope");
  const text = (sign: Sign) => {
    const reading = horoscopes.find((one) => one.sign === sign && one.operation === `${nearest}-horoscope`);
    return reading && openingOf(reading, 130);
  };
  return html`<section>
    ${sectionTitle(labels.signs)}
    <ul class="twelve">
      ${signs.map(
        (sign) =>
          html`<li class="hue ${sign}">
            ${glyph(sign)}
            <h3>
              ${context.linkTo({ row: "signPage", language, kind: nearest, sign }, context.signNames[sign])}
              <small>${formats.sunDates(sign)}</small>
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

function cards(context: Context, readings: readonly Reading[]) {
  const { language, labels } = context;
  const link = (operation: Operation, at: TreePath, note?: string) =>
    context.has(at) &&
    html`<li>
      <a href="${context.address(at)}">
        ${familyDrawing(familyOf(operation))}
        <span>${labels.operations[operation]}</span
        >${note !== undefined && html`<bdi class="small">${note}</bdi>`}
      </a>
    </li>`;
  const drawn = readings.filter(
    (reading) => reading.family !== "animal" && reading.family !== "pair" && reading.family !== "horoscope",
  );
  const pairs = link("love-compatibility", { row: "pairsPage", language });
  const people = readings.filter((reading) => reading.family === "animal");
  if (drawn.length === 0 && people.length === 0 && pairs === false) return undefined;
  return html`<section>
    ${sectionTitle(labels.cards)}
    <ul class="deck">
      ${drawn.map((reading) => link(reading.operation, { row: "cardPage", language, operation: reading.operation }, teaser(reading)))}
      ${pairs}
      ${people.map(({ operation, person, animal }) => link(operation, { row: "personPage", language, person }, animal))}
    </ul>
  </section>`;
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
