// The end of a run: stores its report in the vault, updates its notes, and sends alerts.
import { Context } from "@temporalio/activity";
import { addDays } from "../readings/calendar.ts";
import { firstDamaged, mayHaveUnlisted, totalOf } from "../readings/tally.ts";
import type { DamagedAnswer, RunProgress } from "../readings/run-messages.ts";
import { requestOf } from "../readings/request.ts";
import { callDayOf, settleCalls, keepRefusals } from "../vault/day-calls.ts";
import { storedReader } from "../vault/stored-readings.ts";
import { keepLatency } from "../vault/site-notes.ts";
import { keepReport } from "../vault/runs.ts";
import type { Dependencies } from "./dependencies.ts";
import { alertAboutReplacement, alertAboutRun } from "./alerts.ts";

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
    await settleCalls(vault, on, { run: progress.run, start: once }, callsMade(progress));
  await keepRefusals({ run: progress.run, day, refused }, vault);
  for (const refusal of refused) log.warn({ run: progress.run, ...refusal }, "operation not in your plan");
  const inQuarantine = (await vault.inQuarantine("")).length;
  metrics.ranTo(progress.state, inQuarantine);
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

/** The calls that the run made, of those that were planned. */
function callsMade({ planned, languages }: RunProgress) {
  return planned - totalOf(Object.values(languages)).unanswered;
}
