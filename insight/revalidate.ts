// Applies today's parsers and rules to every response of the vault. It visits the sets in the order of their keys with
// about a hundred responses in memory, and only reads. page-changes.ts finds where readers see them, and which pages change.
import pLimit from "p-limit";
import type { Configuration } from "../readings/configuration.schema.ts";
import { type Language, rowOf } from "../readings/tables.ts";
import {
  isPeriodKind,
  type PeriodKind,
  periodKinds,
  periodOf,
  shiftPeriod,
  spanOf,
  startOfSeason,
} from "../readings/calendar.ts";
import { type RequestKey, requestOf, type ReadingRequest } from "../readings/request.ts";
import { type Damaged, UnreadableFile } from "../vault/files.ts";
import { storedResponseOf } from "../vault/quarantine.ts";
import { type Correction, correctionsOf } from "../vault/text-decisions.ts";
import { readWithheld } from "../vault/withheld.ts";
import { type AnswerPlace, type Vault, answerFiles, answerKeys, answerPlaces } from "../vault/vault.ts";
import { type RevalidateProgress, type Revalidated, Judge, answerAt, type ReadableAgain } from "./judge.ts";

/** Responses read concurrently, because a bucket takes time for each. */
const readsAtOnce = 32;
/** Responses in memory at once, in addition to the newest sets of each language. */
const answersAtOnce = 256;

export interface RevalidateInput {
  readonly configuration: Pick<Configuration, "quality">;
  readonly vault: Vault;
  readonly onProgress?: (progress: RevalidateProgress) => void;
}

export async function revalidate(wish: AnswerFilter, revalidating: RevalidateInput): Promise<Revalidated> {
  const { vault, onProgress, configuration } = revalidating;
  const limit = pLimit(readsAtOnce);
  const choice = choiceOf(wish);
  const judge = new Judge(configuration.quality.rules);
  const counts: Record<AnswerPlace, number> = { responses: 0, superseded: 0, quarantine: 0 };
  const damaged: Damaged[] = [];
  const withheld = await readWithheld(vault.own);
  let first: string | undefined;

  const read = async ({ place, key }: { place: AnswerPlace; key: RequestKey }) => {
    const file = answerFiles[place](key);
    const request = requestOf(key);
    if (request === undefined && choice.strangers)
      damaged.push({ file, reason: "its name is not a request key of this version" });
    const role = request === undefined ? "no" : choice.of(request);
    if (request === undefined || role === "no") return undefined;
    try {
      const response = await answerAt(place, key, vault);
      if (response === undefined) return undefined;
      if (role === "judged") {
        counts[place] += 1;
        const date = "sign1" in request ? undefined : firstDateOf(request); // a pair's page is a current one
        if (date !== undefined && (first === undefined || date < first)) first = date;
      }
      const edits = await correctionsOf(key, withheld);
      const accepted = response.accepted ?? acceptanceIn(edits);
      return { place, request, response: { ...response, accepted }, edits, isBefore: role === "before" };
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      damaged.push({ file, reason: error.message });
      return undefined;
    }
  };

  for await (const batch of batchesOf(setsUnder(choice.prefixes, vault))) {
    const sets = await Promise.all(batch.map(({ keys }) => limit.map(keys, read)));
    for (const found of sets) judge.judgeSet(found.filter((one) => one !== undefined));
    const judged = counts.responses + counts.superseded + counts.quarantine;
    onProgress?.({ judged, set: batch.at(-1)?.set ?? "" });
  }
  const { responses, superseded, quarantine: quarantined } = counts;
  const found = {
    refused: inOrder(judge.refused),
    readable: inOrder(judge.readable),
    damaged: inOrder(damaged),
  };
  return { responses, superseded, quarantined, first, ...found };
}

function inOrder<One extends { readonly file: string }>(all: readonly One[]) {
  return all.toSorted((one, other) => (one.file < other.file ? -1 : 1));
}

/** The decision of a person who corrected a text in spite of the rules. */
function acceptanceIn(edits: readonly Correction[]) {
  const last = edits.findLast(({ overrides = [] }) => overrides.length > 0);
  return last && { by: last.by, at: last.at, why: last.reason ?? "" };
}

async function* batchesOf(sets: AsyncIterable<SetKeys>) {
  let batch: SetKeys[] = [];
  let answers = 0;
  for await (const set of sets) {
    batch.push(set);
    answers += set.keys.length;
    if (answers < answersAtOnce) continue;
    yield batch;
    [batch, answers] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

// The choice of answers: by language, and by the date on which their period begins, as `almanac render` takes dates.

export interface AnswerFilter {
  readonly languages?: readonly Language[] | undefined;
  /** Local dates, inclusive. */
  readonly dates?: { readonly from: string; readonly to: string } | undefined;
}

function choiceOf({ languages, dates }: AnswerFilter) {
  const isWanted = ({ language }: ReadingRequest) => languages?.includes(language) ?? true;
  // Whether files whose names are not request keys are reported too.
  const strangers = languages === undefined && dates === undefined;
  if (dates === undefined)
    return {
      prefixes: [""],
      of: (request: ReadingRequest) => (isWanted(request) ? "judged" : "no"),
      strangers,
    };
  const before = new Map(periodKinds.map((kind) => [kind, periodBefore(kind, dates.from)]));
  const prefixes = periodKinds.map(
    (kind) => `${kind}/${inCommon(before.get(kind) ?? "", periodOf(kind, dates.to))}`,
  );
  return {
    prefixes: [...prefixes, "once/", "seasonal/"],
    strangers,
    /** `before`: the response is read only for comparison with the next set. */
    of(request: ReadingRequest) {
      if (!isWanted(request)) return "no";
      const first = firstDateOf(request);
      if (first === undefined || (first >= dates.from && first <= dates.to)) return "judged";
      const { due } = rowOf(request.operation);
      return "sign" in request && isPeriodKind(due) && before.get(due) === request.period ? "before" : "no";
    },
  };
}

/** The last period that begins before a date. */
function periodBefore(kind: PeriodKind, date: string) {
  const period = periodOf(kind, date);
  return spanOf(kind, period).first < date ? period : shiftPeriod(kind, period, -1);
}

function inCommon(one: string, other: string) {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

/** The first date of a request's period; undefined for a request without a date. */
function firstDateOf({ operation, period }: ReadingRequest): string | undefined {
  const { due } = rowOf(operation);
  switch (due) {
    case "once":
      return undefined;
    case "seasonal":
      return startOfSeason(period);
    default:
      return spanOf(due, period).first;
  }
}

// The vault's responses (stored, superseded and quarantined) set by set, in the order of their keys. They are read
// from the listings one by one, so that no vault is too large.

interface SetKeys {
  /** `daily/2026-11-21/hi/daily-horoscope/` */
  readonly set: string;
  readonly keys: readonly { readonly place: AnswerPlace; readonly key: RequestKey }[];
}

async function* setsUnder(prefixes: readonly string[], vault: Vault): AsyncGenerator<SetKeys> {
  for (const prefix of prefixes) {
    const listings = answerPlaces.map((place) => inSets(place, answerKeys(vault.store, place, prefix)));
    yield* together(listings);
  }
}

async function* inSets(place: AnswerPlace, listed: AsyncIterable<RequestKey>) {
  let keys: { place: AnswerPlace; key: RequestKey }[] = [];
  let set = "";
  for await (const key of listed) {
    const own = key.slice(0, key.lastIndexOf("/") + 1);
    if (own !== set && keys.length > 0) {
      yield { set, keys };
      keys = [];
    }
    set = own;
    keys.push({ place, key });
  }
  if (keys.length > 0) yield { set, keys };
}

/** Each listing is in order, so the set that comes next is at the head of one of them. */
async function* together(listings: readonly AsyncGenerator<SetKeys>[]) {
  const heads = await Promise.all(listings.map(async (listing) => ({ listing, at: await listing.next() })));
  for (;;) {
    const [first] = heads.flatMap(({ at }) => (at.done === true ? [] : [at.value.set])).sort();
    if (first === undefined) return;
    const keys: SetKeys["keys"][number][] = [];
    for (const head of heads) {
      if (head.at.done === true || head.at.value.set !== first) continue;
      keys.push(...head.at.value.keys);
      head.at = await head.listing.next();
    }
    yield { set: first, keys };
  }
}

// A quarantined response that today's rules accept becomes a stored response, with a note on the earlier refusal.

/** An entry that was added, removed or changed since it was judged is not touched. */
export async function acceptAgain(readable: readonly ReadableAgain[], vault: Vault): Promise<void> {
  for (const { key, receivedAt } of readable) {
    const entry = await vault.quarantined(key);
    if (entry?.at !== receivedAt) continue;
    const response = storedResponseOf(entry);
    const stored = await vault.storeResponse({
      ...response,
      notes: response.notes.map((note) => `revalidated: ${note}`),
    });
    if (stored.receivedAt === receivedAt) await vault.release(key);
  }
}
