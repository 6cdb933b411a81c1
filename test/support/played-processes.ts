// Simulated processes that share a store, run in one process: time is simulated, so a minute takes milliseconds and a seed gives
// the same order each time. Each has its own clock, can be stopped and killed, and reaches the store over a slow and lossy
// connection.
import type { Clock } from "../../store/clock.ts";
import { conditionHolds, refused, type Store, versionOf, type Written } from "../../store/store.ts";

export type Chance = () => number;

/** The same numbers for the same seed. */
export function chanceFrom(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Event {
  readonly atMs: number;
  readonly act: () => void;
}

/** True time, which no process knows. */
export class PlayedTime {
  nowMs = 0;
  readonly #events: Event[] = [];

  /** Timers of the same time run in the order in which they were set. */
  at(atMs: number, act: () => void): void {
    const place = this.#events.findLastIndex((one) => one.atMs <= atMs) + 1;
    this.#events.splice(place, 0, { atMs, act });
  }

  async runUntil(endMs: number): Promise<void> {
    await new Promise(setImmediate); // lets new operations begin
    for (;;) {
      const next = this.#events[0];
      if (next === undefined || next.atMs > endMs) break;
      this.#events.shift();
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.act();
      await new Promise(setImmediate); // all that follows from it without time passing
    }
    this.nowMs = endMs;
  }
}

export class PlayedProcess implements Clock {
  readonly #time: PlayedTime;
  readonly #speed: number;
  #offsetMs: number;
  #isStopped = false;
  #isDead = false;
  #suspendedMs: number | undefined;
  #wallAheadMs = 0;
  #held: (() => void)[] = [];

  constructor(time: PlayedTime, speed = 1, offsetMs = 0) {
    this.#time = time;
    this.#speed = speed;
    this.#offsetMs = offsetMs;
  }

  /** Advances while the process is stopped, but not while it is suspended. */
  monotonicMs(): number {
    return this.#offsetMs + (this.#suspendedMs ?? this.#time.nowMs) * this.#speed;
  }

  wallMs(): number {
    return this.#time.nowMs + this.#wallAheadMs;
  }

  setWall(aheadMs: number): void {
    this.#wallAheadMs = aheadMs;
  }

  after(ms: number, then: () => void): () => void {
    let isCancelled = false;
    this.#time.at(this.#time.nowMs + Math.max(0, ms) / this.#speed, () => {
      this.act(() => {
        if (!isCancelled) then();
      });
    });
    return () => void (isCancelled = true);
  }

  /** Runs now, or when the process resumes, or never. */
  act(doing: () => void): void {
    if (this.#isDead) return;
    if (this.#isStopped) this.#held.push(doing);
    else doing();
  }

  get isUp(): boolean {
    return !this.#isDead && !this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Simulates a machine that is suspended. */
  suspend(): void {
    this.stop();
    this.#suspendedMs = this.#time.nowMs;
  }

  goOn(): void {
    this.#isStopped = false;
    if (this.#suspendedMs !== undefined) {
      this.#offsetMs -= (this.#time.nowMs - this.#suspendedMs) * this.#speed;
      this.#suspendedMs = undefined;
    }
    for (const doing of this.#held.splice(0)) this.#time.at(this.#time.nowMs, () => this.act(doing));
  }

  kill(): void {
    this.#isDead = true;
  }
}

/** Faults that may affect one operation. */
export interface StoreTrouble {
  /** Maximum delay in each direction. */
  readonly mostMs: number;
  /** The shares of operations that don't arrive, whose answers are lost, and that arrive long after they were given up. */
  readonly unsent: number;
  readonly lost: number;
  readonly late: number;
}

const givenUpAfterMs = 15_000;
const latestMs = 40_000;

export class PlayedStore {
  trouble: StoreTrouble = { mostMs: 40, unsent: 0, lost: 0, late: 0 };
  /** The fault for one process's operation, depending on whether it writes. */
  troubleOf: (process: PlayedProcess, writes: boolean) => StoreTrouble | undefined = () => undefined;
  /** Refuses requests for a key within a second of its last write. */
  isSlowToWrite = false;
  writes = 0;
  reads = 0;
  readonly held = new Map<string, Uint8Array>();
  readonly #lastMs = new Map<string, number>();
  readonly #time: PlayedTime;
  readonly #chance: Chance;
  readonly #onWrite: (key: string, body: Uint8Array) => void;

  constructor(time: PlayedTime, chance: Chance, onWrite: (key: string, body: Uint8Array) => void) {
    this.#time = time;
    this.#chance = chance;
    this.#onWrite = onWrite;
  }

  /** The store as one process reaches it. */
  seenBy(process: PlayedProcess): Pick<Store, "read" | "write"> & Store {
    const way = <Result>(writes: boolean, work: () => Result) =>
      this.#way(process, this.troubleOf(process, writes) ?? this.trouble, work);
    return {
      writesAtOnce: 1,
      holdsBytes: 0,
      read: (key) =>
        way(false, () => {
          this.reads += 1;
          const body = this.held.get(key);
          return body && { body: new Uint8Array(body), version: versionOf(body) };
        }),
      write: (key, body, _headers, when) =>
        way(true, () => {
          const before = this.held.get(key);
          if (!conditionHolds(when, before && versionOf(before))) return refused;
          const lastMs = this.#lastMs.get(key) ?? -Infinity;
          if (this.isSlowToWrite && this.#time.nowMs - lastMs < 1000) throw new Error("slow down");
          this.#lastMs.set(key, this.#time.nowMs);
          this.writes += 1;
          this.held.set(key, new Uint8Array(body));
          this.#onWrite(key, body);
          return { kind: "written", version: versionOf(body) } satisfies Written;
        }),
      // oxlint-disable-next-line require-yield -- nobody lists here
      async *list() {
        throw new Error("not played");
      },
      // oxlint-disable-next-line require-yield -- nor here
      async *keys() {
        throw new Error("not played");
      },
      remove: () => Promise.reject(new Error("not played")),
    };
  }

  #way<Result>(
    process: PlayedProcess,
    { mostMs, unsent, lost, late }: StoreTrouble,
    work: () => Result,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const lot = this.#chance();
    const thereMs = this.#time.nowMs + 1 + this.#chance() * mostMs;
    const backMs = thereMs + 1 + this.#chance() * mostMs;
    const giveUp = (afterMs: number) =>
      this.#time.at(this.#time.nowMs + afterMs, () => process.act(() => reject(new Error("no answer"))));
    if (lot < unsent) giveUp(this.#chance() * 3_000);
    else if (lot < unsent + late) {
      giveUp(this.#chance() * givenUpAfterMs);
      this.#time.at(this.#time.nowMs + this.#chance() * latestMs, () => void attempted(work));
    } else {
      const isLost = lot < unsent + late + lost;
      this.#time.at(thereMs, () => {
        const done = attempted(work);
        this.#time.at(backMs, () =>
          process.act(() => {
            if (isLost || "fault" in done) reject(new Error("no answer"));
            else resolve(done.result);
          }),
        );
      });
    }
    return promise;
  }
}

function attempted<Result>(work: () => Result): { readonly result: Result } | { readonly fault: unknown } {
  try {
    return { result: work() };
  } catch (fault) {
    return { fault };
  }
}
