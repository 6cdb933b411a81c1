// Dependencies of the activities. worker/compose.ts creates the real ones; tests replace the ports.
import type { EndpointName } from "../readings/tables.ts";
import type { RequestKey, ReadingRequest } from "../readings/request.ts";
import type { Rejected, Unfit } from "../readings/answer.ts";
import type { StoredResponse, Quarantined } from "../vault/vault.ts";
import type { Endpoint } from "../service/endpoint.ts";
import type { MergedCalls } from "../service/merged-calls.ts";
import type { Gathered } from "../readings/run-messages.ts";
import type { Alert } from "./alert-kinds.ts";
import type { Metrics, CallOutcome } from "./metrics.ts";
import type { Publishing } from "../publish/state/publish-context.ts";
import type { Service } from "../service/service.ts";

export { type Log } from "../vault/vault.ts";

/** Result of a call, before it is stored. */
export type Came =
  | { readonly kind: "fit"; readonly response: StoredResponse; readonly answerMs: number }
  | { readonly kind: "refused"; readonly entry: Quarantined; readonly failure: Rejected | Unfit };

/** Result of a request, with its stored response, which stays in the worker. */
export interface StoredAnswer extends Gathered {
  readonly response: StoredResponse;
}

export interface Dependencies extends Publishing {
  readonly service: Service;
  /** Endpoints, each owned by one process at a time. */
  readonly endpoints: Readonly<Record<EndpointName, Endpoint>>;
  /** Calls in flight, shared by equal requests of several runs. */
  readonly merged: MergedCalls<StoredAnswer>;
  readonly alert: (alert: Alert) => Promise<void>;
  /** Pings the dead-man's switch after a successful run. */
  readonly wentWell: (run: string) => Promise<void>;
  readonly metrics: Metrics;
  /** Called after each call, if runs are traced. */
  readonly traceCall?: TraceCall;
  /** Answers that could not be stored yet, by request key. */
  readonly unstored: Map<RequestKey, Came>;
  /** Run -> the last UTC day on which it is known that a plan of it was made, so that its calls are counted there. */
  readonly takenOn: Map<string, string>;
  /** The address of a Temporal that is a time source, because it is reached by TLS. */
  readonly temporalUrl: string | undefined;
  /** The vault and the site in one word (vault/installation.ts): activities of runs for another place are refused. */
  readonly installation?: string;
}

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
