// The objects that one step of the site has written until now. They are put as soon as they are rendered, so that a night of all
// languages holds the files of one at a time.
import { inParallel } from "../../store/parallel-calls.ts";
import { always, type ObjectHeaders, type Store } from "../../store/store.ts";
import { manifestHeaders } from "./headers.ts";
import { type HashedFile, manifestPath } from "./state.ts";

export interface Put {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly headers: ObjectHeaders;
}

/** A manifest, or a part of one. */
export function manifestPut({ hash, bytes }: HashedFile): Put {
  return { key: manifestPath(hash), bytes, headers: manifestHeaders };
}

export interface Puts {
  readonly keys: Set<string>;
  /** Their bytes as far as there is room, so that the public paths, which get the same bytes, need not read them. */
  readonly held: Map<string, Uint8Array>;
  roomBytes: number;
}

export function newPuts(roomBytes: number, held = new Map<string, Uint8Array>()): Puts {
  return { keys: new Set(), held, roomBytes };
}

/** Writes without a condition: that renews the age of an object that is there, so that no clean-up takes it from us. */
export async function putMissing(site: Store, files: readonly Put[], puts: Puts): Promise<void> {
  const missing = files.filter(({ key }) => !puts.keys.has(key));
  const put = ({ key, bytes, headers }: Put) => site.write(key, bytes, headers, always);
  await inParallel(missing, put, site.writesAtOnce);
  for (const { key, bytes } of missing) {
    puts.keys.add(key);
    if (bytes.length > puts.roomBytes) continue;
    puts.held.set(key, bytes);
    puts.roomBytes -= bytes.length;
  }
}
