// A bar a language: below one another, or side by side where the terminal is too low for that.
import type { RunProgress, Tally } from "../../readings/run-messages.ts";
import { totalOf } from "../../readings/tally.ts";
import { styled } from "./output.ts";

export type Totals = ReturnType<typeof totalsOf>;

export interface BarSpace {
  readonly columns: number;
  /** The most rows; absent for as many as it takes. */
  readonly rows?: number;
}

const longestBar = 24;
const shortestBar = 6;
const gap = "   ";

export function totalsOf(tallies: Iterable<Tally | undefined>) {
  const { kept, held, ...total } = totalOf(tallies);
  return { ...total, done: kept + held + total.setAside };
}

export function barLines(
  { languages }: RunProgress,
  { columns, rows = Infinity }: BarSpace,
  stream: NodeJS.WriteStream,
): string[] {
  const all = Object.entries(languages).map(([language, tally]) => [language, totalsOf([tally])] as const);
  const digits = Math.max(0, ...all.map(([, { planned }]) => String(planned).length));
  const asideWidth = Math.max(0, ...all.map(([, totals]) => asideOf(totals).length));
  /** All of a cell but its bar: `hi   ` before it, ` 26 / 26  1 set aside` after it. */
  const besideBar = 5 + 1 + 2 * digits + 3 + asideWidth;
  const most = Math.max(1, Math.floor((columns + gap.length) / (besideBar + shortestBar + gap.length)));
  const across = Math.min(most, Math.max(1, Math.ceil(all.length / Math.max(1, rows))));
  const widest = Math.floor((columns - gap.length * (across - 1)) / across) - besideBar;
  const width = {
    bar: Math.max(1, Math.min(longestBar, widest)),
    digits,
    aside: across > 1 ? asideWidth : 0,
  };
  const cells = all.map(([language, totals]) => cellOf(language, totals, width, stream));
  const down = Math.ceil(cells.length / across);
  const rowAt = (row: number) =>
    cells
      .filter((_cell, at) => at % down === row)
      .join(gap)
      .trimEnd();
  return Array.from({ length: Math.min(down, rows) }, (_, row) => rowAt(row));
}

function cellOf(
  language: string,
  totals: Totals,
  width: { readonly bar: number; readonly digits: number; readonly aside: number },
  stream: NodeJS.WriteStream,
) {
  const { planned, done, setAside } = totals;
  const filled = planned === 0 ? width.bar : Math.floor((done / planned) * width.bar);
  const bar = "█".repeat(filled) + "░".repeat(width.bar - filled);
  const format = setAside > 0 ? "yellow" : done === planned ? "green" : "cyan";
  const [come, all] = [done, planned].map((count) => String(count).padStart(width.digits));
  const aside = asideOf(totals).padEnd(width.aside);
  return `${language.padEnd(4)} ${styled(format, bar, stream)} ${come} / ${all}${styled("yellow", aside, stream)}`;
}

function asideOf({ setAside }: Totals) {
  return setAside === 0 ? "" : `  ${setAside} set aside`;
}
