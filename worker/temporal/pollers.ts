// Whether a worker of a site asks Temporal for work.
import type { Client } from "@temporalio/client";
import { taskQueue } from "../../workflows/names.ts";

/** When one last asked; undefined where none has in the last minutes. One that waits for work asks anew about once a minute. */
export async function workerSeenAt(client: Client, site: string): Promise<Date | undefined> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue(site, "main") },
  });
  const times = pollers.map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000);
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}
