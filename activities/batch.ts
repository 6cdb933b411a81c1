// A batch of a language's edition (workflows/edition.ts), from keys to stored responses: its requests go side by side through the
// endpoint's limits, if this process is the endpoint's owner. activities/call.ts has each request next: the call.
import { Context } from "@temporalio/activity";
import { setBounded } from "../readings/bounded-map.ts";
import { CredentialsRefused, Unavailable } from "../readings/answer.ts";
import { unpackKeys } from "../readings/plan-order.ts";
import {
  type ReadingRequest,
  type RequestKey,
  requestKey,
  requestOf,
  selectEndpoint,
  setKey,
  WrongRequest,
} from "../readings/request.ts";
import { signs } from "../readings/tables.ts";
import {
  type BatchInput,
  type BatchOutcome,
  type BatchResult,
  type JudgedSet,
  batchSchema,
} from "../readings/run-messages.ts";
import type { EndpointCalls } from "../service/owned-endpoint.ts";
import type { Caller } from "../service/unfit-responses.ts";
import { StoreFailure } from "../store/store.ts";
import type { StoredResponse, Vault } from "../vault/vault.ts";
import { callDayOf, drawCall, hasTakenOn } from "../vault/call-notes.ts";
import { alertAboutCredentials } from "./alerts.ts";
import { callAndStore } from "./call.ts";
import type { Dependencies, StoredAnswer } from "./dependencies.ts";
import { beating, type HeartbeatNote } from "./heartbeat.ts";
import { judgeSet, type JustStored } from "./set-judgement.ts";
import { AnotherBuild, outcomeOf, OverCeiling, passesByWaiting, toTemporal } from "./temporal-failures.ts";

/** After so many attempts a credentials file that can't be read is no longer in the middle of a rotation. */
const mostUnreadable = 3;
/** Noted for each call without a response, after which Temporal repeats the batch. */
const unanswered = "unanswered";
/** Runs of which a worker knows on which day their calls were counted last. */
const mostRuns = 100;

interface BatchCalls {
  readonly input: BatchInput;
  readonly caller: Caller;
  /** Requests that may have a stored response. The vault is listed once, before the first request of the batch is sent. */
  readonly stored: () => Promise<ReadonlySet<RequestKey>>;
  readonly calls: EndpointCalls;
  readonly signal: AbortSignal;
  readonly note: HeartbeatNote;
}

export async function callBatch(given: BatchInput, dependencies: Dependencies): Promise<BatchResult> {
  const { attempt, workflowExecution } = Context.current().info;
  return beating(async (signal, note) => {
    try {
      const input = batchSchema.safeParse(given).data;
      if (input === undefined) throw new AnotherBuild();
      const keys = unpackKeys(input.keys);
      const [request] = keys.map(requestOf);
      if (request === undefined) throw new WrongRequest(`"${keys[0]}" is not a request key`);
      const endpoint = dependencies.endpoints[selectEndpoint(request)];
      const caller = { run: input.run, start: workflowExecution?.runId ?? "" };
      return await endpoint.batch(async (calls) => {
        let listing: Promise<ReadonlySet<RequestKey>> | undefined;
        const stored = () => (listing ??= mayBeStored(keys, dependencies.vault));
        const batch = { input, caller, stored, calls, signal, note };
        const { outcomes, responses } = await callAll(keys, batch, dependencies);
        const isFirstTry = input.isFresh && attempt === 1;
        if (!isFirstTry) await clear(keys, outcomes, dependencies);
        await dependencies.timeSource?.save(dependencies.vault.store);
        const own = { responses, isFirst: input.isFirst === true };
        return {
          format: 1,
          outcomes,
          judged: await judgedIn(keys, own, input.run, !isFirstTry, dependencies),
        };
      });
    } catch (error) {
      signal.throwIfAborted();
      if (attempt >= mostUnreadable) await alertAboutCredentials(error, dependencies);
      throw toTemporal(error, note.count(unanswered));
    }
  });
}

async function callAll(
  keys: readonly RequestKey[],
  batch: BatchCalls,
  dependencies: Dependencies,
): Promise<{
  readonly outcomes: BatchOutcome[];
  readonly responses: ReadonlyMap<RequestKey, StoredResponse>;
}> {
  const { input, signal, note } = batch;
  let done = 0;
  const ended = await Promise.allSettled(
    keys.map(async (key) => {
      try {
        return await callOne(key, batch, dependencies);
      } finally {
        done += 1;
        note.say(`${done} of ${keys.length}`);
      }
    }),
  );
  signal.throwIfAborted();
  const errors = ended.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  // Temporal repeats a batch of which nothing came: that costs no event. Otherwise each outcome is the workflow's.
  const isRepeated = errors.every((error) => passesByWaiting(error) || isUnansweredAlone(error, keys));
  if (errors.length > 0 && errors.length === keys.length && isRepeated) {
    if (errors.some((error) => isUnansweredAlone(error, keys))) note.add(unanswered);
    throw errors[0];
  }
  const tries = input.triesBefore + note.count(unanswered) + 1;
  const responses = new Map<RequestKey, StoredResponse>();
  const outcomes = ended.map((one): BatchOutcome => {
    if (one.status === "rejected") return outcomeOf(one.reason, tries);
    const { response: own, ...gathered } = one.value;
    responses.set(own.key, own);
    return gathered;
  });
  return { outcomes, responses };
}

/** Its call of the day, if it drew one, is not drawn again by the next attempt of this activity. */
function isUnansweredAlone(error: unknown, { length }: readonly RequestKey[]): boolean {
  return length === 1 && error instanceof Unavailable;
}

/** Equal requests of this process share one call; the vault is looked at first in any case. */
async function callOne(
  key: RequestKey,
  batch: BatchCalls,
  dependencies: Dependencies,
): Promise<StoredAnswer> {
  const { input, caller, calls, signal } = batch;
  const request = requestOf(key);
  if (request === undefined) throw new WrongRequest(`"${key}" is not a request key`);
  try {
    const { response, tries, answerMs } = await dependencies.merged.get(key, signal, (shared) =>
      callShared(request, { ...batch, signal: shared }, dependencies),
    );
    // A response of an earlier attempt of this run counts as stored, one of another run as held.
    return { kind: response.run === input.run ? "stored" : "held", tries, answerMs, response };
  } catch (error) {
    // A failure that leaves the breaker open is no try: Temporal repeats it, without an event.
    if (error instanceof Unavailable || error instanceof CredentialsRefused) calls.check(request, caller);
    throw error;
  }
}

async function callShared(
  request: ReadingRequest,
  { input: { run, width, triesBefore, isExtra }, caller, stored, calls, signal, note }: BatchCalls,
  dependencies: Dependencies,
): Promise<StoredAnswer> {
  const { vault, unstored, metrics } = dependencies;
  const key = requestKey(request);
  const attempt = { key, run, tries: triesBefore + note.count(unanswered) + 1 };
  calls.check(request, caller);
  const held = (await stored()).has(key) ? await vault.intactResponse(key) : undefined;
  if (held !== undefined) {
    unstored.delete(key);
    return { kind: "held", tries: held.tries, response: held };
  }
  // A response that could not be stored needs no call.
  if (unstored.has(key)) return callAndStore(request, attempt, { signal }, dependencies);
  await draw(key, { run, isExtra, note }, dependencies);
  const queuedAtMs = performance.now();
  return calls.send({ request, caller, width, signal }, ({ onSent, onResponse }) => {
    const waitedMs = performance.now() - queuedAtMs;
    metrics.waitSeconds.record(waitedMs / 1000, { endpoint: selectEndpoint(request) });
    return callAndStore(
      request,
      attempt,
      { signal, onSent, onAnswered: onResponse, queuedAtMs },
      dependencies,
    );
  });
}

/** Lists each set of signs once. Other responses are read directly: the folder of such a set may have thousands, one per person. */
async function mayBeStored(keys: readonly RequestKey[], vault: Vault): Promise<ReadonlySet<RequestKey>> {
  const sets = Map.groupBy(keys, (key) => {
    const request = requestOf(key);
    return request !== undefined && "sign" in request ? setKey(request) : undefined;
  });
  const found = await Promise.all(
    [...sets].map(([set, own]) =>
      set === undefined || own.length === 1 ? Promise.resolve(own) : vault.held(`${set}/`),
    ),
  );
  return new Set(found.flat());
}

/** Throws if the day's ceiling has no room for one more call. */
async function draw(
  key: RequestKey,
  { run, isExtra, note }: Pick<BatchInput, "run" | "isExtra"> & Pick<BatchCalls, "note">,
  dependencies: Dependencies,
): Promise<void> {
  const { configuration, vault, now, log } = dependencies;
  const { callsPerDay } = configuration.service;
  if (callsPerDay === undefined) return;
  const day = callDayOf(now());
  // An attempt that Temporal repeats may have drawn its call already; one of another day was drawn there.
  const drawn = `${day}/${key}`;
  if (note.count(drawn) > 0) return;
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

/** Judges the batch if it is a whole set of horoscopes and each of its readings is stored. */
async function judgedIn(
  keys: readonly RequestKey[],
  own: JustStored,
  run: string,
  isRetried: boolean,
  dependencies: Dependencies,
): Promise<JudgedSet | undefined> {
  const [first] = keys.map(requestOf);
  if (first === undefined || !("sign" in first) || keys.length < signs.length) return undefined;
  if (own.responses.size < keys.length) return undefined;
  try {
    return await judgeSet({ set: setKey(first), run, last: false }, dependencies, isRetried, own);
  } catch {
    return undefined; // the workflow has it judged, and says what is wrong
  }
}

/** Removes the quarantine entries of requests that have a stored response now. */
async function clear(
  keys: readonly RequestKey[],
  outcomes: readonly BatchOutcome[],
  { vault, log }: Dependencies,
): Promise<void> {
  const storedKeys = keys.filter((_, index) => outcomes[index]?.kind === "stored");
  try {
    if (storedKeys.length > 0) await vault.release(...storedKeys);
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    const facts = { keys: storedKeys, reason: error.message };
    log.warn(facts, "cannot remove quarantine entries of stored readings");
  }
}
