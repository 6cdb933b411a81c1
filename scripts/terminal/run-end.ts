// The end of a run that a command followed: its last lines, its exit code, and the error when it did not end by itself.
import { ServiceError, WorkflowFailedError } from "@temporalio/client";
import type { RunProgress } from "../../readings/run-messages.ts";
import type { Vault } from "../../vault/vault.ts";
import type { StartedRun } from "../../worker/temporal/runs.ts";
import { failureReason } from "../../workflows/failure-reason.ts";
import { exitCodes } from "./errors.ts";
import { totalsOf } from "./bars.ts";
import { follow } from "./live-progress.ts";
import { watchBreakers } from "./open-breakers.ts";
import { type Lines, say } from "./output.ts";
import { damagedLines, refusedLines } from "./run-words.ts";

/** Thrown when the run was cancelled, or when a fault of our own ended it. */
export class RunBrokeOff extends Error {
  override readonly name = "RunBrokeOff";
}

/** Thrown when Temporal does not answer any more. */
export class RunOutOfSight extends Error {
  override readonly name = "RunOutOfSight";
}

/** To its end, or until `isEnough` says so. */
export async function followToEnd(
  run: StartedRun,
  vault: Vault,
  isEnough?: (progress: RunProgress) => boolean,
): Promise<RunProgress> {
  using breakers = watchBreakers(vault, run.id);
  try {
    return await follow(run, breakers.words, isEnough);
  } catch (error) {
    if (error instanceof ServiceError) {
      throw new RunOutOfSight(
        `Temporal has not answered about ${run.id} for more than a minute. What it gathered is in the vault, and the run continues when Temporal is back: ` +
          `see that it answers (almanac check), then follow it with \`almanac status ${run.id} --watch\``,
        { cause: error },
      );
    }
    if (!(error instanceof WorkflowFailedError)) throw error;
    throw new RunBrokeOff(
      `${run.id} did not end by itself: ${failureReason(error.cause ?? error)}; what it gathered is in the vault: start it again, and it goes on from there (almanac status ${run.id})`,
      { cause: error },
    );
  }
}

/** The exit code that shells give a command that Ctrl-C ended. */
const interrupted = 130;

/** Watches a run that is not this process's own, so that Ctrl-C ends the watch and not the run. */
export async function watchToEnd(run: StartedRun, vault: Vault) {
  const leave = (): never => {
    say(`${run.id} goes on; to follow it again: almanac status ${run.id} --watch`);
    process.exit(interrupted);
  };
  process.once("SIGINT", leave);
  try {
    return await followToEnd(run, vault);
  } finally {
    process.off("SIGINT", leave);
  }
}

/** The exit code tells a whole night from one with requests set aside, or left out for the ceiling or the subscription. */
export function exitCodeOf(ended: RunProgress) {
  const { state, broken } = ended;
  if (state === "failed" || state === "cancelled" || Object.keys(broken).length > 0) return exitCodes.failed;
  return isWhole(ended) ? exitCodes.done : exitCodes.setAside;
}

function isWhole({ languages, leftOut, refused, damaged }: RunProgress) {
  const { setAside } = totalsOf(Object.values(languages));
  return setAside === 0 && leftOut === 0 && refused.length === 0 && damaged === undefined;
}

export function endLines(ended: RunProgress): Lines {
  const { setAside } = totalsOf(Object.values(ended.languages));
  const broken = Object.entries(ended.broken).map(([language, why]) => `  ${language} broke off: ${why}`);
  const how = isWhole(ended) && broken.length === 0 ? "whole" : "done, but not whole";
  return [
    `${ended.run}: ${ended.state === "failed" ? "failed" : how}`,
    broken,
    refusedLines(ended.refused).map((line) => `  ${line}`),
    damagedLines(ended).map((line) => `  ${line}`),
    setAside > 0 && `  ${setAside} set aside: almanac quarantine list`,
    ended.leftOut > 0 && `  ${ended.leftOut} left out under the day's ceiling (service.callsPerDay)`,
  ];
}
