// The lines after a run was started: how to follow it, and whether a worker is there to do it.
import type { Client } from "@temporalio/client";
import { workerSeenAt } from "../../worker/temporal/pollers.ts";
import type { StartedRun } from "../../worker/temporal/runs.ts";
import type { Vault } from "../../vault/vault.ts";
import { exitCodes } from "./errors.ts";
import { printAs, say } from "./output.ts";
import { endLines, exitCodeOf, watchToEnd } from "./run-end.ts";

export interface Following {
  /** To its end, whose exit code is then the answer. */
  readonly wait: boolean;
  readonly json: boolean;
}

export async function tellOrFollow(
  run: StartedRun,
  vault: Vault,
  { wait, json }: Following,
  facts: object = {},
) {
  if (!wait) {
    printAs(json, { run: run.id, attached: run.attached, ...facts }, startedLines(run));
    return exitCodes.done;
  }
  const ended = await watchToEnd(run, vault);
  printAs(json, ended, endLines(ended));
  return exitCodeOf(ended);
}

function startedLines({ id, attached }: StartedRun) {
  return [
    attached ? `${id} is under way already` : `${id} begins`,
    `follow it:  almanac status ${id} --watch`,
  ];
}

/** Warns where no worker is there: the run waits then, and looks as if it hung. */
export async function warnWithoutWorker(client: Client, site: string): Promise<void> {
  if ((await workerSeenAt(client, site)) !== undefined) return;
  say(`no worker of ${site} has asked for work lately: it waits until \`almanac worker\` runs somewhere`);
}
