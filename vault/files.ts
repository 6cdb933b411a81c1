// The files of the vault: the key of each, and JSON that is written so that people can read it and read back through a schema. An account's data is next to the data of its sites, which share it. No other
// file of the code makes such a key; docs/storage-setup.md lists each kind of file, and test/vault/layout.test.ts compares the two.
import { hash as hashWith } from "node:crypto";
import { z } from "zod";
import type { Condition, Store } from "../store/store.ts";

/** The folders of the account that are listed. */
export const folders = {
  responses: "responses/",
  superseded: "superseded/",
  quarantine: "quarantine/",
  damaged: "damaged/",
  refusals: "refusals/",
  leases: "leases/",
  endpoints: "endpoints/",
  pictures: "pictures/files/",
  pictureNotes: "pictures/addresses/",
  sites: "sites/",
} as const;

/** The keys of the account's files; a request is named by its request key. */
export const layout = {
  vault: "vault.json",
  response: (request: string) => `${folders.responses}${request}.json`,
  superseded: (request: string) => `${folders.superseded}${request}.json`,
  quarantined: (request: string) => `${folders.quarantine}${request}.json`,
  damaged: (request: string, hash: string) => `${folders.damaged}${request}/${hash}.json`,
  dayCalls: (day: string) => `calls/${day}.json`,
  /** The lease of an endpoint, and the note that survives its owner. */
  lease: (endpoint: string) => `${folders.leases}${endpoint}.json`,
  endpoint: (endpoint: string) => `${folders.endpoints}${endpoint}.json`,
  refusal: (operation: string) => `${folders.refusals}${operation}.json`,
  time: "time.json",
  picture: (hash: string, ending: string) => `${folders.pictures}${hash}.${ending}`,
  pictureNote: (addressHash: string) => `${folders.pictureNotes}${addressHash}.json`,
} as const;

/** The folder of a site. */
export function siteFolder(id: string): string {
  return `${folders.sites}${id}/`;
}

export function isOfOtherSite(key: string, id: string): boolean {
  return key.startsWith(folders.sites) && !key.startsWith(siteFolder(id));
}

/** The folder of a key, cut to this depth below the vault or, for a site's file, below the site's folder. */
export function folderOf(key: string, depth: number): string {
  const ofSite = key.startsWith(folders.sites) ? 2 : 0;
  return key
    .split("/")
    .slice(0, -1)
    .slice(0, ofSite + depth)
    .join("/");
}

/** The folders of a site that are listed, within its folder. */
export const siteFolders = {
  record: "record/",
  /** The manifests of the current state and the pending one. */
  manifests: "manifests/",
  decisions: "decisions/",
  /** The decisions of people, one after the other. */
  journal: "journal/",
  shown: "shown/",
  runs: "runs/",
  /** The plans of runs; the next night's plan removes old ones. */
  plans: "plans/",
} as const;

/** The keys of a site's files, within its folder. */
export const siteLayout = {
  lease: "lease.json",
  /** The record of the site's states, in two copies. */
  record: (copy: string) => `${siteFolders.record}${copy}.json`,
  manifestCopy: (version: string, manifest: string) => `${siteFolders.manifests}${version}~${manifest}.json`,
  /** Withdrawals and pins, in three copies. */
  decisions: (copy: string) => `${siteFolders.decisions}${copy}.json`,
  /** A decision, in two copies. */
  decision: (group: string, name: string, copy: string) =>
    `${siteFolders.journal}${group}/${name}.${copy}.json`,
  shownTexts: (period: string) => `${siteFolders.shown}${period}.json`,
  report: (day: string, run: string, start: string) => `${siteFolders.runs}${day}/${run}/${start}.json`,
  planPage: (plan: string, page: number) => `${siteFolders.plans}${plan}/${page}.json`,
  standing: "standing.json",
  backlog: "backlog.json",
  scrub: "scrub.json",
  alert: (kind: string) => `alerts/${kind}.json`,
  notes: "notes.json",
  upkeep: "upkeep.json",
} as const;

const json = { type: "application/json" } as const;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Thrown for a stored file that this version can't read, with what was wrong: it is never taken for an absent one. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

/** A file that can't be read, where the work goes on without it. */
export interface Damaged {
  readonly file: string;
  readonly reason: string;
}

/** Undefined where the file can't be read, for files that are made again then or not needed; any other error is thrown. */
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
  return stored === undefined ? undefined : parseJson(wholeKey(store, key), stored.body, schema);
}

/** The key in the whole vault, for messages. */
export function wholeKey({ prefix = "" }: Pick<Store, "prefix">, key: string): string {
  return prefix + key;
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
    throw new UnreadableFile(`${key} is not JSON: it is damaged, or another program wrote it`, { cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UnreadableFile(
    `${key} has a format that this version cannot read: ${issue?.path.join(".")}: ${issue?.message}`,
  );
}

/** The number of each shape as it was landed first. CONTRIBUTING.md says how a shape gets a second one. */
export const format = 1;
const later = z.object({ format: z.int().min(format + 1) });

/** Whether the number of its format says that a newer version wrote it. */
export function isOfNewerVersion(file: string, body: Uint8Array): boolean {
  try {
    parseJson(file, body, later);
    return true;
  } catch {
    return false;
  }
}

export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`);
}

export function writeJson(store: Store, key: string, value: unknown, when: Condition) {
  return store.write(key, jsonBytes(value), json, when);
}

/** The bytes of canonical JSON, with sorted keys: equal content has equal bytes. */
export function canonical(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value, inOrder));
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The hash that names objects, bodies and parts, in hexadecimal; a string is hashed as UTF-8. */
export function sha256(bytes: Uint8Array | string): string {
  return hashWith("sha256", bytes);
}
