// Store decorator that counts writes and failures, and raises an alert if nothing can be written.
import { type Store, StoreFailure } from "../../store/store.ts";
import type { Dependencies } from "../../activities/dependencies.ts";
import type { StoreName } from "../../activities/metrics.ts";

export function countedStore(
  name: StoreName,
  store: Store,
  { metrics, alert, now }: Pick<Dependencies, "metrics" | "alert" | "now">,
): Store {
  async function failed(error: unknown): Promise<never> {
    if (!(error instanceof StoreFailure)) throw error;
    const { doing } = error.facts;
    metrics.storeFailed(name, doing);
    if (doing === "write" || doing === "remove") {
      const text = `Cannot write to the ${name}: ${error.message}. Runs retry by themselves, but publish nothing meanwhile. Next: run \`almanac check\`, which tries the store and reports what is missing.`;
      const hour = now().toISOString().slice(0, "2026-11-21T03".length);
      await alert({ kind: "store-unwritable", text, once: `${name} ${hour}` });
    }
    throw error;
  }
  return {
    writesAtOnce: store.writesAtOnce,
    holdsBytes: store.holdsBytes,
    forgets: store.forgets,
    read: (key) => store.read(key).catch(failed),
    async write(key, body, headers, when, fence) {
      const { length } = body;
      const answer = await store.write(key, body, headers, when, fence).catch(failed);
      metrics.put(name, length);
      return answer;
    },
    async *list(prefix) {
      try {
        yield* store.list(prefix);
      } catch (error) {
        await failed(error);
      }
    },
    async *keys(prefix) {
      try {
        yield* store.keys(prefix);
      } catch (error) {
        await failed(error);
      }
    },
    remove: (keys, fence) => store.remove(keys, fence).catch(failed),
  };
}
