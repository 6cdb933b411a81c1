// The plan of a run: what the configuration wants, less what the vault holds, as one list of keys a language. Only the
// prefixes that are wanted are listed, so a night's plan does not grow with the age of the vault.
import { catalogue, languagesWanted } from "../readings/catalogue.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { packKeys } from "../readings/key-list.ts";
import { rowOf } from "../readings/operations.ts";
import type { PlanLine } from "../readings/plan-line.ts";
import { plan as makePlan, type Plan, type PlanInput as PureInput } from "../readings/plan.ts";
import { bandsOf } from "../readings/priorities.ts";
import type { RequestKey } from "../readings/request.ts";
import {
  figuresOf,
  heartbeatMs,
  perAddress,
  startToCloseMsFor,
  windowFor,
  type AddressFigures,
} from "./limits.ts";
import { latencySeen } from "./latency.ts";
import { sweepClaims } from "./claim-files.ts";
import type { CaptureLimits, PlannedRefusal, RunPlan, RunRequest } from "./contracts.ts";
import { callsTakenOn, takeOnCalls, type Start } from "./day-calls.ts";
import type { Dependencies } from "./dependencies.ts";
import { planAround, refusalsIn } from "./refusals.ts";
import { UnreadableFile, type Vault } from "./vault.ts";

export interface PlanInput extends Start {
  readonly kind: "nightly" | "backfill";
  readonly request: RunRequest & { readonly asOf: string };
}

/** Plans a run and takes on its calls under the day's ceiling. */
export async function plan(input: PlanInput, dependencies: Dependencies): Promise<RunPlan> {
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
    limits: perAddress((address) => limitsFor(figuresOf(configuration, address))),
    deadlineMs: configuration.schedule.deadlineHours * 60 * 60_000,
    held: made.held,
    outOfReach: made.outOfReach.length,
    leftOut: made.leftOut.length,
    refused: made.refusals,
  };
}

/** Where another run takes on calls while this one is planned, it is planned again with what is left to it. */
async function planUnderCeiling(
  input: PlanInput,
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

export type NightPlan = Plan & { readonly refusals: readonly PlannedRefusal[] };

/** What `almanac plan` shows: reads the vault, changes nothing. */
export async function planFor(
  input: PlanInput,
  { configuration, vault }: Pick<Dependencies, "configuration" | "vault">,
  callsToday?: number,
): Promise<NightPlan> {
  const { languages, operations, asOf, from, to } = input.request;
  const instant = new Date(asOf);
  const only = { languages, operations };
  const dates =
    input.kind === "backfill" && (from !== undefined || to !== undefined) ? { from, to } : undefined;
  const wanted = catalogue(configuration, instant, only, dates);
  const prefixes = new Set(
    wanted.flatMap(({ requests, previousPeriod, operation }) =>
      [
        ...new Set(requests.map(({ period }) => period)),
        ...(previousPeriod === undefined ? [] : [previousPeriod]),
      ].map((period) => `${rowOf(operation).due}/${period}/`),
    ),
  );
  const held = new Set<RequestKey>();
  const quarantined = new Map<RequestKey, "due" | "wait">();
  for (const prefix of prefixes) {
    for (const key of await vault.held(prefix)) held.add(key);
    for (const key of await vault.inQuarantine(prefix))
      quarantined.set(key, await fateOf(key, input.run, vault));
  }
  const pure: PureInput = {
    configuration,
    instant,
    held: (key) => held.has(key),
    quarantined: (key) => quarantined.get(key),
    latencyMs: await latencySeen(vault),
    callsToday: callsToday ?? (await callsTakenOn(vault, asOf.slice(0, 10), input)),
    only,
    ...(dates === undefined ? {} : { dates }),
  };
  const known = await refusalsIn(vault);
  return planAround(known, asOf.slice(0, 10), (refused) => makePlan({ ...pure, refused }));
}

/** A quarantined request is due once in each later run; so is one whose entry can't be read. */
async function fateOf(key: RequestKey, run: string, vault: Vault): Promise<"due" | "wait"> {
  const entry = await vault.quarantined(key).catch(ifUnreadable);
  return entry?.run === run ? "wait" : "due";
}

/** A damaged file of this kind is not worth a night. */
function ifUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableFile)) throw error;
}

function isDay(period: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(period);
}

function limitsFor(figures: AddressFigures): CaptureLimits {
  return { startToCloseMs: startToCloseMsFor(figures), heartbeatMs };
}

/** By the language's share of what the run asks of each address; only English has two, and the wider one serves both. */
export function windowOf(
  lines: readonly PlanLine[],
  all: readonly PlanLine[],
  configuration: Configuration,
): number {
  const windows = [...Map.groupBy(lines, ({ address }) => address)].map(([address, own]) => {
    const asked = all.filter((line) => line.address === address).length;
    return windowFor(figuresOf(configuration, address), own.length / asked);
  });
  return Math.max(1, ...windows);
}
