// A store in this process, for tests and benchmarks. It promises the same as the others, until the process ends.
import {
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

/** Each call does its whole work at once, so calls interleave only where a caller awaits. */
export function openMemory(now: () => Date = () => new Date()): Store {
  const held = new Map<string, Held>();
  return {
    writesAtOnce: 32,
    holdsBytes: 32 * 1024 * 1024,
    async read(key) {
      requireKey(key);
      const found = held.get(key);
      return found && { body: found.body.slice(), version: found.version };
    },
    async write(key, body, _headers, when) {
      requireKey(key);
      if (!conditionHolds(when, held.get(key)?.version)) return refused;
      const version = versionOf(body);
      held.set(key, { body: new Uint8Array(body), version, modifiedAt: now() });
      return { kind: "written", version };
    },
    async *list(prefix) {
      yield* listed(held, prefix);
    },
    async *keys(prefix) {
      for (const { key } of listed(held, prefix)) yield key;
    },
    async remove(keys) {
      for (const key of keys) requireKey(key);
      for (const key of keys) held.delete(key);
    },
  };
}

function listed(held: ReadonlyMap<string, Held>, prefix: string): Listed[] {
  return [...held]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, { body, modifiedAt, version }]) => {
      return { key, sizeBytes: body.length, modifiedAt, tag: version };
    })
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}
