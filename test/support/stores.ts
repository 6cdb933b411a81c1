// Store helpers for tests: inspect, fill and damage them, and observe or delay each call.
import { type Listed, type Store, always } from "../../store/store.ts";
import { contentInMemory, fillMemory, openMemory } from "./memory.ts";

/** The two stores that a publisher works on. */
export interface Stores {
  readonly site: Store;
  readonly vault: Store;
}

export type Content = ReadonlyMap<string, Uint8Array>;

/** Both as they stood at some moment. */
export interface Snapshot {
  readonly site: Content;
  readonly vault: Content;
}

export const nothing: Snapshot = { site: new Map(), vault: new Map() };

const headers = { type: "application/octet-stream" }; // no store gives them back

export function inMemory(now?: () => Date): Stores {
  return { site: openMemory(now), vault: openMemory(now) };
}

export function bytes(content: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(content);
}

export async function textAt(store: Store, key: string): Promise<string | undefined> {
  const stored = await store.read(key);
  return stored && new TextDecoder().decode(stored.body);
}

export async function listingOf(store: Store, prefix: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for await (const listed of store.list(prefix)) all.push(listed);
  return all;
}

export function keysOf(store: Store, prefix = ""): Promise<string[]> {
  return Array.fromAsync(store.keys(prefix));
}

/** Nobody may change the bytes: a store in memory shares its own. */
export async function contentOf(store: Store): Promise<Map<string, Uint8Array>> {
  const shared = contentInMemory(store);
  if (shared !== undefined) return shared;
  const content = new Map<string, Uint8Array>();
  for (const key of await keysOf(store)) {
    const stored = await store.read(key);
    if (stored !== undefined) content.set(key, stored.body);
  }
  return content;
}

export async function snapshotOf({ site, vault }: Stores): Promise<Snapshot> {
  return { site: await contentOf(site), vault: await contentOf(vault) };
}

/** Nobody may change the snapshot's bytes: stores in memory share them. */
export async function fill({ site, vault }: Stores, snapshot: Snapshot): Promise<void> {
  const put = (store: Store, content: Content) =>
    fillMemory(store, content)
      ? []
      : [...content].map(([key, body]) => store.write(key, body, headers, always));
  await Promise.all([...put(site, snapshot.site), ...put(vault, snapshot.vault)]);
}

/** Damages a file like a failing disk. */
export async function damage(store: Store, key: string): Promise<void> {
  await store.write(key, bytes("damaged"), headers, always);
}

export interface Call {
  readonly doing: "read" | "write" | "list" | "remove";
  /** The keys of the call; for a listing, its prefix. */
  readonly keys: readonly string[];
}

/** The same store, where `around` decides when and whether each call is made. */
export function through(
  store: Store,
  around: <Answer>(call: Call, make: () => Promise<Answer>) => Promise<Answer>,
): Store {
  return {
    writesAtOnce: store.writesAtOnce,
    holdsBytes: store.holdsBytes,
    forgets: store.forgets,
    read: (key) => around({ doing: "read", keys: [key] }, () => store.read(key)),
    write: (key, ...put) => around({ doing: "write", keys: [key] }, () => store.write(key, ...put)),
    async *list(prefix) {
      yield* await around({ doing: "list", keys: [prefix] }, () => listingOf(store, prefix));
    },
    async *keys(prefix) {
      yield* await around({ doing: "list", keys: [prefix] }, () => Array.fromAsync(store.keys(prefix)));
    },
    remove: (keys, ...fence) => around({ doing: "remove", keys }, () => store.remove(keys, ...fence)),
  };
}

/** The same store with a callback before every call; if it throws, the call fails. */
export function watched(store: Store, tell: (call: Call["doing"], key: string) => void): Store {
  return through(store, async ({ doing, keys }, make) => {
    for (const key of keys) tell(doing, key);
    return make();
  });
}
