// A lease: the right of one process to do something alone, such as calling an endpoint or publishing a site. It is a small file in
// a store that supports conditional writes. Only durations count, never the time of day:
//
// - The owner renews its lease every 5 s. It counts itself as the owner until 20 s after the start of its last successful
//   renewal, by the larger of its monotonic and its wall clock, because a monotonic clock can stop while a machine is suspended.
// - Another process takes the lease over when it has seen the same entry for 25 s, by its monotonic clock only, so a step of
//   its wall clock steals nothing. One process's clock may be a quarter faster than another's.
// - Each taking raises the epoch, which never decreases: a release is a write, not a removal.
// - In a folder, the owner also keeps a kernel lock. If its entry says so and the lock is free, the owner is dead, and
//   the lease is taken over at once. If the entry does not say so, the lock proves nothing: a former owner that was stopped
//   frees its lock when it continues.
//
// A lost lease never comes back: its signal aborts, and the next taking has a new epoch. The file and the owner's part are in
// held-lease.ts; waiting for a lease is in this file.
import { randomBytes } from "node:crypto";
import { type Clock, clockDelay, processClock } from "./clock.ts";
import {
  Lease,
  type LeaseLog,
  repeatAfterMs,
  type FoundEntry,
  LeaseFile,
  type LeaseFileSettings,
  type LeaseHolder,
} from "./held-lease.ts";
import type { Fence, Store } from "./store.ts";

export const takeoverMs = 25_000;
const lookEveryMs = 2_000;
const firstReportMs = 2_000;
const reportEveryMs = 30_000;
const mostFailures = 3;

interface LeaseSettings extends Omit<LeaseFileSettings, "clock"> {
  /** The process and its machine, for people: `4711@host`. */
  readonly where: string;
  readonly log: LeaseLog;
  readonly clock?: Clock;
}

interface TakeOptions {
  readonly purpose: string;
  /** 0: a held lease is refused at once. */
  readonly maxWaitMs: number;
  readonly signal?: AbortSignal;
  /** Called within 5 s of waiting, then every 30 s. */
  readonly onWait?: (wait: LeaseWait) => void;
  /** The lowest epoch, needed if the lease has no readable file: it may have been lost. */
  readonly atLeastEpoch?: () => Promise<number>;
}

export interface LeaseWait {
  readonly key: string;
  readonly holder: LeaseHolder;
  readonly waitedMs: number;
}

interface Seen {
  readonly version: string | undefined;
  /** The end of the first read that saw this version. */
  readonly sinceMs: number;
  /** The highest epoch seen. */
  readonly epoch: number;
}

/** The leases in one store. A process has one such object for each store, in which its own holders queue. */
export class Leases {
  /** Clock for everything that happens under a lease. */
  readonly clock: Clock;
  readonly #settings: Required<Omit<LeaseSettings, "lockFolder">> & LeaseSettings;
  readonly #seen = new Map<string, Seen>();
  readonly #queues = new Map<string, PromiseWithResolvers<void>[]>();
  readonly #holders = new Map<string, LeaseHolder>();
  /** The owners that this process was and is no longer; their entries may still say "held". */
  readonly #ended = new Set<string>();

  constructor(settings: LeaseSettings) {
    this.#settings = { clock: processClock, ...settings };
    this.clock = this.#settings.clock;
  }

  /** Waits behind this process's own holders first, then for the other process. Throws LeaseHeld after `maxWaitMs`. */
  async take(key: string, options: TakeOptions): Promise<Lease> {
    const wait = createWait(key, options, this.clock);
    const leave = await this.#enterQueue(key, wait);
    let failures = 0;
    try {
      for (;;) {
        const taken = await this.#tryTaking(key, options, leave).catch((error: unknown) => {
          failures += 1;
          if (failures === mostFailures) throw error;
        });
        if (taken instanceof Lease) return taken;
        if (taken === undefined) await clockDelay(this.clock, repeatAfterMs, options.signal);
        else {
          failures = 0;
          await wait(taken);
        }
        options.signal?.throwIfAborted();
      }
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Looks at a lease without taking it. */
  async look(key: string) {
    const { entry, isTakeable, lock } = await this.#find(this.#fileOf(key));
    lock?.close();
    return { entry, isTakeable };
  }

  /** Resolves when this process's earlier takers have released the lease or given up; returns what lets the next one in. */
  async #enterQueue(key: string, wait: Wait): Promise<() => void> {
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    const own = Promise.withResolvers<void>();
    queue.push(own);
    const leave = (): void => {
      const place = queue.indexOf(own);
      if (place >= 0) queue.splice(place, 1);
      queue[0]?.resolve();
    };
    try {
      while (queue[0] !== own) await wait(this.#holders.get(key) ?? unknownHolder, own.promise);
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** The lease or its holder; undefined if another process came first just now. */
  async #tryTaking(
    key: string,
    { purpose, atLeastEpoch }: TakeOptions,
    onRelease: () => void,
  ): Promise<Lease | LeaseHolder | undefined> {
    const { clock, log, where } = this.#settings;
    const file = this.#fileOf(key);
    const found = await this.#find(file);
    if (!found.isTakeable) return found.entry?.holder ?? unknownHolder;
    const lock = found.lock ?? file.tryLocking();
    const holder = { where, purpose, since: new Date(clock.wallMs()).toISOString() };
    const least = found.entry === undefined ? await atLeastEpoch?.() : undefined;
    const epoch = Math.max(least ?? 1, found.seen.epoch + 1);
    const owner = randomBytes(8).toString("hex");
    const state = { format: 1, renewal: 0, state: "held", isLocked: lock !== undefined } as const;
    this.#holders.set(key, holder);
    this.#seen.set(key, { ...found.seen, epoch });
    const lease = new Lease({
      file,
      clock,
      log,
      entry: { ...state, epoch, owner, holder },
      version: found.version,
      before: found.before,
      freeFromMs: found.before === "released" ? found.seen.sinceMs : undefined,
      lock,
      onEnd: () => this.#ended.add(owner),
      onRelease,
    });
    return (await lease.begin()) ? lease : undefined;
  }

  async #find(file: LeaseFile) {
    const beganMs = this.clock.monotonicMs();
    const found = await file.read();
    const { entry, version } = found;
    const known = this.#seen.get(file.key);
    const isNew = known === undefined || known.version !== version;
    const sinceMs = isNew ? this.clock.monotonicMs() : known.sinceMs;
    const seen: Seen = { version, sinceMs, epoch: Math.max(known?.epoch ?? 0, entry?.epoch ?? 0) };
    this.#seen.set(file.key, seen);
    const before = stateBefore(found);
    const isOwn = entry !== undefined && this.#ended.has(entry.owner);
    const lock = before === "unreleased" && entry?.isLocked === true ? file.tryLocking() : undefined;
    const isUnchanged = beganMs - sinceMs >= takeoverMs;
    const isTakeable = before !== "unreleased" || isOwn || isUnchanged || lock !== undefined;
    return { ...found, seen, before, lock, isTakeable };
  }

  #fileOf(key: string): LeaseFile {
    return new LeaseFile(this.#settings, key);
  }
}

/** Holds a lease while the work is under way. */
export async function withLease<Result>(
  leases: Leases,
  key: string,
  options: TakeOptions,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const lease = await leases.take(key, options);
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
}

function stateBefore({ version, entry }: FoundEntry): Lease["before"] {
  if (version === undefined) return "none";
  return entry === undefined || entry.state === "held" ? "unreleased" : entry.state;
}

/** Waits until the next look, or until `sooner`. */
type Wait = (holder: LeaseHolder, sooner?: Promise<unknown>) => Promise<void>;

function createWait(key: string, { maxWaitMs, signal, onWait }: TakeOptions, clock: Clock): Wait {
  const beganMs = clock.monotonicMs();
  let reportMs = firstReportMs;
  return async (holder, sooner) => {
    signal?.throwIfAborted();
    const waitedMs = clock.monotonicMs() - beganMs;
    if (waitedMs >= maxWaitMs) throw new LeaseHeld({ key, holder, waitedMs });
    if (waitedMs >= reportMs) {
      reportMs = waitedMs + reportEveryMs;
      onWait?.({ key, holder, waitedMs });
    }
    await clockDelay(clock, Math.min(lookEveryMs, maxWaitMs - waitedMs), signal, sooner);
  };
}

const unknownHolder: LeaseHolder = {
  where: "an unknown process",
  purpose: "unknown",
  since: "an unknown time",
};

export function holderWords({ where, purpose, since }: LeaseHolder): string {
  return `${where} (${purpose}) since ${since}`;
}

export class LeaseHeld extends Error {
  override readonly name = "LeaseHeld";
  readonly type = "LeaseHeld";
  readonly wait: LeaseWait;
  constructor(wait: LeaseWait) {
    const waited =
      wait.waitedMs < 1000 ? "" : `, and was for the ${Math.round(wait.waitedMs / 1000)} s of the wait`;
    super(`the lease ${wait.key} is held by ${holderWords(wait.holder)}${waited}`);
    this.wait = wait;
  }
}

// Lets each attempt of a write begin only while the writer's lease outlasts the attempt. The next owner of the lease then meets no
// late write of this one: not of a first attempt, nor of a retry, nor of an attempt that was given up without a response.
interface IdleFence extends Fence {
  /** Resolves when no attempt is under way. The lease is released after that. */
  idle(): Promise<void>;
}

export function createFence(
  lease: Pick<Lease, "enough">,
  clock: Pick<Clock, "after"> = processClock,
): IdleFence {
  const underWay = new Set<Promise<void>>();
  return {
    async begin(lifetimeMs) {
      await lease.enough(lifetimeMs);
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(lifetimeMs, end);
      underWay.add(promise);
      function end() {
        cancel();
        underWay.delete(promise);
        resolve();
      }
      return end;
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** The same store, whose writes and removals check the fence. */
export function fenced(store: Store, fence: Fence): Store {
  const { link } = store;
  return {
    ...store,
    write: (key, body, headers, when) => store.write(key, body, headers, when, fence),
    link: link && ((from, key) => link(from, key, fence)),
    remove: (keys) => store.remove(keys, fence),
  };
}
