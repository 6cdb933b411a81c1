// The store as it would be afterwards: writes and removals stay in this process and are seen by later reads, and the store
// below stays as it is. For trial runs of work that reads what it has written.
import {
  conditionHolds,
  type Listed,
  refused,
  requireKey,
  type Store,
  type Stored,
  versionOf,
} from "./store.ts";

/** Undefined where a key was removed. */
type Changes = Map<string, (Stored & { readonly modifiedAt: Date }) | undefined>;

export function openTrial(below: Store): Store {
  const changes: Changes = new Map();
  return {
    async read(key) {
      const changed = changes.get(key);
      if (changed === undefined) return changes.has(key) ? undefined : below.read(key);
      return { body: changed.body.slice(), version: changed.version };
    },
    async write(key, body, _headers, when) {
      requireKey(key);
      const bytes = new Uint8Array(body); // the caller may use its buffer again meanwhile
      const kept = when.kind === "always" ? undefined : await below.read(key);
      const current = changes.has(key) ? changes.get(key) : kept; // looked at after the wait: of two writers one wins
      if (!conditionHolds(when, current?.version)) return refused;
      const version = versionOf(bytes);
      changes.set(key, { body: bytes, version, modifiedAt: new Date() });
      return { kind: "written", version };
    },
    async *list(prefix) {
      const listed: Listed[] = [];
      for await (const one of below.list(prefix)) if (!changes.has(one.key)) listed.push(one);
      for (const [key, changed] of changes) {
        if (changed === undefined || !key.startsWith(prefix)) continue;
        const { body, modifiedAt, version } = changed;
        listed.push({ key, sizeBytes: body.length, modifiedAt, tag: version });
      }
      yield* listed.sort((one, other) => (one.key < other.key ? -1 : 1));
    },
    async remove(keys) {
      for (const key of keys) requireKey(key);
      for (const key of keys) changes.set(key, undefined);
    },
  };
}
