// The owner of an endpoint. Of all processes that share a vault, only the one with the lease of the endpoint calls it. So the rate
// limiter, the concurrency limit and the circuit breaker are plain state of this object, of which a process has one per endpoint.
// It knows nothing of Temporal: the worker gives it batches and reads how many more it can take on.
//
// - free: nobody has the lease, as far as this process knows. It takes on one batch, and takes the lease with it.
// - standby: another process has the lease. It takes on nothing, and looks every 2 s.
// - owner: it takes on batches as its limits permit. After a minute without calls it releases the lease.
// - out: it has handed the endpoint over, because its calls got no response for a minute or it has not heard from Temporal for
//   20 s, and leaves it to others for 5 minutes, unless none takes it within 50 s.
// - closing: the process ends.
import type { EndpointName } from "../readings/tables.ts";
import type { Clock } from "../store/clock.ts";
import type { Lease } from "../store/held-lease.ts";
import { LeaseHeld, type Leases } from "../store/lease.ts";
import type { Breaker } from "./breaker.ts";
import { ConcurrencyLimit, Permits } from "./concurrency-limit.ts";
import { type EndpointFigures, usableConcurrency } from "./limits.ts";
import { type EndpointCalls, NotOwner, OwnedEndpoint } from "./owned-endpoint.ts";
import { RateLimiter } from "./rate-limiter.ts";

const tickMs = 1_000;
const lookEveryMs = 2_000;
const runLookEveryMs = 30_000;
const idleMs = 60_000;
const silentMs = 60_000;
const unheardMs = 20_000;
const outMs = 5 * 60_000;
/** Longer than a batch waits that an open breaker refused. */
const untakenMs = 50_000;

export type EndpointState = "free" | "standby" | "owner" | "out" | "closing";

interface EndpointSettings {
  readonly name: EndpointName;
  /** The key of its lease. */
  readonly leaseKey: string;
  /** For people: `almanac worker`. */
  readonly purpose: string;
  readonly figures: EndpointFigures;
  readonly leases: Leases;
  /** Opens the breaker of a new owner, with the note of the owner before. */
  readonly openBreaker: (lease: Lease) => Promise<Breaker>;
  readonly log: { info(facts: object, message: string): void };
  readonly onState?: (state: EndpointState) => void;
}

export class Endpoint {
  /** For batches: none is free if another process is the owner. */
  readonly permits = new Permits((given) => this.#mayTakeOn(given));
  readonly #settings: EndpointSettings;
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  readonly #concurrency: ConcurrencyLimit;
  #state: EndpointState = "free";
  #sinceMs = -Infinity;
  #owned: OwnedEndpoint | undefined;
  #taking: Promise<OwnedEndpoint> | undefined;
  #batches = 0;
  #usedMs = -Infinity;
  #heardMs: number | undefined;
  #stayUntilMs = -Infinity;
  #outEpoch: number | undefined;
  #runSeenMs = -Infinity;
  #isTicking = false;

  constructor(settings: EndpointSettings) {
    this.#settings = settings;
    this.#clock = settings.leases.clock;
    this.#limiter = new RateLimiter(settings.figures.ratePerSecond, this.#clock);
    this.#concurrency = new ConcurrencyLimit(usableConcurrency(settings.figures), () =>
      this.permits.changed(),
    );
  }

  get state(): EndpointState {
    return this.#state;
  }

  heardFromTemporal(): void {
    this.#heardMs = this.#clock.monotonicMs();
  }

  /** A run is under way: from now on, this process watches the lease of another owner, and takes over soon after its death. */
  async runSeen(): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#state !== "free" || nowMs - this.#runSeenMs < runLookEveryMs) return;
    this.#runSeenMs = nowMs;
    const { isTakeable } = await this.#settings.leases.look(this.#settings.leaseKey);
    if (!isTakeable && this.#state === "free" && this.#taking === undefined) this.#become("standby");
  }

  /** Does the work of a batch as the owner, and takes the lease if it is free. Throws NotOwner. */
  async batch<Result>(work: (calls: EndpointCalls) => Promise<Result>): Promise<Result> {
    this.#batches += 1;
    this.#heardMs &&= this.#clock.monotonicMs();
    this.permits.changed();
    try {
      return await work(await this.#own());
    } finally {
      this.#batches -= 1;
      this.#usedMs = this.#clock.monotonicMs();
      this.permits.changed();
    }
  }

  /** Sends nothing more and gives the lease back. The calls in flight continue. */
  async close(): Promise<void> {
    const owned = this.#give("closing");
    await this.#taking?.catch(() => undefined);
    await owned?.lease.release(this.#releaseState());
  }

  #mayTakeOn(given: number): boolean {
    if (this.#state === "free") return given === 0;
    if (this.#owned === undefined) return false;
    return this.#owned.mayTakeOn(given, Math.max(0, given - this.#batches));
  }

  async #own(): Promise<OwnedEndpoint> {
    if (this.#owned?.isOwner === true) return this.#owned;
    if (this.#state !== "free") throw new NotOwner(this.#settings.name);
    this.#taking ??= this.#take().finally(() => (this.#taking = undefined));
    return this.#taking;
  }

  async #take(): Promise<OwnedEndpoint> {
    const { name, leases, leaseKey, purpose, openBreaker, log } = this.#settings;
    const lease = await leases.take(leaseKey, { purpose, maxWaitMs: 0 }).catch((error: unknown) => {
      if (!(error instanceof LeaseHeld)) throw error;
      this.#become("standby");
      throw new NotOwner(name);
    });
    try {
      const breaker = await openBreaker(lease);
      if (this.#state !== "free" || lease.remainingMs() <= 0) throw new NotOwner(name);
      const [limiter, concurrency] = [this.#limiter, this.#concurrency];
      const owned = new OwnedEndpoint({ name, lease, breaker, limiter, concurrency });
      limiter.beginAfter(lease);
      if (breaker.openSinceMs !== undefined) breaker.probeNow(); // the way from here may be another
      lease.signal.addEventListener("abort", () => this.#lose(owned));
      this.#owned = owned;
      this.#usedMs = this.#clock.monotonicMs();
      this.#heardMs &&= this.#clock.monotonicMs();
      log.info({ endpoint: name, epoch: lease.epoch }, "endpoint lease acquired");
      this.#become("owner");
      return owned;
    } catch (error) {
      await lease.release("released");
      throw error;
    }
  }

  /** Ends the ownership in this process, before anything is written: nothing more is sent. */
  #give(next: EndpointState): OwnedEndpoint | undefined {
    const owned = this.#owned;
    this.#owned = undefined;
    this.#become(next);
    owned?.end();
    return owned;
  }

  #lose(owned: OwnedEndpoint): void {
    if (this.#owned !== owned) return;
    const { name, log } = this.#settings;
    log.info({ endpoint: name, reason: String(owned.lease.signal.reason) }, "endpoint lease lost");
    this.#give("standby");
    void owned.lease.release();
  }

  #releaseState(): "idle" | "released" {
    return this.#concurrency.underWay === 0 && this.#limiter.isQuiet() ? "idle" : "released";
  }

  #become(state: EndpointState): void {
    if (this.#state === "closing") return;
    this.#state = state;
    this.#sinceMs = this.#clock.monotonicMs();
    this.#settings.onState?.(state);
    this.permits.changed();
    if (!this.#isTicking && state !== "free" && state !== "closing") void this.#tick();
  }

  /** Runs the periodic checks while there is a lease to give back or to wait for. */
  async #tick(): Promise<void> {
    this.#isTicking = true;
    while (this.#state !== "free" && this.#state !== "closing") {
      const waitMs = this.#state === "owner" ? tickMs : lookEveryMs;
      await new Promise<void>((resolve) => void this.#clock.after(waitMs, resolve));
      if (this.#owned !== undefined) await this.#watchOwned(this.#owned);
      else await this.#look().catch(() => undefined); // the next look is soon
    }
    this.#isTicking = false;
  }

  async #watchOwned({ lease, breaker }: OwnedEndpoint): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    if (lease.remainingMs() <= 0) return;
    if (this.#batches > 0 || !this.#mayTakeOn(0)) this.#usedMs = nowMs;
    if (nowMs - this.#usedMs >= idleMs) {
      this.#give("standby");
      await lease.release(this.#releaseState());
      return this.#become("free");
    }
    const isSilent = breaker.silentSinceMs !== undefined && nowMs - breaker.silentSinceMs >= silentMs;
    const isUnheard = this.#heardMs !== undefined && nowMs - this.#heardMs >= unheardMs;
    if ((isSilent || isUnheard) && nowMs >= this.#stayUntilMs) {
      const { name, log } = this.#settings;
      log.info({ endpoint: name, isUnheard }, "endpoint lease handed over");
      this.#outEpoch = lease.epoch;
      this.#give("out");
      return lease.release("released");
    }
    this.permits.changed(); // a probe may be due
  }

  async #look(): Promise<void> {
    const { leases, leaseKey } = this.#settings;
    const { entry, isTakeable } = await leases.look(leaseKey);
    const nowMs = this.#clock.monotonicMs();
    if (this.#state === "standby" && isTakeable) return this.#become("free");
    if (this.#state !== "out") return;
    const isTaken = entry?.epoch !== this.#outEpoch;
    if (!isTaken && nowMs - this.#sinceMs >= untakenMs) {
      this.#stayUntilMs = nowMs + outMs;
      this.#become("free");
    } else if (isTaken && nowMs - this.#sinceMs >= outMs) this.#become("standby");
  }
}
