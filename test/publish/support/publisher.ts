// A publisher that can die: its store calls are counted, over both stores, and one of them can be made to fail.
import { type Store, StoreFailure } from "../../../store/store.ts";
import type { Publishing } from "../../../publish/state/publish-context.ts";
import type { Clock } from "../../../store/clock.ts";
import { Leases } from "../../../store/lease.ts";
import { createVault } from "../../../vault/vault.ts";
import { configuration } from "./nights.ts";
import { type Call, type Stores, through } from "../../support/stores.ts";

/** Killed: that call and all later ones of the publisher never return, and have no further effect. */
export const ways = ["refused", "answer lost", "killed before", "killed after"] as const;
export type Way = (typeof ways)[number];

/** Calls of all publishers of one run, in order. */
export class Calls {
  count = 0;
  /** The call that was struck. */
  struck: string | undefined;
  #at: number;
  #way: Way | undefined;

  constructor(at = 0, way?: Way) {
    this.#at = at;
    this.#way = way;
  }

  strikeNext(way: Way): void {
    this.#at = this.count + 1;
    this.#way = way;
  }

  next(what: string): Way | undefined {
    this.count += 1;
    if (this.count !== this.#at) return undefined;
    this.struck = what;
    return this.#way;
  }
}

/** Holds a call back until it may go on; the tests that choose the order of calls give one. */
export type Gate = (what: string) => Promise<void>;

/** An error that a publisher may end with: its call failed, or it has lost the lease. */
export type Outcome = "done" | "killed" | Error;
const named = new Set([
  "StoreFailure",
  "LeaseLost",
  "NoResponse",
  "RecordMoved",
  "PointerMoved",
  "UnfinishedPublish",
]);

export class Publisher {
  readonly place: Publishing;
  /** Comes when the publisher dies. */
  readonly death: Promise<"killed">;
  readonly #calls: Calls;
  readonly #gate: Gate | undefined;
  readonly #die: (death: "killed") => void;
  readonly #flying = new Set<Promise<unknown>>();
  #dead = false;

  constructor(
    { site, vault }: Stores,
    calls: Calls,
    now: () => Date,
    gate?: Gate,
    clock: Clock = new ClockWithoutWaits(),
  ) {
    this.#calls = calls;
    this.#gate = gate;
    const { promise, resolve } = Promise.withResolvers<"killed">();
    this.death = promise;
    this.#die = resolve;
    const store = this.#watch("vault", vault);
    this.place = {
      site: this.#watch("site", site),
      vault: createVault(store, "almanac"),
      leases: new Leases({ store, where: "test", log: silent, clock }),
      now,
      log: silent,
      fingerprint: `sha256-${"f".repeat(64)}`,
      workings: "tests",
      configuration,
    };
  }

  kill(): void {
    this.#dead = true;
    this.#die("killed");
  }

  /** Outcome of the work; pending calls of a killed publisher have landed, like those of a dead process. */
  async run(work: (place: Publishing) => Promise<unknown>): Promise<Outcome> {
    const ended = work(this.place).then(
      () => "done" as const,
      (error: unknown) => {
        if (error instanceof Error && named.has(error.name)) return error;
        throw error;
      },
    );
    const outcome = await Promise.race([ended, this.death]);
    await Promise.allSettled(this.#flying);
    return outcome;
  }

  #watch(name: string, store: Store): Store {
    return through(store, (call, make) => this.#call(name, call, make));
  }

  async #call<Value>(name: string, { doing, keys }: Call, deed: () => Promise<Value>): Promise<Value> {
    const what = `${doing} ${name} ${keys.join()}`;
    if (this.#dead) return never();
    if (this.#gate !== undefined) await this.#gate(what);
    if (this.#dead) return never();
    const way = this.#calls.next(what);
    if (way === "refused") throw failed(doing, keys);
    if (way === "killed before") {
      this.kill();
      return never();
    }
    const flight = deed();
    if (way === undefined) {
      const value = await this.#landed(flight);
      return this.#dead ? never() : value;
    }
    await flight;
    if (way === "answer lost") throw failed(doing, keys);
    this.kill();
    return never();
  }

  async #landed<Value>(flight: Promise<Value>): Promise<Value> {
    this.#flying.add(flight);
    try {
      return await flight;
    } finally {
      this.#flying.delete(flight);
    }
  }
}

/** Waits take no time, and timers later than the next check of a lease never fire. */
export class ClockWithoutWaits implements Clock {
  #nowMs = 0;

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#nowMs;
  }

  after(ms: number, then: () => void): () => void {
    if (ms > 2_000) return () => undefined;
    const wait = setImmediate(() => {
      this.#nowMs += ms;
      then();
    });
    return () => clearImmediate(wait);
  }

  /** Suspends the process for this long. */
  skip(ms: number): void {
    this.#nowMs += ms;
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

function failed(doing: Call["doing"], [key = ""]: readonly string[]): StoreFailure {
  const remedy = "run it again";
  return new StoreFailure({ doing, key, place: "the test", seen: "the call was made to fail", remedy });
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
