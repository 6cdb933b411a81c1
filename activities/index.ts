// The activities, with the dependencies that they were given. Workflows see this type only. The end of a run and the scrub are here as a
// whole; the others have files of their own.
import { Context } from "@temporalio/activity";
import {
  alertAboutDamage,
  alertAboutPublish,
  alertAboutStaying,
  alertAboutReplacement,
  alertAboutRun,
  alertAboutFindings,
} from "./alerts.ts";
import { callBatch } from "./batch.ts";
import type {
  BatchInput,
  ScrubInput,
  PublishInput,
  PublishResult,
  RunProgress,
  DamagedAnswer,
  ScrubResult,
} from "../readings/run-messages.ts";
import { endpointNames } from "../readings/tables.ts";
import type { Dependencies } from "./dependencies.ts";
import { toTemporal } from "./temporal-failures.ts";
import { beating, type HeartbeatNote } from "./heartbeat.ts";
import type { RunPlanInput } from "../insight/plan.ts";
import { plan } from "./plan.ts";
import { publish, publishDue } from "../publish/publish.ts";
import type { SiteWaiting } from "../publish/state/publish-context.ts";
import { readPlanPage, keepReport } from "../vault/runs.ts";
import { judgeSet, type SetInput } from "./set-judgement.ts";
import { addDays } from "../readings/calendar.ts";
import { firstDamaged, mayHaveUnlisted, totalOf } from "../readings/tally.ts";
import { requestOf } from "../readings/request.ts";
import { callDayOf, settleCalls, keepRefusals } from "../vault/call-notes.ts";
import { storedReader } from "../vault/stored-readings.ts";
import { keepLatency } from "../vault/site-notes.ts";
import { walkOn } from "../publish/repair/scrub.ts";

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
      dependencies.metrics.publishSeconds.record((performance.now() - beganMs) / 1000, { kind });
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

/** Returns the stored responses that are still damaged: the run may have requested others again and replaced them. */
export async function report(
  ended: RunProgress,
  dependencies: Dependencies,
): Promise<readonly DamagedAnswer[] | undefined> {
  const { vault, log, now, metrics } = dependencies;
  const damaged = await stillDamaged(ended, dependencies);
  const progress = { ...ended, damaged };
  const { refused } = progress;
  const day = progress.asOf.slice(0, 10);
  // A second attempt at this report repeats no alert; a night that is started again may.
  const once = Context.current().info.workflowExecution?.runId ?? progress.run;
  await keepReport(vault, once, { endedAt: now().toISOString(), ...progress });
  await keepLatency(progress, vault);
  // The plan was made on the day of the start, or on a later one where no worker was there.
  const today = callDayOf(now());
  for (let on = callDayOf(new Date(progress.startedAt)); on <= today; on = addDays(on, 1))
    await settleCalls(
      vault,
      on,
      { run: progress.run, start: once },
      progress.planned - totalOf(Object.values(progress.languages)).unanswered,
    );
  await keepRefusals({ run: progress.run, day, refused }, vault);
  for (const refusal of refused)
    log.warn({ run: progress.run, ...refusal }, "operation not in your subscription");
  const inQuarantine = (await vault.inQuarantine("")).length;
  metrics.runs.add(1, { state: progress.state });
  metrics.quarantine.set(inQuarantine, {});
  log.info({ run: progress.run, state: progress.state, planned: progress.planned }, "run reported");
  await alertAboutRun(progress, { inQuarantine, once }, dependencies);
  const kept = new Set(damaged?.map(({ key }) => key));
  const replaced = ended.damaged?.filter(({ key }) => !kept.has(key)) ?? [];
  if (replaced.length > 0) await alertAboutReplacement(replaced, dependencies);
  return damaged;
}

/** A full list is left as it is: the responses that it has no room for may still be damaged. */
async function stillDamaged({ damaged = [] }: RunProgress, { vault }: Dependencies) {
  if (mayHaveUnlisted(damaged)) return damaged;
  const read = await storedReader(vault)(damaged.flatMap(({ key }) => requestOf(key) ?? []));
  const unreadable = new Set(read.damaged.map(({ key }) => key));
  return firstDamaged(damaged.filter(({ key }) => unreadable.has(key)));
}

/** A site of some weeks and one language is read whole each day. */
const leastBytes = 10_000_000;
/** A call ends well before its time is over, and another one goes on. */
const forMs = 4 * 60_000;
/** A publish has written its public paths by then. */
const againAfterMs = 20_000;

export async function scrubOn(
  { id }: ScrubInput,
  signal: AbortSignal,
  dependencies: Dependencies,
): Promise<ScrubResult> {
  const mostBytes = dependencies.configuration.schedule.scrubMegabytes * 1_000_000;
  const bounds = { leastBytes, mostBytes, forMs, againAfterMs, signal };
  const seen = await walkOn(id, bounds, dependencies);
  const { files, sizeBytes, findings, endedAt } = seen;
  const isDone = endedAt !== undefined;
  if (isDone) {
    dependencies.log.info({ files, sizeBytes, findings: findings.length }, "background check finished");
    await alertAboutFindings(findings, dependencies);
  }
  return { isDone, files, sizeBytes, findings: findings.length };
}
