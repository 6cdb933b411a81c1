// What a run would ask: what the configuration wants, less what the vault holds. Only the prefixes that are wanted are
// listed, so a night's plan does not grow with the age of the vault. The plan reads the vault and changes nothing.
import { catalogue } from "../readings/catalogue.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { rowOf } from "../readings/operations.ts";
import type { PlanLine } from "../readings/plan-line.ts";
import { makePlan, type Plan, type PlanInput } from "../readings/plan.ts";
import type { RequestKey } from "../readings/request.ts";
import type { PlannedRefusal, RunRequest, Window } from "../readings/run-messages.ts";
import { addressFiguresOf, windowFor } from "../service/limits.ts";
import { callDayOf, callsTakenOn, type RunStart } from "../vault/day-calls.ts";
import { latencySeen } from "../vault/latency.ts";
import { planAround, refusalsIn } from "../vault/refusals.ts";
import { UnreadableFile } from "../vault/json.ts";
import type { Vault } from "../vault/vault.ts";

export interface RunPlanInput extends RunStart {
  readonly kind: "nightly" | "backfill";
  readonly request: RunRequest & { readonly asOf: string };
}

export type NightPlan = Plan & { readonly refusals: readonly PlannedRefusal[] };

interface PlanPlace {
  readonly configuration: Configuration;
  readonly vault: Vault;
  /** On whose day the calls would be made. */
  readonly now?: () => Date;
}

export async function planFor(
  input: RunPlanInput,
  { configuration, vault, now = () => new Date() }: PlanPlace,
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
  const pure: PlanInput = {
    configuration,
    instant,
    held: (key) => held.has(key),
    quarantined: (key) => quarantined.get(key),
    latencyMs: await latencySeen(vault),
    callsToday: callsToday ?? (await callsTakenOn(vault, callDayOf(now()), input)),
    only,
    dates,
  };
  const known = await refusalsIn(vault);
  return planAround(known, asOf.slice(0, 10), (refused) => makePlan({ ...pure, refused }));
}

/** A quarantined request is due once in each later run, and so is one whose quarantine entry can't be read. */
async function fateOf(key: RequestKey, run: string, vault: Vault) {
  const entry = await vault.quarantined(key).catch(ifUnreadable);
  return entry?.run === run ? "wait" : "due";
}

/** A damaged quarantine entry must not cost a night. */
function ifUnreadable(error: unknown) {
  if (!(error instanceof UnreadableFile)) throw error;
}

/** The window follows from the language's share of each address's calls; only English uses two, and takes the wider window. */
export function windowOf(
  lines: readonly PlanLine[],
  { due, paces }: Pick<Plan, "due" | "paces">,
  configuration: Configuration,
): Window {
  const windows = [...Map.groupBy(lines, ({ address }) => address)].map(([address, own]) => {
    const asked = due.filter((line) => line.address === address).length;
    const figures = addressFiguresOf(configuration, address);
    return windowFor(figures, own.length / asked, paces[address].latencyMs);
  });
  const [widest] = windows.toSorted((one, other) => other.requests - one.requests);
  return widest ?? { requests: 1, size: 1, width: 1 };
}
