// Reads stored responses from the vault and parses them with today's code (readings/reading.ts). The readings become
// sets in vault/editions.ts, which publish/render/loading.ts has next; activities/set-judgement.ts judges them too.
import pLimit from "p-limit";
import { z } from "zod";
import type { Candidate } from "../readings/collector.ts";
import { readCandidate } from "../readings/reading.ts";
import {
  type ReadingRequest,
  requestKey,
  type RequestKey,
  requestBefore,
  requestOf,
  requestsOf,
  isFurtherDraw,
} from "../readings/request.ts";
import type { ReceivedReading } from "../site/edition.ts";
import type { StoredResponse, Vault, Log } from "./vault.ts";
import { type Damaged, UnreadableFile, layout } from "./files.ts";
import type { RuleLevels } from "../readings/quality.ts";
import { type SetFinding, findingsInSet, noteOf } from "../readings/rules/rule.ts";
import type { Language, Operation } from "../readings/tables.ts";
import { type DecidedSource, reviewed, correctionsOf } from "./text-decisions.ts";
import type { Withheld } from "./withheld.ts";
import { corrected } from "../readings/corrections.ts";

/** How many reads of one language are under way at once. */
const readsAtOnce = 16;

const success = z.object({ data: z.unknown() });

export interface StoredReading extends ReceivedReading {
  readonly response: StoredResponse;
  /** Whether a person has corrected the text in spite of the rules. */
  readonly isWaived?: boolean;
}

/** Parses a stored response with today's code. */
export function readingFrom(response: Pick<StoredResponse, "key" | "body" | "receivedAt">): ReceivedReading {
  return { reading: candidateFrom(response).reading, receivedAt: response.receivedAt };
}

/** The reading of a stored response, with the texts that the rules examine. */
export function candidateFrom(response: Pick<StoredResponse, "key" | "body">): Candidate {
  const request = requestOf(response.key);
  if (request === undefined)
    throw new UnreadableFile(`the stored response ${response.key} has a key that this version cannot read`);
  const { data } = success.parse(JSON.parse(response.body.replace(/^\uFEFF/, "")));
  return readCandidate(request, data);
}

export interface DamagedResponse extends Damaged {
  readonly key: RequestKey;
}

/** The readings, and the responses that can't be read, so that a damaged one affects only its own set. */
export interface StoredAndDamaged {
  readonly stored: readonly StoredReading[];
  readonly damaged: readonly DamagedResponse[];
}

export type StoredReader = (requests: readonly ReadingRequest[]) => Promise<StoredAndDamaged>;

/** Reads each response once. With `withheld`, the readings have their corrections. */
export function storedReader(
  vault: Vault,
  superseded: ReadonlySet<RequestKey> = new Set(),
  withheld?: Withheld,
): StoredReader {
  const limit = pLimit(readsAtOnce);
  const read = async (request: ReadingRequest): Promise<StoredReading | DamagedResponse | undefined> => {
    const key = requestKey(request);
    try {
      const response =
        (await vault.response(key)) ?? (superseded.has(key) ? await vault.superseded(key) : undefined);
      if (response === undefined) return undefined;
      const { reading, receivedAt } = readingFrom(response);
      const edits = withheld === undefined ? [] : await correctionsOf(key, withheld);
      const isWaived = edits.some(({ overrides = [] }) => overrides.length > 0);
      return { response, reading: corrected(reading, edits), receivedAt, isWaived };
    } catch (error) {
      if (!(error instanceof Error) || error.name === "StoreFailure") throw error;
      const file = layout.response(key);
      // A parser's message may quote the text.
      const why =
        error instanceof UnreadableFile ? error.message : `it cannot be parsed as a reading (${error.name})`;
      const reason =
        `the stored response of ${key} is unreadable, and its set keeps the published text: ${why}. ` +
        `The next run requests it again if the service still offers it; else restore ${file} from a backup`;
      return { key, file, reason };
    }
  };
  const readings = new Map<RequestKey, ReturnType<typeof read>>();
  const readOnce = (request: ReadingRequest) => {
    const key = requestKey(request);
    const reading = readings.get(key) ?? limit(() => read(request));
    readings.set(key, reading);
    return reading;
  };
  return async (requests) => {
    const all = await Promise.all(requests.map(readOnce));
    const found = all.filter((one) => one !== undefined);
    return {
      stored: found.filter((one) => "response" in one),
      damaged: found.filter((one) => "file" in one),
    };
  };
}

/** Reads stored responses, or superseded ones that are still shown in their places, with corrections. */
export async function shownReader({
  vault,
  withheld,
}: {
  readonly vault: Vault;
  readonly withheld?: Withheld;
}) {
  return storedReader(vault, new Set(await vault.supersededKeys()), withheld);
}

/** The findings of the set rules on a set, without rules that only warn and without responses that a person accepted. */
export function doubtsAbout(
  set: readonly StoredReading[],
  before: readonly StoredReading[],
  levels: RuleLevels,
): SetFinding[] {
  const open = new Set(
    set.filter(({ response }) => response.accepted === undefined).map(({ response }) => response.key),
  );
  const waived = new Set(set.flatMap(({ reading, isWaived }) => (isWaived === true ? [reading] : [])));
  const findings = findingsInSet(readingsOf(set), readingsOf(before));
  return findings.filter(
    ({ rule, readings }) =>
      levels[rule] !== "warn" &&
      readings.some((reading) => open.has(requestKey(reading))) &&
      !readings.some((reading) => waived.has(reading)),
  );
}

/** The reason why a set rule still rejects the set of a response that a person accepts; undefined if no rule does. */
export async function rejectionDespite(
  response: StoredResponse,
  vault: Vault,
  levels: RuleLevels,
): Promise<string | undefined> {
  const doubt = await doubtWith({ response, ...readingFrom(response) }, storedReader(vault), levels);
  return doubt && noteOf(doubt);
}

/** The set rule that rejects a set because of this reading in it. */
export async function doubtWith(
  own: StoredReading,
  read: StoredReader,
  levels: RuleLevels,
): Promise<SetFinding | undefined> {
  const { key } = own.response;
  const request = requestOf(key);
  if (request === undefined || !("sign" in request)) return undefined;
  const { operation, language, period } = request;
  const others = requestsOf(operation, language, period).filter((one) => requestKey(one) !== key);
  const [{ stored }, before] = await Promise.all([read(others), read([requestBefore(request)])]);
  return doubtsAbout([...stored, own], before.stored, levels).find(({ readings }) =>
    readings.some((reading) => requestKey(reading) === key),
  );
}

function readingsOf(stored: readonly StoredReading[]) {
  return stored.map(({ reading }) => reading);
}

// The further draws of a language in the vault, by operation, for the decks (readings/further-draws.ts). Withdrawn draws, those that
// wait for review, and those of a day whose set is held back, are omitted.
export type DrawsOn = (date: string) => Promise<ReadonlyMap<Operation, readonly ReceivedReading[]>>;

/** Reads each date once. A draw that is damaged is said and left out: a deck is good without it. */
export function drawsReader(
  language: Language,
  source: DecidedSource,
  { vault, log }: { readonly vault: Vault; readonly log: Log },
): DrawsOn {
  const { withheld } = source;
  const read = storedReader(vault, undefined, withheld);
  const found = new Map<string, ReturnType<DrawsOn>>();
  const on: DrawsOn = async (date) => {
    const requests = (await vault.held(`daily/${date}/${language}/`))
      .map(requestOf)
      .filter((request) => request !== undefined && isFurtherDraw(request))
      .filter((request) => !withheld.isWithdrawn(requestKey(request)) && !withheld.isSetPinned(request));
    const { stored, damaged } = await read(requests);
    for (const { key, reason } of damaged) log.error({ key }, reason);
    const clearances = await Promise.all(
      stored.map(async (one) => (await reviewed([one], source)).clearance),
    );
    const open = stored.filter((_one, index) => clearances[index] === "open");
    return Map.groupBy(open, ({ reading }) => reading.operation);
  };
  return (date) => {
    const reading = found.get(date) ?? on(date);
    found.set(date, reading);
    return reading;
  };
}
