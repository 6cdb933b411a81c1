// Takes one request of a language's edition (workflows/edition.ts) from its key to its capture: the claim, a look into the vault,
// the pacer, the gate. activities/ask.ts has it next and makes the call.
import { Context } from "@temporalio/activity";
import { CredentialsRefused } from "../readings/failures.ts";
import { serviceAddressOf } from "../readings/request-fields.ts";
import { type ReadingRequest, requestOf, WrongRequest } from "../readings/request.ts";
import { askAndKeep, type Asking } from "./ask.ts";
import { underClaim } from "../vault/claims.ts";
import type { CaptureInput, CaptureSummary } from "../readings/run-messages.ts";
import type { Dependencies } from "./dependencies.ts";
import { drawCall } from "../vault/day-calls.ts";
import { ClaimedElsewhere } from "../vault/claims.ts";
import { gateClosed, overCeiling, toTemporal } from "./temporal-failures.ts";
import { beating } from "./heartbeat.ts";
import { claimWaitMsFor, addressFiguresOf } from "../service/limits.ts";

/** The age at which a look at the gate is renewed before the wait; the look after the wait trusts one that is far older. */
const beforeTurnMs = 1_000;

/** The note of an attempt that has drawn its call. */
const drawn = "drawn";

/** After so many attempts a credentials file that can't be read is no longer in the middle of a rotation. */
const mostUnreadable = 3;

export async function capture(input: CaptureInput, dependencies: Dependencies): Promise<CaptureSummary> {
  const { key, run } = input;
  const { configuration, vault, unstored, now } = dependencies;
  const request = requestOf(key);
  if (request === undefined) throw toTemporal(new WrongRequest(`"${key}" is no request key`), 1);
  const { attempt, workflowExecution, activityId, startToCloseTimeoutMs } = Context.current().info;
  const asking = { key, run, tries: input.attempt - 1 + attempt };
  const owner = `${workflowExecution?.runId}/${activityId}`;
  const claim = { key, owner, expiresAt: new Date(now().getTime() + startToCloseTimeoutMs).toISOString() };
  const mostMs = claimWaitMsFor(addressFiguresOf(configuration, serviceAddressOf(request)));
  return beating(async (signal, isMissed, note) => {
    const draw = async () => {
      // An attempt that Temporal tries again may have drawn its call already.
      if (!input.isExtra || note.is(drawn)) return;
      await drawOne(asking, dependencies);
      note.write(drawn);
    };
    try {
      return await underClaim(claim, { signal, isMissed, mostMs }, dependencies, {
        held: async (): Promise<CaptureSummary | undefined> => {
          const held = await vault.capture(key);
          if (held !== undefined) unstored.delete(key); // another worker's
          return held === undefined ? undefined : { key, kind: "held", tries: held.tries };
        },
        // An answer that could not be stored so far needs no turn.
        ask: () =>
          unstored.has(key)
            ? askAndKeep(request, asking, { signal }, dependencies)
            : askInTurn(request, asking, { signal, isMissed, draw }, dependencies),
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

/** Throws where the day's ceiling has no room for one more call. */
async function drawOne({ run, key }: Asking, { configuration, vault, now, log }: Dependencies) {
  const { callsPerDay } = configuration.service;
  if (callsPerDay === undefined) return;
  if (await drawCall(vault, now().toISOString().slice(0, 10), callsPerDay)) return;
  const over = overCeiling(key, callsPerDay);
  log.warn({ run, key }, over.message);
  throw over;
}

interface ClaimedTurn {
  readonly signal: AbortSignal;
  readonly isMissed: () => boolean;
  /** Takes one more call from the day's ceiling, if the plan did not count this one. */
  readonly draw: () => Promise<void>;
}

async function askInTurn(
  request: ReadingRequest,
  asking: Asking,
  { signal, isMissed, draw }: ClaimedTurn,
  dependencies: Dependencies,
): Promise<CaptureSummary> {
  const { gate, pacers, metrics } = dependencies;
  const address = serviceAddressOf(request);
  // The gate is looked at before the wait for the pacer, so that the look after it is mostly answered from the cache: anything
  // that takes time between the pacer and the call lets two calls go out too close together.
  if (await gate.isClosed(address, beforeTurnMs)) throw gateClosed(address);
  await draw(); // what a closed gate keeps back is not asked
  const askedForMs = performance.now();
  const onSent = await pacers[address].turn(signal);
  metrics.waited(address, performance.now() - askedForMs);
  if (await gate.isClosed(address)) throw gateClosed(address);
  if (isMissed()) throw new ClaimedElsewhere(asking.key); // by the attempt that Temporal has begun in place of this one
  return askAndKeep(request, asking, { signal, onSent }, dependencies);
}

async function closeGate(
  refusal: CredentialsRefused,
  run: string,
  request: ReadingRequest,
  dependencies: Dependencies,
) {
  const address = serviceAddressOf(request);
  const { key, seen } = refusal.facts;
  if (!(await dependencies.gate.close(address, { run, key, seen }))) return;
  await dependencies.alert({
    kind: "gate-closed",
    text: `${refusal.message}. Nothing more is asked of the ${address} address, nor of another that refuses them: the same credentials serve all of them, so the others are about to refuse them too. Next: give READING_SERVICE_TOKEN and READING_SERVICE_API_KEY that work: the run goes on by itself.`,
  });
}

async function sayUnreadable(error: unknown, { alert, now }: Dependencies) {
  if (!(error instanceof Error) || error.name !== "CredentialsUnreadable") return;
  const text = `${error.message}. Until then no address can be asked for anything; the run goes on by itself.`;
  await alert({
    kind: "credentials-unreadable",
    text,
    once: now().toISOString().slice(0, "2026-11-21T03".length),
  });
}
