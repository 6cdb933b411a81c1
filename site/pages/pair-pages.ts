// Two signs together, of which the first is the reader's: the steps to choose her own and her partner's, a page for each pair in each
// order, and the table of all.
import { type Language, type Sign, signs } from "../../readings/tables.ts";
import { pairDates } from "../../readings/pairs.ts";
import type { Reading } from "../../readings/reading.schema.ts";
import { timesOf } from "../data.ts";
import type { ReceivedReading } from "../edition.ts";
import { pageDraft } from "./document.ts";
import { html } from "../html.ts";
import type { Context, Draft } from "../context.ts";
import { signArt, glyph } from "./drawings.ts";
import type { TreePath } from "../tree.ts";
import { signGrid, stripInPieces } from "./navigation.ts";
import { following, signSteps, siteSteps } from "./next-steps.ts";
import {
  nothingYet,
  type NextStep,
  opening,
  type Page,
  scoreBar,
  scoreBoard,
  section,
  sectionTitle,
} from "./page.ts";

export type PairReading = Extract<Reading, { family: "pair" }>;

export function pairPage(context: Context, reading: PairReading): Page {
  const { language, labels, formats } = context;
  const { sign1, sign2 } = reading;
  const names = context.signNames;
  const together = (one: Sign, other: Sign) => formats.list([names[one], names[other]]);
  const title = together(sign1, sign2);
  const operation = labels.operations["love-compatibility"];
  const { first, last } = pairDates([sign1, sign2], language, reading.period);
  const part = (name: "elements" | "overall" | "positive" | "negative" | "idealDate") =>
    section(labels.pair[name], reading[name]);
  const table: TreePath = { row: "pairsPage", language };
  const own: TreePath = { row: "partnerPage", language, sign: sign1 };
  const roles = labels.pairRoles;
  const person = (sign: Sign, role: string) =>
    html`<p class="hue ${sign}">${signArt(context, sign)} <span class="caps">${role}</span> <b>${names[sign]}</b></p>`;
  const pairStep = (about: string, one: Sign, other: Sign): NextStep => {
    return { name: together(one, other), about, at: { row: "pairPage", language, sign1: one, sign2: other } };
  };
  return {
    trail: [{ name: operation, at: table }, { name: names[sign1], at: own }, { name: title }],
    kind: "article",
    title: `${title} · ${operation}`,
    description: opening(language, reading.overall.join(" "), 160),
    sign: sign1,
    dateline: formats.range(first, last),
    data: { row: "pairData", language, sign1, sign2 },
    next: [
      pairStep(roles.otherWay, sign2, sign1),
      pairStep(operation, sign1, following(signs, sign2)),
      ...signSteps(context, sign1),
      ...signSteps(context, sign2).slice(0, 1),
    ],
    body: [
      ...stripInPieces(context, roles.choosePartner, sign2, (sign) => ({
        row: "pairPage",
        language,
        sign1,
        sign2: sign,
      })),
      html`
      <article>
        <header class="hero">
          <h1>${title}</h1>
          <div class="medals roles">${person(sign1, roles.you)}${person(sign2, roles.partner)}</div>
        </header>
        <div class="glance">${bars(context, reading)}${part("elements")}</div>
        <div class="text columns">
          ${part("overall")}${part("positive")}
          ${part("negative")}${part("idealDate")}
        </div>
      </article>`,
    ],
  };
}

/** The second step: the reader's own sign is chosen, and her partner's is to be. */
function partnerPage(context: Context, sign: Sign, readings: readonly PairReading[]): Page {
  const { language, labels } = context;
  const { you, choosePartner } = labels.pairRoles;
  const name = context.signNames[sign];
  const nextSign = following(signs, sign);
  const operation = labels.operations["love-compatibility"];
  const partners = new Set(readings.filter(({ sign1 }) => sign1 === sign).map(({ sign2 }) => sign2));
  const pairWith = (other: Sign): TreePath | undefined =>
    partners.has(other) ? { row: "pairPage", language, sign1: sign, sign2: other } : undefined;
  return {
    trail: [{ name: operation, at: { row: "pairsPage", language } }, { name }],
    kind: "website",
    title: `${name} · ${choosePartner}`,
    description: `${operation} · ${you} · ${name} · ${choosePartner}`,
    sign,
    next: [
      ...signSteps(context, sign),
      {
        name: context.signNames[nextSign],
        about: operation,
        at: { row: "partnerPage", language, sign: nextSign },
      },
    ],
    body: html`<header class="hero">
        <div class="medals">${signArt(context, sign)}</div>
        <p class="caps">${you} · ${name}</p>
        <h1>${choosePartner}</h1>
      </header>
      ${partners.size === 0 ? nothingYet(context) : signGrid(context, choosePartner, pairWith)}`,
  };
}

function bars({ labels, formats }: Context, { scores }: PairReading) {
  const values = Object.values(scores).filter((value) => value !== undefined);
  const scale = scaleOf(values);
  const write = formats.numbers(values);
  const bar = (name: keyof PairReading["scores"]) => {
    const value = scores[name];
    return value !== undefined && scoreBar(labels.pairScores[name], value, scale, write(value));
  };
  return scoreBoard(labels.scores, [bar("general"), bar("communication"), bar("sex")]);
}

/** The service does not say out of how many its pair scores are: ten, as far as seen; greater ones must be out of a hundred. */
function scaleOf(values: readonly (number | undefined)[]): 10 | 100 {
  return values.some((value) => value !== undefined && value > 10) ? 100 : 10;
}

/** The first step, and below it all pairs: rows and columns of twelve, of which a cell is darker the better the two are said to go together. */
function pairsPage(context: Context, readings: readonly PairReading[]): Page {
  const { language, labels, formats } = context;
  const { chooseYou, table } = labels.pairRoles;
  const generals = readings.flatMap(({ scores }) => scores.general ?? []);
  const scale = scaleOf(generals);
  const write = formats.numbers(generals);
  const havingPairs = new Set(readings.map(({ sign1 }) => sign1));
  const partners = (sign: Sign): TreePath | undefined =>
    havingPairs.has(sign) ? { row: "partnerPage", language, sign } : undefined;
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
        >${general === undefined ? "·" : write(general)}</a
      >
    </td>`;
  };
  const name = labels.operations["love-compatibility"];
  return {
    trail: [{ name }],
    kind: "website",
    title: name,
    description: `${name} · ${labels.chooseSigns}`,
    next: siteSteps(context),
    body: html`<header class="hero">
        <h1>${name}</h1>
        <p class="caps">${chooseYou}</p>
      </header>
      ${signGrid(context, chooseYou, partners)} ${sectionTitle(table)}
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

/** The pages of both steps; none where there is no pair. */
export function pairsDrafts(language: Language, current: readonly ReceivedReading[]): Draft[] {
  const received = current.filter(({ reading }) => reading.family === "pair");
  const pairs = received.map(({ reading }) => reading).filter((reading) => reading.family === "pair");
  if (pairs.length === 0) return [];
  const at = { row: "pairsPage", language } as const;
  return [
    pageDraft(at, (context) => pairsPage(context, pairs), timesOf(received), pairs),
    ...signs.map((sign) =>
      pageDraft({ row: "partnerPage", language, sign }, (context) => partnerPage(context, sign, pairs)),
    ),
  ];
}
