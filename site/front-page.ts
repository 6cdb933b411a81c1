// A language's front page: the sky of the day, the twelve signs, the cards, the pairs.
import { familyOf, type Operation } from "../readings/operations.ts";
import { type PeriodKind, periodKinds } from "../readings/periods.ts";
import type { HoroscopeReading, Reading } from "../readings/reading.schema.ts";
import { signNames } from "../readings/sign-names.ts";
import { type Sign, signs } from "../readings/signs.ts";
import type { AnimalReading } from "./card-pages.ts";
import type { Context } from "./page-context.ts";
import type { CardReading } from "./data.schema.ts";
import { familyDrawing, glyph, wheel } from "./drawings.ts";
import { html, type Markup } from "./html.ts";
import { dateline, hero, type Page, sectionTitle } from "./page.ts";
import { opening } from "./text-opening.ts";
import type { TreePath } from "./tree.ts";

export interface FrontContent {
  /** The current horoscopes, from which each sign shows its nearest. */
  readonly horoscopes: readonly HoroscopeReading[];
  /** The current readings of the card operations and of people. */
  readonly others: readonly (CardReading | AnimalReading)[];
}

export function frontPage(context: Context, content: FrontContent): Page {
  const { language, labels, date, settings } = context;
  const kinds = periodKinds.filter((kind) => context.has({ row: "signPage", language, kind, sign: "aries" }));
  const [nearest] = kinds;
  return {
    kind: "website",
    title: settings.name,
    description: labels.tagline,
    dateline: dateline(context, "daily", date),
    body: html`${hero(wheel(context, nearest ?? "daily"), settings.name, labels.tagline)}
      ${nearest !== undefined && twelve(context, kinds, content.horoscopes)} ${cards(context, content.others)}`,
  };
}

function twelve(
  context: Context,
  kinds: readonly PeriodKind[],
  horoscopes: readonly HoroscopeReading[],
): Markup {
  const { labels, language, formats } = context;
  const [nearest = "daily", ...others] = kinds;
  const text = (sign: Sign) => {
    const reading = horoscopes.find((one) => one.sign === sign && one.operation === `${nearest}-horoscope`);
    return reading === undefined ? "" : opening(language, reading.sections.personal.join(" "), 130);
  };
  return html`<section>
    ${sectionTitle(labels.signs)}
    <ul class="twelve">
      ${signs.map(
        (sign) =>
          html`<li class="hue ${sign}">
            ${glyph(sign)}
            <h3>
              ${context.linkTo({ row: "signPage", language, kind: nearest, sign }, signNames[language][sign])}
              <small>${formats.sunDates(sign)}</small>
            </h3>
            ${text(sign) !== "" && html`<p>${text(sign)}</p>`}
            <p class="more small">
              ${others.map((kind) => context.linkTo({ row: "signPage", language, kind, sign }, labels.periods[kind]))}
            </p>
          </li>`,
      )}
    </ul>
  </section>`;
}

function cards(context: Context, readings: FrontContent["others"]): Markup | undefined {
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
  const drawn = readings.filter((reading) => reading.family !== "animal");
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

/** The name of the day's card where there is only one. */
function teaser(reading: Reading): string | undefined {
  if (reading.family === "tarot") return reading.name;
  return reading.family === "cards" && reading.cards.length === 1 ? reading.cards[0]?.name : undefined;
}
