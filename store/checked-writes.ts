// For a site on a server that takes conditional writes and ignores the conditions: the store reads the key just before each write. That
// holds while one process writes, and the site's lease, which is in the vault, sees to it.
import { type Store, always, conditionHolds, refused } from "./store.ts";

export function lookingFirst(store: Store): Store {
  return {
    ...store,
    async write(key, body, headers, when, fence) {
      const current = when.kind === "always" ? undefined : await store.read(key);
      if (!conditionHolds(when, current?.version)) return refused;
      return store.write(key, body, headers, always, fence);
    },
  };
}
