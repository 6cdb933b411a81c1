// Gathers one request: waits for its gate, asks, asks again a few times what was rejected or unfit, and settles.
import { sleep } from "@temporalio/workflow";
import type { CaptureLimits, CaptureSummary, SetAside } from "../activities/contracts.ts";
import { addressOf } from "../readings/fields.ts";
import { type ReadingRequest, requestKey, type RequestKey } from "../readings/request.ts";
import { attemptPauseMs, mostAttempts } from "../readings/tries.ts";
import { captureOn } from "./activities.ts";
import type { Gates } from "./gate.ts";
import type { Address } from "./names.ts";
import { setAsideOf, typeOf } from "./settle.ts";

export type Outcome =
  | { readonly kind: "gathered"; readonly captured: CaptureSummary; readonly asked: number }
  | { readonly kind: "setAside"; readonly setAside: SetAside; readonly asked: number };

export interface GatherContext {
  readonly site: string;
  readonly run: string;
  readonly limits: Readonly<Record<Address, CaptureLimits>>;
  readonly gates: Gates;
  /** From 1, which goes first, to 5. */
  readonly priorityOf: (key: RequestKey) => number;
}

export async function gather(request: ReadingRequest, context: GatherContext): Promise<Outcome> {
  const address = addressOf(request);
  const key = requestKey(request);
  const summary = summaryOf(request);
  const options = { summary, priorityKey: context.priorityOf(key), fairnessKey: request.language };
  const { capture } = captureOn(context.site, address, context.limits[address], options);
  for (let attempt = 1; ;) {
    await context.gates.open(address);
    try {
      const captured = await capture({ run: context.run, key, attempt });
      return { kind: "gathered", captured, asked: attempt };
    } catch (error) {
      const type = typeOf(error);
      if (type === "CredentialsRefused" || type === "GateClosed") {
        context.gates.closed(address, key);
        continue; // it was not asked, or not heard: no attempt was spent
      }
      if ((type !== "Rejected" && type !== "Unfit") || attempt >= mostAttempts) {
        return { kind: "setAside", setAside: setAsideOf(key, type, error), asked: attempt };
      }
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
