// One call from request to what is kept of it: asked once, judged, and stored in its place or in quarantine.
// readings/quality.ts gives the verdict; readings/reading.ts makes the reading again whenever it is pressed.
import type { ServiceAnswer } from "../readings/answer.ts";
import { type FailureType, isFailure, Rejected, Unfit } from "../readings/failures.ts";
import { addressOf } from "../readings/fields.ts";
import type { ReadingRequest } from "../readings/request.ts";
import type { Capture, Quarantined } from "./capture.schema.ts";
import type { CaptureSummary } from "./contracts.ts";
import type { Dependencies } from "./dependencies.ts";
import type { CallOutcome } from "./metrics.ts";
import { sha256 } from "./vault.ts";

/** Strict, so that what is stored is byte for byte what came; a byte order mark stays. */
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Loaded apart: the language detector takes a quarter of a second, for which no worker's start has to wait. */
export const judging = () => import("../readings/quality.ts");

export interface Asking {
  readonly key: string;
  readonly run: string;
  readonly tries: number;
}

/** Asks once and keeps what comes, in its place or in quarantine. What spoke against it before is the caller's to remove. */
export async function ask(
  request: ReadingRequest,
  asking: Asking,
  { signal, onSent }: { readonly signal: AbortSignal; readonly onSent?: () => void },
  dependencies: Dependencies,
): Promise<CaptureSummary> {
  const { service, configuration, vault, now, log, metrics } = dependencies;
  let answer: ServiceAnswer | undefined;
  const calledMs = performance.now();
  const called = (outcome: CallOutcome): void =>
    metrics.called(request, addressOf(request), outcome, answer?.elapsedMs ?? performance.now() - calledMs);
  try {
    const options = { signal, onSent, instant: now() };
    answer = await service.ask(withPresentation(request, configuration), options);
    const { judgeAnswer } = await judging();
    const { notes } = judgeAnswer(request, answer, configuration.quality.rules);
    called("Fit");
    const own = captureOf(asking, answer, notes);
    const kept = await vault.keep(own);
    if (kept === own) metrics.kept(request, kept.tries);
    const answerMs = Math.round(answer.elapsedMs);
    log.info({ ...factsOf(asking, request), elapsedMs: answerMs, notes: notes.length }, "kept");
    return { key: asking.key, kind: "kept", tries: kept.tries, answerMs };
  } catch (error) {
    if (isFailure(error)) called(error.type);
    else if (answer === undefined && signal.aborted) called("Cancelled");
    if (error instanceof Rejected || error instanceof Unfit) {
      await vault.setAside(quarantinedOf(error, asking, answer, now()));
      const kept = await vault.capture(asking.key);
      // Another attempt has it: this one was held up on its way to the service, for longer than Temporal waits.
      if (kept !== undefined) {
        await vault.release(asking.key);
        return { key: asking.key, kind: "held", tries: kept.tries };
      }
      metrics.setAside(request.language, error instanceof Unfit ? error.rule : error.type);
    }
    if (isFailure(error)) {
      const { type, facts } = error;
      log.warn({ ...factsOf(asking, request), type, status: facts.status, reason: facts.seen }, saidOf[type]);
    }
    throw error;
  }
}

/** In every line about a request. */
function factsOf({ run, key, tries }: Asking, { language }: ReadingRequest) {
  return { run, language, key, attempt: tries };
}

const saidOf: Record<FailureType, string> = {
  CredentialsRefused: "credentials refused",
  Rejected: "set aside",
  Unavailable: "no answer",
  Unfit: "set aside",
};

/** How many cards, and in which style, is the configuration's business and no part of the key. */
function withPresentation(request: ReadingRequest, { cards }: Dependencies["configuration"]): ReadingRequest {
  const chosen = cards[request.operation];
  if (chosen === undefined || "sign" in request || "sign1" in request || "person" in request) return request;
  return { ...request, cardsCount: chosen.count, cardImage: chosen.image };
}

function captureOf(asking: Asking, answer: ServiceAnswer, notes: readonly string[]): Capture {
  return {
    format: 1,
    key: asking.key,
    address: answer.address,
    receivedAt: answer.receivedAt.toISOString(),
    tries: asking.tries,
    run: asking.run,
    bodyHash: sha256(answer.body),
    body: strict.decode(answer.body),
    notes: [...notes],
  };
}

function quarantinedOf(
  failure: Rejected | Unfit,
  asking: Asking,
  answer: ServiceAnswer | undefined,
  at: Date,
): Quarantined {
  return {
    format: 1,
    key: asking.key,
    type: failure.type,
    ...(failure instanceof Unfit ? { rule: failure.rule } : {}),
    reason: failure.facts.seen,
    at: at.toISOString(),
    tries: asking.tries,
    run: asking.run,
    address: failure.facts.address,
    ...(answer === undefined ? {} : { body: lenient.decode(answer.body) }),
  };
}
