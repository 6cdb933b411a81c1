// A sign's page for a day, a week, a month or a year. The current page and the dated one share their text.
import { type Language, languages, type Sign, signs, type Script } from "../../readings/tables.ts";
import { addDays, type PeriodKind, periodKinds, periodOf } from "../../readings/calendar.ts";
import { type HoroscopeReading, type LuckLine, sectionNames } from "../../readings/reading.schema.ts";
import type { Draft, Context } from "../context.ts";
import type { EndedHoroscope } from "../edition.ts";
import { emptyFeeds } from "../feed.ts";
import { html, type Markup } from "../html.ts";
import type { TreePath, TreePathOf } from "../tree.ts";
import { monthOf } from "./archive-page.ts";
import { pageDraft } from "./document.ts";
import { signArt, starChart, swatch } from "./drawings.ts";
import { stripInPieces } from "./navigation.ts";
import { following, signSteps } from "./next-steps.ts";
import {
  dateline,
  nextEdition,
  type NextStep,
  openingOf,
  type Page,
  scoreBar,
  scoreBoard,
  scoresOf,
  section,
  signHero,
  type Step,
  turnLink,
} from "./page.ts";

/** The current page of a sign, or that of a date. */
export type SignPath = TreePathOf<"signPage"> | TreePathOf<"datedPage">;

/** The contents of a sign's page, which its current and its dated page share. */
export interface SignContent extends Pick<Page, "description" | "data"> {
  readonly text: Markup;
}

export function signContent(context: Context, reading: HoroscopeReading, data: TreePath): SignContent {
  const { labels } = context;
  const [first, ...others] = sectionNames.map((name) =>
    section(labels.sections[name], reading.sections[name]),
  );
  const text = html`<div class="text columns">
      ${first} ${glance(context, reading)} ${others}
    </div>`;
  return { text, data, description: openingOf(reading, 160) };
}

/** In place of a text that was withdrawn. */
export function withdrawnContent({ labels: { withdrawn } }: Context): SignContent {
  return { text: html`<div class="prose"><p>${withdrawn}</p></div>`, description: withdrawn };
}

export function signPage(
  context: Context,
  at: SignPath,
  period: string,
  { text, ...facts }: SignContent,
  isCurrent: boolean,
): Page {
  const { labels, formats, signNames } = context;
  const { language, kind, sign } = at;
  const operation = labels.operations[`${kind}-horoscope`];
  const nextSign = following(signs, sign);
  const date = dateline(context, kind, period);
  const current: TreePath = { row: "signPage", language, kind, sign };
  return {
    ...facts,
    translated: isCurrent || period > periodOf(kind, context.date) ? current : undefined,
    kind: "article",
    title: `${signNames[sign]} · ${operation} · ${formats.period(kind, period)}`,
    sign,
    dateline: date,
    isDateInHead: true,
    feed: kind === "daily" ? sign : undefined,
    trail: trail(context, at, period),
    picture: sign,
    next: [
      ...signSteps(context, sign),
      { name: signNames[nextSign], about: operation, at: { ...at, sign: nextSign } },
      archiveStep(context, sign, kind === "yearly" ? undefined : monthOf(kind, period)),
    ],
    body: [
      ...stripInPieces(context, labels.signs, sign, (other) => ({ ...at, sign: other })),
      ...context.onceAsBytes(`hero ${kind} ${sign}`, () => [
        html`<article>
        <header class="hero compact">
          <div class="medals">${signArt(context, sign, starChart(sign))}</div>
          <div>
            <h1>${signNames[sign]}</h1>
            <p class="caps">${operation}</p>`,
      ]),
      html`<p class="date">${date}</p></div></header>
        ${periodLinks(context, sign, at)} `,
      text,
      html`
      </article>
      ${neighbours(context, at, period, isCurrent)}
      `,
    ],
  };
}

/** The way to the page: the sign's page of the shortest period, then another period, then a date. */
function trail(context: Context, { row, language, kind, sign }: SignPath, period: string) {
  const { labels, formats } = context;
  const page = (of: PeriodKind): TreePath => ({ row: "signPage", language, kind: of, sign });
  const nearest = context.nearestKind(sign) ?? kind;
  const steps: Step[] = [{ name: context.signNames[sign], at: page(nearest) }];
  if (kind !== nearest) steps.push({ name: labels.periods[kind], at: page(kind) });
  if (row === "datedPage") steps.push({ name: formats.period(kind, period) });
  return steps;
}

/** To the sign's month of the archive; a year's text has none. */
function archiveStep(
  { labels, formats, language }: Context,
  sign: Sign,
  month: string | undefined,
): NextStep {
  const { archive } = labels;
  if (month === undefined) return { name: archive, at: { row: "archiveStart", language } };
  const name = formats.period("monthly", month);
  return { name, about: archive, at: { row: "archivePage", language, sign, month } };
}

function scores(context: Context, reading: HoroscopeReading) {
  const bars = scoresOf(context, reading).map(({ label, value, text }) => scoreBar(label, value, 100, text));
  return scoreBoard(context.labels.scores, bars);
}

function luck(context: Context, reading: HoroscopeReading) {
  const short = reading.luck.filter((line) => isShort(line) && line.kind !== "colors");
  const lines = [colors(context, reading), ...luckLines(context, short)].filter((line) => line !== undefined);
  if (lines.length === 0) return undefined;
  return html`<section>
    <h2>${context.labels.bringsLuck}</h2>
    <dl>${lines}</dl>
  </section>`;
}

function glance(context: Context, reading: HoroscopeReading) {
  const tips = luckLines(
    context,
    reading.luck.filter((line) => !isShort(line)),
  );
  const row = tips.length === 0 ? undefined : html`<dl class="tips">${tips}</dl>`;
  const parts = [scores(context, reading), luck(context, reading), row].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : html`<div class="glance">${parts}</div>`;
}

function colors({ labels, language }: Context, reading: HoroscopeReading) {
  const line = reading.luck.find(({ kind }) => kind === "colors");
  if (line === undefined && reading.colors.length === 0) return undefined;
  const names = itemsOf(line?.value ?? "");
  // Colors get their names only when there are as many names as codes; otherwise both are shown as they came.
  const matched = names.length === reading.colors.length;
  return html`<div>
    <dt>${labels.luckKinds.colors}</dt>
    <dd>
      <ul class="swatches">
        ${reading.colors.map((color, index) => html`<li>${swatch(color)}${matched && names[index]}</li>`)}
        ${!matched && line && html`<li>${listed(language, line.value)}</li>`}
      </ul>
    </dd>
  </div>`;
}

/** Short lines are next to the scores; tips, and lines of an unknown kind, have a row of their own. */
export function isShort({ kind }: LuckLine): boolean {
  return kind === "colors" || kind === "numbers" || kind === "alphabets";
}

function luckLines({ language, labels: { luckKinds } }: Context, lines: readonly LuckLine[]): Markup[] {
  return lines.map(
    ({ kind, label, value }) =>
      html`<div>
        <dt>${kind === undefined ? label : luckKinds[kind]}</dt>
        <dd>${kind === "numbers" || kind === "alphabets" ? listed(language, value) : value}</dd>
      </div>`,
  );
}

/** The items of a list as the service sends it, whatever commas it has. */
function itemsOf(list: string) {
  return list.split(/\s*[,،、，;；]\s*/).filter((item) => item !== "");
}

/** The separators of lists that are no sentences. */
const commas: Readonly<Partial<Record<Script, string>>> = { Arabic: "، ", Han: "、", Japanese: "、" };

/** A list with the commas of the language. */
function listed(language: Language, list: string) {
  return itemsOf(list).join(commas[languages[language].script] ?? ", ");
}

/** Links to the sign's current pages and, among days, to those around today; `here` is the page that has them. */
export function periodLinks(context: Context, sign: Sign, here?: SignPath): Markup | undefined {
  const { labels, language, date } = context;
  const today: Step[] = periodKinds.map((kind) => {
    const name = kind === "daily" ? labels.today : labels.periods[kind];
    return { name, at: { row: "signPage", language, kind, sign } };
  });
  // A page of the past is not rendered again, and would continue to say so; one of a longer period would be another one every day.
  const isAmongDays = here?.kind === "daily" && !(here.row === "datedPage" && here.key < date);
  const day = (by: -1 | 1): TreePath => {
    return { row: "datedPage", language, kind: "daily", sign, key: addDays(date, by) };
  };
  const [daily, ...others] = today;
  const around: (Step | undefined)[] = isAmongDays
    ? [{ name: labels.yesterday, at: day(-1) }, daily, { name: labels.tomorrow, at: day(1) }, ...others]
    : today;
  const own = here && context.linked(here);
  const links = around.flatMap((step) => {
    const address = step?.at && context.linked(step.at);
    if (step?.at === undefined || address === undefined) return [];
    return address === own
      ? html`<li><a href="${address}" aria-current="page">${step.name}</a></li>`
      : html`<li><a href="${address}">${step.name}</a></li>`;
  });
  if (links.length === 0) return undefined;
  return html`<nav aria-label="${labels.period}">
    <ul class="rule">
      ${links}
    </ul>
  </nav>`;
}

/** Links to the periods before and after, where they are published. */
function neighbours(context: Context, at: SignPath, period: string, isCurrent: boolean) {
  const tomorrow = at.kind === "daily" ? addDays(context.date, 1) : undefined;
  const links = context.formats.around(at.kind, period).map(({ by, key, text }) => {
    const word = key === tomorrow ? context.labels.tomorrow : undefined;
    const link = turnLink(context, by, { ...at, row: "datedPage", key }, text, word);
    return link ?? (isCurrent && by > 0 ? nextEdition(context, text) : undefined);
  });
  return links.some((link) => link !== undefined) ? html`<div class="turn">${links}</div>` : undefined;
}

// The pages of an operation that the configuration no longer contains. Bookmarks, newsletters and dated pages still link to its
// current pages, so these stay, without a text and hidden from search engines, and link to the archive. Its feeds stay, empty.
export function endedDrafts(language: Language, ended: readonly EndedHoroscope[]): Draft[] {
  return ended.flatMap(({ kind, month }) => [
    ...signs.map((sign) =>
      pageDraft(
        { row: "signPage", language, kind, sign },
        (context) => endedPage(context, kind, sign, month),
        undefined,
        [],
        { isEnded: true },
      ),
    ),
    ...(kind === "daily" ? emptyFeeds(language) : []),
  ]);
}

function endedPage(context: Context, kind: PeriodKind, sign: Sign, month: string | undefined): Page {
  const { language, labels } = context;
  const name = context.signNames[sign];
  const operation = labels.operations[`${kind}-horoscope`];
  const archive = (of: Sign): TreePath => ({ row: "archivePage", language, sign: of, month: month ?? "" });
  return {
    kind: "website",
    title: `${name} · ${operation}`,
    description: `${name} · ${labels.archive}`,
    sign,
    trail: [{ name }],
    next: [...signSteps(context, sign), archiveStep(context, sign, month)],
    body: [
      ...stripInPieces(context, labels.signs, sign, archive),
      html`
      ${signHero(context, sign, operation)}
      ${periodLinks(context, sign)}`,
    ],
  };
}
