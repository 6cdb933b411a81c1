// The plan of a run: what the configuration wants, less what the vault holds, as one list of keys for each language. Its calls
// are counted under the day's ceiling. foresight/plan.ts makes it, for `almanac plan` as well.
import { languagesWanted } from "../readings/catalogue.ts";
import { packKeys } from "../readings/key-list.ts";
import { bandsOf } from "../readings/priorities.ts";
import type { CaptureLimits, RunPlan } from "../readings/run-messages.ts";
import { type NightPlan, planFor, type RunPlanInput, windowOf } from "../foresight/plan.ts";
import {
  type AddressFigures,
  addressFiguresOf,
  heartbeatMs,
  perAddress,
  startToCloseMsFor,
} from "../service/limits.ts";
import { sweepClaims } from "../vault/claim-files.ts";
import { takeOnCalls } from "../vault/day-calls.ts";
import type { Dependencies } from "./dependencies.ts";

export async function plan(input: RunPlanInput, dependencies: Dependencies): Promise<RunPlan> {
  const { configuration, log } = dependencies;
  await sweepClaims(input.run, dependencies);
  const day = input.request.asOf.slice(0, 10);
  const made = await planUnderCeiling(input, day, dependencies);
  log.info(
    { run: input.run, due: made.due.length, held: made.held, outOfReach: made.outOfReach.length },
    "planned",
  );
  const editions = [...Map.groupBy(made.due, ({ request }) => request.language)].map(([language, lines]) => ({
    language,
    date: lines.reduce(
      (latest, { request }) => (isDay(request.period) && request.period > latest ? request.period : latest),
      day,
    ),
    keys: packKeys(lines.map(({ key }) => key)),
    bands: bandsOf(lines, made.due),
    window: windowOf(lines, made.due, configuration),
  }));
  return {
    languages: languagesWanted(configuration, input.request),
    editions,
    limits: perAddress((address) => limitsFor(addressFiguresOf(configuration, address))),
    deadlineMs: configuration.schedule.deadlineHours * 60 * 60_000,
    held: made.held,
    outOfReach: made.outOfReach.length,
    leftOut: made.leftOut.length,
    refused: made.refusals,
  };
}

/** Where another run takes calls of the day while this one is planned, the plan is made again with those that are left. */
async function planUnderCeiling(
  input: RunPlanInput,
  day: string,
  dependencies: Dependencies,
): Promise<NightPlan> {
  const { configuration, vault } = dependencies;
  const { callsPerDay: ceiling } = configuration.service;
  const made = await planFor(input, dependencies);
  const wanted = made.due.length;
  const taken = await takeOnCalls(vault, day, input, { wanted, ceiling });
  if (ceiling === undefined || taken === wanted) return made;
  return planFor(input, dependencies, ceiling - taken);
}

function isDay(period: string) {
  return /^\d{4}-\d{2}-\d{2}$/.test(period);
}

function limitsFor(figures: AddressFigures): CaptureLimits {
  return { startToCloseMs: startToCloseMsFor(figures), heartbeatMs };
}
