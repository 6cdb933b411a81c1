// What the activities close over; worker/compose.ts makes the real ones, tests swap the ports.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import type { RequestKey } from "../readings/request.ts";
import type { Rejected, Unfit } from "../readings/failures.ts";
import type { Capture, Quarantined } from "../vault/capture.schema.ts";
import type { AddressGate } from "../vault/address-gate.ts";
import type { SeenHolds } from "../vault/seen-holds.ts";
import type { TraceCall } from "./call-trace.ts";
import type { Metrics } from "./metrics.ts";
import type { Publishing } from "../publish/state/publishing-place.ts";
import type { Service } from "../service/service.ts";

export { type Log } from "../vault/log.ts";

/** Spaces the calls of one worker on one address, within its share of the rate. */
export interface Pacer {
  /**
   * Resolves with a function to call when the request leaves: a request that is held up on its way out counts from then. It
   * throws where that took too long, and then the request must not leave.
   */
  turn(signal: AbortSignal): Promise<() => void>;
}

/** What a request says of itself: that it has its turn within the rate, and that its answer is here. */
export interface CallWords {
  readonly went: () => void;
  readonly answered: () => void;
}

/**
 * Begins to ask when a slot is free. The slot is another call's as soon as the answer is here, so that none waits for a disk; at
 * most twice as many requests as there are slots are under way, those that are being kept included.
 */
export type InTurn = <One>(ask: (words: CallWords) => Promise<One>) => Promise<One>;

/**
 * The calls of one worker on one address that may be in flight at once. Bundles are taken on while some are free, and the worker's
 * share of the rate lets out soon what is here.
 */
export interface Slots {
  /**
   * Where the requests of a bundle have their turns. While others wait, the edition has so many in flight on all of its bundles here:
   * a slow language holds no more slots than that, and the next bundle's requests take the place of those that are answered.
   */
  readonly within: <Result>(
    edition: string,
    width: number,
    work: (inTurn: InTurn) => Promise<Result>,
  ) => Promise<Result>;
  /** The worker's share of the rate from now on, in calls a second. */
  readonly keepTo: (share: number) => void;
  /** Resolves when another bundle may be taken on, which then counts as some calls until it asks for slots by itself. */
  readonly reserve: (signal: AbortSignal) => Promise<void>;
  readonly tryReserve: () => boolean;
  /** A bundle that was taken on asks for slots by itself while this is under way. */
  readonly whileAsking: <Result>(asking: Promise<Result>) => Promise<Result>;
  /** A bundle that was taken on has nothing to ask while this is under way. */
  readonly whileHeldUp: <Result>(wait: Promise<Result>) => Promise<Result>;
  /** The bundle has ended, or none came. */
  readonly release: () => void;
}

/** Something that needs a person: what happened and what to do next. */
export interface Alert {
  readonly kind:
    | "gate-closed"
    | "gate-opened"
    | "service-away"
    | "service-back"
    | "language-stopped"
    | "credentials-unreadable"
    | "edition-incomplete"
    | "quarantine-grown"
    | "night-late"
    | "damage-found"
    | "state-refused"
    | "template-fault"
    | "date-ahead"
    | "cache-not-purged"
    | "hub-not-told"
    | "published-not-told"
    | "store-unwritable";
  readonly text: string;
  /** The matter of the alert: of each kind and matter one alert is sent, however often and by whomever it is raised. */
  readonly once?: string;
}

/** The result of a call, as it is to be stored. */
export type Came =
  | { readonly kind: "fit"; readonly capture: Capture; readonly answerMs: number }
  | { readonly kind: "refused"; readonly entry: Quarantined; readonly failure: Rejected | Unfit };

export interface Dependencies extends Publishing {
  readonly service: Service;
  readonly gate: AddressGate;
  readonly pacers: Readonly<Record<ServiceAddress, Pacer>>;
  readonly slots: Readonly<Record<ServiceAddress, Slots>>;
  /** Aborts when the worker is told to stop: no further call goes out, those in flight may end. */
  readonly leaving: AbortController;
  readonly alert: (alert: Alert) => Promise<void>;
  /** Tells whoever waits for it that a night went well. */
  readonly wentWell: (run: string) => Promise<void>;
  readonly metrics: Metrics;
  /** Told of each call where nights are traced. */
  readonly traceCall?: TraceCall;
  /** Answers that could not be stored yet, by the keys of their requests. */
  readonly unstored: Map<RequestKey, Came>;
  /** Which holds of claims this worker has seen. */
  readonly holds: SeenHolds;
  /** Run -> the last UTC day on which it is known that a plan of it was made, so that its calls are counted there. */
  readonly takenOn: Map<string, string>;
  /** The address of a Temporal whose time is a witness's, as one that is reached by TLS. */
  readonly temporalUrl: string | undefined;
  /** The id of the workflow that alone may publish, where the store heeds no conditions (only-publisher.ts). */
  readonly onlyPublisher: string | undefined;
  /** The vault and the site in one word (vault/place-identity.ts): activities of runs for another place are refused. */
  readonly place?: string;
}
