// The turn of one request of a bundle: the gate, the day's ceiling, the pacer. activities/capture.ts waits for it.
import { setBounded } from "../readings/bounded-map.ts";
import { CredentialsRefused, type Failure, Unavailable, Unfit } from "../readings/failures.ts";
import type { Language } from "../readings/languages.ts";
import { serviceAddressOf } from "../readings/request-fields.ts";
import type { ReadingRequest, RequestKey } from "../readings/request.ts";
import { type Alike, remedyFor } from "../readings/unfit-languages.ts";
import { ClaimedElsewhere } from "../vault/claims.ts";
import { callDayOf, drawCall, hasTakenOn } from "../vault/day-calls.ts";
import type { Dependencies } from "./dependencies.ts";
import type { HeartbeatNote } from "./heartbeat.ts";
import { GateClosed, Leaving, OverCeiling } from "./temporal-failures.ts";

/** The age at which a look at the gate is renewed before the wait; the look after the wait trusts one that is far older. */
const beforeTurnMs = 1_000;

/** Runs of which a worker knows on which day their calls were counted last. */
const mostRuns = 100;

export interface BundleTurn {
  readonly run: string;
  readonly tries: number;
  /** Each call is drawn from the rest of the day's ceiling, because the plan did not count it. */
  readonly isExtra: boolean;
  readonly signal: AbortSignal;
  /** Whether Temporal may have begun another attempt in place of this one. */
  readonly isMissed: () => boolean;
  readonly note: HeartbeatNote;
  /** Whether the vault may hold an answer already. */
  readonly look: boolean;
}

/** Resolves when the request may go out, with what to call when it has, and since when it waited for that within the rate. */
export async function waitForTurn(
  key: RequestKey,
  request: ReadingRequest,
  turn: BundleTurn,
  dependencies: Dependencies,
): Promise<{ readonly onSent: () => void; readonly askedForMs: number }> {
  const { gate, pacers, metrics, leaving } = dependencies;
  const { signal, isMissed } = turn;
  const address = serviceAddressOf(request);
  const mayGo = (): void => {
    signal.throwIfAborted();
    if (leaving.signal.aborted) throw new Leaving();
    if (isMissed()) throw new ClaimedElsewhere(key); // by the attempt that Temporal has begun in place of this one
  };
  const passGate = async (youngerThanMs?: number): Promise<void> => {
    const scope = await gate.held(request, youngerThanMs);
    if (scope !== undefined) throw new GateClosed(address, scope);
  };
  mayGo();
  // The gate is looked at before the wait for the pacer, so that the look after it is mostly answered from the cache: anything
  // that takes time between the pacer and the call lets two calls go out too close together.
  await passGate(beforeTurnMs);
  await draw(key, turn, dependencies); // what a closed gate keeps back is not asked
  const askedForMs = performance.now();
  const onSent = await pacers[address].turn(signal);
  metrics.waited(address, performance.now() - askedForMs);
  await passGate();
  mayGo();
  return { onSent, askedForMs };
}

/** Throws where the day's ceiling has no room for one more call. */
async function draw(
  key: RequestKey,
  { run, isExtra, note }: BundleTurn,
  dependencies: Dependencies,
): Promise<void> {
  const { configuration, vault, now, log } = dependencies;
  const { callsPerDay } = configuration.service;
  if (callsPerDay === undefined) return;
  const day = callDayOf(now());
  // An attempt that Temporal tries again may have drawn its call already; one of another day was drawn there.
  const drawn = `${day}/${key}`;
  if (note.has(drawn)) return;
  if (!isExtra && (await isCountedOn(day, run, dependencies))) return;
  if (await drawCall(vault, day, callsPerDay)) return note.add(drawn);
  const over = new OverCeiling(key, callsPerDay);
  log.warn({ run, key }, over.message);
  throw over;
}

/** Whether the run's plan has counted its calls on this day, and not on the one before; looked up once a day. */
async function isCountedOn(day: string, run: string, { vault, takenOn }: Dependencies): Promise<boolean> {
  const known = takenOn.get(run);
  if (known !== day && (await hasTakenOn(vault, day, run))) setBounded(takenOn, run, day, mostRuns);
  return takenOn.get(run) === day;
}

/** Tells the gate of a call that failed: nobody is there, or the credentials are refused, or somebody was there. */
export async function tellGate(
  failure: Failure,
  run: string,
  request: ReadingRequest,
  dependencies: Dependencies,
): Promise<void> {
  const { gate, alert } = dependencies;
  const address = serviceAddressOf(request);
  const { key, status, seen } = failure.facts;
  if (failure instanceof Unavailable) {
    const told = { run, key, seen: status === undefined ? seen : `HTTP ${status}` };
    return gate.failed(request, told, { status, retryAfterMs: failure.retryAfterMs });
  }
  if (failure instanceof CredentialsRefused) {
    if (!(await gate.close(address, { run, key, seen }))) return;
    await alert({
      kind: "gate-closed",
      text: `${failure.message}. Nothing more is asked of the ${address} address, nor of another that refuses them: the same credentials serve all of them, so the others are about to refuse them too. Next: give READING_SERVICE_TOKEN and READING_SERVICE_API_KEY that work: the run goes on by itself.`,
    });
    return;
  }
  gate.answered(request);
  if (!(failure instanceof Unfit)) return;
  const alike = await gate.languages.refused(request, failure.rule, { run, key, seen });
  if (alike !== undefined) await sayStopped(alike, { run, language: request.language, seen }, dependencies);
}

/** Reports at once that a language is stopped. */
async function sayStopped(
  { rule, refused, answers }: Alike,
  { run, language, seen }: { readonly run: string; readonly language: Language; readonly seen: string },
  { alert }: Dependencies,
): Promise<void> {
  const like = /it reads like (\w+)$/.exec(seen)?.[1];
  const name = like && new Intl.DisplayNames("en", { type: "language" }).of(like);
  const fault = name === undefined ? `are refused by the rule "${rule}" (${seen})` : `read like ${name}`;
  const text = `${language}: ${refused} of ${answers} ${fault}. ${run} stops this language, except for one probe every half hour. Next: ${remedyFor(rule)}`;
  await alert({ kind: "language-stopped", text, once: `${run} ${language}` });
}
