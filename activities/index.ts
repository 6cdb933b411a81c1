// The activities, closing over what they were handed. Workflows see this type alone.
import { Context } from "@temporalio/activity";
import { alertAboutDamage, alertAboutPublish, alertAboutStaying } from "./alerts.ts";
import { callBatch } from "./batch.ts";
import type {
  BatchInput,
  ScrubInput,
  PublishInput,
  PublishResult,
  RunProgress,
} from "../readings/run-messages.ts";
import { endpointNames } from "../readings/operations.ts";
import type { Dependencies } from "./dependencies.ts";
import { toTemporal } from "./temporal-failures.ts";
import { beating, type HeartbeatNote } from "./heartbeat.ts";
import type { RunPlanInput } from "../insight/plan.ts";
import { scrubOn } from "./scrub.ts";
import { plan } from "./plan.ts";
import { publish, publishDue } from "../publish/publish.ts";
import type { SiteWaiting } from "../publish/state/publish-context.ts";
import { readPlanPage } from "../vault/runs.ts";
import { report } from "./report.ts";
import { judgeSet, type SetInput } from "./set-judgement.ts";

interface PageInput {
  readonly plan: string;
  readonly page: number;
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- workflows take their types from what is returned
export function createActivities(dependencies: Dependencies) {
  return {
    callBatch: (input: BatchInput) => callBatch(input, dependencies),
    plan: (input: RunPlanInput) => guarded(() => plan(input, dependencies, Context.current().info.attempt)),
    planPage: ({ plan: name, page }: PageInput) => {
      seeRun(dependencies);
      return guarded(() => readPlanPage(name, page, dependencies.vault));
    },
    judgeSet: (input: SetInput) => {
      seeRun(dependencies);
      return guarded(() => judgeSet(input, dependencies, Context.current().info.attempt > 1));
    },
    publish: (input: PublishInput) =>
      publishing("run", (waiting) => publish(input, { ...dependencies, waiting }), dependencies),
    publishDue: () =>
      publishing("due", (waiting) => publishDueLanguages({ ...dependencies, waiting }), dependencies),
    scrub: (input: ScrubInput) => guarded((signal) => scrubOn(input, signal, dependencies)),
    report: (progress: RunProgress) => guarded(() => report(progress, dependencies)),
  };
}

/** Notifies this process's endpoints that a run is under way. */
function seeRun({ endpoints }: Dependencies): void {
  for (const name of endpointNames) void endpoints[name].runSeen().catch(() => undefined); // the next look is soon
}

/** No run reports the damage that a publish finds, so it alerts itself. */
async function publishDueLanguages(dependencies: Dependencies): Promise<PublishResult> {
  const result = await publishDue(dependencies);
  if (result.damaged !== undefined) await alertAboutDamage(result.damaged, dependencies);
  return result;
}

/** Below the time of an attempt: a publish that waits for the site is tried again without a fault. */
const mostWaitMs = 8 * 60_000;

/** Measures failed publishes too, and a publish with nothing due: it shows how soon a page could have changed. */
function publishing(
  kind: "run" | "due",
  act: (waiting: SiteWaiting) => Promise<PublishResult>,
  dependencies: Dependencies,
): Promise<PublishResult> {
  const timed = async (waiting: SiteWaiting) => {
    const beganMs = performance.now();
    try {
      const { temporalUrl, timeSource, vault } = dependencies;
      const scheduledMs = Context.current().info.currentAttemptScheduledTimestampMs;
      if (temporalUrl !== undefined) timeSource?.record(temporalUrl, new Date(scheduledMs).toISOString());
      const result = await act(waiting);
      await timeSource?.save(vault.store);
      await alertAboutStaying(result, dependencies);
      return result;
    } catch (error) {
      await alertAboutPublish(error, dependencies);
      throw error;
    } finally {
      dependencies.metrics.published(kind, performance.now() - beganMs);
    }
  };
  return guarded(async (signal, note) => {
    const waiting = { signal, maxWaitMs: mostWaitMs, onWait: note.say };
    const result = await timed(waiting);
    await dependencies.notifyChanges?.(); // a publish also sends the notices that an earlier one could not
    return result;
  });
}

async function guarded<Result>(
  work: (signal: AbortSignal, note: HeartbeatNote) => Promise<Result>,
): Promise<Result> {
  return beating(async (signal, note) => {
    try {
      return await work(signal, note);
    } catch (error) {
      signal.throwIfAborted();
      throw toTemporal(error, Context.current().info.attempt);
    }
  });
}
