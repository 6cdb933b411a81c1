// A layer over a store: what is written or removed is seen by whoever reads through it, and the store below is never
// touched. For a look at what would come of a change.
import {
  conditionHolds,
  type Listed,
  refused,
  requireKey,
  type Store,
  type Stored,
  versionOf,
} from "./store.ts";

interface Held extends Stored {
  readonly modifiedAt: Date;
}

export function openOver(store: Store, now: () => Date = () => new Date()): Store {
  /** Undefined where it was removed. */
  const held = new Map<string, Held | undefined>();
  const read = async (key: string): Promise<Stored | undefined> => {
    requireKey(key);
    if (!held.has(key)) return store.read(key);
    const found = held.get(key);
    return found && { body: found.body.slice(), version: found.version };
  };
  return {
    read,
    async write(key, body, _headers, when) {
      requireKey(key);
      const bytes = new Uint8Array(body);
      const below = held.has(key) || when.kind === "always" ? undefined : await store.read(key);
      const current = held.has(key) ? held.get(key) : below;
      if (!conditionHolds(when, current?.version)) return refused;
      const version = versionOf(bytes);
      held.set(key, { body: bytes, version, modifiedAt: now() });
      return { kind: "written", version };
    },
    async *list(prefix) {
      const own = [...held]
        .filter(([key]) => key.startsWith(prefix))
        .sort(([one], [other]) => (one < other ? -1 : 1));
      for await (const listed of store.list(prefix)) {
        while (own[0] !== undefined && own[0][0] < listed.key) yield* toldOf(own.shift());
        if (!held.has(listed.key)) yield listed;
      }
      for (const one of own) yield* toldOf(one);
    },
    async remove(keys) {
      for (const key of keys) requireKey(key);
      for (const key of keys) held.set(key, undefined);
    },
  };
}

function* toldOf(entry: readonly [string, Held | undefined] | undefined): Generator<Listed> {
  if (entry?.[1] === undefined) return;
  const [key, { body, modifiedAt }] = entry;
  yield { key, sizeBytes: body.length, modifiedAt };
}
