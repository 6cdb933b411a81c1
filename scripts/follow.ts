// Shows a run while it goes: a bar a language on a terminal, a plain line now and then elsewhere.
import { setTimeout as delay } from "node:timers/promises";
import type { Counts, RunProgress, Tally } from "../activities/contracts.ts";
import type { StartedRun } from "../worker/runs.ts";
import { styled } from "./output.ts";

const lookEveryMs = 500;
const plainEveryMs = 5_000;
const barWidth = 24;

export interface Totals {
  readonly planned: number;
  readonly done: number;
  readonly retried: number;
  readonly setAside: number;
}

/** Resolves with the run's end; shows how far it is on stderr until then. */
export async function follow(run: StartedRun): Promise<RunProgress> {
  const startedMs = performance.now();
  const screen = process.stderr.isTTY ? liveScreen() : plainLines();
  const ended = new AbortController();
  const result = run.result().finally(() => ended.abort());
  result.catch(() => undefined); // awaited below; until then it is no unhandled rejection
  while (!ended.signal.aborted) {
    const progress = await run.progress().catch(() => undefined); // no worker for a moment: look again
    if (progress !== undefined) screen.show(progress, (performance.now() - startedMs) / 1000);
    await Promise.race([result.catch(() => undefined), delay(lookEveryMs)]);
  }
  const last = await result;
  screen.end(last, (performance.now() - startedMs) / 1000);
  return last;
}

export function totalsOf(tallies: Iterable<Tally | undefined>): Totals {
  const totals = { planned: 0, done: 0, retried: 0, setAside: 0 };
  for (const tally of tallies) {
    for (const counts of Object.values(tally ?? {})) {
      totals.planned += counts.planned;
      totals.done += doneIn(counts);
      totals.retried += counts.retried;
      totals.setAside += counts.setAside;
    }
  }
  return totals;
}

function doneIn({ kept, held, setAside }: Counts): number {
  return kept + held + setAside;
}

/** One line: how much, how fast, how long still. */
export function summaryLine(progress: RunProgress, seconds: number): string {
  const totals = totalsOf(Object.values(progress.languages));
  const rate = seconds > 0 ? totals.done / seconds : 0;
  const left = rate > 0 ? Math.ceil((progress.planned - totals.done) / rate) : undefined;
  const parts = [
    `${progress.state}: ${totals.done} of ${progress.planned}`,
    `${rate.toFixed(1)} a second`,
    ...(left === undefined || progress.state !== "gathering" ? [] : [`about ${left} s left`]),
    `${totals.retried} asked again`,
    `${totals.setAside} set aside`,
    `${progress.published.length} publishes`,
  ];
  return parts.join(", ");
}

interface Screen {
  show(progress: RunProgress, seconds: number): void;
  end(progress: RunProgress, seconds: number): void;
}

function plainLines(): Screen {
  let shownMs = Number.NEGATIVE_INFINITY;
  const write = (progress: RunProgress, seconds: number): void => {
    process.stderr.write(`${summaryLine(progress, seconds)}\n`);
  };
  return {
    show(progress, seconds) {
      if (seconds * 1000 - shownMs < plainEveryMs) return;
      shownMs = seconds * 1000;
      write(progress, seconds);
    },
    end: write,
  };
}

/** Redraws in place: as many lines up as it drew last. */
function liveScreen(): Screen {
  let drawn = 0;
  const draw = (progress: RunProgress, seconds: number): void => {
    const rows = Math.max(4, (process.stderr.rows ?? 40) - 3);
    const lines = [...barsOf(progress).slice(0, rows), summaryLine(progress, seconds)];
    const up = drawn === 0 ? "" : `\u001B[${drawn}A`;
    process.stderr.write(`${up}${lines.map((line) => `\u001B[2K${line}`).join("\n")}\n`);
    drawn = lines.length;
  };
  return { show: draw, end: draw };
}

export function barsOf(progress: RunProgress, stream: NodeJS.WriteStream = process.stderr): string[] {
  return Object.entries(progress.languages).map(([language, tally]) => {
    const { planned, done, setAside } = totalsOf([tally]);
    const filled = planned === 0 ? barWidth : Math.round((done / planned) * barWidth);
    const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
    const aside = setAside === 0 ? "" : styled("yellow", `  ${setAside} set aside`, stream);
    return `${language.padEnd(4)} ${styled(done === planned ? "green" : "cyan", bar, stream)} ${String(done).padStart(4)} / ${planned}${aside}`;
  });
}
