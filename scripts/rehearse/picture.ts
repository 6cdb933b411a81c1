// The pictures of a rehearsal: a night against the midnights of its readers, and each language's days. Drawn for the width
// of a phone, so that the letters can be read there.
import type { LanguageFigures } from "../../insight/rehearsal-figures.ts";
import { html, type Markup } from "../../site/html.ts";
import type { Rehearsal } from "./rehearsal.ts";

const width = 360;
const left = 30;
const rowHeight = 15;
const top = 20;
const hourMs = 60 * 60_000;
const plotted = width - left - 6;

/** Each language's way from the start of a night to its own midnight. */
export function nightPicture({ figures, wish }: Rehearsal): Markup | undefined {
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

/** In hours after a night's start: the language's midnight, and when its edition was there, usually and at the worst. */
function rowOf({ language, turns }: LanguageFigures, instants: readonly number[]) {
  const days = turns.slice(1).flatMap(({ dueAt, wholeAt }) => {
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

/** Which pages turned in time: a row for each language, a column for each day. */
export function daysPicture({ figures }: Rehearsal): Markup | undefined {
  const rows = figures.languages.filter(({ days }) => days > 0);
  const days = Math.max(0, ...rows.map((row) => row.days));
  if (days === 0) return undefined;
  const height = top + rows.length * rowHeight;
  const cell = plotted / days;
  const gap = cell > 4 ? 1 : 0;
  const dates = rows[0]?.turns.slice(1).map(({ date }) => date) ?? [];
  const named = [0, Math.floor(days / 2), days - 1].filter((day, at, all) => all.indexOf(day) === at);
  const names = named.map((day, at) => {
    const anchor = at === 0 ? "start" : at === named.length - 1 ? "end" : "middle";
    const x = at === 0 ? left : at === named.length - 1 ? left + plotted : left + (day + 0.5) * cell;
    return html`<text class="soft" x="${round(x)}" y="11" text-anchor="${anchor}">${dates[day]?.slice(5) ?? ""}</text> `;
  });
  const cells = rows.map(({ language, turns }, index) => {
    const y = top + index * rowHeight;
    return html`<text x="0" y="${y + 10}">${language}</text> ${turns
      .slice(1)
      .map(({ dueAt, wholeAt }, day) => {
        const kind = wholeAt === null ? "missed" : wholeAt > dueAt ? "behind" : "there";
        return html`<rect class="${kind}" x="${round(left + day * cell)}" y="${y}" width="${round(cell - gap)}" height="${rowHeight - 3}" />`;
      })} `;
  });
  return html`<figure>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="For each language and day, whether its page turned in time">
      ${names} ${cells}
    </svg>
    <figcaption>
      Each language's days: <span class="key there"></span> turned at its midnight,
      <span class="key behind"></span> came later, <span class="key missed"></span> never had a page of its own.
    </figcaption>
  </figure> `;
}

function round(figure: number) {
  return Math.round(figure * 100) / 100;
}
