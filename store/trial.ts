// A store for a trial run: its writes and removals stay in this process and are reported, and the store below does not change.
import {
  type Listed,
  type Store,
  type Stored,
  conditionHolds,
  refused,
  requireKey,
  versionOf,
} from "./store.ts";

interface TrialOptions {
  /** Called for every write that the store below would have taken. */
  readonly tell?: (key: string, sizeBytes: number) => void;
  /** Later reads see the store below alone. For work that writes more than a machine holds and reads none of it again. */
  readonly forgets?: boolean;
}

/** A forgotten write can't be read again, so callers must hold its bytes to show how files differ. */
const heldBytes = 32 * 1024 * 1024;

/** Undefined where a key was removed. */
type Changes = Map<string, (Stored & { readonly modifiedAt: Date }) | undefined>;

export function openTrial(below: Store, { tell, forgets = false }: TrialOptions = {}): Store {
  const changes: Changes = new Map();
  /** Bodies by their versions: an object and its public path are held once. */
  const bodies = new Map<string, Uint8Array>();
  return {
    writesAtOnce: below.writesAtOnce,
    holdsBytes: forgets ? heldBytes : below.holdsBytes,
    forgets,
    async read(key) {
      const changed = changes.get(key);
      if (changed === undefined) return changes.has(key) ? undefined : below.read(key);
      return { body: changed.body.slice(), version: changed.version };
    },
    async write(key, body, _headers, when) {
      requireKey(key);
      const version = versionOf(body);
      const bytes = bodies.get(version) ?? new Uint8Array(body); // held for longer than the call
      const kept = when.kind === "always" ? undefined : await below.read(key);
      const current = changes.has(key) ? changes.get(key) : kept; // looked at after the wait: of two writers one wins
      if (!conditionHolds(when, current?.version)) return refused;
      tell?.(key, bytes.length);
      if (!forgets) {
        bodies.set(version, bytes);
        changes.set(key, { body: bytes, version, modifiedAt: new Date() });
      }
      return { kind: "written", version };
    },
    async *list(prefix) {
      if (changes.size === 0) return yield* below.list(prefix);
      const listed: Listed[] = [];
      for await (const one of below.list(prefix)) if (!changes.has(one.key)) listed.push(one);
      for (const [key, changed] of changes) {
        if (changed === undefined || !key.startsWith(prefix)) continue;
        const { body, modifiedAt, version } = changed;
        listed.push({ key, sizeBytes: body.length, modifiedAt, tag: version });
      }
      yield* listed.sort((one, other) => (one.key < other.key ? -1 : 1));
    },
    async *keys(prefix) {
      for await (const { key } of this.list(prefix)) yield key;
    },
    async remove(keys) {
      for (const key of keys) requireKey(key);
      if (!forgets) for (const key of keys) changes.set(key, undefined);
    },
  };
}
