// Two signs together: a page a pair, and the table from which to choose one.
import type { Reading } from "../readings/reading.schema.ts";
import { type Sign, signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { glyph, medal } from "./drawings.ts";
import { html } from "./html.ts";
import { type Page, section } from "./page.ts";
import { scaleOf, scoreBar, scoreBoard } from "./score-bars.ts";
import { signStrip } from "./sign-strip.ts";
import { opening } from "./text-opening.ts";
import type { TreePath } from "./tree.ts";
import { pairDates } from "../readings/pairs.ts";

export type PairReading = Extract<Reading, { family: "pair" }>;

export function pairPage(context: Context, reading: PairReading): Page {
  const { language, labels, formats } = context;
  const { sign1, sign2 } = reading;
  const names = context.signNames;
  const title = formats.list([names[sign1], names[sign2]]);
  const operation = labels.operations["love-compatibility"];
  const { first, last } = pairDates([sign1, sign2], language, reading.period);
  const part = (name: "elements" | "overall" | "positive" | "negative" | "idealDate") =>
    section(labels.pair[name], reading[name]);
  const table: TreePath = { row: "pairsPage", language };
  return {
    trail: [{ name: operation, at: table }, { name: title }],
    kind: "article",
    title: `${title} · ${operation}`,
    description: opening(language, reading.overall.join(" "), 160),
    sign: sign1,
    dateline: formats.range(first, last),
    data: { row: "pairData", language, sign1, sign2 },
    body: html`<article>
        <header class="hero">
          <div class="medals">
            <span class="hue ${sign1}">${medal(sign1)}</span><span class="hue ${sign2}">${medal(sign2)}</span>
          </div>
          <h1>${title}</h1>
          <p class="caps">
            ${context.linkTo(table, operation) ?? operation}
          </p>
        </header>
        <div class="glance">${bars(context, reading)}${part("elements")}</div>
        <div class="text columns">
          ${part("overall")}${part("positive")}
          ${part("negative")}${part("idealDate")}
        </div>
      </article>
      ${signStrip(
        context,
        labels.chooseSigns,
        sign2,
        (sign) => ({ row: "pairPage", language, sign1, sign2: sign }),
        (sign) => formats.list([names[sign1], names[sign]]),
      )}`,
  };
}

function bars({ labels, formats }: Context, { scores }: PairReading) {
  const scale = scaleOf(Object.values(scores));
  const bar = (name: keyof PairReading["scores"]) => {
    const value = scores[name];
    return value !== undefined && scoreBar(labels.pairScores[name], value, scale, formats.number(value));
  };
  return scoreBoard(labels.scores, [bar("general"), bar("communication"), bar("sex")]);
}

/** Rows and columns of twelve; a cell is darker the better the two are said to go together. */
export function pairTable(context: Context, readings: readonly PairReading[]): Page {
  const { language, labels, formats } = context;
  const scale = scaleOf(readings.map(({ scores }) => scores.general));
  const heading = (sign: Sign, scope: "col" | "row") =>
    html`<th scope="${scope}" class="hue ${sign}">
      ${glyph(sign)}<span class="hidden">${context.signNames[sign]}</span>
    </th>`;
  const cell = (row: Sign, column: Sign) => {
    const reading = readings.find(({ sign1, sign2 }) => sign1 === row && sign2 === column);
    if (reading === undefined) return html`<td></td>`;
    const { general } = reading.scores;
    const share = general === undefined ? 0 : Math.round((general / scale) * 10);
    return html`<td>
      <a class="share${share}" href="${context.address({ row: "pairPage", language, sign1: row, sign2: column })}"
        >${general === undefined ? "·" : formats.number(general)}</a
      >
    </td>`;
  };
  const name = labels.operations["love-compatibility"];
  return {
    trail: [{ name }],
    kind: "website",
    title: name,
    description: labels.chooseSigns,
    body: html`<header class="hero">
        <h1>${name}</h1>
        <p class="caps">${labels.chooseSigns}</p>
      </header>
      <table class="table">
        <thead>
          <tr>
            <td></td>
            ${signs.map((sign) => heading(sign, "col"))}
          </tr>
        </thead>
        <tbody>
          ${signs.map(
            (row) =>
              html`<tr>
                ${heading(row, "row")}${signs.map((column) => cell(row, column))}
              </tr>`,
          )}
        </tbody>
      </table>`,
  };
}
