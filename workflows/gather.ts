// Gathers the requests of a batch: they are requested together in one activity. A request that failed is then requested by itself, a
// few times if it was rejected or unfit, and until there is a response if there was none. Temporal repeats a batch of which nothing
// was sent, as while the endpoint's circuit breaker is open.
import { sleep, ActivityFailure, isCancellation } from "@temporalio/workflow";
import { type EndpointName, rowOf } from "../readings/tables.ts";
import { packKeys } from "../readings/plan-order.ts";
import type {
  CallTimeouts,
  BatchOutcome,
  BatchResult,
  Gathered,
  JudgedSet,
  SkippedRequest,
  CallFailed,
} from "../readings/run-messages.ts";
import { type ReadingRequest, requestKey, type RequestKey, selectEndpoint } from "../readings/request.ts";
import { attemptPauseMs, mostAttempts } from "../readings/gather-rules.ts";
import { callsOn } from "./activities.ts";
import { failureReason } from "./failure-reason.ts";

export type Outcome =
  | { readonly kind: "gathered"; readonly gathered: Gathered; readonly attempts: number }
  | { readonly kind: "skipped"; readonly skipped: SkippedRequest; readonly attempts: number };

export interface GatherContext {
  /** The id of the vault. */
  readonly vault: string;
  readonly run: string;
  readonly limits: Readonly<Record<EndpointName, CallTimeouts>>;
  /** How many requests of a batch are out at once. */
  readonly width: number;
  /** Filled with the requests whose response was refused and that are sent again. */
  readonly refusedOnce: Set<RequestKey>;
}

/** Requests of one language and endpoint that are sent together. */
export interface Together {
  readonly requests: readonly [ReadingRequest, ...ReadingRequest[]];
  readonly priority: number;
  readonly isFresh: boolean;
  readonly isFirst?: boolean;
}

export interface Ended {
  readonly request: ReadingRequest;
  readonly outcome: Outcome;
}

/**
 * Takes what has ended together, because each promise costs a workflow more than all else that becomes of a reading. `judged` is the
 * set's judgement, if all of its requests were sent together and are stored.
 */
export type Settle = (ended: readonly Ended[], judged: JudgedSet | undefined) => Promise<void>;

/**
 * Resolves when all have ended; what becomes of each goes to `settle` as soon as it is known. `giveUp` is called where what is
 * left holds up no other batch: it is requested again, except if none is stored, because the service may be away, or refuse them all.
 */
export async function gatherTogether(
  together: Together,
  context: GatherContext,
  settle: Settle,
  giveUp: () => void,
): Promise<void> {
  const { outcomes, judged } = await callTogether(together, context, { triesBefore: 0, isExtra: false });
  const settling: Promise<void>[] = [];
  const gathered: Ended[] = [];
  const notRequested: ReadingRequest[] = [];
  let pauseMs = 0;
  for (const [index, request] of together.requests.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error(`no result for ${requestKey(request)}`);
    if (outcome.kind !== "failed") {
      gathered.push({ request, outcome: { kind: "gathered", gathered: outcome, attempts: 1 } });
      continue;
    }
    if (outcome.type === "NotRequested") {
      pauseMs = Math.max(pauseMs, outcome.pauseMs ?? 0);
      notRequested.push(request);
      continue;
    }
    const alone = { ...together, requests: [request], isFresh: false } as const;
    const ended = goOn(alone, outcome, context, true);
    settling.push(ended.then((end) => settle([{ request, outcome: end }], judged)));
  }
  if (gathered.length > 0) {
    giveUp();
    settling.push(settle(gathered, judged));
  }
  const [first, ...others] = notRequested;
  if (first !== undefined) {
    const left = { ...together, requests: [first, ...others], isFresh: false } as const;
    const summary = `before sending the remaining requests: ${summaryOf(left.requests)}`;
    const later = sleep(Math.max(1, pauseMs), { summary });
    settling.push(later.then(() => gatherTogether(left, context, settle, giveUp)));
  }
  await Promise.all(settling);
}

/** Repeats one request that lost its place in the vault: each call is drawn from the rest of the day's ceiling. */
export async function gatherAgain(
  request: ReadingRequest,
  { priority }: Pick<Together, "priority">,
  context: GatherContext,
): Promise<Outcome> {
  const alone = { requests: [request], priority, isFresh: false } as const;
  const { outcomes } = await callTogether(alone, context, { triesBefore: 0, isExtra: true });
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error(`no result for ${requestKey(request)}`);
  return goOn(alone, outcome, context, false);
}

/** From what came of the first call to the end. `isPlanned` says that the plan counted that call. */
async function goOn(
  alone: Together,
  first: BatchOutcome,
  context: GatherContext,
  isPlanned: boolean,
): Promise<Outcome> {
  const [request] = alone.requests;
  const key = requestKey(request);
  let before: SkippedRequest | undefined;
  let attempt = 1;
  for (let outcome = first; ;) {
    if (outcome.kind !== "failed") return { kind: "gathered", gathered: outcome, attempts: attempt };
    const { type, reason, said } = outcome;
    let pauseMs = outcome.pauseMs ?? 0;
    if (type !== "Unavailable" && type !== "NotRequested") {
      const skipped = { key, type, reason, said };
      if (type === "OverCeiling")
        return { kind: "skipped", skipped: before ?? skipped, attempts: attempt - 1 };
      if ((type !== "Rejected" && type !== "Unfit") || attempt >= mostAttempts)
        return { kind: "skipped", skipped, attempts: attempt };
      before = skipped;
      context.refusedOnce.add(key);
      pauseMs = attemptPauseMs(attempt);
      attempt += 1;
    }
    if (pauseMs > 0) await sleep(pauseMs, { summary: `before retrying: ${summaryOf(alone.requests)}` });
    const calls = { triesBefore: outcome.tries, isExtra: !isPlanned || attempt > 1 };
    outcome = (await callTogether(alone, context, calls)).outcomes[0] ?? outcome;
  }
}

async function callTogether(
  { requests, priority, isFresh, isFirst }: Together,
  { vault, run, limits, width }: GatherContext,
  calls: { readonly triesBefore: number; readonly isExtra: boolean },
): Promise<BatchResult> {
  const [first] = requests;
  const { language } = first;
  const endpoint = selectEndpoint(first);
  const options = { summary: summaryOf(requests), priorityKey: priority, fairnessKey: language };
  const { callBatch } = callsOn(vault, endpoint, limits[endpoint], options);
  const keys = packKeys(requests.map(requestKey));
  try {
    return await callBatch({ format: 1, run, keys, width, isFresh, isFirst, ...calls });
  } catch (error) {
    const fault = faultOf(error, calls.triesBefore);
    return { format: 1, outcomes: requests.map(() => fault) };
  }
}

/** `daily-horoscope hi 2026-11-22: 12 signs`; one by itself is named: `daily-horoscope aries hi 2026-11-22`. */
export function summaryOf(requests: readonly [ReadingRequest, ...ReadingRequest[]]): string {
  const [first, ...others] = requests;
  const { operation, language, period } = first;
  if (others.length === 0) return `${operation} ${partOf(first)}${language} ${period}`;
  const operations = new Set(requests.map((request) => request.operation));
  if (operations.size > 1) return `${language} ${period}: ${requests.length} cards`;
  const { family } = rowOf(operation);
  const what =
    family === "horoscope" ? "signs" : family === "pair" ? "pairs" : family === "animal" ? "people" : "draws";
  return `${operation} ${language} ${period}: ${requests.length} ${what}`;
}

function partOf(request: ReadingRequest): string {
  if ("sign" in request) return `${request.sign} `;
  if ("sign1" in request) return `${request.sign1}-${request.sign2} `;
  return "";
}

/** Outcome of each request of a batch whose activity failed as a whole: a fault of our own costs only its requests. */
export function faultOf(error: unknown, tries: number): CallFailed {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
  return { kind: "failed", type: "Fault", reason: failureReason(error).slice(0, 300), tries };
}
