// One request from key to capture: the claim, the vault, the pacer, the gate, the call, the verdict, the keeping.
// readings/quality.ts gives the verdict; readings/reading.ts makes the reading again whenever it is pressed.
import { Context } from "@temporalio/activity";
import type { ServiceAnswer } from "../readings/answer.ts";
import { CredentialsRefused, type FailureType, isFailure, Rejected, Unfit } from "../readings/failures.ts";
import { addressOf } from "../readings/fields.ts";
import { type ReadingRequest, requestOf, WrongRequest } from "../readings/request.ts";
import type { Capture, Quarantined } from "./capture.schema.ts";
import { underClaim } from "./claims.ts";
import type { CaptureInput, CaptureSummary } from "./contracts.ts";
import type { Dependencies } from "./dependencies.ts";
import { drawCall } from "./day-calls.ts";
import { claimedElsewhere, gateClosed, overCeiling, toTemporal } from "./faults.ts";
import { beating } from "./heartbeat.ts";
import type { CallOutcome } from "./metrics.ts";
import { claimWaitMsFor, figuresOf } from "./limits.ts";
import { sha256 } from "./vault.ts";

/** Well below what the look after the turn trusts. */
const beforeTurnMs = 1_000;

/** A credentials file may be in the middle of a rotation: after so many attempts it is not. */
const mostUnreadable = 3;

/** Strict, so that what is stored is byte for byte what came; a byte order mark stays. */
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Loaded apart: the language detector takes a quarter of a second, for which no worker's start has to wait. */
export const judging = () => import("../readings/quality.ts");

export async function capture(input: CaptureInput, dependencies: Dependencies): Promise<CaptureSummary> {
  const { key, run } = input;
  const { configuration, vault, now } = dependencies;
  const request = requestOf(key);
  if (request === undefined) throw toTemporal(new WrongRequest(`"${key}" is no request key`), 1);
  const { attempt, workflowExecution, activityId, startToCloseTimeoutMs } = Context.current().info;
  const asking = { key, run, tries: input.attempt - 1 + attempt };
  const owner = `${workflowExecution?.runId}/${activityId}`;
  const claim = { key, owner, expiresAt: new Date(now().getTime() + startToCloseTimeoutMs) };
  const mostMs = claimWaitMsFor(figuresOf(configuration, addressOf(request)));
  return beating(async (signal, isMissed) => {
    try {
      return await underClaim(claim, { signal, isMissed, mostMs }, dependencies, {
        held: async (): Promise<CaptureSummary | undefined> => {
          const held = await vault.capture(key);
          return held === undefined ? undefined : { key, kind: "held", tries: held.tries };
        },
        ask: async () => {
          // What Temporal tries again has drawn its call already.
          if (input.isExtra === true && attempt === 1) await drawOne(asking, dependencies);
          return askInTurn(request, asking, { signal, isMissed }, dependencies);
        },
        settles: vault.against(key, request.operation),
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof CredentialsRefused) await closeGate(error, run, request, dependencies);
      if (attempt >= mostUnreadable) await sayUnreadable(error, dependencies);
      throw toTemporal(error, attempt);
    }
  });
}

/** Where the day's ceiling has no room for one more call, it is not made. */
async function drawOne(
  { run, key }: Asking,
  { configuration, vault, now, log }: Dependencies,
): Promise<void> {
  const { callsPerDay } = configuration.service;
  if (callsPerDay === undefined) return;
  if (await drawCall(vault, now().toISOString().slice(0, 10), callsPerDay)) return;
  const over = overCeiling(key, callsPerDay);
  log.warn({ run, key }, over.message);
  throw over;
}

async function askInTurn(
  request: ReadingRequest,
  asking: Asking,
  { signal, isMissed }: { readonly signal: AbortSignal; readonly isMissed: () => boolean },
  dependencies: Dependencies,
): Promise<CaptureSummary> {
  const { gate, pacers, metrics } = dependencies;
  const address = addressOf(request);
  // Looked at before the wait for a turn, so that the look after it has its answer at hand as a rule: between turn and
  // call nothing may come that takes time, or two calls go out too close together.
  if (await gate.isClosed(address, beforeTurnMs)) throw gateClosed(address);
  const askedForMs = performance.now();
  const onSent = await pacers[address].turn(signal);
  metrics.waited(address, performance.now() - askedForMs);
  if (await gate.isClosed(address)) throw gateClosed(address);
  if (isMissed()) throw claimedElsewhere(asking.key); // by the attempt that Temporal has begun in place of this one
  return ask(request, asking, { signal, onSent }, dependencies);
}

interface Asking {
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

async function closeGate(
  refusal: CredentialsRefused,
  run: string,
  request: ReadingRequest,
  dependencies: Dependencies,
): Promise<void> {
  const address = addressOf(request);
  const { key, seen } = refusal.facts;
  if (!(await dependencies.gate.close(address, { run, key, seen }))) return;
  await dependencies.alert({
    kind: "gate-closed",
    text: `${refusal.message}. Nothing more is asked of the ${address} address, nor of another that refuses them: the same credentials serve all of them, so the others are about to refuse them too. Next: give READING_SERVICE_TOKEN and READING_SERVICE_API_KEY that work: the run goes on by itself.`,
  });
}

async function sayUnreadable(error: unknown, { alert, now }: Dependencies): Promise<void> {
  if (!(error instanceof Error) || error.name !== "CredentialsUnreadable") return;
  const text = `${error.message}. Until then no address can be asked for anything; the run goes on by itself.`;
  await alert({
    kind: "credentials-unreadable",
    text,
    once: now().toISOString().slice(0, "2026-11-21T03".length),
  });
}

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
