// Gathers one request: waits for its gate, asks, asks again a few times what was rejected or unfit, and settles.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import { sleep } from "@temporalio/workflow";
import type { CaptureLimits, CaptureSummary, SetAside } from "../readings/run-messages.ts";
import { serviceAddressOf } from "../readings/request-fields.ts";
import { type ReadingRequest, requestKey, type RequestKey } from "../readings/request.ts";
import { attemptPauseMs, mostAttempts } from "../readings/retry-rules.ts";
import { captureOn } from "./activities.ts";
import type { Gates } from "./gate.ts";
import { setAsideOf, failureTypeOf } from "./settle.ts";

export type Outcome =
  | { readonly kind: "gathered"; readonly captured: CaptureSummary; readonly asked: number }
  | { readonly kind: "setAside"; readonly setAside: SetAside; readonly asked: number };

export interface GatherContext {
  readonly site: string;
  readonly run: string;
  readonly limits: Readonly<Record<ServiceAddress, CaptureLimits>>;
  readonly gates: Gates;
  /** Filled with the requests of which an answer was refused and another one is asked for. */
  readonly refusedOnce: Set<RequestKey>;
  /** The priority of a request, from 1, which goes first, to 5. */
  readonly priorityOf: (key: RequestKey) => number;
}

/** `isPlanned` says that the plan counted the first call; each further call is drawn from the rest of the day's ceiling. */
export async function gather(
  request: ReadingRequest,
  context: GatherContext,
  isPlanned: boolean,
): Promise<Outcome> {
  const address = serviceAddressOf(request);
  const key = requestKey(request);
  const summary = summaryOf(request);
  const options = { summary, priorityKey: context.priorityOf(key), fairnessKey: request.language };
  const { capture } = captureOn(context.site, address, context.limits[address], options);
  let before: SetAside | undefined;
  for (let attempt = 1; ;) {
    await context.gates.open(address);
    try {
      const isExtra = !isPlanned || attempt > 1;
      const captured = await capture({ run: context.run, key, attempt, isExtra });
      return { kind: "gathered", captured, asked: attempt };
    } catch (error) {
      const type = failureTypeOf(error);
      if (type === "CredentialsRefused" || type === "GateClosed") {
        context.gates.closed(address, key);
        continue; // it was not asked, or not heard: no attempt was spent
      }
      const setAside = setAsideOf(key, type, error);
      if (type === "OverCeiling")
        return { kind: "setAside", setAside: before ?? setAside, asked: attempt - 1 };
      if ((type !== "Rejected" && type !== "Unfit") || attempt >= mostAttempts) {
        return { kind: "setAside", setAside, asked: attempt };
      }
      before = setAside;
      context.refusedOnce.add(key);
    }
    await sleep(attemptPauseMs(attempt), { summary: `before asking again: ${summary}` });
    attempt += 1;
  }
}

/** `daily-horoscope aries hi 2026-11-22`, for the person who looks at Temporal's UI. */
function summaryOf(request: ReadingRequest): string {
  const { operation, language, period } = request;
  if ("sign" in request) return `${operation} ${request.sign} ${language} ${period}`;
  if ("sign1" in request) return `${operation} ${request.sign1}-${request.sign2} ${language}`;
  return `${operation} ${language} ${period}`;
}
