// A language's front page: the twelve signs to choose from, the sky of the day, what is said of each sign, the cards, the pairs.
import { type PeriodKind, periodKinds } from "../readings/periods.ts";
import type { Reading } from "../readings/reading.schema.ts";
import { type Sign, signs } from "../readings/signs.ts";
import { cardList } from "./cards-page.ts";
import type { Context } from "./page-context.ts";
import { glyph, wheel } from "./drawings.ts";
import { html } from "./html.ts";
import { dateline, type Page, sectionTitle } from "./page.ts";
import { scriptElement } from "./page-scripts.ts";
import { signGrid } from "./sign-grid.ts";
import { sunDates } from "./signs.ts";
import { openingOf } from "./text-opening.ts";
import type { TreePath } from "./tree.ts";

/** `readings` are the current ones, from whose horoscopes each sign shows its nearest. */
export function frontPage(context: Context, readings: readonly Reading[]): Page {
  const { language, labels, date, settings } = context;
  const kinds = periodKinds.filter((kind) => context.has({ row: "signPage", language, kind, sign: "aries" }));
  const [nearest] = kinds;
  const list = cardList(context, readings);
  return {
    kind: "website",
    title: labels.tagline,
    scripts: nearest === undefined ? [] : ["birthday"],
    description: labels.tagline,
    dateline: dateline(context, "daily", date),
    body: html`<header class="hero">
        <h1>${settings.name}</h1>
        <p class="caps">${labels.tagline}</p>
      </header>
      <div class="sky">${nearest !== undefined && houses(context, nearest)} ${wheel(context)}</div>
      ${nearest !== undefined && birthday(context)}
      ${nearest !== undefined && twelve(context, kinds, readings)}
      ${
        list !== undefined &&
        html`<section>
          ${sectionTitle(labels.cards)} ${list}
        </section>`
      }`,
  };
}

/** On a phone all twelve stand on the first screen. */
function houses(context: Context, kind: PeriodKind) {
  const { labels, language, formats } = context;
  const page = (sign: Sign): TreePath => ({ row: "signPage", language, kind, sign });
  return signGrid(context, labels.signs, page, (sign) => formats.sunDates(sign));
}

/** A reader's own sign; without a script the dates above lead to it. */
function birthday({ labels }: Context) {
  const { title, sign, stays } = labels.birthday;
  const firsts = signs.map((one) => sunDates[one][0]).join(" ");
  return html`<p class="onward mine" data-firsts="${firsts}" hidden>
      <label>${title} <input type="date" /></label> <output aria-label="${sign}"></output> <small>${stays}</small>
    </p>
    ${scriptElement("birthday")}`;
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
