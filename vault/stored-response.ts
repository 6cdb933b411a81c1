// The files of stored and quarantined responses. Damaged bytes are distinguished from those that only another version of Almanac can
// read. Bytes are damaged if they are not the response of their request; a store that fails has damaged nothing.
import { z } from "zod";
import { failureTypes } from "../readings/failures.ts";
import { absent, type Store } from "../store/store.ts";
import { inParallel } from "../store/parallel-calls.ts";
import { type RequestKey, requestOf } from "../readings/request.ts";
import type { DamagedAnswer } from "../readings/run-messages.ts";
import { isOfNewerVersion, parseJson, unlessDamaged, UnreadableFile, sha256 } from "./json.ts";
import { folders, layout } from "./layout.ts";

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

export async function readResponseFile(store: Store, key: RequestKey): Promise<ResponseFile | undefined> {
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
export async function writeDamagedCopy(store: Store, key: RequestKey, body: Uint8Array): Promise<void> {
  const hash = sha256(body).slice(0, hashLength);
  await store.write(layout.damaged(key, hash), body, { type: "application/octet-stream" }, absent);
}

/** Enough letters of a hash to distinguish the damaged bytes of one request. */
const hashLength = 16;

/** The requests that have a copy in damaged/, even if repaired since. */
export async function requestsWithDamage(store: Store): Promise<RequestKey[]> {
  const keys = await Array.fromAsync(store.list(folders.damaged), ({ key }) =>
    key.slice(folders.damaged.length, key.lastIndexOf("/")),
  );
  return [...new Set(keys)].filter((key) => requestOf(key) !== undefined);
}

/** The requests with a damaged response. `found` gets the bytes of each. */
export async function damagedAmong(
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
