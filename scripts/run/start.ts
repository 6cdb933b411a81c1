// What is said when a run has been started from here: how to follow it, and whether anybody is there to do it.
import type { Client } from "@temporalio/client";
import type { StartedRun } from "../../worker/temporal/runs.ts";
import { taskQueue } from "../../workflows/names.ts";
import { say } from "../terminal/output.ts";

export function startedLines({ id, attached }: StartedRun): string[] {
  return [
    attached ? `${id} is under way already` : `${id} begins`,
    `follow it:  almanac status ${id} --watch`,
  ];
}

/** Without one the run waits, which looks like a run that hangs. */
export async function warnWithoutWorker(client: Client, site: string): Promise<void> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue(site, "main") },
  });
  if (pollers.length > 0) return;
  say(`no worker of ${site} has asked for work lately: it waits until \`almanac worker\` runs somewhere`);
}
