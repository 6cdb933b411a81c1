// Files of JSON: written for people to read, and read back through a schema. What can't be read is named as that.
import type { Condition, Store } from "../store/store.ts";
import type { z } from "zod";

const json = { type: "application/json" } as const;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

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

export function writeJson(store: Store, key: string, value: unknown, when: Condition) {
  return store.write(key, new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`), json, when);
}
