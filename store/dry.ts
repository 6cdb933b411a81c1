// A trial run's store: reads are real, writes and removals are only told. What it tells is what would have happened.
import {
  type Condition,
  conditionHolds,
  type ObjectHeaders,
  refused,
  requireKey,
  type Store,
  versionOf,
} from "./store.ts";

export type Told =
  | {
      readonly kind: "write";
      readonly key: string;
      readonly sizeBytes: number;
      readonly headers: ObjectHeaders;
      readonly when: Condition;
    }
  | { readonly kind: "remove"; readonly key: string };

/** A write whose condition does not hold on the real store is refused and not told. */
export function openDry(store: Store, tell: (told: Told) => void): Store {
  return {
    read: (key) => store.read(key),
    list: (prefix) => store.list(prefix),
    async write(key, body, headers, when) {
      requireKey(key);
      const current = when.kind === "always" ? undefined : await store.read(key);
      if (!conditionHolds(when, current?.version)) return refused;
      tell({ kind: "write", key, sizeBytes: body.length, headers, when });
      return { kind: "written", version: versionOf(body) };
    },
    async remove(keys) {
      for (const key of keys) requireKey(key);
      for (const key of keys) tell({ kind: "remove", key });
    },
  };
}
