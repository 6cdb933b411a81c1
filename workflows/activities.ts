// The activities as workflows see them: typed proxies with their time-outs, on the queue that each belongs to.
import { proxyActivities } from "@temporalio/workflow";
import type { EndpointName } from "../readings/tables.ts";
import type { CallTimeouts } from "../readings/run-messages.ts";
import type { createActivities } from "../activities/index.ts";
import { mainStartToCloseMs, planStartToCloseMs } from "./limits.ts";
import { callQueue } from "./names.ts";

type Activities = ReturnType<typeof createActivities>;

/** A store that is away for an hour is waited for; a fault of our own is not retried (see activities/temporal-failures.ts). */
const storeRetry = { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m" } as const;

export function planActivities() {
  return proxyActivities<Pick<Activities, "plan" | "planPage">>({
    startToCloseTimeout: planStartToCloseMs,
    heartbeatTimeout: "30s",
    retry: storeRetry,
  });
}

export function mainActivities(summary: string) {
  return proxyActivities<Pick<Activities, "judgeSet" | "publish" | "publishDue" | "scrub" | "report">>({
    startToCloseTimeout: mainStartToCloseMs,
    heartbeatTimeout: "30s",
    retry: storeRetry,
    summary,
  });
}

/**
 * One activity for each batch, on its endpoint's queue. Temporal repeats what passes by waiting. A refusal names its pause; the
 * others stay short, because refusals count as attempts, too.
 */
export function callsOn(
  vault: string,
  endpoint: EndpointName,
  limits: CallTimeouts,
  options: { summary: string; priorityKey: number; fairnessKey: string },
) {
  return proxyActivities<Pick<Activities, "callBatch">>({
    taskQueue: callQueue(vault, endpoint),
    startToCloseTimeout: limits.startToCloseMs,
    heartbeatTimeout: limits.heartbeatMs,
    retry: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "5s" },
    summary: options.summary.slice(0, 100),
    priority: { priorityKey: options.priorityKey, fairnessKey: options.fairnessKey },
    allowEagerDispatch: false,
  });
}
