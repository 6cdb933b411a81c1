// The reader's own signs on a front page: the choice of them, and the place of their texts. A script shows both.
import { operations, signs } from "../../readings/tables.ts";
import type { Address } from "../address.ts";
import type { Context } from "../context.ts";
import { factsOf } from "../data.ts";
import { horoscopesIn, inSignOrder, type ReadingSet } from "../edition.ts";
import { sunDates } from "../formats.ts";
import { html, type Markup } from "../html.ts";
import { scriptElement } from "../style.ts";

/** `set` has the texts; undefined if their data is not published. */
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
