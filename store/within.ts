// A store of the keys that begin with a prefix in another store. Its own keys omit the prefix.
import type { Store } from "./store.ts";

export function storeWithin(store: Store, prefix: string): Store {
  return {
    ...store,
    prefix: (store.prefix ?? "") + prefix,
    read: (key) => store.read(prefix + key),
    write: (key, ...rest) => store.write(prefix + key, ...rest),
    async *list(beginning) {
      for await (const one of store.list(prefix + beginning))
        yield { ...one, key: one.key.slice(prefix.length) };
    },
    async *keys(beginning) {
      for await (const key of store.keys(prefix + beginning)) yield key.slice(prefix.length);
    },
    remove: (keys, fence) =>
      store.remove(
        keys.map((key) => prefix + key),
        fence,
      ),
  };
}
