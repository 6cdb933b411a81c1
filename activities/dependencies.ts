// What the activities close over; worker/compose.ts makes the real ones, tests swap the ports.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import type { RequestKey } from "../readings/request.ts";
import type { Rejected, Unfit } from "../readings/failures.ts";
import type { Capture, Quarantined } from "../vault/capture.schema.ts";
import type { Endpoint } from "../service/endpoint.ts";
import type { MergedCalls } from "../service/merged-calls.ts";
import type { Captured } from "../readings/run-messages.ts";
import type { Alert } from "./alert-kinds.ts";
import type { TraceCall } from "./call-trace.ts";
import type { Metrics } from "./metrics.ts";
import type { Publishing } from "../publish/state/publishing-place.ts";
import type { Service } from "../service/service.ts";

export { type Log } from "../vault/log.ts";

/** The result of a call, as it is to be stored. */
export type Came =
  | { readonly kind: "fit"; readonly capture: Capture; readonly answerMs: number }
  | { readonly kind: "refused"; readonly entry: Quarantined; readonly failure: Rejected | Unfit };

/** What came of a request, with the capture, which stays in the worker. */
export interface KeptAnswer extends Captured {
  readonly capture: Capture;
}

export interface Dependencies extends Publishing {
  readonly service: Service;
  /** The endpoints, of each of which one process at a time is the owner. */
  readonly endpoints: Readonly<Record<ServiceAddress, Endpoint>>;
  /** The calls that are under way, for equal requests of several runs. */
  readonly merged: MergedCalls<KeptAnswer>;
  readonly alert: (alert: Alert) => Promise<void>;
  /** Tells whoever waits for it that a night went well. */
  readonly wentWell: (run: string) => Promise<void>;
  readonly metrics: Metrics;
  /** Told of each call where nights are traced. */
  readonly traceCall?: TraceCall;
  /** Answers that could not be stored yet, by the keys of their requests. */
  readonly unstored: Map<RequestKey, Came>;
  /** Run -> the last UTC day on which it is known that a plan of it was made, so that its calls are counted there. */
  readonly takenOn: Map<string, string>;
  /** The address of a Temporal whose time is a witness's, as one that is reached by TLS. */
  readonly temporalUrl: string | undefined;
  /** The vault and the site in one word (vault/place-identity.ts): activities of runs for another place are refused. */
  readonly place?: string;
}
