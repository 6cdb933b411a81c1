// The plan of a run: what the configuration wants, less what the vault holds. Its requests lie in the vault, in pages for each
// language, so that nothing that Temporal keeps grows with their number; its calls are counted under the day's ceiling.
// insight/plan.ts makes it, for `almanac plan` as well.
import { languagesWanted, zoneOf } from "../readings/catalogue.ts";
import { type Language, rowOf } from "../readings/tables.ts";
import { addDays, localDate } from "../readings/calendar.ts";
import { type PlanLine, createBatches, prioritiesOf } from "../readings/plan-order.ts";
import { requestBefore, requestKey } from "../readings/request.ts";
import type { CallTimeouts, EditionPlan, RunPlan } from "../readings/run-messages.ts";
import { firstDamaged, plannedDraws, plannedTally } from "../readings/tally.ts";
import { type NightPlan, planFor, type RunPlanInput, windowOf } from "../insight/plan.ts";
import {
  getEndpointFigures,
  attemptMsFor,
  heartbeatMs,
  mapEndpoints,
  startToCloseMsFor,
} from "../service/limits.ts";
import { inParallel } from "../store/store.ts";
import { callDayOf, takeOnCalls } from "../vault/call-notes.ts";
import { vaultOf } from "../vault/installation.ts";
import { keepPlan, sweepPlans } from "../vault/runs.ts";
import type { Vault } from "../vault/vault.ts";
import type { Dependencies } from "./dependencies.ts";

/** `attempt` names the plan too, because one that was given up for dead may still write pages. */
export async function plan(input: RunPlanInput, dependencies: Dependencies, attempt = 1): Promise<RunPlan> {
  const { configuration, log, vault } = dependencies;
  await sweepPlans(vault.own, dependencies.now());
  const made = await planUnderCeiling(input, dependencies);
  log.info(
    { run: input.run, due: made.due.length, held: made.held, outOfReach: made.outOfReach.length },
    "run planned",
  );
  const damaged = await vault.copyDamaged(made.damaged.map(({ key }) => key));
  for (const { key, reason } of damaged)
    log.error({ run: input.run, key }, `${reason}. The run requests it again`);
  const priorities = prioritiesOf(made.due);
  const follows = await followers(made.due, vault);
  const around = { input, attempt, made, priorities, follows };
  const byLanguage = Map.groupBy(made.due, ({ request }) => request.language);
  const editions = await inParallel(byLanguage, ([language, lines]) =>
    editionPlan(language, lines, around, dependencies),
  );
  return {
    vault: vaultOf(dependencies.installation),
    languages: languagesWanted(configuration, input.request),
    editions,
    limits: mapEndpoints((endpoint): CallTimeouts => {
      const figures = getEndpointFigures(configuration, endpoint);
      return { attemptMs: attemptMsFor(figures), startToCloseMs: startToCloseMsFor(figures), heartbeatMs };
    }),
    deadlineMs: configuration.schedule.deadlineHours * 60 * 60_000,
    held: made.held,
    outOfReach: made.outOfReach.length,
    leftOut: made.leftOut.length,
    refused: made.refusals,
    damaged: firstDamaged(damaged),
  };
}

interface AroundEdition {
  readonly input: RunPlanInput;
  readonly attempt: number;
  readonly made: NightPlan;
  readonly priorities: ReadonlyMap<PlanLine, number>;
  readonly follows: (line: PlanLine) => boolean;
}

/** Finds the lines whose previous period has a text in the vault. Without requests, nothing is listed. */
async function followers(due: readonly PlanLine[], vault: Vault): Promise<(line: PlanLine) => boolean> {
  const before = due.flatMap(({ request }) => ("sign" in request ? [requestBefore(request)] : []));
  const prefixes = new Set(before.map(({ operation, period }) => `${rowOf(operation).due}/${period}/`));
  const held = new Set((await inParallel(prefixes, (prefix) => vault.held(prefix))).flat());
  return ({ request }) => "sign" in request && held.has(requestKey(requestBefore(request)));
}

async function editionPlan(
  language: Language,
  lines: readonly PlanLine[],
  { input, attempt, made, priorities, follows }: AroundEdition,
  { configuration, vault }: Dependencies,
): Promise<EditionPlan> {
  const window = windowOf(lines, made, configuration);
  const isProbe = ({ request }: PlanLine): boolean =>
    made.refusals.some(({ operation, probe }) => probe > 0 && operation === request.operation);
  const batches = createBatches(lines, { priorities, size: window.size, isProbe, follows });
  const name = `${input.run}/${input.start ?? "none"}-${attempt}/${language}`;
  const pages = await keepPlan(name, batches, vault);
  return {
    language,
    date: firstDate(input, zoneOf(configuration, language)),
    tally: plannedTally(lines.map(({ key }) => key)),
    draws: plannedDraws(lines.map(({ request }) => request)),
    plan: name,
    pages,
    window,
  };
}

/** Plans again with the calls that are left if another run takes calls of the day while this one is planned. */
async function planUnderCeiling(input: RunPlanInput, dependencies: Dependencies): Promise<NightPlan> {
  const { configuration, vault, now } = dependencies;
  const { callsPerDay: ceiling } = configuration.service;
  const made = await planFor(input, dependencies);
  const wanted = made.due.length;
  const taken = await takeOnCalls(vault, callDayOf(now()), input, { wanted, ceiling });
  if (ceiling === undefined || taken === wanted) return made;
  return planFor(input, dependencies, ceiling - taken);
}

/** The local date that begins next for a night; for a backfill its first date, by default today, or yesterday if `to` is set. */
function firstDate({ kind, request: { asOf, from, to } }: RunPlanInput, zone: string): string {
  const today = localDate(zone, new Date(asOf));
  if (kind === "nightly") return addDays(today, 1);
  return from ?? addDays(today, to === undefined ? 0 : -1);
}
