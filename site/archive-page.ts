// The archive: for each sign and month a calendar that leads to all of its dated pages. A page of it is made of the paths
// that its month has, and of no reading, so that an old month costs a night nothing.
import type { Language } from "../readings/languages.ts";
import { addDays, isPeriodKey, type PeriodKind, periodOf, spanOf } from "../readings/periods.ts";
import { signNames } from "../readings/sign-names.ts";
import { type Sign, signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { medal } from "./drawings.ts";
import type { Draft } from "./draft.ts";
import type { ArchiveMonth } from "./edition.ts";
import { html, type Markup } from "./html.ts";
import { printPage } from "./document.ts";
import { dateline, type Page } from "./page.ts";
import { signStrip } from "./sign-strip.ts";
import type { TreePath } from "./tree.ts";

/** The month in whose archive a period stands: that of its first day. */
export function monthOf(kind: PeriodKind, period: string): string {
  return periodOf("monthly", spanOf(kind, period).first);
}

export function archiveDrafts(language: Language, months: readonly ArchiveMonth[]): Draft[] {
  return months.flatMap((month) =>
    signs.map((sign) => ({
      at: { row: "archivePage", language, sign, month: month.month },
      print: (context) => printPage(context, archivePage(context, sign, month)),
    })),
  );
}

function archivePage(context: Context, sign: Sign, around: ArchiveMonth): Page {
  const { language, labels, formats } = context;
  const { month } = around;
  const name = signNames[language][sign];
  const title = `${name} · ${labels.archive} · ${formats.period("monthly", month)}`;
  return {
    at: { row: "archivePage", language, sign, month },
    kind: "website",
    title,
    description: title,
    sign,
    dateline: dateline(context, "monthly", month),
    body: html`<header class="hero">
        <div class="medals">${medal(sign)}</div>
        <h1>${name}</h1>
        <p class="caps">${labels.archive}</p>
      </header>
      ${calendar(context, sign, month)} ${longer(context, sign, month)} ${turn(context, sign, around)}
      ${signStrip(context, labels.signs, sign, (other) => ({
        at: { row: "archivePage", language, sign: other, month },
        name: signNames[language][other],
      }))}`,
  };
}

function daysOf(month: string): string[] {
  const { first, last } = spanOf("monthly", month);
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

function calendar(context: Context, sign: Sign, month: string): Markup {
  const { formats } = context;
  const weekdays = formats.weekdays();
  const days = daysOf(month);
  const place = weekdays.findIndex(({ day }) => day === new Date(days[0] ?? month).getUTCDay());
  const cells = [...Array.from({ length: place }, () => undefined), ...days];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => cells[week * 7 + index]),
  );
  return html`<table class="table month">
    <caption class="caps">${formats.period("monthly", month)}</caption>
    <thead>
      <tr>
        ${weekdays.map(({ short, long }) => html`<th scope="col"><abbr title="${long}">${short}</abbr></th>`)}
      </tr>
    </thead>
    <tbody>
      ${weeks.map(
        (week) =>
          html`<tr>
            ${week.map((day) => html`<td>${day !== undefined && dayOf(context, sign, day)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function dayOf(context: Context, sign: Sign, day: string): Markup {
  const { language, formats } = context;
  const at: TreePath = { row: "datedPage", language, kind: "daily", sign, key: day };
  const number = formats.number(Number(day.slice(-2)));
  return context.has(at)
    ? html`<a href="${context.address(at)}" aria-label="${formats.date(day)}">${number}</a>`
    : html`${number}`;
}

/** Links to the weeks that begin in the month, to the month and, in January, to the year. */
function longer(context: Context, sign: Sign, month: string): Markup | undefined {
  const { language, labels, formats } = context;
  const weeks = daysOf(month).filter((day) => isPeriodKey("weekly", day));
  const years = month.endsWith("-01") ? [month.slice(0, 4)] : [];
  const keys: [PeriodKind, readonly string[]][] = [
    ["weekly", weeks],
    ["monthly", [month]],
    ["yearly", years],
  ];
  const lines = keys.flatMap(([kind, periods]) => {
    const links = periods.map((period) =>
      context.linkTo({ row: "datedPage", language, kind, sign, key: period }, formats.period(kind, period)),
    );
    const there = links.filter((link) => link !== undefined);
    if (there.length === 0) return [];
    return [
      html`<div>
        <dt>${labels.operations[`${kind}-horoscope`]}</dt>
        ${there.map((link) => html`<dd>${link}</dd>`)}
      </div>`,
    ];
  });
  return lines.length === 0 ? undefined : html`<dl class="glance tips">${lines}</dl>`;
}

function turn(context: Context, sign: Sign, { before, after }: ArchiveMonth): Markup | undefined {
  const { language, labels, formats } = context;
  const link = (month: string | undefined, rel: "prev" | "next", word: string) => {
    if (month === undefined) return undefined;
    const at: TreePath = { row: "archivePage", language, sign, month };
    if (!context.has(at)) return undefined;
    return html`<a rel="${rel}" href="${context.address(at)}"
      ><small>${word}</small>${formats.period("monthly", month)}</a
    >`;
  };
  const links = [link(before, "prev", `‹ ${labels.previous}`), link(after, "next", `${labels.next} ›`)];
  if (links.every((one) => one === undefined)) return undefined;
  return html`<nav class="turn" aria-label="${labels.archive}">${links}</nav>`;
}
