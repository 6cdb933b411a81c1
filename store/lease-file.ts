// The file of a lease, and the kernel's lock next to it (lease.ts). Every write is conditional, and no two writes have equal
// bytes, so equal versions are the same state.
import type { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { z } from "zod";
import { type Clock, within } from "./clock.ts";
import { connectTo } from "./lock-file.ts";
import type { S3Limits } from "./s3-client.ts";
import { type Store, unlessChanged } from "./store.ts";

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
    const stored = await within(clock, attemptMs, this.key, store.read(this.key));
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
    const written = await within(clock, attemptMs, this.key, put);
    if (written.kind === "written") return written.version;
    const found = await this.read();
    if (found.version === version) throw new Error("a write was refused, although nothing had changed");
    return found.entry !== undefined && isSame(found.entry, entry) ? found.version : undefined;
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
