// The end of a run: its report is kept in the vault, its notes are brought up to date, and whoever has to know is told.
import { Context } from "@temporalio/activity";
import type { RunProgress } from "../readings/run-messages.ts";
import { totalOf } from "../readings/tally.ts";
import { settleCalls } from "../vault/day-calls.ts";
import { keepLatency } from "../vault/latency.ts";
import { keepRefusals } from "../vault/refusals.ts";
import { keepReport } from "../vault/reports.ts";
import type { Dependencies } from "./dependencies.ts";
import { alertAboutRun } from "./run-alerts.ts";

export async function report(progress: RunProgress, dependencies: Dependencies): Promise<void> {
  const { vault, log, now, metrics } = dependencies;
  const { refused } = progress;
  const day = progress.asOf.slice(0, 10);
  // A second attempt at this report repeats no alert; a night that is started again may.
  const once = Context.current().info.workflowExecution?.runId ?? progress.run;
  await keepReport(vault, once, { endedAt: now().toISOString(), ...progress });
  await keepLatency(progress, vault);
  await settleCalls(vault, day, { run: progress.run, start: once }, callsMade(progress));
  await keepRefusals({ run: progress.run, day, refused }, vault);
  for (const refusal of refused) log.warn({ run: progress.run, ...refusal }, "not in your subscription");
  const inQuarantine = (await vault.inQuarantine("")).length;
  metrics.ranTo(progress.state, inQuarantine);
  log.info({ run: progress.run, state: progress.state, planned: progress.planned }, "run reported");
  await alertAboutRun(progress, { inQuarantine, once }, dependencies);
}

/** The calls that the run made, of those that were planned. */
function callsMade({ planned, languages }: RunProgress) {
  return planned - totalOf(Object.values(languages)).unanswered;
}
