// A store that counts its calls, and remembers its writes so that a plain loop can repeat them.
import type { ObjectHeaders, Store } from "../store/store.ts";

export interface Counts {
  read: number;
  write: number;
  list: number;
  remove: number;
  writtenBytes: number;
}

export interface Write {
  readonly key: string;
  readonly body: Uint8Array;
  readonly headers: ObjectHeaders;
}

export function counted(store: Store): {
  readonly store: Store;
  readonly counts: Counts;
  readonly written: Write[];
} {
  const counts: Counts = { read: 0, write: 0, list: 0, remove: 0, writtenBytes: 0 };
  const written: Write[] = [];
  return {
    counts,
    written,
    store: {
      writesAtOnce: store.writesAtOnce,
      holdsBytes: store.holdsBytes,
      read(key) {
        counts.read += 1;
        return store.read(key);
      },
      write(key, body, headers, when, fence) {
        counts.write += 1;
        counts.writtenBytes += body.length;
        written.push({ key, body: body.slice(), headers });
        return store.write(key, body, headers, when, fence);
      },
      list(prefix) {
        counts.list += 1;
        return store.list(prefix);
      },
      keys(prefix) {
        counts.list += 1;
        return store.keys(prefix);
      },
      remove(keys, fence) {
        counts.remove += 1;
        return store.remove(keys, fence);
      },
    },
  };
}

/** The calls between two snapshots of the counts. */
export function since(now: Counts, before: Counts): Counts {
  const of = (name: keyof Counts): number => now[name] - before[name];
  return {
    read: of("read"),
    write: of("write"),
    list: of("list"),
    remove: of("remove"),
    writtenBytes: of("writtenBytes"),
  };
}
