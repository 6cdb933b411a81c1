// Judges a horoscope set when its readings are in. A stored response that the set rules name loses its place in the vault and is
// requested again; after the last judgement it stays in quarantine, and the set stays as it was published before.
import {
  type HoroscopeRequest,
  requestBefore,
  requestKey,
  type RequestKey,
  requestOf,
} from "../readings/request.ts";
import { type SetFinding, setRules } from "../readings/rules/rule.ts";
import { signs } from "../readings/tables.ts";
import type { Reading } from "../readings/reading.schema.ts";
import type { StoredResponse, Vault } from "../vault/vault.ts";
import type { JudgedSet, LostTexts } from "../readings/run-messages.ts";
import type { Dependencies } from "./dependencies.ts";
import {
  doubtsAbout,
  type StoredReader,
  type StoredReading,
  storedReader,
  readingFrom,
} from "../vault/stored-readings.ts";
import { sha256 } from "../vault/files.ts";

export interface SetInput {
  /** `daily/2026-11-21/hi/daily-horoscope` */
  readonly set: string;
  readonly run: string;
  /** Whether this is the last judgement, after which the named readings are given up. */
  readonly last: boolean;
  /** The `lost` of the judgement before. */
  readonly lost?: LostTexts;
}

type Named = Pick<SetFinding, "rule" | "reason">;

/** A whole set that this batch has just stored. */
export interface JustStored {
  /** They stand for a look into the vault. */
  readonly responses: ReadonlyMap<RequestKey, StoredResponse>;
  /** Whether there are no texts of the period before. */
  readonly isFirst: boolean;
}

/** `retried` says that an earlier attempt at this judgement may have died half-way. */
export async function judgeSet(
  input: SetInput,
  dependencies: Dependencies,
  retried = false,
  own?: JustStored,
): Promise<JudgedSet> {
  const { vault, log } = dependencies;
  const requests = requestsOf(input.set);
  const read = storedReader({
    ...vault,
    response: async (key) => own?.responses.get(key) ?? vault.response(key),
  });
  const ofSet = await read(requests);
  const isFirst = !retried && own?.isFirst === true;
  const found = [ofSet, await read(isFirst ? [] : requests.map(requestBefore))] as const;
  const [{ stored: set }, { stored: before }] = found;
  for (const { key, reason } of found.flatMap(({ damaged }) => damaged)) log.error({ key }, reason);
  const named = new Map([
    ...(await namedBefore(before, input.lost, read, dependencies)),
    ...namedIn(set, before, input.lost, dependencies),
  ]);
  // Requests sent for the first time have no superseded response to drop.
  if (named.size === 0 && (retried || own === undefined))
    await vault.dropSuperseded([...set, ...before].map(({ response }) => response.key));
  const requestsBefore = requests.map(requestBefore);
  const taken = retried ? await takenBefore([...requests, ...requestsBefore], input.run, vault) : [];
  for (const { response, reading } of [...set, ...before]) {
    const finding = named.get(response.key);
    // A stored response that an operator accepted keeps its place.
    if (finding === undefined || response.accepted !== undefined) continue;
    await takeAway(response, finding, input.run, dependencies);
    taken.push({ key: response.key, ...finding, text: textOf(reading) });
  }
  const again = input.last ? [] : taken.map(({ key }) => key);
  const skipped = input.last
    ? taken.map(({ key, rule, reason }) => ({ key, type: "Unfit", reason: `${rule}: ${reason}` }) as const)
    : [];
  const keysBefore = new Set(requestsBefore.map(requestKey));
  const lost = input.last
    ? []
    : taken.flatMap(({ key, text }) => (text !== undefined && keysBefore.has(key) ? [[key, text]] : []));
  return {
    again,
    skipped,
    lost: lost.length > 0 ? { ...Object.fromEntries(lost), ...input.lost } : undefined,
  };
}

function namedIn(
  set: readonly StoredReading[],
  before: readonly StoredReading[],
  lost: LostTexts | undefined,
  { configuration: { quality } }: Dependencies,
) {
  const named = new Map<RequestKey, Named>();
  for (const finding of doubtsAbout(set, before, quality.rules)) {
    for (const reading of finding.readings) named.set(requestKey(reading), finding);
  }
  if (quality.rules["previous-period"] === "warn") return named;
  for (const [key, finding] of textsThatCameBack(set, lost ?? {})) named.set(key, finding);
  return named;
}

/**
 * Readings of the previous period that were requested again in this run: no other judgement comes to them, and a service that
 * gives everything a day late has the text of one period earlier for these as well.
 */
async function namedBefore(
  before: readonly StoredReading[],
  lost: LostTexts = {},
  read: StoredReader,
  { configuration: { quality } }: Dependencies,
) {
  const again = before.filter(({ response }) => response.key in lost);
  const requests = again.map(({ response }) => requestOf(response.key)).filter((one) => one !== undefined);
  const earlier = requests.flatMap((request) => ("sign" in request ? [requestBefore(request)] : []));
  const named = new Map<RequestKey, Named>();
  if (earlier.length === 0) return named;
  for (const finding of doubtsAbout(before, (await read(earlier)).stored, quality.rules)) {
    for (const key of finding.readings.map(requestKey)) if (key in lost) named.set(key, finding);
  }
  return named;
}

/** A response that has lost its place, with the hash of its text if that is known. */
interface Taken extends Named {
  readonly key: RequestKey;
  readonly text: string | undefined;
}

/** The responses that an earlier attempt moved to quarantine, where the set rules no longer see them. */
async function takenBefore(
  requests: readonly HoroscopeRequest[],
  run: string,
  vault: Vault,
): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const key of requests.map(requestKey)) {
    const entry = await vault.quarantined(key);
    const rule = setRules.find((one) => one === entry?.rule);
    if (entry?.run !== run || rule === undefined) continue;
    if ((await vault.intactResponse(key)) !== undefined) continue;
    const { body, at: receivedAt, reason } = entry;
    const text = body === undefined ? undefined : textOf(readingFrom({ key, body, receivedAt }).reading);
    taken.push({ key, rule, reason, text });
  }
  return taken;
}

/** Writes the quarantine entry before it removes the stored response, so that no answer is lost. */
async function takeAway(
  response: StoredResponse,
  { rule, reason }: Named,
  run: string,
  { vault, log, now, metrics }: Dependencies,
) {
  const { key, tries, address, body } = response;
  const at = now().toISOString();
  // An earlier run found this response good, and it may be published: a doubt must not turn a page back by a period.
  if (response.run !== run) await vault.supersede(response);
  await vault.quarantine({ format: 1, key, type: "Unfit", rule, reason, at, tries, run, address, body });
  await vault.displace(key);
  const language = requestOf(key)?.language;
  if (language !== undefined) metrics.quarantined.add(1, { language, rule });
  log.warn({ run, language, key, attempt: tries, rule, reason }, "stored response superseded");
}

/**
 * Readings with a text that the period before had and lost. A service that gives everything a day late has the same text for
 * both dates at first; requested again for the earlier date, it returns one that is still older, and the later date keeps yesterday's.
 */
function* textsThatCameBack(set: readonly StoredReading[], lost: LostTexts): Generator<[RequestKey, Named]> {
  for (const { response, reading } of set) {
    const request = requestOf(response.key);
    if (request === undefined || !("sign" in request) || response.accepted !== undefined) continue;
    const previous = requestBefore(request);
    const key = requestKey(previous);
    if (lost[key] !== textOf(reading)) continue;
    const reason = `${request.sign} has the same text for ${request.period} as for ${previous.period}`;
    const finding = { rule: "previous-period", reason } as const;
    yield [response.key, finding];
    yield [key, finding];
  }
}

function textOf(reading: Reading) {
  const texts = reading.family === "horoscope" ? Object.values(reading.sections) : [];
  return sha256(JSON.stringify(texts)).slice(0, 16);
}

function requestsOf(set: string): HoroscopeRequest[] {
  return signs.flatMap((sign) => {
    const request = requestOf(`${set}/${sign}`);
    return request !== undefined && "sign" in request ? [request] : [];
  });
}
