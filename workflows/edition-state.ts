// Progress of an edition and its reports to its run; workflows/edition.ts has the order of things.
import { defineSignal, getExternalWorkflowHandle, setCurrentDetails } from "@temporalio/workflow";
import { type EndpointName, isOperation, type Language } from "../readings/tables.ts";
import type {
  CallTimeouts,
  EditionPlan,
  EditionResult,
  SkippedRequest,
  Tally,
} from "../readings/run-messages.ts";
import {
  isFurtherDraw,
  type ReadingRequest,
  requestKey,
  type RequestKey,
  requestOf,
} from "../readings/request.ts";
import type { Outcome } from "./gather.ts";
import { betweenWordsMs, mostSkippedListed, mostWords } from "./activities.ts";
import { progressSignal } from "./names.ts";
import { type OpenSet, OpenSets } from "./open-sets.ts";
import {
  recordOutcome,
  type OperationOutcomes,
  isRefusedAlike,
  leaveOut,
  refusedBy,
  countMissed,
  countsOf,
  unsettledIn,
  totalOf,
  withoutDraws,
} from "../readings/tally.ts";

export interface EditionInput extends Pick<
  EditionPlan,
  "language" | "date" | "tally" | "draws" | "plan" | "pages" | "window"
> {
  readonly site: string;
  /** The id of the vault, by which the queues of calls are named. */
  readonly vault: string;
  readonly run: string;
  readonly limits: Readonly<Record<EndpointName, CallTimeouts>>;
  /** When to stop trying, in milliseconds since 1970, by the workflow's own clock: a run's start plus its deadline. */
  readonly untilMs: number;
  /** The state that the edition carries over when it continues as new because its history grew long. */
  readonly carried?:
    | (Pick<EditionResult, "tally" | "skipped" | "broken"> & {
        readonly draws?: EditionPlan["draws"];
        readonly outcomes: OperationOutcomes;
        readonly place: PlanPlace;
      })
    | undefined;
}

/** How far an edition has begun its plan: the page, and the batch on it. */
interface PlanPlace {
  readonly page: number;
  readonly from: number;
}

export interface EditionProgress {
  readonly language: Language;
  readonly tally: Tally;
  /** Whether sets became whole since the last report, so that a publish is worthwhile. */
  readonly ready: boolean;
}

export interface EndedSet extends OpenSet {
  readonly isToJudge: boolean;
}

export const editionProgress = defineSignal<[EditionProgress]>(progressSignal);

/** The calls of a request; Temporal's own tries after no answer are counted where an answer came in the end. */
function callsOf(outcome: Outcome): number {
  if (outcome.kind === "skipped") return outcome.attempts;
  return outcome.gathered.kind === "held" ? 0 : outcome.gathered.tries;
}

function isAnswered({ skipped: { type }, attempts }: Extract<Outcome, { kind: "skipped" }>): boolean {
  return attempts > 1 || type === "Rejected" || type === "Unfit";
}

export class EditionState {
  readonly #input: EditionInput;
  readonly #tally: Tally;
  /** The further draws that were neither answered nor given up. */
  readonly #draws: NonNullable<EditionPlan["draws"]>;
  readonly #skipped: SkippedRequest[];
  readonly #outcomes: OperationOutcomes;
  readonly sets = new OpenSets();
  /** The requests of the pages that were read that have not settled. */
  readonly #unsettled = new Set<RequestKey>();
  /** The requests whose response was refused, which are sent again. */
  readonly refusedOnce = new Set<RequestKey>();
  place: PlanPlace;
  #broken: string | undefined;
  #sinceReported = 0;
  #reportedMs = Date.now();

  constructor(input: EditionInput) {
    const { carried } = input;
    this.#input = input;
    this.#tally = carried?.tally ?? input.tally;
    this.#draws = { ...(carried?.draws ?? input.draws) };
    this.#skipped = [...(carried?.skipped ?? [])];
    this.#broken = carried?.broken;
    this.#outcomes = { ...carried?.outcomes };
    this.place = carried?.place ?? { page: 0, from: 0 };
  }

  /** Takes on the requests of a page. */
  begin(requests: readonly ReadingRequest[]): void {
    for (const request of requests) this.#unsettled.add(requestKey(request));
    this.sets.add(requests.filter((request) => !isFurtherDraw(request)));
  }

  /** The request's set, if this request was the last one that it waited for. */
  setOf(request: ReadingRequest): EndedSet | undefined {
    if (isFurtherDraw(request)) return undefined; // it is no part of its day's set
    const set = this.sets.end(request);
    return set && { ...set, isToJudge: set.horoscope && !this.isInVain(request) };
  }

  settle(request: ReadingRequest, outcome: Outcome): void {
    this.#ended(request);
    recordOutcome(this.#outcomes, request.operation, outcome);
    const counts = countsOf(this.#tally, request.operation);
    counts.retried += outcome.attempts - 1;
    counts.calls += callsOf(outcome);
    if (outcome.kind === "skipped") {
      countMissed(this.#tally, request, isAnswered(outcome));
      if (!isFurtherDraw(request)) this.add([outcome.skipped]);
    } else {
      const { kind, answerMs = 0 } = outcome.gathered;
      counts[kind] += 1;
      counts.answerMs += answerMs;
    }
  }

  /** Whether the operation's requests were all refused alike until now, so that more calls are in vain. */
  isInVain({ operation }: ReadingRequest): boolean {
    return isRefusedAlike(this.#outcomes, operation);
  }

  /** Counts a request that is not sent as skipped. */
  leaveOut(request: ReadingRequest): void {
    this.#ended(request);
    leaveOut(this.#outcomes, request.operation);
    countMissed(this.#tally, request, false);
  }

  #ended(request: ReadingRequest): void {
    this.#unsettled.delete(requestKey(request));
    this.#sinceReported += 1;
    const { operation } = request;
    if (isFurtherDraw(request)) this.#draws[operation] = (this.#draws[operation] ?? 0) - 1;
  }

  /** Reports to the run a few times per language, so that its history stays short, and not too often at once. */
  async tellNowAndThen(): Promise<void> {
    const isMuch = this.#sinceReported >= Math.max(5, Math.ceil(totalOf([this.#tally]).planned / mostWords));
    if (isMuch && Date.now() - this.#reportedMs >= betweenWordsMs) await this.report(false);
  }

  /** Counts a reading that lost its place as requested again, or as skipped if that failed. */
  async settleAgain(request: ReadingRequest, outcome: Outcome): Promise<void> {
    const counts = countsOf(this.#tally, request.operation);
    counts.retried += outcome.attempts;
    counts.calls += callsOf(outcome);
    if (outcome.kind === "skipped") this.giveUp([outcome.skipped]);
  }

  /** Counts readings that were stored and then lost their place. */
  giveUp(skipped: readonly SkippedRequest[]): void {
    for (const { key } of skipped) {
      const request = requestOf(key);
      if (request === undefined) continue;
      const counts = countsOf(this.#tally, request.operation);
      counts.stored = Math.max(0, counts.stored - 1);
      counts.skipped += 1;
    }
    this.add(skipped);
  }

  /** Notes a fault of our own that cost more than one request. */
  broke(words: string): void {
    this.#broken ??= words;
  }

  add(skipped: readonly SkippedRequest[]): void {
    this.#skipped.push(...skipped.slice(0, mostSkippedListed - this.#skipped.length));
  }

  /**
   * Counts a whole set. When every daily set is whole, readers can have their day, which is worth a publish of its own; so is
   * all that they wait for, where further draws are still open.
   */
  async finishSet(set: OpenSet): Promise<void> {
    if (this.sets.done(set) || this.#hasDrawsAlone()) await this.report(true);
  }

  #hasDrawsAlone(): boolean {
    const draws = Object.values(this.#draws).reduce((sum, count) => sum + count, 0);
    return draws > 0 && this.#open() === draws && this.sets.isEmpty();
  }

  /** How many requests were neither answered nor given up. */
  #open(): number {
    return Object.values(this.#tally).reduce((sum, one) => sum + unsettledIn(one), 0);
  }

  /** Skips all that has no answer yet. */
  stopAtDeadline(): void {
    const refused = Map.groupBy(
      [...this.#unsettled].filter((key) => this.refusedOnce.has(key)),
      (key) => requestOf(key)?.operation,
    );
    for (const [operation, counts] of Object.entries(this.#tally)) {
      if (!isOperation(operation)) continue;
      const open = unsettledIn(counts);
      const draws = Math.min(open, this.#draws[operation] ?? 0);
      counts.planned -= draws;
      counts.skipped += open - draws;
      counts.unanswered += open - (refused.get(operation)?.length ?? 0);
    }
    const reason = "the run's deadline was reached before a response";
    const missed = withoutDraws([...this.#unsettled]);
    this.add(missed.map((key) => ({ key, type: "Deadline", reason }) as const));
  }

  async report(ready: boolean): Promise<void> {
    this.#sinceReported = 0;
    this.#reportedMs = Date.now();
    const { language, run } = this.#input;
    setCurrentDetails(`${this.#open()} of ${totalOf([this.#tally]).planned} requests to go`);
    await getExternalWorkflowHandle(run).signal(editionProgress, { language, tally: this.#tally, ready });
  }

  toCarry(): NonNullable<EditionInput["carried"]> {
    return {
      tally: this.#tally,
      draws: this.#draws,
      skipped: this.#skipped,
      broken: this.#broken,
      outcomes: this.#outcomes,
      place: this.place,
    };
  }

  result(): EditionResult {
    const { language } = this.#input;
    const refused = refusedBy(this.#outcomes);
    return { language, tally: this.#tally, skipped: this.#skipped, refused, broken: this.#broken };
  }
}
