// Judges the vault's responses set by set: each response by itself, then the horoscopes of a set against each other
// and against the previous period, of which the newest set of each kind is remembered.
import { isFailure, Unfit } from "../readings/answer.ts";
import { rowOf } from "../readings/tables.ts";
import { isPeriodKind, shiftPeriod } from "../readings/calendar.ts";
import { corrected, type TextEdit } from "../readings/corrections.ts";
import { judgeAnswer, type RuleLevels } from "../readings/quality.ts";
import type { SetFinding } from "../readings/rules/rule.ts";
import type { Reading } from "../readings/reading.schema.ts";
import { type ReadingRequest, requestKey, type RequestKey } from "../readings/request.ts";
import { type StoredResponse, answerFiles, type AnswerPlace, type Vault } from "../vault/vault.ts";
import { UnreadableFile } from "../vault/files.ts";
import { type StoredReading, readingFrom, doubtsAbout } from "../vault/stored-readings.ts";
import { storedResponseOf } from "../vault/quarantine.ts";

// The result of `almanac revalidate` for the vault: which stored responses would be refused today, which quarantined answers would be
// stored, and which files can't be read.

export interface RefusedAnswer {
  readonly key: RequestKey;
  readonly file: string;
  readonly receivedAt: string;
  /** The rule that refuses it, or the kind of the service's refusal. */
  readonly rule: string;
  readonly reason: string;
  /** The person who accepted the answer, whose decision still applies. */
  readonly accepted?: StoredResponse["accepted"];
  /** The path on which the site shows this text; absent if it does not. */
  readonly path?: string | undefined;
}

export interface ReadableAgain {
  readonly key: RequestKey;
  readonly file: string;
  readonly receivedAt: string;
  /** Reason for the quarantine. */
  readonly reason: string;
}

export interface Revalidated {
  readonly responses: number;
  readonly superseded: number;
  readonly quarantined: number;
  /** The earliest date on which a period of the readable answers begins. */
  readonly first?: string | undefined;
  /** Stored responses that today's rules refuse. */
  readonly refused: readonly RefusedAnswer[];
  /** Quarantined answers that are good by today's readers and rules. */
  readonly readable: readonly ReadableAgain[];
  /** Files that can't be read; the other files are judged without them. */
  readonly damaged: readonly { readonly file: string; readonly reason: string }[];
}

export interface RevalidateProgress {
  readonly judged: number;
  /** The set that was judged last. */
  readonly set: string;
}

// Today's verdict on one answer of the vault, by the same readers and rules that judge a new answer.

type VerdictToday =
  | { readonly kind: "fit"; readonly reading: Reading }
  | { readonly kind: "refused"; readonly rule: string; readonly reason: string };

const encoder = new TextEncoder();

function verdictOn({ request, response, edits }: StoredAnswer, levels: RuleLevels): VerdictToday {
  try {
    // A stored response always came with a good status; its body is judged from the first byte on.
    const { reading } = judgeAnswer(
      request,
      {
        address: response.address,
        status: 200,
        retryAfter: undefined,
        body: encoder.encode(response.body),
        receivedAt: new Date(response.receivedAt),
        elapsedMs: 0,
      },
      levels,
      edits,
    );
    return { kind: "fit", reading };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return {
      kind: "refused",
      rule: error instanceof Unfit ? error.rule : error.type,
      reason: error.facts.seen,
    };
  }
}

/** Undefined where the answer is gone by now, or where the quarantine has a failure without an answer. */
export async function answerAt(
  place: AnswerPlace,
  key: RequestKey,
  vault: Vault,
): Promise<StoredResponse | undefined> {
  const response = await answerAtPlace(place, key, vault);
  if (response === undefined) return undefined;
  if (response.key !== key) throw new UnreadableFile(`it is the response to ${response.key}`);
  return response;
}

async function answerAtPlace(place: AnswerPlace, key: RequestKey, vault: Vault) {
  switch (place) {
    case "responses":
      return vault.response(key);
    case "superseded":
      return vault.superseded(key);
    case "quarantine": {
      const entry = await vault.quarantined(key);
      return entry?.body === undefined ? undefined : storedResponseOf(entry);
    }
  }
}

// The judgement of one set after another.

/** An answer as the vault stores it, with the corrections of its texts: readers see the corrected ones. */
interface StoredAnswer {
  readonly place: AnswerPlace;
  readonly request: ReadingRequest;
  readonly response: StoredResponse;
  readonly edits: readonly TextEdit[];
  /** The response is read only for comparison with the next set. */
  readonly isBefore: boolean;
}

interface JudgedReadings {
  readonly period: string;
  readonly isBefore: boolean;
  readonly stored: readonly StoredReading[];
  /** Quarantined answers that are good by themselves. */
  readonly good: readonly StoredReading[];
}

const none = { stored: [], good: [], isBefore: true };

export class Judge {
  readonly #levels: RuleLevels;
  readonly #before = new Map<string, JudgedReadings>();
  readonly #refused = new Map<string, RefusedAnswer>();
  readonly #readable = new Map<string, ReadableAgain>();

  constructor(levels: RuleLevels) {
    this.#levels = levels;
  }

  get refused(): RefusedAnswer[] {
    return [...this.#refused.values()];
  }

  get readable(): ReadableAgain[] {
    return [...this.#readable.values()];
  }

  /** Expects the sets of one kind and language in the order of their periods. */
  judgeSet(found: readonly StoredAnswer[]): void {
    const [first] = found;
    if (first === undefined) return;
    const { request, isBefore } = first;
    const taken = new Set(
      found.flatMap(({ place, response }) => (place === "responses" ? [response.key] : [])),
    );
    const stored: StoredReading[] = [];
    const good: StoredReading[] = [];
    for (const one of found) {
      if (one.place === "quarantine" && taken.has(one.response.key)) continue; // another response has replaced it by now
      const reading = this.#judge(one);
      if (reading !== undefined && one.place !== "superseded")
        (one.place === "responses" ? stored : good).push(reading);
    }
    const { due } = rowOf(request.operation);
    if (!("sign" in request) || !isPeriodKind(due)) return;
    const name = `${due} ${request.language}`;
    const last = this.#before.get(name);
    const isNext = last?.period === shiftPeriod(due, request.period, -1);
    const set = { period: request.period, stored, good, isBefore };
    this.#among(set, isNext ? last : { ...none, period: "" });
    this.#before.set(name, set);
  }

  /** Judges one answer by itself. */
  #judge(answer: StoredAnswer): StoredReading | undefined {
    const { place, response, isBefore, edits } = answer;
    const verdict = verdictOn(answer, this.#levels);
    const { receivedAt, accepted } = response;
    if (verdict.kind === "fit") {
      if (place === "quarantine" && !isBefore) {
        const { key, notes } = response;
        const reason = notes[0] ?? "no reason was stored";
        this.#readable.set(key, { key, file: answerFiles.quarantine(key), receivedAt, reason });
      }
      return { response, reading: verdict.reading, receivedAt };
    }
    if (place !== "quarantine" && !isBefore) this.#refuse(place, response, verdict);
    // A response that a person accepted keeps its place in the set if it can be parsed into a reading.
    return accepted === undefined ? undefined : asItIs(response, edits);
  }

  /** Compares the texts of a set with each other and with those of the set before. */
  #among(set: JudgedReadings, before: JudgedReadings): void {
    if (set.isBefore) return;
    for (const [{ response }, finding] of this.#named(set.stored, before.stored)) {
      const isRequested = !before.isBefore || set.stored.some((one) => one.response === response);
      if (isRequested && response.accepted === undefined) this.#refuse("responses", response, finding);
    }
    if (set.good.length + before.good.length === 0) return;
    const all = this.#named([...set.stored, ...set.good], [...before.stored, ...before.good]);
    for (const [{ response }] of all)
      if (!set.stored.concat(before.stored).some((one) => one.response === response))
        this.#readable.delete(response.key);
  }

  *#named(
    set: readonly StoredReading[],
    before: readonly StoredReading[],
  ): Generator<[StoredReading, SetFinding]> {
    const all = [...set, ...before];
    for (const finding of doubtsAbout(set, before, this.#levels)) {
      const keys = new Set(finding.readings.map(requestKey));
      for (const one of all) if (keys.has(one.response.key)) yield [one, finding];
    }
  }

  /** Keeps the first reason where there are several. */
  #refuse(
    place: AnswerPlace,
    response: StoredResponse,
    { rule, reason }: Pick<RefusedAnswer, "rule" | "reason">,
  ): void {
    const { key, receivedAt, accepted } = response;
    const file = answerFiles[place](key);
    if (this.#refused.has(file)) return;
    this.#refused.set(file, { key, file, receivedAt, rule, reason, accepted });
  }
}

function asItIs(response: StoredResponse, edits: readonly TextEdit[]): StoredReading | undefined {
  try {
    const { reading, receivedAt } = readingFrom(response);
    return { response, reading: corrected(reading, edits), receivedAt };
  } catch {
    return undefined; // that is why it was refused
  }
}
