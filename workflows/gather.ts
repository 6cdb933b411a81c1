// Gathers the requests of a bundle: waits for their gate and asks them together in one activity; a request that failed is then
// asked by itself, a few times if it was rejected or unfit, and until it is answered if no answer came.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import { sleep, workflowInfo } from "@temporalio/workflow";
import { packKeys } from "../readings/key-list.ts";
import type {
  CaptureLimits,
  CaptureOutcome,
  Captured,
  CapturedBundle,
  JudgedSheet,
  SetAside,
} from "../readings/run-messages.ts";
import { serviceAddressOf } from "../readings/request-fields.ts";
import { isOperation } from "../readings/operations.ts";
import { type ReadingRequest, requestKey, type RequestKey } from "../readings/request.ts";
import { attemptPauseMs, mostAttempts } from "../readings/retry-rules.ts";
import { captureOn } from "./activities.ts";
import type { Gates } from "./gate.ts";
import { summaryOf } from "./summary.ts";
import { faultOf } from "./settle.ts";

export type Outcome =
  | { readonly kind: "gathered"; readonly captured: Captured; readonly asked: number }
  | { readonly kind: "setAside"; readonly setAside: SetAside; readonly asked: number };

export interface GatherContext {
  readonly site: string;
  readonly run: string;
  readonly limits: Readonly<Record<ServiceAddress, CaptureLimits>>;
  /** How many requests of a bundle are out at once. */
  readonly width: number;
  readonly gates: Gates;
  /** Filled with the requests of which an answer was refused and another one is asked for. */
  readonly refusedOnce: Set<RequestKey>;
}

/** Requests of one language and address that are asked together, under one claim. */
export interface Together {
  readonly requests: readonly [ReadingRequest, ...ReadingRequest[]];
  readonly claim: string;
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
 * sheet's judgement, where all of its requests were asked together and are kept.
 */
export type Settle = (ended: readonly Ended[], judged: JudgedSheet | undefined) => Promise<void>;

/**
 * Resolves when all have ended; what becomes of each goes to `settle` as soon as it is known. `giveUp` is called where what is
 * left holds up no other bundle: it waits for the gate of one operation, or is asked again, except where none is kept: the
 * service may be away, or refuse them all.
 */
export async function gatherTogether(
  together: Together,
  context: GatherContext,
  settle: Settle,
  giveUp: () => void,
): Promise<void> {
  const { gates } = context;
  const parts = [...Map.groupBy(together.requests, (request) => gates.heldBy(request))];
  const gathering = parts.map(async ([held, [first, ...others]]) => {
    if (first === undefined) return;
    if (held !== undefined && isOperation(held)) giveUp();
    await gates.open(first);
    await gatherPart({ ...together, requests: [first, ...others] }, context, settle, giveUp);
  });
  await Promise.all(gathering);
}

async function gatherPart(
  together: Together,
  context: GatherContext,
  settle: Settle,
  giveUp: () => void,
): Promise<void> {
  const { outcomes, judged } = await ask(together, context, { triesBefore: 0, isExtra: false });
  const settling: Promise<void>[] = [];
  const gathered: Ended[] = [];
  const shutOut: ReadingRequest[] = [];
  for (const [index, request] of together.requests.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error(`nothing came of ${requestKey(request)}`);
    if (outcome.kind !== "failed") {
      gathered.push({ request, outcome: { kind: "gathered", captured: outcome, asked: 1 } });
      continue;
    }
    if (outcome.type === "GateClosed" || outcome.type === "CredentialsRefused") {
      context.gates.closed(request, outcome.operation); // it was not asked, or not heard: no attempt was spent
      shutOut.push(request);
      continue;
    }
    const alone = { ...together, requests: [request], isFresh: false } as const;
    const ended = goOn(alone, outcome, context, { isPlanned: true, giveUp });
    settling.push(ended.then((end) => settle([{ request, outcome: end }], judged)));
  }
  if (gathered.length > 0) {
    giveUp();
    settling.push(settle(gathered, judged));
  }
  const [first, ...others] = shutOut;
  if (first !== undefined) {
    const left = { ...together, requests: [first, ...others], isFresh: false } as const;
    settling.push(gatherTogether(left, context, settle, giveUp));
  }
  await Promise.all(settling);
}

/** Asks a request by itself that lost its place in the vault: each call is drawn from the rest of the day's ceiling. */
export async function gatherAgain(
  request: ReadingRequest,
  { claim, priority }: Pick<Together, "claim" | "priority">,
  context: GatherContext,
): Promise<Outcome> {
  await context.gates.open(request);
  const alone = { requests: [request], claim, priority, isFresh: false } as const;
  const { outcomes } = await ask(alone, context, { triesBefore: 0, isExtra: true });
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error(`nothing came of ${requestKey(request)}`);
  return goOn(alone, outcome, context, { isPlanned: false, giveUp: () => undefined });
}

/** From what came of the first call to the end. `isPlanned` says that the plan counted that call; `giveUp` is as above. */
async function goOn(
  alone: Together,
  first: CaptureOutcome,
  context: GatherContext,
  { isPlanned, giveUp }: { readonly isPlanned: boolean; readonly giveUp: () => void },
): Promise<Outcome> {
  const [request] = alone.requests;
  const key = requestKey(request);
  let before: SetAside | undefined;
  let attempt = 1;
  for (let outcome = first; ;) {
    if (outcome.kind !== "failed") return { kind: "gathered", captured: outcome, asked: attempt };
    const { type, reason, said } = outcome;
    let pauseMs = outcome.pauseMs ?? 0;
    if (type === "GateClosed" || type === "CredentialsRefused") {
      context.gates.closed(request, outcome.operation);
      if (outcome.operation !== undefined) giveUp();
    } else if (type !== "Unavailable") {
      const setAside = { key, type, reason, said };
      if (type === "OverCeiling")
        return { kind: "setAside", setAside: before ?? setAside, asked: attempt - 1 };
      if ((type !== "Rejected" && type !== "Unfit") || attempt >= mostAttempts)
        return { kind: "setAside", setAside, asked: attempt };
      before = setAside;
      context.refusedOnce.add(key);
      pauseMs = attemptPauseMs(attempt);
      attempt += 1;
    }
    if (pauseMs > 0) await sleep(pauseMs, { summary: `before asking again: ${summaryOf(alone.requests)}` });
    await context.gates.open(request);
    const calls = { triesBefore: outcome.tries, isExtra: !isPlanned || attempt > 1 };
    outcome = (await ask(alone, context, calls)).outcomes[0] ?? outcome;
  }
}

async function ask(
  { requests, claim, priority, isFresh, isFirst }: Together,
  { site, run, limits, width }: GatherContext,
  calls: { readonly triesBefore: number; readonly isExtra: boolean },
): Promise<CapturedBundle> {
  const [first] = requests;
  const address = serviceAddressOf(first);
  const options = { summary: summaryOf(requests), priorityKey: priority, fairnessKey: first.language };
  const { capture } = captureOn(site, address, limits[address], options);
  const edition = workflowInfo().runId;
  const keys = packKeys(requests.map(requestKey));
  try {
    return await capture({ run, edition, claim, keys, width, isFresh, isFirst, ...calls });
  } catch (error) {
    const fault = faultOf(error, calls.triesBefore);
    return { outcomes: requests.map(() => fault) };
  }
}
