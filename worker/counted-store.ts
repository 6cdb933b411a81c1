// A store whose writes and failures are counted on the way.
import type { Metrics, StoreName } from "../activities/metrics.ts";
import { type Store, StoreFailure } from "../store/store.ts";

export function countedStore(name: StoreName, store: Store, metrics: Metrics): Store {
  function failed(error: unknown): never {
    if (error instanceof StoreFailure) metrics.storeFailed(name, error.facts.doing);
    throw error;
  }
  return {
    read: (key) => store.read(key).catch(failed),
    async write(key, body, headers, when) {
      const answer = await store.write(key, body, headers, when).catch(failed);
      metrics.put(name, body.length);
      return answer;
    },
    async *list(prefix) {
      try {
        yield* store.list(prefix);
      } catch (error) {
        failed(error);
      }
    },
    remove: (keys) => store.remove(keys).catch(failed),
  };
}
