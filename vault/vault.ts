// The private store: stored, superseded and quarantined responses, and the folder of this site. layout.ts has each key.
import { storeWithin, type Store, absent, always, unlessChanged } from "../store/store.ts";
import { type RequestKey, requestOf } from "../readings/request.ts";
import {
  type StoredResponse,
  type Quarantined,
  quarantinedSchema,
  storedResponseIn,
  damagedAmong,
  readResponseFile,
  writeDamagedCopy,
  requestsWithDamage,
} from "./stored-response.ts";
import { readJson, writeJson } from "./json.ts";
import { folders, layout, siteFolder, siteFolders, siteLayout } from "./layout.ts";

export type Vault = ReturnType<typeof createVault>;

/** `siteId`: the site whose folder is `own`. */
export function createVault(store: Store, siteId: string) {
  const own = storeWithin(store, siteFolder(siteId));
  return {
    store,
    siteId,
    own,
    response: (key: RequestKey) => responseAt(store, layout.response(key), key),
    /** The same, but undefined for a damaged one, whose place is free for another response. */
    intactResponse: async (key: RequestKey) => (await readResponseFile(store, key))?.response,
    /** Stores the response unless there is one already, and returns the one in the vault. It replaces a damaged one. */
    async storeResponse(response: StoredResponse): Promise<StoredResponse> {
      const { key } = response;
      let found: Awaited<ReturnType<typeof readResponseFile>>;
      // The loop runs again if another process displaces the earlier response, or replaces a damaged one.
      for (;;) {
        if (found !== undefined) await writeDamagedCopy(store, key, found.body);
        const { kind } = await writeJson(
          store,
          layout.response(key),
          response,
          unlessChanged(found?.version),
        );
        if (kind === "written") return response;
        found = await readResponseFile(store, key);
        if (found?.response !== undefined) return found.response;
      }
    },
    /** The requests with a damaged response. */
    damagedAmong: (keys: Iterable<RequestKey>) => damagedAmong(keys, store),
    /** The same; their bytes are copied to damaged/. */
    copyDamaged: (keys: Iterable<RequestKey>) =>
      damagedAmong(keys, store, (key, body) => writeDamagedCopy(store, key, body)),
    /** The requests that have a copy in damaged/, even if repaired since. */
    withDamage: () => requestsWithDamage(store),
    /** Removes a stored response from its place. */
    displace: (key: RequestKey) => store.remove([layout.response(key)]),
    /** The superseded response of a request: it lost its place and is shown until another one has the place. */
    superseded: (key: RequestKey) => responseAt(store, layout.superseded(key), key),
    supersededKeys: () => keysUnder(store, folders.superseded, ""),
    /** Stores the response as the superseded one of its request, unless there is one already. */
    supersede: (response: StoredResponse) =>
      writeJson(store, layout.superseded(response.key), response, absent),
    dropSuperseded: (keys: readonly RequestKey[]) => store.remove(keys.map(layout.superseded)),
    /** The answers that a person accepted and no publish has shown yet. */
    accepted: () => keysUnder(own, siteFolders.accepted, ""),
    noteAccepted: (key: RequestKey) => writeJson(own, siteLayout.accepted(key), { format: 1, key }, always),
    dropAccepted: (keys: readonly RequestKey[]) => own.remove(keys.map(siteLayout.accepted)),
    quarantined: (key: RequestKey) => readJson(store, layout.quarantined(key), quarantinedSchema),
    quarantine: (entry: Quarantined) => writeJson(store, layout.quarantined(entry.key), entry, always),
    /** Removes quarantine entries, and notes of refused operations, of requests that have a stored response. */
    release: (...keys: readonly RequestKey[]) => store.remove([...new Set(keys.flatMap(against))]),
    /** The keys of all stored, or quarantined, responses under a prefix. */
    held: (prefix: string) => keysUnder(store, folders.responses, prefix),
    inQuarantine: (prefix: string) => keysUnder(store, folders.quarantine, prefix),
  };
}

async function responseAt(store: Store, file: string, key: RequestKey): Promise<StoredResponse | undefined> {
  const stored = await store.read(file);
  return stored && storedResponseIn(file, key, stored.body);
}

function against(key: RequestKey) {
  const operation = requestOf(key)?.operation;
  return [layout.quarantined(key), ...(operation === undefined ? [] : [layout.refusal(operation)])];
}

function keysUnder(store: Store, folder: string, prefix: string): Promise<RequestKey[]> {
  return Array.fromAsync(keysOneByOne(store, folder, prefix));
}

/** The places of responses: stored, superseded and quarantined. */
export const answerPlaces = ["responses", "superseded", "quarantine"] as const;
export type AnswerPlace = (typeof answerPlaces)[number];

/** The file of an answer, by its place. */
export const answerFiles: Readonly<Record<AnswerPlace, (key: RequestKey) => string>> = {
  responses: layout.response,
  superseded: layout.superseded,
  quarantine: layout.quarantined,
};

/** The keys in their order, without all of them in memory at once. */
export function answerKeys(store: Store, place: AnswerPlace, prefix: string): AsyncGenerator<RequestKey> {
  return keysOneByOne(store, folders[place], prefix);
}

async function* keysOneByOne(store: Store, folder: string, prefix: string): AsyncGenerator<RequestKey> {
  for await (const key of store.keys(folder + prefix)) {
    if (key.endsWith(".json")) yield key.slice(folder.length, -".json".length);
  }
}

/** The log as the code writes to it: each line has its facts first, so that it can be searched by them. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
