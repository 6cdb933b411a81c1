// A sign's page for a day, a week, a month or a year. The current page and the dated one share their text.
import { operations } from "../readings/operations.ts";
import { type PeriodKind, periodKinds, shiftPeriod } from "../readings/periods.ts";
import { type HoroscopeReading, type LuckLine, sectionNames } from "../readings/reading.schema.ts";
import { signNames } from "../readings/sign-names.ts";
import type { Sign } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { medal, swatch } from "./drawings.ts";
import { html, type Markup } from "./html.ts";
import { dateline, type Page, paragraphs } from "./page.ts";
import { monthOf } from "./archive-page.ts";
import { scoreBar, scoreBoard } from "./score-bars.ts";
import { signStrip } from "./sign-strip.ts";
import { opening } from "./text-opening.ts";
import { type Crumb, trailTo } from "./breadcrumbs.ts";
import type { TreePath } from "./tree.ts";

/** The text that the current and the dated page of a reading share. */
export function signText(context: Context, reading: HoroscopeReading): Markup {
  const { labels } = context;
  return html`${glance(context, reading)}
    <div class="text columns">
      ${sectionNames.map(
        (name) =>
          html`<section>
            <h2>${labels.sections[name]}</h2>
            ${paragraphs(reading.sections[name])}
          </section>`,
      )}
    </div>`;
}

/** The language, operation, period and sign of a page, whether or not it has a text. */
type SignPageSubject = Pick<HoroscopeReading, "language" | "operation" | "period" | "sign">;

export function signPage(
  context: Context,
  reading: HoroscopeReading,
  shown: {
    readonly text: Markup;
    readonly dated: boolean;
    readonly current: boolean;
    readonly receivedAt: string;
  },
): Page {
  const { language, labels, formats } = context;
  const { sign, period, operation } = reading;
  const kind = operations[operation].due;
  const name = signNames[language][sign];
  const current: TreePath = { row: "signPage", language, kind, sign };
  const dated: TreePath = { row: "datedPage", language, kind, sign, key: period };
  return {
    at: shown.dated ? dated : current,
    // While the dated page shows the same text as the current one, search engines are to know the current one alone.
    canonical: shown.dated && shown.current ? current : undefined,
    kind: "article",
    title: `${name} · ${labels.operations[operation]} · ${formats.period(kind, period)}`,
    description: opening(language, reading.sections.personal.join(" "), 160),
    sign,
    dateline: dateline(context, kind, period),
    receivedAt: shown.receivedAt,
    data: { row: "signData", language, kind, key: period, sign },
    feed: kind === "daily" ? sign : undefined,
    trail: trail(context, reading, kind, shown.dated),
    picture: sign,
    body: body(context, reading, shown.dated, shown.text),
  };
}

/** The current page of a sign whose text was withdrawn. */
export function withdrawnPage(context: Context, place: SignPageSubject): Page {
  const { language, labels, formats } = context;
  const { sign, period, operation } = place;
  const kind = operations[operation].due;
  const notice = html`<div class="prose"><p>${labels.withdrawn}</p></div>`;
  return {
    at: { row: "signPage", language, kind, sign },
    kind: "article",
    title: `${signNames[language][sign]} · ${labels.operations[operation]} · ${formats.period(kind, period)}`,
    description: labels.withdrawn,
    sign,
    dateline: dateline(context, kind, period),
    feed: kind === "daily" ? sign : undefined,
    trail: trail(context, place, kind, false),
    picture: sign,
    body: body(context, place, false, notice),
  };
}

/** The way to the page: the sign's page of the shortest period, then another period, then a date. */
function trail(context: Context, { sign, period }: SignPageSubject, kind: PeriodKind, dated: boolean) {
  const { language, labels, formats } = context;
  const page = (of: PeriodKind): TreePath => ({ row: "signPage", language, kind: of, sign });
  const nearest = periodKinds.find((one) => context.has(page(one))) ?? kind;
  const crumbs: Crumb[] = [{ name: signNames[language][sign], at: page(nearest) }];
  if (kind !== nearest) crumbs.push({ name: labels.periods[kind], at: page(kind) });
  const at: TreePath = { row: "datedPage", language, kind, sign, key: period };
  if (dated) crumbs.push({ name: formats.period(kind, period), at });
  return trailTo(context, ...crumbs);
}

function body(context: Context, place: SignPageSubject, dated: boolean, text: Markup): Markup {
  const { language, labels } = context;
  const { sign, period, operation } = place;
  const kind = operations[operation].due;
  return html`<article>
      <header class="hero">
        <div class="medals">${medal(sign)}</div>
        <h1>${signNames[language][sign]}</h1>
        <p class="caps">${labels.operations[operation]}</p>
      </header>
      ${periodLinks(context, sign, dated ? undefined : kind)} ${text}
    </article>
    ${neighbours(context, place, kind)}
    ${onward(context.linkTo({ row: "archivePage", language, sign, month: monthOf(kind, period) }, labels.archive))}
    ${signStrip(context, labels.signs, sign, (other) => ({
      at: dated
        ? { row: "datedPage", language, kind, sign: other, key: period }
        : { row: "signPage", language, kind, sign: other },
      name: signNames[language][other],
    }))}`;
}

function onward(link: Markup | undefined): Markup | undefined {
  return link && html`<p class="onward">${link}</p>`;
}

function scores(context: Context, { scores: values }: HoroscopeReading): Markup | undefined {
  const { labels, formats } = context;
  const words = { ...labels.sections, luck: labels.luck };
  const bars = [...sectionNames, "luck" as const].map((name) => {
    const value = values[name];
    return value !== undefined && scoreBar(words[name], value, 100, formats.percent(value));
  });
  return scoreBoard(labels.scores, bars);
}

function luck(context: Context, reading: HoroscopeReading): Markup | undefined {
  const short = reading.luck.filter(({ kind }) => isShort(kind) && kind !== "colors");
  const lines = [colors(context, reading), ...luckLines(context, short)].filter((line) => line !== undefined);
  if (lines.length === 0) return undefined;
  return html`<section>
    <h2>${context.labels.luck}</h2>
    <dl>${lines}</dl>
  </section>`;
}

function glance(context: Context, reading: HoroscopeReading): Markup | undefined {
  const tips = reading.luck.filter(({ kind }) => !isShort(kind));
  const row = tips.length === 0 ? undefined : html`<dl class="tips">${luckLines(context, tips)}</dl>`;
  const parts = [scores(context, reading), luck(context, reading), row].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : html`<div class="glance">${parts}</div>`;
}

function colors(context: Context, reading: HoroscopeReading): Markup | undefined {
  const line = reading.luck.find(({ kind }) => kind === "colors");
  if (line === undefined && reading.colors.length === 0) return undefined;
  const names = (line?.value ?? "").split(/\s*[,،、，;；]\s*/).filter((name) => name !== "");
  // Colours get their names only when there are as many names as codes; otherwise both are shown as they came.
  const matched = names.length === reading.colors.length;
  return html`<div>
    <dt>${context.labels.luckKinds.colors}</dt>
    <dd>
      <ul class="swatches">
        ${reading.colors.map((color, index) => html`<li>${swatch(color)}${matched && names[index]}</li>`)}
        ${!matched && line !== undefined && html`<li>${line.value}</li>`}
      </ul>
    </dd>
  </div>`;
}

/** Short lines stand beside the scores; tips, and lines of an unknown kind, have a row of their own. */
function isShort(kind: LuckLine["kind"]): boolean {
  return kind === "colors" || kind === "numbers" || kind === "alphabets";
}

function luckLines(context: Context, lines: readonly LuckLine[]): Markup[] {
  const { luckKinds } = context.labels;
  return lines.map(
    ({ kind, label, value }) =>
      html`<div>
        <dt>${kind === undefined ? label : luckKinds[kind]}</dt>
        <dd>${value}</dd>
      </div>`,
  );
}

/** Links to the sign's current pages; `here` is the period of the page that has them. */
export function periodLinks(context: Context, sign: Sign, here?: PeriodKind): Markup | undefined {
  const { labels, language } = context;
  if (!periodKinds.some((kind) => context.has({ row: "signPage", language, kind, sign }))) return undefined;
  return html`<nav aria-label="${labels.period}">
    <ul class="rule">
      ${periodKinds.map((other) => {
        const at: TreePath = { row: "signPage", language, kind: other, sign };
        const word = labels.periods[other];
        if (!context.has(at)) return undefined;
        if (other === here)
          return html`<li><a href="${context.address(at)}" aria-current="page">${word}</a></li>`;
        return html`<li>${context.linkTo(at, word)}</li>`;
      })}
    </ul>
  </nav>`;
}

/** Links to the periods before and after, where they are published. */
function neighbours(
  context: Context,
  { sign, period }: SignPageSubject,
  kind: PeriodKind,
): Markup | undefined {
  const { labels, language, formats } = context;
  const link = (by: -1 | 1) => {
    const key = shiftPeriod(kind, period, by);
    const at: TreePath = { row: "datedPage", language, kind, sign, key };
    if (!context.has(at)) return undefined;
    const [rel, word] = by < 0 ? ["prev", `‹ ${labels.previous}`] : ["next", `${labels.next} ›`];
    return html`<a rel="${rel}" href="${context.address(at)}"
      ><small>${word}</small>${formats.period(kind, key)}</a
    >`;
  };
  const [before, after] = [link(-1), link(1)];
  if (before === undefined && after === undefined) return undefined;
  return html`<div class="turn">${before}${after}</div>`;
}
