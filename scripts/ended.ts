// How a run that was followed came out: its last words, its exit code, and the error when it did not end by itself.
import { WorkflowFailedError } from "@temporalio/client";
import { type RunProgress } from "../activities/contracts.ts";
import { type StartedRun } from "../worker/runs.ts";
import { reasonOf } from "../workflows/reason.ts";
import { type ExitCode, exitCodes } from "./errors.ts";
import { follow, totalsOf } from "./follow.ts";

/** The run was cancelled, or a fault of our own ended it. */
export class RunBrokeOff extends Error {
  override readonly name = "RunBrokeOff";
}

export async function followToEnd(run: StartedRun): Promise<RunProgress> {
  try {
    return await follow(run);
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    throw new RunBrokeOff(
      `${run.id} did not end by itself: ${reasonOf(error.cause ?? error)}; what was gathered is in the vault, and started again it goes on from there (almanac status ${run.id})`,
      { cause: error },
    );
  }
}

/** Something set aside, or left out under the day's ceiling, is told apart from a whole night. */
export function exitCodeOf(ended: RunProgress): ExitCode {
  if (Object.keys(ended.broken).length > 0) return exitCodes.failed;
  const { setAside } = totalsOf(Object.values(ended.languages));
  return setAside > 0 || ended.leftOut > 0 ? exitCodes.setAside : exitCodes.done;
}

export function endLines(ended: RunProgress): string[] {
  const { setAside } = totalsOf(Object.values(ended.languages));
  const broken = Object.entries(ended.broken).map(([language, why]) => `  ${language} broke off: ${why}`);
  const whole = setAside === 0 && ended.leftOut === 0 && broken.length === 0;
  return [
    `${ended.run}: ${whole ? "whole" : "done, but not whole"}`,
    ...broken,
    ...(setAside === 0 ? [] : [`  ${setAside} set aside: almanac quarantine list`]),
    ...(ended.leftOut === 0
      ? []
      : [`  ${ended.leftOut} left out under the day's ceiling (service.callsPerDay)`]),
  ];
}
