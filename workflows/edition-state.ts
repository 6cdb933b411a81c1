// How far an edition has come and what it has told its run; workflows/edition.ts has the order of things.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import { defineSignal, getExternalWorkflowHandle, setCurrentDetails } from "@temporalio/workflow";
import type { CaptureLimits, EditionResult, SetAside, Tally } from "../readings/run-messages.ts";
import { unpackKeys } from "../readings/key-list.ts";
import type { Language } from "../readings/languages.ts";
import { rowOf } from "../readings/operations.ts";
import {
  type ReadingRequest,
  requestKey,
  type RequestKey,
  requestOf,
  sheetKey,
} from "../readings/request.ts";
import type { Outcome } from "./gather.ts";
import { betweenWordsMs, mostSetAsideListed } from "./limits.ts";
import { progressSignal } from "./names.ts";
import {
  hear,
  type HeardSoFar,
  isRefusedAlike,
  leaveOut,
  refusedBy,
} from "../readings/refused-operations.ts";
import { countsOf, plannedTally } from "../readings/tally.ts";

export interface EditionInput {
  readonly site: string;
  readonly run: string;
  readonly language: Language;
  readonly date: string;
  /** The requests' keys, packed by `packKeys`. */
  readonly keys: readonly string[];
  /** How many requests are of each priority. */
  readonly bands: readonly number[];
  readonly window: number;
  readonly limits: Readonly<Record<ServiceAddress, CaptureLimits>>;
  /** When to stop trying, in milliseconds since 1970, by the workflow's own clock: a run's start plus its deadline. */
  readonly untilMs: number;
  /** The state that the edition carries over when it continues as new because its history grew long. */
  readonly soFar?:
    | (Pick<EditionResult, "tally" | "setAside" | "broken"> & { readonly heard: HeardSoFar })
    | undefined;
}

export interface EditionProgress {
  readonly language: Language;
  readonly tally: Tally;
  /** Whether sheets became whole since the last word, so that a publish is worth it. */
  readonly ready: boolean;
}

export const editionProgress = defineSignal<[EditionProgress]>(progressSignal);

interface WaitingSheet {
  readonly key: string;
  readonly horoscope: boolean;
  readonly daily: boolean;
  waiting: number;
}

/** The sheets of the requests, each with how many of its requests are still out. */
export function sheetsInKeys(requests: readonly ReadingRequest[]): Map<string, WaitingSheet> {
  const sheets = new Map<string, WaitingSheet>();
  for (const request of requests) {
    const key = sheetKey(request);
    const { family, due } = rowOf(request.operation);
    const sheet = sheets.get(key) ?? {
      key,
      horoscope: family === "horoscope",
      daily: family === "horoscope" && due === "daily",
      waiting: 0,
    };
    sheet.waiting += 1;
    sheets.set(key, sheet);
  }
  return sheets;
}

/** The calls of a request; Temporal's own tries after no answer are counted where an answer came in the end. */
function callsOf(outcome: Outcome): number {
  if (outcome.kind === "setAside") return outcome.asked;
  return outcome.captured.kind === "held" ? 0 : outcome.captured.tries;
}

function isAnswered({ setAside: { type }, asked }: Extract<Outcome, { kind: "setAside" }>): boolean {
  return asked > 1 || type === "Rejected" || type === "Unfit";
}

export class EditionState {
  readonly #input: EditionInput;
  readonly #tally: Tally;
  readonly #setAside: SetAside[];
  readonly #heard: HeardSoFar;
  readonly #planned: number;
  readonly #unsettled: Set<RequestKey>;
  /** The requests of which an answer was refused, which are asked for again. */
  readonly refusedOnce = new Set<RequestKey>();
  #broken: string | undefined;
  #dailySheets: number;
  #sinceTold = 0;
  #toldMs = Date.now();

  constructor(input: EditionInput) {
    this.#input = input;
    const keys = unpackKeys(input.keys);
    this.#tally = input.soFar?.tally ?? plannedTally(keys);
    this.#setAside = [...(input.soFar?.setAside ?? [])];
    this.#broken = input.soFar?.broken;
    this.#heard = { ...input.soFar?.heard };
    this.#planned = keys.length;
    this.#unsettled = new Set(keys);
    const sheets = sheetsInKeys(keys.map(requestOf).filter((request) => request !== undefined));
    this.#dailySheets = [...sheets.values()].filter((sheet) => sheet.daily).length;
  }

  async settle(request: ReadingRequest, outcome: Outcome): Promise<void> {
    this.#unsettled.delete(requestKey(request));
    hear(this.#heard, request.operation, outcome);
    const counts = countsOf(this.#tally, request.operation);
    counts.retried += outcome.asked - 1;
    counts.calls += callsOf(outcome);
    if (outcome.kind === "setAside") {
      counts.setAside += 1;
      if (!isAnswered(outcome)) counts.unanswered += 1;
      this.add([outcome.setAside]);
    } else {
      const { kind, answerMs = 0 } = outcome.captured;
      counts[kind] += 1;
      counts.answerMs += answerMs;
    }
    await this.#tellNowAndThen();
  }

  /** Whether the operation's requests were all refused alike so far, so that it is in vain to ask for more. */
  isInVain({ operation }: ReadingRequest): boolean {
    return isRefusedAlike(this.#heard, operation);
  }

  /** Counts a request as set aside that is not asked. */
  async leaveOut(request: ReadingRequest): Promise<void> {
    this.#unsettled.delete(requestKey(request));
    leaveOut(this.#heard, request.operation);
    const counts = countsOf(this.#tally, request.operation);
    counts.setAside += 1;
    counts.unanswered += 1;
    await this.#tellNowAndThen();
  }

  /** Tells the run at most some twenty times a language, so that the run's history stays short, and not too often at once. */
  async #tellNowAndThen(): Promise<void> {
    this.#sinceTold += 1;
    const isMuch = this.#sinceTold >= Math.max(5, Math.ceil(this.#planned / 20));
    if (isMuch && Date.now() - this.#toldMs >= betweenWordsMs) await this.report(false);
  }

  /** A reading that lost its place counts as asked again; one that could not be had again as set aside. */
  async settleAgain(request: ReadingRequest, outcome: Outcome): Promise<void> {
    const counts = countsOf(this.#tally, request.operation);
    counts.retried += outcome.asked;
    counts.calls += callsOf(outcome);
    if (outcome.kind === "setAside") this.giveUp([outcome.setAside]);
  }

  /** Counts readings that were kept and then lost their place. */
  giveUp(setAside: readonly SetAside[]): void {
    for (const { key } of setAside) {
      const request = requestOf(key);
      if (request === undefined) continue;
      const counts = countsOf(this.#tally, request.operation);
      counts.kept = Math.max(0, counts.kept - 1);
      counts.setAside += 1;
    }
    this.add(setAside);
  }

  /** Notes a fault of our own that cost more than one request. */
  broke(words: string): void {
    this.#broken ??= words;
  }

  add(setAside: readonly SetAside[]): void {
    this.#setAside.push(...setAside.slice(0, mostSetAsideListed - this.#setAside.length));
  }

  /** Counts a whole sheet. When every daily sheet is whole, readers can have their day, which is worth a publish of its own. */
  async sheetDone(daily: boolean): Promise<void> {
    if (!daily) return;
    this.#dailySheets -= 1;
    if (this.#dailySheets === 0) await this.report(true);
  }

  stopAt(requests: readonly ReadingRequest[]): void {
    for (const request of requests) {
      const key = requestKey(request);
      if (!this.#unsettled.has(key)) continue;
      const counts = countsOf(this.#tally, request.operation);
      counts.setAside += 1;
      if (!this.refusedOnce.has(key)) counts.unanswered += 1;
      this.add([{ key, type: "Deadline", reason: "the run's deadline came before an answer" }]);
    }
  }

  async report(ready: boolean): Promise<void> {
    this.#sinceTold = 0;
    this.#toldMs = Date.now();
    const { language, run } = this.#input;
    setCurrentDetails(`${this.#unsettled.size} of ${this.#planned} requests to go`);
    const handle = getExternalWorkflowHandle(run);
    await handle.signal(editionProgress, { language, tally: this.#tally, ready });
  }

  carried(): NonNullable<EditionInput["soFar"]> {
    return { tally: this.#tally, setAside: this.#setAside, broken: this.#broken, heard: this.#heard };
  }

  result(): EditionResult {
    const { language, date } = this.#input;
    const refused = refusedBy(this.#heard);
    return { language, date, tally: this.#tally, setAside: this.#setAside, refused, broken: this.#broken };
  }
}
