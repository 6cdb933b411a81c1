// A bundle of a language's edition (workflows/edition.ts), from keys to captures: one claim for all of its requests, which go
// side by side through slots, gate and pacer. activities/ask.ts has each request next: the call.
import { Context } from "@temporalio/activity";
import { isFailure } from "../readings/failures.ts";
import { unpackKeys } from "../readings/key-list.ts";
import { serviceAddressOf } from "../readings/request-fields.ts";
import { type RequestKey, requestOf, sheetKey, WrongRequest } from "../readings/request.ts";
import { signs } from "../readings/signs.ts";
import type { CaptureInput, CaptureOutcome, CapturedBundle, JudgedSheet } from "../readings/run-messages.ts";
import { StoreFailure } from "../store/store.ts";
import { addressFiguresOf, claimWaitMsFor } from "../service/limits.ts";
import { askAndKeep, type KeptAnswer } from "./ask.ts";
import type { Capture } from "../vault/capture.schema.ts";
import { underClaim } from "../vault/claims.ts";
import type { Dependencies, InTurn, Slots } from "./dependencies.ts";
import { beating } from "./heartbeat.ts";
import { judgeSheet, type JustKept } from "./sheet-judgement.ts";
import { type BundleTurn, tellGate, waitForTurn } from "./turn.ts";
import { outcomeOf, passesByWaiting, toTemporal } from "./temporal-failures.ts";

/** After so many attempts a credentials file that can't be read is no longer in the middle of a rotation. */
const mostUnreadable = 3;

export async function capture(input: CaptureInput, dependencies: Dependencies): Promise<CapturedBundle> {
  const { configuration } = dependencies;
  const { info } = Context.current();
  const { attempt, activityId, startToCloseTimeoutMs, workflowExecution } = info;
  const keys = unpackKeys(input.keys);
  const [request] = keys.map(requestOf);
  if (request === undefined) throw toTemporal(new WrongRequest(`"${keys[0]}" is no request key`), 1);
  const claim = {
    name: input.claim,
    edition: input.edition,
    // The workflow counts its activities anew when it continues as new, and when somebody resets it.
    activity: `${workflowExecution?.runId}/${activityId}`,
    hold: { attempt, lastsMs: startToCloseTimeoutMs, begunMs: info.currentAttemptScheduledTimestampMs },
  };
  const address = serviceAddressOf(request);
  const mostMs = claimWaitMsFor(addressFiguresOf(configuration, address));
  return beating(async (signal, isMissed, note) => {
    try {
      const slots = dependencies.slots[address];
      const { whileHeldUp, whileAsking } = slots;
      return await underClaim(claim, { signal, mostMs, whileHeldUp }, dependencies, async (isNew) => {
        const look = !input.isFresh || !isNew || attempt > 1;
        const { run, isExtra } = input;
        const turn = { run, tries: input.triesBefore + attempt, isExtra, signal, isMissed, note, look };
        const { outcomes, kept } = await whileAsking(askAll(keys, input, slots, turn, dependencies));
        if (look) await clear(keys, outcomes, dependencies);
        await dependencies.witness?.keep(dependencies.vault.store);
        const own = { captures: kept, isFirst: input.isFirst === true };
        return { outcomes, judged: await judgedIn(keys, own, turn, dependencies) };
      });
    } catch (error) {
      signal.throwIfAborted();
      if (attempt >= mostUnreadable) await sayUnreadable(error, dependencies);
      throw toTemporal(error, attempt);
    }
  });
}

/** Asks all side by side, at most `width` of the edition's at once. */
async function askAll(
  keys: readonly RequestKey[],
  { edition, width }: CaptureInput,
  { within }: Pick<Slots, "within">,
  turn: BundleTurn,
  dependencies: Dependencies,
): Promise<{ readonly outcomes: CaptureOutcome[]; readonly kept: ReadonlyMap<RequestKey, Capture> }> {
  let done = 0;
  const tell = async (key: RequestKey, inTurn: InTurn) => {
    try {
      return await captureOne(key, inTurn, turn, dependencies);
    } finally {
      done += 1;
      turn.note.say(`${done} of ${keys.length}`);
    }
  };
  const ended = await within(edition, width, (inTurn) =>
    Promise.allSettled(keys.map((key) => tell(key, inTurn))),
  );
  turn.signal.throwIfAborted();
  const errors = ended.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  // Temporal tries again where it costs least: a request alone, and a bundle of which nothing would be asked again that has been
  // answered. Otherwise each outcome is the workflow's, which counts the tries.
  const [first] = errors;
  if (errors.length > 0 && errors.every((error) => isWorthAnotherTry(error, keys.length))) throw first;
  const kept = new Map<RequestKey, Capture>();
  const outcomes = ended.map((one): CaptureOutcome => {
    if (one.status === "rejected") return outcomeOf(one.reason, turn.tries);
    const { capture: own, ...captured } = one.value;
    kept.set(own.key, own);
    return captured;
  });
  return { outcomes, kept };
}

function isWorthAnotherTry(error: unknown, requests: number): boolean {
  return passesByWaiting(error) || (requests === 1 && isFailure(error) && error.type === "Unavailable");
}

async function captureOne(
  key: RequestKey,
  inTurn: InTurn,
  turn: BundleTurn,
  dependencies: Dependencies,
): Promise<KeptAnswer> {
  const request = requestOf(key);
  if (request === undefined) throw new WrongRequest(`"${key}" is no request key`);
  const { run, tries, signal, look } = turn;
  const { vault, unstored } = dependencies;
  return inTurn(async ({ went, answered }) => {
    const held = look ? await vault.soundCapture(key) : undefined;
    if (held !== undefined) {
      unstored.delete(key); // another worker's
      // What an attempt of this bundle kept before its worker died counts as kept.
      return { kind: held.run === run ? "kept" : "held", tries: held.tries, capture: held };
    }
    const asking = { key, run, tries };
    // An answer that could not be stored so far needs no turn.
    if (unstored.has(key)) return askAndKeep(request, asking, { signal }, dependencies);
    const sending = await waitForTurn(key, request, turn, dependencies);
    went();
    try {
      const calling = { signal, ...sending, onAnswered: answered };
      const kept = await askAndKeep(request, asking, calling, dependencies);
      dependencies.gate.answered(request);
      await dependencies.gate.languages.fit(request, run);
      return kept;
    } catch (error) {
      signal.throwIfAborted();
      if (isFailure(error)) await tellGate(error, run, request, dependencies);
      throw error;
    }
  });
}

/** Judges the sheet that the bundle is, if it is a whole one of horoscopes and all of it is kept. */
async function judgedIn(
  keys: readonly RequestKey[],
  own: JustKept,
  { run, look }: BundleTurn,
  dependencies: Dependencies,
): Promise<JudgedSheet | undefined> {
  const [first] = keys.map(requestOf);
  if (first === undefined || !("sign" in first) || keys.length < signs.length) return undefined;
  if (own.captures.size < keys.length) return undefined;
  const input = { sheet: sheetKey(first), run, last: false };
  try {
    return await judgeSheet(input, dependencies, look, own);
  } catch {
    return undefined; // the workflow has it judged, and says what is wrong
  }
}

/** Takes away what was noted against requests that are kept now: their quarantine entries, and that they are refused. */
async function clear(
  keys: readonly RequestKey[],
  outcomes: readonly CaptureOutcome[],
  { vault, log }: Dependencies,
): Promise<void> {
  const kept = keys.filter((_, index) => outcomes[index]?.kind === "kept");
  try {
    if (kept.length > 0) await vault.release(...kept);
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    log.warn(
      { keys: kept, reason: error.message },
      "quarantine entries of kept readings could not be removed",
    );
  }
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
