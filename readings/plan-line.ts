// One line of a plan: a request with the reason why it stands there and the moments that matter to it.
import type { EndpointName } from "./endpoint-names.ts";
import type { ReadingRequest, RequestKey } from "./request.ts";

/**
 * Why a line stands in its list; `expired` is a pair's text of last season, whose time is up; `refused` is of an operation
 * that the service refuses alike, whatever is asked of it.
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
  /** The name of the group under which it is asked (readings/batches.ts). */
  readonly group: string;
  readonly reason: PlanReason;
  /** When readers want the text: at the start of its period, or now. */
  readonly dueAt: Date;
  /** The text has to be asked for before this; later the service no longer gives it, or nobody wants it. */
  readonly lastMoment: Date;
}
