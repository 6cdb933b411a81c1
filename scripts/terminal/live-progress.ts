// Shows a run while it goes: a bar a language on a terminal, a plain line now and then elsewhere.
import { setTimeout as delay } from "node:timers/promises";
import type { RunProgress } from "../../readings/run-messages.ts";
import type { StartedRun } from "../../worker/temporal/runs.ts";
import { now } from "../../worker/settings/clock.ts";
import { barLines, totalsOf } from "./bars.ts";
import { counted } from "./findings.ts";
import { say, styled } from "./output.ts";
import { createPacing, type RunPace, paceWords } from "./pace.ts";
import { setAsideLines } from "./run-words.ts";
import { wrap } from "./wrap.ts";

const lookEveryMs = 500;
const plainEveryMs = 5_000;
/** The most set-aside requests to show; `almanac quarantine list` has all. */
const mostSetAsideShown = 3;

/**
 * Resolves with the run's end, or as it is when `isEnough` says so; shows on stderr how far it is until then, and beside it
 * why it may stand still.
 */
export async function follow(
  run: StartedRun,
  beside: () => readonly string[],
  isEnough: (progress: RunProgress) => boolean = () => false,
): Promise<RunProgress> {
  const startedMs = performance.now();
  const show = process.stderr.isTTY ? liveScreen() : plainLines();
  const paceAt = createPacing();
  const look = (progress: RunProgress, isLast: boolean) => {
    const { done, planned } = totalsOf(Object.values(progress.languages));
    const pace = paceAt(done, planned, (performance.now() - startedMs) / 1000);
    show({ progress, summary: summaryLine(progress, pace), beside: beside() }, isLast);
  };
  const ended = new AbortController();
  const result = run.result().finally(() => ended.abort());
  result.catch(() => undefined); // awaited below; until then it is no unhandled rejection
  using silence = watchSilence(run.id, ended.signal);
  while (!ended.signal.aborted) {
    const asked = run.progress().catch(() => undefined); // no worker for a moment: look again
    const progress = await Promise.race([asked, result.then(() => undefined).catch(() => undefined)]);
    if (progress !== undefined) silence.end();
    if (progress !== undefined && isEnough(progress)) return progress;
    if (progress !== undefined) look(progress, false);
    await Promise.race([result.catch(() => undefined), delay(lookEveryMs)]);
  }
  const last = await result;
  look(last, true);
  return last;
}

const silentAfterMs = 3_000;
const sayAgainAfterMs = 20_000;

/** Says that nobody answers about a run, a few seconds after the last answer and then now and again. */
function watchSilence(run: string, ended: AbortSignal) {
  let since = { at: now(), ms: performance.now() };
  let saidMs = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    if (ended.aborted) return; // a last question may still be out
    if (nowMs - since.ms < silentAfterMs || nowMs - saidMs < sayAgainAfterMs) return;
    saidMs = nowMs;
    say(
      `waiting since ${since.at.toISOString()} for Temporal, or a worker, to answer about ${run}; \`almanac check\` tells which is there`,
    );
  }, lookEveryMs).unref();
  const end = () => {
    since = { at: now(), ms: performance.now() };
    saidMs = Number.NEGATIVE_INFINITY;
  };
  return { end, [Symbol.dispose]: () => clearInterval(timer) };
}

/** One line: how much is done, how fast, and how long it still takes. */
export function summaryLine(progress: RunProgress, pace: RunPace): string {
  const totals = totalsOf(Object.values(progress.languages));
  const isAsking = progress.state === "gathering" && totals.done < totals.planned;
  const state = progress.state === "gathering" && !isAsking ? "publishing" : progress.state;
  const parts = [
    `${state}: ${totals.done} of ${totals.planned}`,
    ...(isAsking ? paceWords(pace) : []),
    `${totals.retried} asked again`,
    `${totals.setAside} set aside`,
    counted(progress.published.length, "publish", "publishes"),
  ];
  return parts.join(", ");
}

interface Look {
  readonly progress: RunProgress;
  readonly summary: string;
  readonly beside: readonly string[];
}

/** Says what is beside a run once, as long as it stays the same. */
function plainLines(): (look: Look, isLast: boolean) => void {
  let shownMs = Number.NEGATIVE_INFINITY;
  let told: readonly string[] = [];
  return ({ summary, beside }, isLast) => {
    const nowMs = performance.now();
    if (nowMs - shownMs < plainEveryMs && !isLast) return;
    shownMs = nowMs;
    say(summary, ...beside.filter((line) => !told.includes(line)));
    told = beside;
  };
}

/** Redraws in place: as many lines up as it drew last. */
function liveScreen(): (look: Look) => void {
  let drawn = 0;
  return ({ progress, summary, beside }) => {
    const columns = process.stderr.columns || 80; // a terminal may not say
    const rows = process.stderr.rows || 24;
    const wrapped = (line: string) => wrap(line, { language: "en", columns });
    const text = [
      ...wrapped(summary),
      ...beside.flatMap(wrapped).map((line) => styled("red", line, process.stderr)),
      ...setAsideLines(progress, mostSetAsideShown).flatMap(wrapped),
    ];
    const room = Math.max(1, rows - 1); // the cursor has a line of its own, below
    const bars = barLines(progress, { columns, rows: Math.max(1, room - text.length) }, process.stderr);
    const lines = [...bars, ...text].slice(0, room);
    const up = drawn === 0 ? "" : `\u001B[${drawn}A`;
    process.stderr.write(`${up}${lines.map((line) => `${line}\u001B[K`).join("\n")}\n\u001B[J`);
    drawn = lines.length;
  };
}
