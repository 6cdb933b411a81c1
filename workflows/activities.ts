// The activities as workflows see them: typed proxies with their time-outs, on the queue that each belongs to.
import { proxyActivities } from "@temporalio/workflow";
import type { EndpointName } from "../readings/tables.ts";
import type { CallTimeouts } from "../readings/run-messages.ts";
import type { createActivities } from "../activities/index.ts";
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

// The workflows' own limits, each with its reason. service/limits.ts computes those of a call, readings/gather-rules.ts has
// the number of tries.

/** Enough to read, render and write a whole site over a slow store. */
export const mainStartToCloseMs = 10 * 60_000;
/** Enough for a plan, which lists the vault and reads no responses. */
export const planStartToCloseMs = 2 * 60_000;

/** Shortest time between an edition's reports to its run: a report costs Temporal as much as a batch. */
export const betweenWordsMs = 5_000;
/** And no more often than this, however long it takes. */
export const mostWords = 10;
/**
 * A run publishes no sooner than so long after its start, and then after each publish, unless nothing more can come: a
 * language's next sets mean that it is rendered again, and its first pages that all others are. So the first publish is of
 * languages that have ended.
 */
export const beforeFirstPublishMs = 8_000;
export const betweenPublishesMs = 30_000;
/** Judgements of a set after readings lost their place, before they are quarantined. */
export const mostJudgements = 3;
/** Far below Temporal's 51,200 events a history; what is in flight adds its own on top. */
export const mostEvents = 6_000;
/** Skipped requests in a result, at most half a kilobyte each. The vault has all of them. */
export const mostSkippedListed = 100;
