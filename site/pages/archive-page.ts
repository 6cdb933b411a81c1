// The archive: for each sign and month a calendar that leads to all of its dated pages. A page of it is made of the paths
// that its month has, and of no reading, so that an old month costs a night nothing.
import { type Language, type Sign, signs } from "../../readings/tables.ts";
import { addDays, firstDayOf, isPeriodKey, type PeriodKind, spanOf } from "../../readings/calendar.ts";
import type { Draft, Context } from "../context.ts";
import type { ArchiveMonth } from "../edition.ts";
import { type Content, html } from "../html.ts";
import type { TreePath, TreePathOf } from "../tree.ts";
import { pageDraft } from "./document.ts";
import { signGrid, stripInPieces } from "./navigation.ts";
import { following, signSteps, siteSteps } from "./next-steps.ts";
import { nothingYet, type Page, signHero, turnLink } from "./page.ts";

/** The month whose archive contains a period: that of its first day. */
export function monthOf(kind: PeriodKind, period: string): string {
  return firstDayOf(kind, period).slice(0, "2026-11".length);
}

export function archiveDrafts(language: Language, months: readonly ArchiveMonth[]): Draft[] {
  return months.flatMap((around) =>
    signs.map((sign) => {
      const at = { row: "archivePage", language, sign, month: around.month } as const;
      return pageDraft(at, (context) => archivePage(context, at, around));
    }),
  );
}

/** Entry to the archive: the newest month of each sign. */
export function archiveStart(context: Context, month: string | undefined): Page {
  const { labels, language, formats } = context;
  const at = (sign: Sign): TreePath => ({ row: "archivePage", language, sign, month: month ?? "" });
  const grid = signGrid(context, labels.signs, at);
  return {
    trail: [{ name: labels.archive }],
    kind: "website",
    title: labels.archive,
    description: `${labels.archive} · ${labels.tagline}`,
    next: siteSteps(context),
    body: html`<header class="hero">
        <h1>${labels.archive}</h1>
        ${month !== undefined && html`<p class="caps">${formats.period("monthly", month)}</p>`}
      </header>
      ${month === undefined ? nothingYet(context) : grid}`,
  };
}

type ArchivePath = TreePathOf<"archivePage">;

function archivePage(context: Context, at: ArchivePath, { before, after }: ArchiveMonth): Page {
  const { labels, formats } = context;
  const { language, sign, month } = at;
  const period = formats.period("monthly", month);
  const title = `${context.signNames[sign]} · ${labels.archive} · ${period}`;
  const days = daysOf(month);
  const nextSign = following(signs, sign);
  const turn = (by: -1 | 1, to: string | undefined) =>
    to === undefined ? undefined : turnLink(context, by, { ...at, month: to }, formats.period("monthly", to));
  const turns = [turn(-1, before), turn(1, after)];
  const nearest = context.nearestKind(sign) ?? "daily";
  return {
    trail: [
      { name: labels.archive, at: { row: "archiveStart", language } },
      { name: context.signNames[sign], at: { row: "signPage", language, kind: nearest, sign } },
      { name: period },
    ],
    kind: "website",
    title,
    description: title,
    sign,
    next: [
      ...signSteps(context, sign),
      { name: context.signNames[nextSign], about: labels.archive, at: { ...at, sign: nextSign } },
    ],
    body: [
      ...stripInPieces(context, labels.signs, sign, (other) => ({ ...at, sign: other })),
      html`
      ${signHero(context, sign, labels.archive)}
      ${calendar(context, sign, days, period)} ${longer(context, at, days)} ${
        turns.some((link) => link !== undefined) &&
        html`<nav class="turn" aria-label="${labels.archive}">${turns}</nav>`
      }`,
    ],
  };
}

function daysOf(month: string) {
  const { first, last } = spanOf("monthly", month);
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The days of a month under the days of the week; a cell before the first and after the last is empty. */
function calendar(context: Context, sign: Sign, days: readonly string[], caption: string) {
  const weekdays = context.formats.weekdays();
  const [first = ""] = days;
  const before = weekdays.findIndex(({ day }) => day === new Date(first).getUTCDay());
  const weeks = Array.from({ length: Math.ceil((before + days.length) / 7) }, (_, week) =>
    weekdays.map((_day, index) => days[week * 7 + index - before]),
  );
  return html`<table class="table month">
    <caption class="caps">${caption}</caption>
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

function dayOf(context: Context, sign: Sign, day: string): Content {
  const { language, formats } = context;
  const at: TreePath = { row: "datedPage", language, kind: "daily", sign, key: day };
  const number = formats.number(Number(day.slice(-2)));
  const address = context.linked(at);
  return address === undefined
    ? number
    : html`<a href="${address}" aria-label="${formats.date(day)}">${number}</a>`;
}

/** Links to the weeks that begin in the month, to the month and to its year. */
function longer(context: Context, at: ArchivePath, days: readonly string[]) {
  const { labels, formats } = context;
  const { language, sign, month } = at;
  const periods: [PeriodKind, readonly string[]][] = [
    ["weekly", days.filter((day) => isPeriodKey("weekly", day))],
    ["monthly", [month]],
    ["yearly", [month.slice(0, "2026".length)]],
  ];
  const lines = periods.flatMap(([kind, keys]) => {
    const links = keys.flatMap(
      (key) =>
        context.linkTo({ row: "datedPage", language, kind, sign, key }, formats.period(kind, key)) ?? [],
    );
    const line = html`<div>
      <dt>${labels.operations[`${kind}-horoscope`]}</dt>
      ${links.map((link) => html`<dd>${link}</dd>`)}
    </div>`;
    return links.length === 0 ? [] : [line];
  });
  return lines.length === 0 ? undefined : html`<dl class="glance tips">${lines}</dl>`;
}
