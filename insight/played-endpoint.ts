// The limits and the circuit breaker of an endpoint's owner under a clock that jumps from event to event. Only the lease and Temporal's
// queue are played.
import { setImmediate as settled } from "node:timers/promises";
import type { EndpointName } from "../readings/tables.ts";
import { Breaker } from "../service/breaker.ts";
import { ConcurrencyLimit } from "../service/concurrency-limit.ts";
import { type EndpointFigures, usableConcurrency } from "../service/limits.ts";
import { type CallHooks, OwnedEndpoint, type Sending } from "../service/owned-endpoint.ts";
import { RateLimiter } from "../service/rate-limiter.ts";
import type { Clock } from "../store/clock.ts";

/** An endpoint with its owner's limits, to which the requests go in the order of the plan. */
export class PlayedEndpoint {
  readonly owned: OwnedEndpoint<{ remainingMs(): number }>;
  readonly #concurrency: ConcurrencyLimit;
  readonly #clock: Clock;
  readonly #waiting: { readonly place: number; readonly begin: () => void }[] = [];
  #isProbeAwaited = false;

  constructor(name: EndpointName, figures: EndpointFigures, clock: Clock, chance: () => number) {
    this.#clock = clock;
    this.#concurrency = new ConcurrencyLimit(usableConcurrency(figures), () => this.#takeOn());
    this.owned = new OwnedEndpoint({
      name,
      lease: { remainingMs: () => Infinity },
      breaker: new Breaker({ clock, chance }),
      limiter: new RateLimiter(figures.ratePerSecond, clock),
      concurrency: this.#concurrency,
    });
  }

  send(place: number, sending: Sending, call: (hooks: CallHooks) => Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const after = this.#waiting.findLastIndex((other) => other.place <= place);
      const begin = (): void => resolve(this.owned.send(sending, call));
      this.#waiting.splice(after + 1, 0, { place, begin });
      this.#takeOn();
    });
  }

  #takeOn(): void {
    const { owned } = this;
    while (this.#waiting.length > 0 && owned.mayTakeOn(this.#concurrency.underWay, 0))
      this.#waiting.shift()?.begin();
    const probeInMs = owned.breaker.probeInMs;
    if (this.#isProbeAwaited || probeInMs <= 0 || probeInMs === Infinity) return;
    this.#isProbeAwaited = true;
    this.#clock.after(probeInMs, () => {
      this.#isProbeAwaited = false;
      this.#takeOn();
    });
  }
}

/** Jumps to the next timer when nothing else is left to do. */
export class JumpingClock implements Clock {
  /** Sorted by their times. */
  readonly #timers: { readonly atMs: number; readonly fire: () => void }[] = [];
  #nowMs = 0;

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#nowMs;
  }

  after(ms: number, fire: () => void): () => void {
    const timer = { atMs: this.#nowMs + ms, fire };
    const before = this.#timers.findLastIndex(({ atMs }) => atMs <= timer.atMs);
    this.#timers.splice(before + 1, 0, timer);
    return () => {
      const place = this.#timers.indexOf(timer);
      if (place >= 0) this.#timers.splice(place, 1);
    };
  }

  /** Resolves when the work has ended, or at that time. */
  async run(work: Promise<unknown>, untilMs: number): Promise<void> {
    let isOver = false;
    const ended = work.finally(() => (isOver = true));
    ended.catch(() => undefined);
    for (;;) {
      await settled();
      if (isOver) return void (await ended);
      const [next] = this.#timers;
      if (next === undefined || next.atMs > untilMs) return;
      this.#nowMs = next.atMs;
      while (this.#timers[0] !== undefined && this.#timers[0].atMs <= this.#nowMs)
        this.#timers.shift()?.fire();
    }
  }
}
