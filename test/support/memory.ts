// A store in this process, for tests and benchmarks. It promises the same as the others, until the process ends.
import {
  type Condition,
  type Listed,
  type Store,
  type Stored,
  conditionHolds,
  refused,
  requireKey,
  versionOf,
} from "../../store/store.ts";

interface Held extends Stored {
  readonly modifiedAt: Date;
}

/** The versions of bodies that are never changed, each computed when it is first needed. */
const versions = new WeakMap<Uint8Array, string>();

function versionOfHeld(body: Uint8Array): string {
  const known = versions.get(body) ?? versionOf(body);
  versions.set(body, known);
  return known;
}

function hold(body: Uint8Array, modifiedAt: Date): Held {
  return {
    body,
    modifiedAt,
    get version() {
      return versionOfHeld(body);
    },
  };
}

type Content = ReadonlyMap<string, Uint8Array>;
const opened = new WeakMap<Store, { held: Map<string, Held>; now: () => Date }>();

/** The bytes of a store of this kind themselves, which nobody may change; undefined for any other store. */
export function contentInMemory(store: Store): Map<string, Uint8Array> | undefined {
  const held = opened.get(store)?.held;
  return held && new Map([...held].toSorted(byKey).map(([key, { body }]) => [key, body]));
}

/** Puts content that nobody may change into a store of this kind without copying it; false for any other store. */
export function fillMemory(store: Store, content: Content): boolean {
  const memory = opened.get(store);
  if (memory === undefined) return false;
  for (const [key, body] of content) {
    requireKey(key);
    memory.held.set(key, hold(body, memory.now()));
  }
  return true;
}

/** Each call completes synchronously, so calls interleave only if a caller awaits. */
export function openMemory(now: () => Date = () => new Date()): Store {
  const held = new Map<string, Held>();
  const store: Store = {
    writesAtOnce: 32,
    holdsBytes: 32 * 1024 * 1024,
    async read(key) {
      requireKey(key);
      const found = held.get(key);
      if (found === undefined) return undefined;
      const { body } = found;
      return {
        body: body.slice(),
        get version() {
          return versionOfHeld(body);
        },
      };
    },
    async write(key, body, _headers, when, fence) {
      requireKey(key);
      if (fence !== undefined) (await fence.begin(1))();
      if (!isMet(when, held.get(key))) return refused;
      const copy = new Uint8Array(body);
      held.set(key, hold(copy, now()));
      return {
        kind: "written",
        get version() {
          return versionOfHeld(copy);
        },
      };
    },
    async *list(prefix) {
      yield* listed(held, prefix);
    },
    async *keys(prefix) {
      for (const { key } of listed(held, prefix)) yield key;
    },
    async remove(keys, fence) {
      for (const key of keys) requireKey(key);
      if (fence !== undefined) (await fence.begin(1))();
      for (const key of keys) held.delete(key);
    },
  };
  opened.set(store, { held, now });
  return store;
}

/** Only a condition on a version needs the held one. */
function isMet(when: Condition, found: Held | undefined): boolean {
  return conditionHolds(when, when.kind === "version" ? found?.version : found && "any");
}

function listed(held: ReadonlyMap<string, Held>, prefix: string): Listed[] {
  return [...held]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, { body, modifiedAt }]) => ({
      key,
      sizeBytes: body.length,
      modifiedAt,
      get tag() {
        return versionOfHeld(body);
      },
    }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

function byKey([one]: readonly [string, Held], [other]: readonly [string, Held]): number {
  return one < other ? -1 : 1;
}
