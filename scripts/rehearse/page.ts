// Self-contained HTML page of a rehearsal, for the operator: the answers, two charts, and the figures behind them.
import { ageWords, headOf, verdictsOf, type Rehearsal } from "./results.ts";
import { operatorPage, pageTable } from "../terminal/operator-page.ts";
import { figureOf } from "../terminal/output.ts";
import { durationWords } from "../terminal/progress.ts";
import { html, type Markup } from "../../site/html.ts";
import type { LanguageFigures } from "../../insight/rehearsal-figures.ts";

const pictureStyle = `
dt { font-weight: 600; margin-top: .8rem; }
dd { margin: 0; }
figure { margin: 1.5rem 0; }
figcaption { color: var(--soft); font-size: .9rem; max-width: 32rem; }
svg { display: block; width: 100%; max-width: 32rem; height: auto; margin-bottom: .5rem; }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); font-size: 10px; }
svg .grid { stroke: var(--line); }
svg .away { fill: light-dark(#e7dfcd, #2b2f45); }
svg .wait { stroke: var(--line); stroke-width: 2; stroke-dasharray: 2 3; }
svg .worst { stroke: var(--good); stroke-width: 2; }
svg .usual { stroke: var(--good); stroke-width: 7; }
svg .late { stroke: var(--poor); }
svg .due { stroke: var(--ink); stroke-width: 2; }
.there { fill: var(--good); background: var(--good); }
.behind { fill: var(--behind); background: var(--behind); }
.missed { fill: var(--missed); background: var(--missed); }
.key { display: inline-block; width: .7em; height: .7em; }
:root { --good: light-dark(#7ba487, #5f9775); --behind: light-dark(#e0a458, #d6b04c);
  --missed: light-dark(#9a3412, #f0654d); }
.scrolled { overflow-x: auto; }
summary { cursor: pointer; margin: 2rem 0 .5rem; font-weight: 600; }
`;

export function rehearsalPage(of: Rehearsal): string {
  return operatorPage(
    `Rehearsal of ${of.wish.configuration.site.name}`,
    html`<p>${headOf(of)}.</p>
      <dl>
        ${verdictsOf(of).map(
          ({ question, isWell, answer }) =>
            html`<dt>${question}</dt>
              <dd class="${isWell ? "good" : "poor"}">${answer}</dd> `,
        )}
      </dl>
      ${nightPicture(of)} ${daysPicture(of)} ${languagesTable(of)} ${nightsTable(of)}`,
    pictureStyle,
  );
}

function languagesTable({ figures }: Rehearsal) {
  const headings = ["", "days late", "longest delay", "usual age", "worst age", "lost", "calls"];
  const rows = figures.languages.map(
    ({ language, late, days, overdueSeconds, ageSeconds, lost, calls }) =>
      [
        language,
        late > 0 && html`<b>${late}</b> of ${days}`,
        overdueSeconds > 0 && durationWords(overdueSeconds),
        ageWords(ageSeconds?.usual, days),
        ageWords(ageSeconds?.worst, days),
        lost > 0 && html`<b>${figureOf(lost)}</b>`,
        figureOf(calls),
      ] as const,
  );
  return html`<h2>By language</h2>
    <div class="scrolled">${pageTable(headings, rows)}</div> `;
}

function nightsTable({ figures }: Rehearsal) {
  const hasBudget = figures.budgetLeft !== undefined;
  const headings = ["", "requested", "calls", "failed calls", "refused", "deferred", "duration"];
  const rows = figures.nights.map(
    ({ asOf, planned, calls, unanswered, refused, unfinished, leftOut, seconds, budgetLeft = 0 }) =>
      [
        asOf.slice(0, 10),
        figureOf(planned),
        figureOf(calls),
        unanswered > 0 && figureOf(unanswered),
        refused > 0 && figureOf(refused),
        unfinished + leftOut > 0 && html`<b>${figureOf(unfinished + leftOut)}</b>`,
        durationWords(seconds),
        figureOf(budgetLeft),
      ] as const,
  );
  return html`<details>
    <summary>Each night</summary>
    <div class="scrolled">${pageTable(hasBudget ? [...headings, "budget left"] : headings, rows)}</div>
  </details> `;
}

// The charts are as wide as a phone, so that their text is legible there.

const width = 360;
const left = 30;
const rowHeight = 15;
const top = 20;
const hourMs = 60 * 60_000;
const plotted = width - left - 6;

/** Each language's way from the start of a night to its own midnight. */
function nightPicture({ figures, wish }: Rehearsal): Markup | undefined {
  const instants = figures.nights.map(({ asOf }) => Date.parse(asOf));
  const rows = figures.languages
    .flatMap((language) => rowOf(language, instants))
    .sort((one, other) => one.due - other.due);
  const startHour = instants[0] === undefined ? 0 : (instants[0] % (24 * hourMs)) / hourMs;
  if (rows.length === 0) return undefined;
  const height = top + rows.length * rowHeight + 6;
  const x = (hours: number) => round(left + (Math.min(24, Math.max(0, hours)) / 24) * plotted);
  const grid = [0, 6, 12, 18].map((hour) => {
    const after = (hour - startHour + 24) % 24;
    const name = `${String(hour).padStart(2, "0")}:00`;
    return html`<line class="grid" x1="${x(after)}" x2="${x(after)}" y1="${top - 4}" y2="${height}" />
      <text class="soft" x="${x(after)}" y="11" text-anchor="middle">${name}</text> `;
  });
  const outages = wish.outages.flatMap((outage) => {
    if (outage.kind === "once") return [];
    const from = (outage.fromMinute / 60 - startHour + 24) % 24;
    const lasts = ((outage.untilMinute - outage.fromMinute + 1440) % 1440) / 60;
    const parts = [[from, Math.min(24, from + lasts)] as const, [0, from + lasts - 24] as const];
    return parts
      .filter(([begin, end]) => end > begin)
      .map(
        ([begin, end]) =>
          html`<rect class="away" x="${x(begin)}" y="${top - 4}" width="${round(x(end) - x(begin))}" height="${height}" /> `,
      );
  });
  const lines = rows.map(({ language, due, usual, worst }, index) => {
    const y = top + index * rowHeight + rowHeight / 2;
    return html`<text x="0" y="${y + 4}">${language}</text>
      <line class="wait" x1="${x(worst)}" x2="${x(due)}" y1="${y}" y2="${y}" />
      <line class="${worst > due ? "worst late" : "worst"}" x1="${left}" x2="${x(worst)}" y1="${y}" y2="${y}" />
      <line class="${usual > due ? "usual late" : "usual"}" x1="${left}" x2="${Math.max(x(usual), left + 1.5)}" y1="${y}" y2="${y}" />
      <line class="due" x1="${x(due)}" x2="${x(due)}" y1="${y - 5}" y2="${y + 5}" /> `;
  });
  const away = outages.length > 0 && html` The shaded hours are without an answer.`;
  return html`<figure>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="For each language, when a night has its edition, and when its midnight comes">
      ${outages} ${grid} ${lines}
    </svg>
    <figcaption>
      From the start of the night (UTC) to each language's midnight, the upright mark: the bar ends when its
      edition is there, the thick one as a rule, the thin one on the worst day.${away}
    </figcaption>
  </figure> `;
}

/** Hours after a night's start: the language's midnight, and the usual and the worst completion of its edition. */
function rowOf({ language, midnights }: LanguageFigures, instants: readonly number[]) {
  const days = midnights.slice(1).flatMap(({ dueAt, wholeAt }) => {
    const dueMs = Date.parse(dueAt);
    const instant = instants.findLast((one) => one <= dueMs);
    if (instant === undefined) return [];
    const whole = wholeAt === null ? 24 : (Date.parse(wholeAt) - instant) / hourMs;
    return [{ due: (dueMs - instant) / hourMs, whole }];
  });
  const by = days.map(({ whole }) => whole).sort((one, other) => one - other);
  const [worst, usual] = [by.at(-1), by[Math.floor(by.length / 2)]];
  const due = days.map((day) => day.due).sort((one, other) => one - other)[0];
  if (worst === undefined || usual === undefined || due === undefined) return [];
  return [{ language, due, usual, worst }];
}

/** Chart of the pages that changed in time: a row per language, a column per day. */
function daysPicture({ figures }: Rehearsal): Markup | undefined {
  const rows = figures.languages.filter(({ days }) => days > 0);
  const days = Math.max(0, ...rows.map((row) => row.days));
  if (days === 0) return undefined;
  const height = top + rows.length * rowHeight;
  const cell = plotted / days;
  const gap = cell > 4 ? 1 : 0;
  const dates = rows[0]?.midnights.slice(1).map(({ date }) => date) ?? [];
  const named = [0, Math.floor(days / 2), days - 1].filter((day, at, all) => all.indexOf(day) === at);
  const names = named.map((day, at) => {
    const anchor = at === 0 ? "start" : at === named.length - 1 ? "end" : "middle";
    const x = at === 0 ? left : at === named.length - 1 ? left + plotted : left + (day + 0.5) * cell;
    return html`<text class="soft" x="${round(x)}" y="11" text-anchor="${anchor}">${dates[day]?.slice(5) ?? ""}</text> `;
  });
  const cells = rows.map(({ language, midnights }, index) => {
    const y = top + index * rowHeight;
    return html`<text x="0" y="${y + 10}">${language}</text> ${midnights
      .slice(1)
      .map(({ dueAt, wholeAt }, day) => {
        const kind = wholeAt === null ? "missed" : wholeAt > dueAt ? "behind" : "there";
        return html`<rect class="${kind}" x="${round(left + day * cell)}" y="${y}" width="${round(cell - gap)}" height="${rowHeight - 3}" />`;
      })} `;
  });
  return html`<figure>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="For each language and day, whether its page changed in time">
      ${names} ${cells}
    </svg>
    <figcaption>
      Each language's days: <span class="key there"></span> changed at its midnight,
      <span class="key behind"></span> came later, <span class="key missed"></span> never had a page of its own.
    </figcaption>
  </figure> `;
}

function round(figure: number) {
  return Math.round(figure * 100) / 100;
}
