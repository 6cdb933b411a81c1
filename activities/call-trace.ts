// Trace data of a call to the reading service: how long it waited to be sent, and how long for the answer. It contains no
// text, no secret and no personal data.
import type { ReadingRequest } from "../readings/request.ts";
import type { EndpointName } from "../readings/endpoint-names.ts";
import type { CallOutcome } from "./metrics.ts";

/** Times are values of `performance.now()`. */
export interface TracedCall {
  readonly request: Pick<ReadingRequest, "operation" | "language" | "period">;
  readonly endpoint: EndpointName;
  readonly attempt: number;
  readonly outcome: CallOutcome;
  /** HTTP status of the answer; undefined if none arrived. */
  readonly status: number | undefined;
  /** Time at which the call began to wait for the endpoint. */
  readonly queuedAtMs: number;
  readonly calledMs: number;
  readonly endedMs: number;
}

export type TraceCall = (call: TracedCall) => void;
