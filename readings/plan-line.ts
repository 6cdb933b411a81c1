// One line of a plan: a request with the reason why it stands there and the moments that matter to it.
import type { EndpointName } from "./endpoint-names.ts";
import type { ReadingRequest, RequestKey } from "./request.ts";

/**
 * Why a line stands in its list; `expired` is a pair's text of last season, whose time is up; `refused` is of an operation
 * that the service refuses alike, whatever the request.
 */
export type PlanReason =
  | "missing"
  | "expired"
  | "retried"
  | "waiting"
  | "refused"
  | "out of reach"
  | "over the ceiling";

export interface PlanLine {
  readonly key: RequestKey;
  readonly request: ReadingRequest;
  readonly endpoint: EndpointName;
  /** The name of its group (readings/batches.ts). */
  readonly group: string;
  readonly reason: PlanReason;
  /** When readers want the text: at the start of its period, or now. */
  readonly dueAt: Date;
  /** The text must be requested before this time; later the service no longer offers it, or nobody needs it. */
  readonly lastMoment: Date;
}
