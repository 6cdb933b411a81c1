// A language's front page: the twelve signs to choose from, the sky of the day, the beginning of each sign's text, the cards, the pairs.
import {
  isOfCards,
  type Operation,
  operationNames,
  type Sign,
  signs,
  operations,
} from "../../readings/tables.ts";
import { allPairs } from "../../readings/pairs.ts";
import { addDays, type PeriodKind, periodKinds } from "../../readings/calendar.ts";
import type { Reading } from "../../readings/reading.schema.ts";
import { type ReadingSet, horoscopesIn, inSignOrder } from "../edition.ts";
import { html, type Markup } from "../html.ts";
import type { Context } from "../context.ts";
import { scriptElement } from "../style.ts";
import type { TreePath } from "../tree.ts";
import { cardName } from "./card-pages.ts";
import { glyph, operationDrawing, wheel } from "./drawings.ts";
import { signGrid } from "./navigation.ts";
import { siteSteps } from "./next-steps.ts";
import { dateline, nextEdition, nothingYet, openingOf, type Page, sectionTitle } from "./page.ts";
import type { Address } from "../address.ts";
import { factsOf } from "../data.ts";
import { sunDates } from "../formats.ts";

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

/** The choice of the reader's own signs, and the place of their texts. A script shows both. Undefined if the data of `set` is not published. */
export function mySigns(context: Context, set: ReadingSet): Markup | undefined {
  const { labels, language } = context;
  const [first] = inSignOrder(horoscopesIn(set.readings));
  if (first === undefined) return undefined;
  const { sign, period: key, operation } = first.reading;
  const kind = operations[operation].due;
  const texts = context.linked({ row: "signData", language, kind, key, sign });
  const pages = context.linked({ row: "signPage", language, kind, sign });
  if (texts === undefined || pages === undefined) return undefined;
  const folder = ({ href }: Address) => href.slice(0, href.lastIndexOf(sign));
  const { set: hash } = factsOf(set)(context, first.reading);
  const words = labels.mySigns;
  return html`<section class="mine" data-pages="${folder(pages)}" data-texts="${folder(texts)}" data-set="${hash}" hidden>
      <details>
        <summary><h2>${words.title}</h2></summary>
        <ul aria-live="polite"></ul>
        <div class="pick">
          ${birthday(context)}
          <label
            >${words.others}
            <select name="other">
              <option value="">–</option>
              ${signs.map((one) => html`<option value="${one}" data-first="${sunDates[one][0]}">${context.signNames[one]}</option>`)}
            </select>
          </label>
          <button type="button">${words.add}</button>
        </div>
        <p class="small">${words.stays}</p>
        <button class="clear" type="button">${words.clear}</button>
      </details>
      <ul class="texts"></ul>
      <template>
        <li class="hue">
          <button type="button">
            <span class="hidden">${words.remove}</span> <bdi></bdi> <span aria-hidden="true">×</span>
          </button>
        </li>
      </template>
      <template>
        <li class="hue">
          <h3>
            <a href="${pages}"><bdi>${context.signNames[sign]}</bdi></a>
          </h3>
          <p></p>
          <a class="small" href="${pages}">${labels.readOn} <bdi class="hidden"></bdi></a>
        </li>
      </template>
    </section>
    ${scriptElement("my-signs")}`;
}

/** A day and a month, in the order of the language's dates. */
function birthday({ labels, formats }: Context) {
  const choice = (name: string, label: string, texts: readonly string[]) =>
    html`<select name="${name}" aria-label="${label}" autocomplete="off">
      <option value="">${label}</option>
      ${texts.map((text, index) => html`<option value="${String(index + 1).padStart(2, "0")}">${text}</option>`)}
    </select>`;
  const days = Array.from({ length: 31 }, (_, day) => formats.number(day + 1));
  const day = choice("day", labels.periods.daily, days);
  const month = choice("month", labels.periods.monthly, formats.months("monthly"));
  return html`<fieldset>
    <legend>${labels.mySigns.birthday}</legend>
    ${formats.isMonthFirst() ? [month, day] : [day, month]}
  </fieldset>`;
}
