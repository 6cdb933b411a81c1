// The private store: stored, superseded and quarantined responses, and the folder of this site. files.ts has each key. Damaged bytes are distinguished from those that only another version of Almanac can
// read. Bytes are damaged if they are not the response of their request; a store that fails has damaged nothing.
import { z } from "zod";
import { failureTypes } from "../readings/answer.ts";
import { absent, type Store, inParallel, storeWithin, always, unlessChanged } from "../store/store.ts";
import { type RequestKey, requestOf } from "../readings/request.ts";
import type { DamagedAnswer } from "../readings/run-messages.ts";
import {
  isOfNewerVersion,
  parseJson,
  unlessDamaged,
  UnreadableFile,
  sha256,
  folders,
  layout,
  readJson,
  writeJson,
  siteFolder,
} from "./files.ts";

/** One accepted answer. `body` is the answer as received: readings are made from it again whenever they are needed. */
export const storedResponseSchema = z.object({
  format: z.literal(1),
  key: z.string(),
  address: z.string(),
  receivedAt: z.iso.datetime(),
  /** How often the request was sent in this run until this response came. */
  tries: z.int().min(1),
  run: z.string(),
  bodyHash: z.string().regex(/^[0-9a-f]{64}$/),
  body: z.string(),
  notes: z.array(z.string()),
  /** The person who accepted a refused answer. */
  accepted: z.object({ by: z.string(), at: z.iso.datetime(), why: z.string() }).optional(),
});
export type StoredResponse = z.infer<typeof storedResponseSchema>;

/** The newest refused answer of a request, with the reason. */
export const quarantinedSchema = z.object({
  format: z.literal(1),
  key: z.string(),
  type: z.enum(failureTypes),
  /** The rule that refused an Unfit answer. */
  rule: z.string().optional(),
  reason: z.string(),
  at: z.iso.datetime(),
  tries: z.int().min(1),
  run: z.string(),
  address: z.string(),
  /** Absent if no response came that could be stored. */
  body: z.string().optional(),
});
export type Quarantined = z.infer<typeof quarantinedSchema>;

/** Thrown for a damaged response, which no version can read. */
class DamagedFile extends UnreadableFile {}

/** The stored response of this request, from the bytes of a file. */
export function storedResponseIn(file: string, key: RequestKey, body: Uint8Array): StoredResponse {
  const response = parsed(file, body);
  if (response.key !== key)
    throw new DamagedFile(`${file} contains the response to another request, ${response.key}`);
  if (sha256(response.body) === response.bodyHash) return response;
  throw new DamagedFile(`the body of ${key} differs from the stored one: its hash does not match`);
}

function parsed(file: string, body: Uint8Array): StoredResponse {
  try {
    return parseJson(file, body, storedResponseSchema);
  } catch (error) {
    if (!(error instanceof UnreadableFile) || isOfNewerVersion(file, body)) throw error;
    throw new DamagedFile(error.message, { cause: error });
  }
}

/** The file of a request's response as the store has it. */
interface ResponseFile {
  /** Undefined where the bytes are damaged. */
  readonly response: StoredResponse | undefined;
  readonly damage?: DamagedFile;
  readonly body: Uint8Array;
  readonly version: string;
}

async function readResponseFile(store: Store, key: RequestKey): Promise<ResponseFile | undefined> {
  const file = layout.response(key);
  const stored = await store.read(file);
  if (stored === undefined) return undefined;
  try {
    return { ...stored, response: storedResponseIn(file, key, stored.body) };
  } catch (damage) {
    if (damage instanceof DamagedFile) return { ...stored, response: undefined, damage };
    throw damage;
  }
}

/** Writes a copy of damaged bytes under their hash, so that they outlast the response that replaces them. */
async function writeDamagedCopy(store: Store, key: RequestKey, body: Uint8Array): Promise<void> {
  const hash = sha256(body).slice(0, hashLength);
  await store.write(layout.damaged(key, hash), body, { type: "application/octet-stream" }, absent);
}

/** Enough letters of a hash to distinguish the damaged bytes of one request. */
const hashLength = 16;

/** The requests that have a copy in damaged/, even if repaired since. */
async function requestsWithDamage(store: Store): Promise<RequestKey[]> {
  const keys = await Array.fromAsync(store.list(folders.damaged), ({ key }) =>
    key.slice(folders.damaged.length, key.lastIndexOf("/")),
  );
  return [...new Set(keys)].filter((key) => requestOf(key) !== undefined);
}

/** The requests with a damaged response. `found` gets the bytes of each. */
async function damagedAmong(
  keys: Iterable<RequestKey>,
  store: Store,
  found: (key: RequestKey, body: Uint8Array) => Promise<void> = async () => undefined,
): Promise<DamagedAnswer[]> {
  const damaged = await inParallel(keys, async (key): Promise<DamagedAnswer[]> => {
    const stored = await unlessDamaged(() => readResponseFile(store, key)); // one of another version stays
    if (stored?.damage === undefined) return [];
    await found(key, stored.body);
    return [{ key, reason: stored.damage.message }];
  });
  return damaged.flat();
}

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
