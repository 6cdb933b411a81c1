// An Astro content loader: each JSON file of a site that Almanac publishes is an entry, by its path without `v1/` and `.json`.
// All entries are of one state of the site, each byte checked. Only changed entries are fetched. During an outage of the site,
// the collection stays as the last build had it.
import { AlmanacError } from "@almanac/client";
import { chosenState, eachDocument, isTrusted, willPass } from "@almanac/client/pull";

export function almanacLoader(options) {
  return { name: "almanac", load: (context) => load(context, options) };
}

async function load({ store, meta, logger, parseData }, options) {
  const { now = Date.now } = options;
  try {
    const storage = { getItem: () => meta.get("seen"), setItem: (_, text) => meta.set("seen", text) };
    const state = await chosenState({ ...options, storage });
    const wanted = new Map(Object.entries(state.files).map(([path, { object }]) => [path, object]));
    const changed = [...wanted].filter(([path, digest]) => store.get(idOf(path))?.digest !== digest);
    const entries = [];
    await eachDocument(
      state,
      changed.map(([path]) => path),
      async (path, document) => {
        const id = idOf(path);
        entries.push({ id, data: await parseData({ id, data: document }), digest: wanted.get(path) });
      },
    );
    const ids = new Set([...wanted.keys()].map(idOf));
    for (const id of store.keys()) if (!ids.has(id)) store.delete(id);
    for (const entry of entries) store.set(entry);
    meta.set("loadedAt", String(now()));
    meta.set("key", String(state.key));
    for (const language of state.unpublished)
      logger.warn(`${options.url} does not publish the language ${language}`);
    logger.info(`version ${state.version}: ${wanted.size} entries, ${changed.length} changed`);
  } catch (error) {
    if (!(error instanceof AlmanacError)) throw error;
    const refused = `${options.url} was refused: ${String(error)}`;
    if (store.keys().length === 0)
      throw new Error(`${refused}. No earlier build left readings to use`, { cause: error });
    if (!willPass(error, meta.get("loadedAt"), now()) || !isTrusted(meta.get("key"), options))
      throw new Error(refused, { cause: error });
    logger.warn(`using the readings of the last build, because ${refused}`);
  }
}

function idOf(path) {
  return path.replace(/^v1\/|\.json$/g, "");
}
