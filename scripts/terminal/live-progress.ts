// Shows a run while it goes: a bar a language on a terminal, a plain line now and then elsewhere.
import { setTimeout as delay } from "node:timers/promises";
import type { RunProgress } from "../../readings/run-messages.ts";
import type { StartedRun } from "../../worker/temporal/runs.ts";
import { barLines, totalsOf } from "./bars.ts";
import { counted } from "./findings.ts";
import { styled } from "./output.ts";
import { createPacing, type RunPace, paceWords } from "./pace.ts";
import { setAsideLines } from "./run-words.ts";
import { wrap } from "./wrap.ts";

const lookEveryMs = 500;
const plainEveryMs = 5_000;
/** The most set-aside requests to show; `almanac quarantine list` has all. */
const mostSetAsideShown = 3;

/** Resolves with the run's end; shows on stderr how far it is until then, and beside it why it may stand still. */
export async function follow(run: StartedRun, beside: () => readonly string[]): Promise<RunProgress> {
  const startedMs = performance.now();
  const screen = process.stderr.isTTY ? liveScreen(beside) : plainLines(beside);
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

/** One line: how much is done, how fast, and how long it still takes. */
export function summaryLine(progress: RunProgress, pace: RunPace): string {
  const totals = totalsOf(Object.values(progress.languages));
  const isAsking = progress.state === "gathering" && totals.done < progress.planned;
  const state = progress.state === "gathering" && !isAsking ? "publishing" : progress.state;
  const parts = [
    `${state}: ${totals.done} of ${progress.planned}`,
    ...(isAsking ? paceWords(pace) : []),
    `${totals.retried} asked again`,
    `${totals.setAside} set aside`,
    counted(progress.published.length, "publish", "publishes"),
  ];
  return parts.join(", ");
}

interface Screen {
  show(progress: RunProgress, seconds: number): void;
  end(progress: RunProgress, seconds: number): void;
}

function plainLines(beside: () => readonly string[]): Screen {
  let shownMs = Number.NEGATIVE_INFINITY;
  let told: readonly string[] = [];
  const paceAt = createPacing();
  const write = (progress: RunProgress, seconds: number): void => {
    shownMs = seconds * 1000;
    const { done } = totalsOf(Object.values(progress.languages));
    process.stderr.write(`${summaryLine(progress, paceAt(done, progress.planned, seconds))}\n`);
    const lines = beside();
    for (const line of lines) if (!told.includes(line)) process.stderr.write(`${line}\n`);
    told = lines;
  };
  return {
    show(progress, seconds) {
      if (seconds * 1000 - shownMs >= plainEveryMs) write(progress, seconds);
    },
    end: write,
  };
}

/** Redraws in place: as many lines up as it drew last. */
function liveScreen(beside: () => readonly string[]): Screen {
  let drawn = 0;
  const paceAt = createPacing();
  const draw = (progress: RunProgress, seconds: number): void => {
    const columns = process.stderr.columns || 80; // a terminal may not say
    const rows = process.stderr.rows || 24;
    const { done } = totalsOf(Object.values(progress.languages));
    const wrapped = (line: string): string[] => wrap(line, { language: "en", columns });
    const text = [
      ...wrapped(summaryLine(progress, paceAt(done, progress.planned, seconds))),
      ...beside()
        .flatMap(wrapped)
        .map((line) => styled("red", line, process.stderr)),
      ...setAsideLines(progress, mostSetAsideShown).flatMap(wrapped),
    ];
    const room = Math.max(1, rows - 1); // the cursor has a line of its own, below
    const bars = barLines(progress, { columns, rows: Math.max(1, room - text.length) }, process.stderr);
    const lines = [...bars, ...text].slice(0, room);
    const up = drawn === 0 ? "" : `\u001B[${drawn}A`;
    process.stderr.write(`${up}${lines.map((line) => `${line}\u001B[K`).join("\n")}\n\u001B[J`);
    drawn = lines.length;
  };
  return { show: draw, end: draw };
}
