// The requests of a run: those that the configuration wants, without those that the vault has. Only the prefixes that are wanted are
// listed, so a night's plan does not grow with the age of the vault. The plan reads the vault and changes nothing.
import { createPartReader } from "../publish/state/parts.ts";
import { publishedDocument } from "../publish/state/published-files.ts";
import { readState } from "../publish/state/state.ts";
import { catalogue, type WantedSet } from "../readings/catalogue.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { furtherDraws, decksOf, type KnownDeck } from "../readings/further-draws.ts";
import { rowOf } from "../readings/tables.ts";
import type { PlanLine } from "../readings/plan-order.ts";
import { makePlan, type Plan, type PlanInput } from "../readings/plan.ts";
import { requestKey, type RequestKey } from "../readings/request.ts";
import type { DamagedAnswer, PlannedRefusal, RunRequest, Window } from "../readings/run-messages.ts";
import { getEndpointFigures, windowFor } from "../service/limits.ts";
import { documents, type SeenCard } from "../site/data.schema.ts";
import { pathOf } from "../site/paths.ts";
import { inParallel, type Store } from "../store/store.ts";
import {
  callDayOf,
  callsTakenOn,
  type RunStart,
  planAround,
  refusalsIn,
  concerns,
  type Refusal,
} from "../vault/call-notes.ts";
import { unlessDamaged } from "../vault/files.ts";
import { latencySeen } from "../vault/site-notes.ts";
import type { Vault } from "../vault/vault.ts";

export interface RunPlanInput extends RunStart {
  readonly kind: "nightly" | "backfill";
  readonly request: RunRequest & { readonly asOf: string };
}

export type NightPlan = Plan & {
  readonly refusals: readonly PlannedRefusal[];
  /** Damaged responses that can be requested again: they count as not held. */
  readonly damaged: readonly DamagedAnswer[];
};

interface PlanPlace {
  readonly configuration: Configuration;
  readonly vault: Vault;
  /** Its decks decide which of them to draw from. */
  readonly site: Store;
  /** The instant that decides on which day the calls count. */
  readonly now: () => Date;
}

export async function planFor(
  input: RunPlanInput,
  { configuration, vault, site, now }: PlanPlace,
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
  const refusals = await refusalsIn(vault);
  const decks = input.kind === "nightly" ? await knownDecks(configuration, refusals, site) : [];
  const noted = [...held, ...quarantined.keys()];
  const draws = furtherDraws(configuration, instant, decks, noted, only);
  const damaged = await vault.damagedAmong(await toLookAt([...wanted, ...draws], held, instant, vault));
  for (const { key } of damaged) held.delete(key);
  const pure: PlanInput = {
    configuration,
    instant,
    held: (key) => held.has(key),
    quarantined: (key) => quarantined.get(key),
    latencyMs: await latencySeen(vault),
    callsToday: callsToday ?? (await callsTakenOn(vault, callDayOf(now()), input)),
    only,
    dates,
    draws,
  };
  const made = planAround(refusals, asOf.slice(0, 10), (isRefused) =>
    makePlan({ ...pure, refused: isRefused }),
  );
  return { ...made, damaged };
}

/**
 * The held requests that may be damaged and can still be requested: those of coming periods, which no publish has read yet, and those
 * that were found damaged before. Whatever is shown by now is read by the publish that shows it.
 */
async function toLookAt(
  wanted: readonly WantedSet[],
  held: ReadonlySet<RequestKey>,
  instant: Date,
  vault: Vault,
): Promise<RequestKey[]> {
  const found = new Set(await vault.withDamage());
  const inReach = wanted.filter(({ reach }) => reach.from <= instant && instant < reach.until);
  return inReach.flatMap(({ requests, dueAt }) =>
    requests.map(requestKey).filter((key) => held.has(key) && (dueAt > instant || found.has(key))),
  );
}

/** A quarantined request is due once in each later run, and so is one whose quarantine entry can't be read. */
async function fateOf(key: RequestKey, run: string, vault: Vault) {
  const entry = await unlessDamaged(() => vault.quarantined(key));
  return entry?.run === run ? "wait" : "due";
}

/** The window follows from the language's share of each endpoint's calls; only English uses two, and takes the wider window. */
export function windowOf(
  lines: readonly PlanLine[],
  { due, paces }: Pick<Plan, "due" | "paces">,
  configuration: Configuration,
): Window {
  const windows = [...Map.groupBy(lines, ({ endpoint }) => endpoint)].map(([endpoint, own]) => {
    const requested = due.filter((line) => line.endpoint === endpoint).length;
    const figures = getEndpointFigures(configuration, endpoint);
    return windowFor(figures, own.length / requested, paces[endpoint].latencyMs);
  });
  const [widest] = windows.toSorted((one, other) => other.requests - one.requests);
  return widest ?? { requests: 1, size: 1, width: 1 };
}

// The figures of the published decks: how many cards, and how many of them came up on one day only. Nothing is read where no
// further draws are requested.

/** A deck that is not published, or can't be read, counts as one of which nothing is known: that costs a few calls at most. */
async function knownDecks(
  configuration: Configuration,
  refusals: readonly Refusal[],
  site: Store,
): Promise<KnownDeck[]> {
  if (configuration.decks.callsPerNight === 0) return [];
  const state = await unlessDamaged(() => readState(site));
  const published = { site, manifest: state?.manifest, reader: createPartReader(site) };
  return inParallel(unknownDecks(configuration, refusals), async (unknown) => {
    const { language, operation } = unknown;
    const path = pathOf({ row: "deckData", language, operation });
    const deck = await unlessDamaged(() => publishedDocument(published, path, documents.deck));
    return { ...unknown, ...countsOf(deck?.cards ?? []) };
  });
}

/** The decks as if nothing were published, of which a night requests the maximum. */
export function unknownDecks(configuration: Configuration, refusals: readonly Refusal[]): KnownDeck[] {
  return decksOf(configuration).map(({ language, operation }) => {
    const isRefused = refusals.some((refusal) => concerns(refusal, { language, operation }));
    return { language, operation, known: 0, once: 0, isRefused };
  });
}

/** A card counts once, whatever its place or position was. */
function countsOf(cards: readonly SeenCard[]) {
  const days = new Map<string, Set<string>>();
  for (const { card, first, last } of cards) {
    const own = days.get(card.name) ?? new Set();
    days.set(card.name, own.add(first).add(last));
  }
  const once = [...days.values()].filter((own) => own.size === 1).length;
  return { known: days.size, once };
}
