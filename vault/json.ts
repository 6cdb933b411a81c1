// JSON files, written so that people can read them and read back through a schema. A file that can't be read is named.
import type { Condition, Store } from "../store/store.ts";
import { z } from "zod";
import { hash } from "node:crypto";

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
  return new TextEncoder().encode(JSON.stringify(sorted(value)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** The hash that names objects, bodies and parts, in hexadecimal; a string is hashed as UTF-8. */
export function sha256(bytes: Uint8Array | string): string {
  return hash("sha256", bytes);
}
