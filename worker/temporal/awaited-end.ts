// Waits for the end of a run. A command that follows a night for hours must survive short outages of Temporal.
import { setTimeout as delay } from "node:timers/promises";
import { ServiceError, type WorkflowHandle } from "@temporalio/client";
import type { RunProgress } from "../../readings/run-messages.ts";
import type { nightly } from "../../workflows/nightly.ts";
import { patienceMs } from "./silent-server.ts";
import { TemporalAway } from "./temporal-client.ts";

const againAfterMs = 1_000;

export async function awaitedEnd(handle: WorkflowHandle<typeof nightly>): Promise<RunProgress> {
  let failingSinceMs: number | undefined;
  for (;;) {
    const askedMs = performance.now();
    try {
      return await handle.result();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.cause instanceof TemporalAway) throw error;
      const nowMs = performance.now();
      if (nowMs - askedMs > patienceMs) failingSinceMs = undefined; // it was answered meanwhile
      failingSinceMs ??= nowMs;
      if (nowMs - failingSinceMs > patienceMs) throw error;
      await delay(againAfterMs);
    }
  }
}
