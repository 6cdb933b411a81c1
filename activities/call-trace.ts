// What a trace is told of a call to the reading service: how long it waited for its turn, and how long for the answer. Nothing
// of it is a text, a secret or a person's.
import type { ReadingRequest } from "../readings/request.ts";
import type { ServiceAddress } from "../readings/service-addresses.ts";
import type { CallOutcome } from "./metrics.ts";

/** The times are those of `performance.now()`. */
export interface TracedCall {
  readonly request: Pick<ReadingRequest, "operation" | "language" | "period">;
  readonly address: ServiceAddress;
  readonly attempt: number;
  readonly outcome: CallOutcome;
  /** Of the answer; undefined where none came. */
  readonly status: number | undefined;
  /** When the call asked for its turn within the rate. */
  readonly askedForMs: number;
  readonly calledMs: number;
  readonly endedMs: number;
}

export type TraceCall = (call: TracedCall) => void;
