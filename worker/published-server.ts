// Serves the published site.
import { pointerPath } from "../publish/state/state.ts";
import { typeOf } from "../site/draft.ts";
import { type Store, WrongKey } from "../store/store.ts";
import { type ServedFile, startSiteServer } from "./site-server.ts";

/** Listens on exactly this port, or on a free one if it is 0. `waiting` is shown while nothing is published. */
export function startPublishedServer(
  site: Store,
  wished: number,
  waiting?: ServedFile,
): ReturnType<typeof startSiteServer> {
  return startSiteServer(
    {
      root: () => "/",
      read: (path) => readOrNothing(site, path),
      waiting: async () => ((await site.read(pointerPath)) === undefined ? waiting : undefined),
      failed: (error) => {
        const message = error instanceof Error ? error.message : String(error);
        return { body: `${message}\n`, type: "text/plain; charset=utf-8" };
      },
    },
    wished,
  );
}

async function readOrNothing(site: Store, path: string): Promise<ServedFile | undefined> {
  try {
    const stored = await site.read(path);
    return stored && { body: stored.body, type: typeOf(path) };
  } catch (error) {
    if (error instanceof WrongKey) return undefined;
    throw error;
  }
}
