// The private store: what was received, what was refused, and how runs went. The layout stands here and nowhere else.
import { createHash } from "node:crypto";
import type { z } from "zod";
import type { ServiceAddress } from "../readings/fields.ts";
import type { Operation } from "../readings/operations.ts";
import { type RequestKey, requestOf } from "../readings/request.ts";
import { absent, always, type Condition, type Store } from "../store/store.ts";
import { type Capture, captureSchema, type Quarantined, quarantinedSchema } from "./capture.schema.ts";

const json = { type: "application/json" } as const;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export interface Vault {
  readonly store: Store;
  capture(key: RequestKey): Promise<Capture | undefined>;
  /** Keeps the capture unless one is kept already; answers the one that is. */
  keep(capture: Capture): Promise<Capture>;
  /** Takes a capture from its place. */
  displace(key: RequestKey): Promise<void>;
  /** What may be published and lost its place to a doubt: it goes on being shown until another has the place. */
  standIn(key: RequestKey): Promise<Capture | undefined>;
  standIns(): Promise<RequestKey[]>;
  /** The first one stays. */
  letStandIn(capture: Capture): Promise<void>;
  dropStandIns(keys: readonly RequestKey[]): Promise<void>;
  /** What a person let in and no turn has published yet. */
  accepted(): Promise<RequestKey[]>;
  noteAccepted(key: RequestKey): Promise<void>;
  dropAccepted(keys: readonly RequestKey[]): Promise<void>;
  quarantined(key: RequestKey): Promise<Quarantined | undefined>;
  setAside(entry: Quarantined): Promise<void>;
  /** Files that speak against a request until an answer is kept: it is in quarantine, its operation counts as refused. */
  against(key: RequestKey, operation?: Operation): string[];
  /** Takes them away. */
  release(key: RequestKey): Promise<void>;
  /** The keys of everything kept, or set aside, under a prefix of keys. */
  held(prefix: string): Promise<RequestKey[]>;
  inQuarantine(prefix: string): Promise<RequestKey[]>;
}

export function createVault(store: Store): Vault {
  return {
    store,
    capture: (key) => readJson(store, captureKey(key), captureSchema),
    async keep(capture) {
      const key = captureKey(capture.key);
      // Two rounds: between a refusal and the look at what is there, that may have been displaced.
      for (;;) {
        const written = await writeJson(store, key, capture, absent);
        if (written) return capture;
        const kept = await readJson(store, key, captureSchema);
        if (kept !== undefined) return kept;
      }
    },
    displace: (key) => store.remove([captureKey(key)]),
    standIn: (key) => readJson(store, standInKey(key), captureSchema),
    standIns: () => keysUnder(store, standInsFolder, ""),
    async letStandIn(capture) {
      await writeJson(store, standInKey(capture.key), capture, absent);
    },
    dropStandIns: (keys) => store.remove(keys.map(standInKey)),
    accepted: () => keysUnder(store, acceptedFolder, ""),
    async noteAccepted(key) {
      await writeJson(store, acceptedKey(key), { format: 1, key }, always);
    },
    dropAccepted: (keys) => store.remove(keys.map(acceptedKey)),
    quarantined: (key) => readJson(store, quarantineKey(key), quarantinedSchema),
    async setAside(entry) {
      await writeJson(store, quarantineKey(entry.key), entry, always);
    },
    against,
    release: (key) => store.remove(against(key)),
    held: (prefix) => keysUnder(store, "captures/", prefix),
    inQuarantine: (prefix) => keysUnder(store, "quarantine/", prefix),
  };
}

function against(key: RequestKey, operation = requestOf(key)?.operation): string[] {
  return [quarantineKey(key), ...(operation === undefined ? [] : [refusalKey(operation)])];
}

/** The file of a capture. */
export function captureKey(key: RequestKey): string {
  return `captures/${key}.json`;
}

/** Where they lie whose keys begin so. */
export function capturesFrom(prefix: string): string {
  return `captures/${prefix}`;
}

/** Where all lie that stand in. */
export const standInsFolder = "stand-ins/";

/** The file of a text that stands in. */
export function standInKey(key: RequestKey): string {
  return `${standInsFolder}${key}.json`;
}

/** The file of an answer that was set aside. */
export function quarantineKey(key: RequestKey): string {
  return `quarantine/${key}.json`;
}

const acceptedFolder = "accepted/";

function acceptedKey(key: RequestKey): string {
  return `${acceptedFolder}${key}.json`;
}

export function gateKey(address: ServiceAddress): string {
  return `gate/${address}.json`;
}

export function refusalKey(operation: Operation): string {
  return `refusals/${operation}.json`;
}

async function keysUnder(store: Store, folder: string, prefix: string): Promise<RequestKey[]> {
  const keys: RequestKey[] = [];
  for await (const key of keysOneByOne(store, folder, prefix)) keys.push(key);
  return keys;
}

/** Where answers lie: kept, published until another comes in their place, or set aside. */
export const answerPlaces = ["captures", "stand-ins", "quarantine"] as const;
export type AnswerPlace = (typeof answerPlaces)[number];

/** In the order of keys, and not all in memory at once. */
export function answerKeys(store: Store, place: AnswerPlace, prefix: string): AsyncGenerator<RequestKey> {
  return keysOneByOne(store, `${place}/`, prefix);
}

async function* keysOneByOne(store: Store, folder: string, prefix: string): AsyncGenerator<RequestKey> {
  for await (const { key } of store.list(folder + prefix)) {
    if (key.endsWith(".json")) yield key.slice(folder.length, -".json".length);
  }
}

/** A stored file that this version can't read is named, with what was wrong: it is never taken for an absent one. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

/** Such a file, where the rest goes on without it. */
export interface Damaged {
  readonly file: string;
  readonly reason: string;
}

/** For what is made anew, or done without, where it is damaged: undefined in place of that failure, and of no other. */
export async function unlessDamaged<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined;
    throw error;
  }
}

export async function readJson<Schema extends z.ZodType>(
  store: Store,
  key: string,
  schema: Schema,
): Promise<z.infer<Schema> | undefined> {
  const stored = await store.read(key);
  return stored === undefined ? undefined : parseJson(key, stored.body, schema);
}

export function parseJson<Schema extends z.ZodType>(
  key: string,
  body: Uint8Array,
  schema: Schema,
): z.infer<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(body));
  } catch (cause) {
    throw new UnreadableFile(`${key} is not JSON: it was damaged or written by something else`, { cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UnreadableFile(
    `${key} has a form this version can't read: ${issue?.path.join(".")}: ${issue?.message}`,
  );
}

/** False when the condition did not hold. */
export async function writeJson(
  store: Store,
  key: string,
  value: unknown,
  when: Condition,
): Promise<boolean> {
  const body = new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`);
  return (await store.write(key, body, json, when)).kind === "written";
}

/** Of a string its UTF-8. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
