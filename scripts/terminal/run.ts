// Starts a run on Temporal for a command, and follows it to its end.
import { setTimeout as delay } from "node:timers/promises";
import { type Client, ServiceError, WorkflowFailedError } from "@temporalio/client";
import { waitingNow } from "../../insight/review-list.ts";
import type { RunProgress } from "../../readings/run-messages.ts";
import { openBreakers, stoppedLanguages } from "../../vault/call-notes.ts";
import { identify, installationId } from "../../vault/installation.ts";
import type { Vault } from "../../vault/vault.ts";
import type { Opening } from "../../worker/opened-site.ts";
import { now } from "../../worker/settings/environment.ts";
import { requireOwnWorker, workerSeenAt } from "../../worker/temporal/pollers.ts";
import type { StartedRun } from "../../worker/temporal/runs.ts";
import { failureReason } from "../../workflows/failure-reason.ts";
import { exitCodes } from "./errors.ts";
import { warningLines } from "./findings.ts";
import { printAs, say, styled, wrapped } from "./output.ts";
import { createPacing, languageLines, totalsOf } from "./progress.ts";
import { breakerReason, endLines, exitCodeOf, skippedLines, stopWords, summaryLine } from "./run-words.ts";

/** The vault and site that a run is for, by their markers. Throws if the workers that are there are of another vault or site. */
export async function ownInstallation(
  { vault, site, configuration }: Opening,
  client: Client,
): Promise<string> {
  const installation = installationId(
    await identify({ vault, site }, { configuration, namespace: client.options.namespace }),
  );
  await requireOwnWorker(client, configuration.site.id, installation);
  return installation;
}

/** Warns if there is no worker: the run then waits, and would seem to hang. */
export async function warnWithoutWorker(client: Client, site: string): Promise<void> {
  if ((await workerSeenAt(client, site)) !== undefined) return;
  say(`no worker of ${site} is running. The run waits until you start \`almanac worker\``);
}

export interface Following {
  /** Whether to follow the run to its end, which decides the exit code. */
  readonly wait: boolean;
  readonly json: boolean;
}

export async function tellOrFollow(
  run: StartedRun,
  opening: Opening,
  { wait, json }: Following,
  facts: object = {},
) {
  const { id, attached } = run;
  if (!wait) {
    printAs(json, { run: id, attached, ...facts }, [
      attached ? `${id} is already running` : `started ${id}`,
      `to follow it: \`almanac status ${id} --watch\``,
    ]);
    return exitCodes.done;
  }
  const ended = await watchToEnd(run, opening.vault);
  const waiting = json ? undefined : await waitingNow({ ...opening, now: now() });
  printAs(json, ended, [endLines(ended), waiting && warningLines(waiting)]);
  return exitCodeOf(ended);
}

/** The exit code that shells give a command that Ctrl-C ended. */
const interrupted = 130;

/** Watches a run that is not this process's own, so that Ctrl-C ends the watch and not the run. */
export async function watchToEnd(run: StartedRun, vault: Vault) {
  const leave = (): never => {
    say(`${run.id} continues. To follow it again: \`almanac status ${run.id} --watch\``);
    process.exit(interrupted);
  };
  process.once("SIGINT", leave);
  try {
    return await followToEnd(run, vault);
  } finally {
    process.off("SIGINT", leave);
  }
}

/** Thrown if the run was canceled or ended by an internal error. */
export class RunBrokeOff extends Error {
  override readonly name = "RunBrokeOff";
}

/** Thrown if Temporal stops answering. */
export class RunOutOfSight extends Error {
  override readonly name = "RunOutOfSight";
}

/** Resolves with the run's end, or as it is when `isEnough` says so; shows on stderr how far it is until then. */
export async function followToEnd(
  run: StartedRun,
  vault: Vault,
  isEnough: (progress: RunProgress) => boolean = () => false,
): Promise<RunProgress> {
  try {
    return await follow(run, vault, isEnough);
  } catch (error) {
    if (error instanceof ServiceError) {
      throw new RunOutOfSight(
        `Temporal has not responded about ${run.id} for more than a minute. Stored readings are safe, and the run continues when Temporal is available again. ` +
          `Check it with \`almanac check\`, then follow the run with \`almanac status ${run.id} --watch\``,
        { cause: error },
      );
    }
    if (!(error instanceof WorkflowFailedError)) throw error;
    throw new RunBrokeOff(
      `${run.id} failed: ${failureReason(error.cause ?? error)}. Stored readings are safe. Start it again to continue. \`almanac status ${run.id}\` shows its progress`,
      { cause: error },
    );
  }
}

const lookEveryMs = 500;
const obstaclesEveryMs = 2_000;
const silentAfterMs = 3_000;
const sayAgainAfterMs = 20_000;

async function follow(run: StartedRun, vault: Vault, isEnough: (progress: RunProgress) => boolean) {
  const startedMs = performance.now();
  const show = process.stderr.isTTY ? liveScreen() : plainLines();
  const paceAt = createPacing();
  let obstacles: readonly string[] = [];
  const look = (progress: RunProgress, isLast: boolean) => {
    const { done, planned } = totalsOf(Object.values(progress.languages));
    const pace = paceAt(done, planned, (performance.now() - startedMs) / 1000);
    show({ progress, summary: summaryLine(progress, pace), obstacles }, isLast);
  };
  const ended = new AbortController();
  const result = run.result().finally(() => ended.abort());
  const end = result.catch(() => undefined); // `result` is awaited below; until then it is no unhandled rejection
  using _obstacles = every(obstaclesEveryMs, () => {
    void obstaclesOf(vault, run.id).then(
      (lines) => (obstacles = lines),
      () => undefined, // the vault is away for a moment: what was seen last stays
    );
  });
  let heard = { at: now(), ms: performance.now() };
  let saidMs = Number.NEGATIVE_INFINITY;
  using _silence = every(lookEveryMs, () => {
    const nowMs = performance.now();
    if (ended.signal.aborted) return; // a last question may still be out
    if (nowMs - heard.ms < silentAfterMs || nowMs - saidMs < sayAgainAfterMs) return;
    saidMs = nowMs;
    say(
      `waiting since ${heard.at.toISOString()} for an answer of Temporal or a worker about ${run.id}. \`almanac check\` shows which of them is unreachable`,
    );
  });
  while (!ended.signal.aborted) {
    const latest = run.progress().catch(() => undefined); // no worker for a moment: look again
    const progress = await Promise.race([latest, end.then(() => undefined)]);
    if (progress !== undefined) {
      heard = { at: now(), ms: performance.now() };
      saidMs = Number.NEGATIVE_INFINITY;
      if (isEnough(progress)) return progress;
      look(progress, false);
    }
    await Promise.race([end, delay(lookEveryMs)]);
  }
  const last = await result;
  look(last, true);
  return last;
}

/** Calls at once, and again and again until it is disposed of. */
function every(ms: number, call: () => void): Disposable {
  call();
  const timer = setInterval(call, ms);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Why a run may make no progress: its endpoints' open circuit breakers and stopped languages. */
async function obstaclesOf(vault: Vault, run: string) {
  const [breakers, stopped] = await Promise.all([openBreakers(vault), stoppedLanguages(vault, run)]);
  return [...breakers.map(breakerReason), ...stopped.map(stopWords)];
}

interface Look {
  readonly progress: RunProgress;
  readonly summary: string;
  readonly obstacles: readonly string[];
}

const plainEveryMs = 5_000;

/** Prints a line from time to time, with each obstacle once for as long as it is unchanged. */
function plainLines(): (look: Look, isLast: boolean) => void {
  let shownMs = Number.NEGATIVE_INFINITY;
  let shown: readonly string[] = [];
  let shownSummary: string | undefined;
  return ({ summary, obstacles }, isLast) => {
    const nowMs = performance.now();
    if (nowMs - shownMs < plainEveryMs && !isLast) return;
    shownMs = nowMs;
    say(summary !== shownSummary && summary, ...obstacles.filter((line) => !shown.includes(line)));
    shown = obstacles;
    shownSummary = summary;
  };
}

/** The most skipped requests to show; `almanac quarantine list` has all. */
const mostSkippedShown = 3;

/** Redraws in place: moves the cursor up by the number of lines last drawn. */
function liveScreen(): (look: Look) => void {
  let drawn = 0;
  return ({ progress, summary, obstacles }) => {
    const columns = process.stderr.columns || 80; // a terminal may not say
    const rows = process.stderr.rows || 24;
    // A word that is longer than a line is cut, because the cursor goes up by the number of lines.
    const fitted = (line: string) => wrapped(line, columns).map((one) => one.slice(0, columns));
    const text = [
      ...fitted(summary),
      ...obstacles.flatMap(fitted).map((line) => styled("red", line, process.stderr)),
      ...skippedLines(progress, mostSkippedShown).flatMap(fitted),
    ];
    const room = Math.max(1, rows - 1); // the cursor has a line of its own, below
    const table = languageLines(progress, Math.max(1, room - text.length));
    const lines = [...table, ...text].slice(0, room);
    const up = drawn === 0 ? "" : `\u001B[${drawn}A`;
    process.stderr.write(`${up}${lines.map((line) => `${line}\u001B[K`).join("\n")}\n\u001B[J`);
    drawn = lines.length;
  };
}
