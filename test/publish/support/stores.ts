// The two stores that a publisher works on, empty or as they stood at some moment.
import { openMemory } from "../../../store/memory.ts";
import { type Store, always } from "../../../store/store.ts";

export interface Stores {
  readonly site: Store;
  readonly vault: Store;
  /** The site for those who only look. */
  readonly eyes?: Store;
}

export type Content = ReadonlyMap<string, Uint8Array>;

export interface Snapshot {
  readonly site: Content;
  readonly vault: Content;
}

export const nothing: Snapshot = { site: new Map(), vault: new Map() };

const headers = { type: "application/octet-stream" }; // no store gives them back

export async function contentOf(store: Store): Promise<Map<string, Uint8Array>> {
  const content = new Map<string, Uint8Array>();
  for await (const { key } of store.list("")) {
    const stored = await store.read(key);
    if (stored !== undefined) content.set(key, stored.body);
  }
  return content;
}

export async function snapshotOf({ site, vault }: Stores): Promise<Snapshot> {
  return { site: await contentOf(site), vault: await contentOf(vault) };
}

export async function fill({ site, vault }: Stores, snapshot: Snapshot): Promise<void> {
  const puts = ([store, content]: [Store, Content]) =>
    [...content].map(([key, bytes]) => store.write(key, bytes, headers, always));
  const pairs: [Store, Content][] = [
    [site, snapshot.site],
    [vault, snapshot.vault],
  ];
  await Promise.all(pairs.flatMap(puts));
}

/** Stores in memory that hold all this: each file is written when it is first touched, and most of a site never is. */
export function openFilled({ site, vault }: Snapshot): Stores {
  return { site: filled(site), vault: filled(vault) };
}

function filled(content: Content): Store {
  const store = openMemory();
  const waiting = new Map(content);
  const take = async (key: string): Promise<void> => {
    const body = waiting.get(key);
    waiting.delete(key);
    if (body !== undefined) await store.write(key, body, headers, always);
  };
  return {
    async read(key) {
      await take(key);
      return store.read(key);
    },
    async write(key, ...rest) {
      await take(key);
      return store.write(key, ...rest);
    },
    async *list(prefix) {
      for (const key of waiting.keys()) if (key.startsWith(prefix)) await take(key);
      yield* store.list(prefix);
    },
    async remove(keys) {
      for (const key of keys) waiting.delete(key);
      await store.remove(keys);
    },
  };
}
