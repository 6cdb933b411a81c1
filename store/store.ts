// The port to where bytes are kept: a folder or a bucket. Vault and site know nothing else of storage.
// test/store/store-conformance.test.ts says what every store promises.
import { hash } from "node:crypto";

export interface Store {
  /** With how many writes at once many are soonest done. */
  readonly writesAtOnce: number;
  /** How many bytes of what is put are worth holding until they are put again: none where reading them costs next to nothing. */
  readonly holdsBytes: number;
  /** Whether it forgets what is written to it: only a trial run looks at what would be written (trial.ts). */
  readonly forgets?: boolean | undefined;
  /** Prefix of its keys in the underlying store, for messages (store.ts). */
  readonly prefix?: string;
  read(key: string): Promise<Stored | undefined>;
  /**
   * Writes whole or not at all, and for good once it has answered. That a condition does not hold is an answer too. Nobody changes
   * bytes that a store was given, until it has answered: it copies none, which would take a tenth of a publish's processor time
   * (measured), and may compute their version only on demand. Who holds them for longer than the call makes a copy.
   * Each attempt of the call, retries included, begins only when the fence lets it.
   */
  write(
    key: string,
    body: Uint8Array,
    headers: ObjectHeaders,
    when: Condition,
    fence?: Fence,
  ): Promise<Written | Refused>;
  /**
   * Makes `key` show the very file of `from`, for good once it has answered, as a write of the same bytes. False if the store can't:
   * then its bytes are to be written. A store without hard links, such as a bucket, has no such method.
   */
  readonly link?: Link | undefined;
  /** Every key that begins with these characters, in the order of `<`. It throws rather than end early. */
  list(prefix: string): AsyncIterable<Listed>;
  /** The keys of that listing alone: a folder lists them without a look at each file, which is most of its time. */
  keys(prefix: string): AsyncIterable<string>;
  /** Removes keys; a key that holds nothing is no fault. Each attempt begins only when the fence lets it. */
  remove(keys: readonly string[], fence?: Fence): Promise<void>;
}

type Link = (from: string, key: string, fence?: Fence) => Promise<boolean>;

/** Holds back the attempts of writes (lease.ts). */
export interface Fence {
  /**
   * Waits until the lease outlasts an attempt that may live so long. Returns the function that marks the attempt as answered, for
   * certain: without that call, it counts as under way until its lifetime is over. Rejects once the lease is lost.
   */
  begin(lifetimeMs: number): Promise<() => void>;
}

/** Thrown by a fence, and by all that the lease guards. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  readonly type = "LeaseLost";
  constructor(key: string, reason: string) {
    super(`the lease ${key} was lost: ${reason}`);
  }
}

export interface Stored {
  /** Nobody changes it: the version may be computed from it only on demand. */
  readonly body: Uint8Array;
  readonly version: string;
}

/** Headers for a store that serves readers itself, as a bucket does. They are not read back: the manifest has the types. */
export interface ObjectHeaders {
  readonly type: string;
  readonly cacheControl?: string;
  /** By which a cache that reads from the store knows what the file is a part of, so that it can be purged. */
  readonly tags?: readonly string[];
}

/** `version` is the one that a read or write of this key returned: the same for the same bytes, like an ETag. */
export type Condition =
  | { readonly kind: "always" }
  | { readonly kind: "absent" }
  | { readonly kind: "version"; readonly version: string };

export const always = { kind: "always" } as const;
export const absent = { kind: "absent" } as const;
/** For a write in place of what was read: that version, or nothing. */
export function unlessChanged(version: string | undefined): Condition {
  return version === undefined ? absent : { kind: "version", version };
}

export interface Written {
  readonly kind: "written";
  readonly version: string;
}
export interface Refused {
  readonly kind: "refused";
}
export const refused: Refused = { kind: "refused" };

export interface Listed {
  readonly key: string;
  readonly sizeBytes: number;
  /** The time of the last write, also of one with the same bytes. */
  readonly modifiedAt: Date;
  /** Differs wherever the bytes differ from before; undefined if a listing does not show it. */
  readonly tag: string | undefined;
}

/**
 * Gives back at once the memory of bytes that nobody else has and nobody needs any more; they are empty from then on. V8 looks for
 * them only when 64 MB have gathered, and through its whole heap: a quarter of a great publish's processor time (measured).
 */
export function letGo({ buffer, byteLength }: Uint8Array): void {
  const isAll = buffer.byteLength === byteLength; // else it is of a pool that others have their bytes in
  if (isAll && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The version where the store has none of its own, which is a hash of the bytes. */
export function versionOf(body: Uint8Array): string {
  return hash("sha256", body);
}

export function conditionHolds(when: Condition, current: string | undefined): boolean {
  switch (when.kind) {
    case "always":
      return true;
    case "absent":
      return current === undefined;
    case "version":
      return current === when.version;
  }
}

// Only a file has dots and every file has one: so no key can be the folder of another, in any store, and no key is
// `..`, hidden or without the extension by which a web server knows its type. One folder has a dot all the same, because the web
// wants it so; no file can have its name.
const folderName = /^(?:[\w~@=+-]{1,200}|\.well-known)$/;
const fileName = /^[\w~@=+-]+(?:\.[\w~@=+-]+)+$/;
const wholeKey = /^(?:(?:[\w~@=+-]+|\.well-known)\/)*[\w~@=+-]+(?:\.[\w~@=+-]+)+$/;
const longestFileName = 200; // a file system takes 255 bytes
const longestKey = 900; // S3 takes 1,024, the prefix counted in

/** Throws for a text that is no key, before any store is touched; `en/daily/aries/index.html` is a key. */
export function requireKey(key: string): void {
  if (key.length <= longestFileName && wholeKey.test(key)) return; // all but a few
  const [file = "", ...folders] = key.split("/").toReversed();
  if (key.length > longestKey) throw new WrongKey(key, `it is longer than ${longestKey} characters`);
  if (!fileName.test(file) || file.length > longestFileName) {
    throw new WrongKey(
      key,
      "its last part must be a file name with an extension, of A-Z a-z 0-9 . _ ~ @ = + -",
    );
  }
  const wrong = folders.findLast((folder) => !isFolderName(folder));
  if (wrong === undefined) return;
  throw new WrongKey(
    key,
    `${JSON.stringify(wrong.slice(0, 50))} is not a valid folder name: use A-Z a-z 0-9 _ ~ @ = + -, no dot`,
  );
}

export function isFolderName(name: string): boolean {
  return folderName.test(name);
}

export function isFileName(name: string): boolean {
  return name.length <= longestFileName && fileName.test(name);
}

/** Thrown for an error in our own code: the caller made the key by hand. */
export class WrongKey extends Error {
  override readonly name = "WrongKey";
  readonly type = "WrongKey";
  constructor(key: string, why: string) {
    super(`${JSON.stringify(key.slice(0, 120))} is not a valid key: ${why}`);
  }
}

export interface StoreFacts {
  readonly doing: "read" | "write" | "list" | "remove";
  /** The key; for a listing the prefix. */
  readonly key: string;
  /** The store's address, without credentials. */
  readonly place: string;
  readonly seen: string;
  readonly remedy: string;
  /** Whether no answer came, in all attempts. */
  readonly isUnanswered?: boolean;
}

/** Operation of a store, with its key and place, for the report of a failure. */
export type Deed = Pick<StoreFacts, "doing" | "key" | "place">;

/** The store could not carry out an operation. A write that failed may have happened all the same: read before you judge. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
  readonly type = "StoreFailure";
  readonly facts: StoreFacts;
  constructor(facts: StoreFacts, options?: ErrorOptions) {
    const what = facts.key === "" ? "everything" : facts.key;
    super(`cannot ${facts.doing} ${what} in ${facts.place}: ${facts.seen}; ${facts.remedy}`, options);
    this.facts = facts;
  }
}

/** A store of the keys that begin with a prefix in another store. Its own keys omit the prefix. */
export function storeWithin(store: Store, prefix: string): Store {
  const { link } = store;
  return {
    ...store,
    prefix: (store.prefix ?? "") + prefix,
    read: (key) => store.read(prefix + key),
    write: (key, ...rest) => store.write(prefix + key, ...rest),
    link: link && ((from, key, fence) => link(prefix + from, prefix + key, fence)),
    async *list(beginning) {
      for await (const one of store.list(prefix + beginning))
        yield { ...one, key: one.key.slice(prefix.length) };
    },
    async *keys(beginning) {
      for await (const key of store.keys(prefix + beginning)) yield key.slice(prefix.length);
    },
    remove: (keys, fence) =>
      store.remove(
        keys.map((key) => prefix + key),
        fence,
      ),
  };
}

// Many calls, some at once. At the first failure no further one begins, and it is reported only when all have ended: a write that
// is still under way when its publisher has given up could put an old page over a newer one. What waits for its turn is only
// the rest of the list, so that a list of hundreds of thousands costs no promise for each of them meanwhile. A limit that
// several such lists share is p-limit's own.
/** Enough for a bucket's latency, few enough for a small machine. */
export const callsAtOnce = 32;

/** The results, in the order of the items. */
export async function inParallel<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  atOnce = callsAtOnce,
): Promise<Result[]> {
  const all = [...items];
  const waiting = all.entries();
  const results: Result[] = []; // each comes to its place, and at the end none is empty
  const failures: unknown[] = [];
  const lane = async () => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
