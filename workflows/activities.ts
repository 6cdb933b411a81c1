// The activities as workflows see them: typed proxies with their time-outs, on the queue that each belongs to.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import { proxyActivities } from "@temporalio/workflow";
import type { CaptureLimits } from "../readings/run-messages.ts";
import type { createActivities } from "../activities/index.ts";
import { mainStartToCloseMs, planStartToCloseMs } from "./limits.ts";
import { taskQueue } from "./names.ts";

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
  return proxyActivities<Pick<Activities, "judgeSheet" | "publish" | "turn" | "patrol" | "report">>({
    startToCloseTimeout: mainStartToCloseMs,
    heartbeatTimeout: "30s",
    retry: storeRetry,
    summary,
  });
}

/** The activity that waits, with heartbeats, until the gate opens, and asks the probe when it is its turn. */
export function gateActivities(deadlineMs: number) {
  return proxyActivities<Pick<Activities, "watchGate" | "openGate">>({
    startToCloseTimeout: deadlineMs,
    heartbeatTimeout: "15s",
    retry: storeRetry,
    summary: "waiting for the gate: `almanac status` says why it is closed",
  });
}

/** One activity for each bundle, on its address's queue. Temporal retries what passes by waiting; the activity names the pause. */
export function captureOn(
  site: string,
  address: ServiceAddress,
  limits: CaptureLimits,
  options: { summary: string; priorityKey: number; fairnessKey: string },
) {
  return proxyActivities<Pick<Activities, "capture">>({
    taskQueue: taskQueue(site, address),
    startToCloseTimeout: limits.startToCloseMs,
    heartbeatTimeout: limits.heartbeatMs,
    retry: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "2m" },
    summary: options.summary.slice(0, 100),
    priority: { priorityKey: options.priorityKey, fairnessKey: options.fairnessKey },
    allowEagerDispatch: false,
  });
}
