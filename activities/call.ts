// Makes one call for activities/batch.ts: sends a request once, has the response judged, and stores it in responses/ or in
// quarantine. Next step: readings/quality.ts, which judges the answer.
import { setImmediate as whatHasCome } from "node:timers/promises";
import { StoreFailure } from "../store/store.ts";
import {
  type ServiceAnswer,
  type Failure,
  type FailureType,
  isFailure,
  Rejected,
  Unfit,
} from "../readings/answer.ts";
import { type ReadingRequest, selectEndpoint } from "../readings/request.ts";
import type { StoredResponse, Quarantined } from "../vault/vault.ts";
import type { Came, Dependencies, StoredAnswer, Log } from "./dependencies.ts";
import type { CallOutcome } from "./metrics.ts";
import { sha256 } from "../vault/files.ts";

/** Refuses bytes that are no UTF-8, so that the stored text is byte for byte the one that came; a byte order mark stays. */
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Loaded with the first answer: the language detector takes a quarter of a second, for which no worker's start has to wait. */
export const judging = () => import("../readings/quality.ts");

export interface CallAttempt {
  readonly key: string;
  readonly run: string;
  readonly tries: number;
}

/** Maximum number of answers that wait for the vault, about 10 KB each. Beyond it the oldest is dropped. */
const mostUnstored = 1_000;

/**
 * Sends one request and stores the response in responses/ or in quarantine. The caller removes an earlier quarantine entry. If
 * the answer can't be stored, as on a full disk, the next attempt stores it without sending the request again.
 */
export async function callAndStore(
  request: ReadingRequest,
  attempt: CallAttempt,
  sending: Sending,
  dependencies: Dependencies,
): Promise<StoredAnswer> {
  const { unstored } = dependencies;
  const came = unstored.get(attempt.key) ?? (await call(request, attempt, sending, dependencies));
  try {
    const summary = await store(came, request, attempt, dependencies);
    unstored.delete(attempt.key);
    return summary;
  } catch (error) {
    unstored.delete(attempt.key);
    if (error instanceof StoreFailure) unstored.set(attempt.key, came);
    const [oldest] = unstored.keys();
    if (oldest !== undefined && unstored.size > mostUnstored) unstored.delete(oldest);
    throw error;
  }
}

interface Sending {
  readonly signal: AbortSignal;
  readonly onSent?: () => void;
  /** Called when the answer arrives, before it is judged and stored. */
  readonly onAnswered?: () => void;
  /** Time at which the call began to wait for the endpoint. */
  readonly queuedAtMs?: number;
}

async function call(
  request: ReadingRequest,
  attempt: CallAttempt,
  { signal, onSent, onAnswered, queuedAtMs = performance.now() }: Sending,
  { service, configuration, now, log, metrics, traceCall }: Dependencies,
): Promise<Came> {
  let answer: ServiceAnswer | undefined;
  const calledMs = performance.now();
  const called = (outcome: CallOutcome, status = answer?.status) => {
    const endpoint = selectEndpoint(request);
    const elapsedMs = answer?.elapsedMs ?? performance.now() - calledMs;
    metrics.calls.add(1, { endpoint, operation: request.operation, outcome });
    metrics.callSeconds.record(elapsedMs / 1000, { endpoint });
    const at = { queuedAtMs, calledMs, endedMs: calledMs + elapsedMs };
    traceCall?.({ request, endpoint, attempt: attempt.tries, outcome, status, ...at });
  };
  try {
    const options = { signal, onSent, instant: now() };
    answer = await service.call(withPresentation(request, configuration), options);
    onAnswered?.();
    const { judgeAnswer } = await judging();
    // Requests sent together are answered together. Judging each answer at once would hold the places of those behind it.
    await whatHasCome();
    const { notes } = judgeAnswer(request, answer, configuration.quality.rules);
    called("Fit");
    const answerMs = Math.round(answer.elapsedMs);
    return { kind: "fit", response: storedResponseOf(attempt, answer, notes), answerMs };
  } catch (error) {
    if (isFailure(error)) called(error.type, error.facts.status);
    else if (answer === undefined && signal.aborted) called("Cancelled");
    if (error instanceof Rejected || error instanceof Unfit) {
      return { kind: "refused", entry: quarantinedOf(error, attempt, answer, now()), failure: error };
    }
    if (isFailure(error)) warn(error, request, attempt, log);
    throw error;
  }
}

async function store(
  came: Came,
  request: ReadingRequest,
  attempt: CallAttempt,
  { vault, log, metrics }: Dependencies,
): Promise<StoredAnswer> {
  const { key } = attempt;
  if (came.kind === "fit") {
    const { response, answerMs } = came;
    const stored = await vault.storeResponse(response);
    if (stored === response) {
      metrics.stored.add(1, { language: request.language, operation: request.operation });
      metrics.tries.record(stored.tries, {});
    }
    log.info(
      { ...factsOf(attempt, request), elapsedMs: answerMs, notes: response.notes.length },
      "reading stored",
    );
    return { kind: "stored", tries: stored.tries, answerMs, response: stored };
  }
  const { entry, failure } = came;
  await vault.quarantine(entry);
  const stored = await vault.intactResponse(key);
  // Another attempt has stored the answer: this one was delayed on its way to the service for longer than Temporal waits.
  if (stored !== undefined) {
    await vault.release(key);
    return { kind: "held", tries: stored.tries, response: stored };
  }
  metrics.quarantined.add(1, { language: request.language, rule: entry.rule ?? failure.type });
  warn(failure, request, attempt, log);
  throw failure;
}

function warn({ type, facts }: Failure, request: ReadingRequest, attempt: CallAttempt, log: Log) {
  log.warn({ ...factsOf(attempt, request), type, status: facts.status, reason: facts.seen }, saidOf[type]);
}

/** The fields of every log line about a request. */
function factsOf({ run, key, tries }: CallAttempt, { language }: ReadingRequest) {
  return { run, language, key, attempt: tries };
}

const saidOf: Record<FailureType, string> = {
  CredentialsRefused: "credentials refused",
  Rejected: "request rejected",
  Unavailable: "no response",
  Unfit: "response failed validation",
};

/** The configuration says how many cards are drawn and in which style; neither is part of the key. */
function withPresentation(request: ReadingRequest, { cards }: Dependencies["configuration"]): ReadingRequest {
  const chosen = cards[request.operation];
  if (chosen === undefined || "sign" in request || "sign1" in request || "person" in request) return request;
  return { ...request, cardsCount: chosen.count, cardImage: chosen.image };
}

function storedResponseOf(
  attempt: CallAttempt,
  answer: ServiceAnswer,
  notes: readonly string[],
): StoredResponse {
  return {
    format: 1,
    key: attempt.key,
    address: answer.address,
    receivedAt: answer.receivedAt.toISOString(),
    tries: attempt.tries,
    run: attempt.run,
    bodyHash: sha256(answer.body),
    body: strict.decode(answer.body),
    notes: [...notes],
  };
}

function quarantinedOf(
  failure: Rejected | Unfit,
  attempt: CallAttempt,
  answer: ServiceAnswer | undefined,
  at: Date,
): Quarantined {
  return {
    format: 1,
    key: attempt.key,
    type: failure.type,
    rule: failure instanceof Unfit ? failure.rule : undefined,
    reason: failure.seenInFull(),
    at: at.toISOString(),
    tries: attempt.tries,
    run: attempt.run,
    address: failure.facts.address,
    // A person who accepts an entry publishes its text.
    body: answer?.spellsOutCredential === true ? undefined : answer && lenient.decode(answer.body),
  };
}
