// A lease that this process has taken (lease.ts): it is renewed until it is released or lost. Its file follows, with the kernel's
// lock next to it.
import type { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { z } from "zod";
import { type Clock, clockDelay, stopwatch, within } from "./clock.ts";
import { connectTo } from "./lock.ts";
import type { S3Limits } from "./s3-client.ts";
import { LeaseLost, type Store, unlessChanged } from "./store.ts";

const renewEveryMs = 5_000;
const ownedMs = 20_000;
/** Some stores take one write per second to a key. */
export const repeatAfterMs = 1_000;
const releaseAttempts = 3;

export interface LeaseLog {
  warn(facts: object, message: string): void;
}

interface LeaseParts {
  readonly file: LeaseFile;
  readonly clock: Clock;
  readonly log: LeaseLog;
  /** The first entry, and the version of the file that it is to replace. */
  readonly entry: LeaseEntry;
  readonly version: string | undefined;
  readonly before: Lease["before"];
  readonly freeFromMs: number | undefined;
  readonly lock: DatabaseSync | undefined;
  /** Called when this process counts itself as owner no longer, and when the holder of the lease has ended. */
  readonly onEnd: () => void;
  readonly onRelease: () => void;
}

/** Its holder calls `release` in every case, also if the lease is lost. */
export class Lease {
  /** The state in which the lease was found. `unreleased`: its owner died or lost it, or the file was damaged. */
  readonly before: "none" | "idle" | "released" | "unreleased";
  /** By the monotonic clock: since then the lease was certainly free. Undefined if it was not found released. */
  readonly freeFromMs: number | undefined;
  readonly #parts: LeaseParts;
  readonly #lost = new AbortController();
  #entry: LeaseEntry;
  #version: string | undefined;
  #lock: DatabaseSync | undefined;
  /** The entry that is being written, with the time since its first attempt. It is repeated until the outcome is known. */
  #next: { readonly entry: LeaseEntry; readonly elapsedMs: () => number } | undefined;
  /** The time since the start of the last successful renewal. */
  #elapsedMs = (): number => Infinity;
  #isOver = false;
  #isFailing = false;
  #renewing: Promise<void> | undefined;
  #renewed = Promise.withResolvers<void>();
  #cancelRenewal = (): void => undefined;
  #cancelEnd = (): void => undefined;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.before = parts.before;
    this.freeFromMs = parts.freeFromMs;
    this.#entry = parts.entry;
    this.#version = parts.version;
    this.#lock = parts.lock;
  }

  get epoch(): number {
    return this.#entry.epoch;
  }

  /** Aborts with LeaseLost. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** How long this process is certainly the only owner. At 0 or less it must not act, and the lease is lost. */
  remainingMs(): number {
    if (this.#isOver) return 0;
    const leftMs = ownedMs - this.#elapsedMs();
    if (leftMs <= 0) this.#lose(`no renewal succeeded for ${ownedMs / 1000} s`);
    return leftMs;
  }

  /** Resolves when at least so much time remains, after a renewal if need be; rejects with LeaseLost. */
  async enough(ms: number): Promise<void> {
    while (this.remainingMs() < ms) {
      this.signal.throwIfAborted();
      if (this.#isOver) throw new LeaseLost(this.#parts.file.key, "it was released");
      await this.#renewed.promise;
    }
  }

  /** Gives the lease back. A failure is only logged: others then take the lease over as if its owner had died. */
  async release(state: "released" | "idle" = "released"): Promise<void> {
    const { clock, log, file, onRelease } = this.#parts;
    const isOwner = this.remainingMs() > 0;
    this.#isOver = true;
    this.#stop();
    await this.#renewing;
    for (let left = isOwner ? releaseAttempts : 0; left > 0; left -= 1) {
      try {
        const isOwn = this.#next === undefined || (await this.#write({}));
        if (isOwn) await this.#write({ state });
        break;
      } catch (error) {
        if (left > 1) await clockDelay(clock, repeatAfterMs);
        else log.warn({ lease: file.key }, `cannot release a lease: ${String(error)}`);
      }
    }
    this.#end();
    onRelease();
  }

  /** The first write; false if another process came first, or if it took too long. */
  async begin(): Promise<boolean> {
    try {
      const isTaken = (await this.#write({})) && this.remainingMs() > 0;
      if (isTaken) this.#plan(renewEveryMs - this.#elapsedMs());
      else this.#end();
      return isTaken;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  #plan(renewalMs: number): void {
    const { clock } = this.#parts;
    this.#stop();
    this.#cancelRenewal = clock.after(Math.max(0, renewalMs), () => void (this.#renewing = this.#renew()));
    this.#watchEnd();
  }

  /** No check relies on this timer: each computes the remaining time. */
  #watchEnd(): void {
    const leftMs = this.remainingMs();
    if (leftMs > 0) this.#cancelEnd = this.#parts.clock.after(Math.ceil(leftMs), () => this.#watchEnd());
  }

  async #renew(): Promise<void> {
    const { log, file } = this.#parts;
    try {
      this.#lock ??= file.tryLocking();
      const change = { renewal: this.#entry.renewal + 1, isLocked: this.#lock !== undefined };
      const isOwn = await this.#write(change);
      if (this.remainingMs() <= 0) return;
      if (!isOwn) return this.#lose("another process has taken it");
      this.#isFailing = false;
      this.#plan(renewEveryMs - this.#elapsedMs());
      this.#renewed.resolve();
      this.#renewed = Promise.withResolvers();
    } catch (error) {
      if (this.remainingMs() <= 0) return;
      if (!this.#isFailing) log.warn({ lease: file.key }, `cannot renew a lease: ${String(error)}`);
      this.#isFailing = true;
      this.#plan(repeatAfterMs);
    }
  }

  /** Replaces the entry by the changed one, or repeats the last attempt; false if another process came first. */
  async #write(change: Partial<LeaseEntry>): Promise<boolean> {
    const { file, clock } = this.#parts;
    this.#next ??= { entry: { ...this.#entry, ...change }, elapsedMs: stopwatch(clock) };
    const { entry, elapsedMs } = this.#next;
    const version = await file.write(entry, this.#version);
    if (version === undefined) return false;
    this.#next = undefined;
    this.#entry = entry;
    this.#version = version;
    this.#elapsedMs = elapsedMs;
    return true;
  }

  #lose(reason: string): void {
    this.#end();
    this.#lost.abort(new LeaseLost(this.#parts.file.key, reason));
    this.#renewed.resolve();
  }

  #end(): void {
    this.#isOver = true;
    this.#stop();
    this.#lock?.close();
    this.#lock = undefined;
    this.#parts.onEnd();
  }

  #stop(): void {
    this.#cancelRenewal();
    this.#cancelEnd();
  }
}

// The file of a lease. Every write is conditional, and no two writes have equal bytes, so equal versions are the same state.
const attemptMs = 3_000;

/** The limits of the store: a call is repeated by the holder of the lease, and not by the store. */
export const leaseLimits: Partial<S3Limits> = { attempts: 1, attemptMs, hastyMs: attemptMs };

export const leaseEntrySchema = z.object({
  format: z.literal(1),
  /** The fencing token: one more with each taking. */
  epoch: z.int().min(1),
  renewal: z.int().min(0),
  /** Random, new with each taking. */
  owner: z.string(),
  /** For people only. */
  holder: z.object({ where: z.string(), purpose: z.string(), since: z.string() }),
  /** `idle`: released by an owner that had done nothing for at least a second. */
  state: z.enum(["held", "released", "idle"]),
  /** Whether the owner has the kernel's lock. */
  isLocked: z.boolean(),
});
export type LeaseEntry = z.infer<typeof leaseEntrySchema>;
export type LeaseHolder = LeaseEntry["holder"];

export interface LeaseFileSettings {
  /** Opened with `leaseLimits`, for the leases only: no renewal waits behind other calls. */
  readonly store: Store;
  /** The folder of the kernel's locks; undefined for a bucket. */
  readonly lockFolder?: string;
  readonly clock: Clock;
}

export interface FoundEntry {
  /** Undefined if there is no file. */
  readonly version: string | undefined;
  /** Undefined if there is no file, or if it is damaged. */
  readonly entry: LeaseEntry | undefined;
}

export class LeaseFile {
  readonly #settings: LeaseFileSettings;
  readonly key: string;

  constructor(settings: LeaseFileSettings, key: string) {
    this.#settings = settings;
    this.key = key;
  }

  async read(): Promise<FoundEntry> {
    const { clock, store } = this.#settings;
    const stored = await this.#inTime(clock, store.read(this.key));
    return { version: stored?.version, entry: stored && parseEntry(stored.body) };
  }

  /**
   * Replaces the entry of that version, and returns the new version; undefined if another process came first. After an error,
   * repeat it with the same entry: it is then recognized if it was written and only the response was lost.
   */
  async write(entry: LeaseEntry, version: string | undefined): Promise<string | undefined> {
    const { clock, store } = this.#settings;
    const body = new TextEncoder().encode(JSON.stringify(entry));
    const put = store.write(this.key, body, { type: "application/json" }, unlessChanged(version));
    const written = await this.#inTime(clock, put);
    if (written.kind === "written") return written.version;
    const found = await this.read();
    if (found.version === version) throw new Error("a write was refused, although nothing had changed");
    return found.entry !== undefined && isSame(found.entry, entry) ? found.version : undefined;
  }

  #inTime<Answer>(clock: Clock, call: Promise<Answer>): Promise<Answer> {
    return within(clock, attemptMs, call, () => new NoResponse(this.key));
  }

  /** Undefined if another process has the kernel's lock, or if there is none. */
  tryLocking(): DatabaseSync | undefined {
    const { lockFolder } = this.#settings;
    if (lockFolder === undefined) return undefined;
    try {
      return connectTo(join(lockFolder, `lease-${this.key.replaceAll("/", "~")}`));
    } catch {
      return undefined; // a lease without it is as good; it is only taken over later when its owner dies
    }
  }
}

function parseEntry(body: Uint8Array): LeaseEntry | undefined {
  try {
    return leaseEntrySchema.safeParse(JSON.parse(new TextDecoder().decode(body))).data;
  } catch {
    return undefined;
  }
}

function isSame(one: LeaseEntry, other: LeaseEntry): boolean {
  return one.owner === other.owner && one.renewal === other.renewal && one.state === other.state;
}

/** Thrown if a call took too long. */
class NoResponse extends Error {
  override readonly name = "NoResponse";
  readonly type = "NoResponse";
  constructor(key: string) {
    super(`the store did not respond about ${key} within ${attemptMs / 1000} s`);
  }
}
