// The calls of an endpoint, made by the process that has its lease (endpoint.ts). Each waits for the circuit breaker, the
// concurrency limit and the rate limiter. When its connection is open, the lease is checked last, and the request leaves.
import { mostTogether } from "../readings/plan-order.ts";
import type { EndpointName } from "../readings/tables.ts";
import type { ReadingRequest } from "../readings/request.ts";
import type { Lease } from "../store/held-lease.ts";
import type { Breaker, Pass } from "./breaker.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { Caller } from "./unfit-responses.ts";

export interface Sending {
  readonly request: ReadingRequest;
  readonly caller: Caller;
  /** How many calls of the request's language may be in flight while other languages wait. */
  readonly width: number;
  readonly signal: AbortSignal;
}

export interface CallHooks {
  /** Called when the connection is open and the request leaves; throws if it must not. */
  readonly onSent: () => void;
  /** Called when the response is here. */
  readonly onResponse: () => void;
}

/** Endpoint operations that are available to a batch. */
export interface EndpointCalls {
  /** Throws NotOwner or BreakerOpen if the request must not go out now. */
  check(request: ReadingRequest, caller: Caller): void;
  /** Calls as soon as it may. Throws NotOwner or BreakerOpen before anything is sent. */
  send<Result>(sending: Sending, call: (hooks: CallHooks) => Promise<Result>): Promise<Result>;
}

interface OwnedParts<Held> {
  readonly name: EndpointName;
  readonly lease: Held;
  readonly breaker: Breaker;
  readonly limiter: RateLimiter;
  readonly concurrency: ConcurrencyLimit;
}

/** From the taking of the lease to its loss or release. */
export class OwnedEndpoint<Held extends Pick<Lease, "remainingMs"> = Lease> implements EndpointCalls {
  readonly lease: Held;
  readonly breaker: Breaker;
  readonly #parts: OwnedParts<Held>;
  #isEnded = false;

  constructor(parts: OwnedParts<Held>) {
    this.lease = parts.lease;
    this.breaker = parts.breaker;
    this.#parts = parts;
  }

  get isOwner(): boolean {
    return !this.#isEnded && this.lease.remainingMs() > 0;
  }

  /** Whether to take on one more batch than those `given`, of which `coming` have not begun. */
  mayTakeOn(given: number, coming: number): boolean {
    const { breaker, concurrency } = this.#parts;
    if (breaker.openSinceMs !== undefined) return breaker.probeInMs <= 0 && given === 0;
    // An expected batch counts as a full one, or as half of the places.
    const usual = Math.min(mostTogether, Math.ceil(concurrency.most / 2));
    return concurrency.here + coming * usual < concurrency.most + usual;
  }

  /** Sends nothing more. The calls in flight continue; those that wait are refused. */
  end(): void {
    this.#isEnded = true;
    const error = new NotOwner(this.#parts.name);
    this.#parts.limiter.stop(error);
    this.#parts.concurrency.stop(error);
  }

  check(request: ReadingRequest, caller: Caller): void {
    if (!this.isOwner) throw new NotOwner(this.#parts.name);
    this.breaker.check(request, caller);
  }

  async send<Result>(sending: Sending, call: (hooks: CallHooks) => Promise<Result>): Promise<Result> {
    const { request, caller, width, signal } = sending;
    const { concurrency, limiter } = this.#parts;
    this.check(request, caller);
    return concurrency.run({ language: request.language, width }, signal, async (free) => {
      this.check(request, caller);
      const leave = await limiter.acquire(signal);
      let pass: Pass | undefined;
      let refusal: unknown;
      let hasResponse = false;
      try {
        const entered = this.breaker.enter(request, caller);
        pass = entered;
        const onSent = (): void => {
          try {
            leave(() => this.#mayLeave(sending, entered));
          } catch (error) {
            refusal = error; // the connection wraps it in its own error
            throw error;
          }
        };
        const onResponse = (): void => {
          hasResponse = true;
          free();
        };
        const result = await call({ onSent, onResponse });
        pass.end();
        return result;
      } catch (error) {
        const cause = refusal ?? error;
        limiter.giveUp(leave); // without a connection it has not left
        pass?.end(cause, hasResponse);
        throw cause;
      }
    });
  }

  #mayLeave({ request, caller }: Sending, { isProbe }: Pass): void {
    if (!isProbe) this.breaker.check(request, caller, true);
    if (!this.isOwner) throw new NotOwner(this.#parts.name);
  }
}

/** Thrown in place of sending: another process makes the calls, or may make them from now on. */
export class NotOwner extends Error {
  override readonly name = "NotOwner";
  constructor(endpoint: EndpointName) {
    super(`another process makes the calls of the ${endpoint} endpoint`);
  }
}
