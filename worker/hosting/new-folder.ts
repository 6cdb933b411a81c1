// A folder of files that takes the place of the one before it when it is whole, and not before.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { NotCopied } from "../../publish/hosting/copied-state.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { beginningOf } from "../../site/paths.ts";

export type PutFile = (path: string, bytes: Uint8Array) => Promise<void>;

/** Throws for a folder with anything in it but an earlier copy. */
export async function inNewFolder<Result>(
  place: string,
  fill: (put: PutFile, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = resolve(place);
  const isThere = existsSync(folder);
  if (isThere) await requireReplaceable(folder);
  const next = await besides(folder);
  try {
    const result = await fill(writerIn(next), next);
    const old = `${next}-old`;
    if (isThere) await rename(folder, old);
    await rename(next, folder).catch(async (error: unknown) => {
      if (isThere) await rename(old, folder);
      throw error;
    });
    await rm(old, { recursive: true, force: true });
    return result;
  } finally {
    await rm(next, { recursive: true, force: true });
  }
}

/** Writes a file below a folder. */
export function writerIn(folder: string): PutFile {
  const made = new Map<string, Promise<unknown>>();
  return async (path, bytes) => {
    const place = join(folder, path);
    const around = dirname(place);
    const making = made.get(around) ?? mkdir(around, { recursive: true });
    made.set(around, making);
    await making;
    await writeFile(place, bytes, { flag: "wx" });
  };
}

/** A folder of that name beside it, on the same disk; what a killed command has left there goes. */
async function besides(folder: string): Promise<string> {
  const [around, beginning] = [dirname(folder), `.${basename(folder)}.next-`];
  await mkdir(around, { recursive: true });
  const left = (await readdir(around)).filter((name) => name.startsWith(beginning));
  await Promise.all(left.map((name) => rm(join(around, name), { recursive: true, force: true })));
  return mkdtemp(join(around, beginning));
}

/** Nobody's files are taken away but those that are here again; a site's own store has objects, and no copy has. */
async function requireReplaceable(folder: string): Promise<void> {
  const isEmpty = (await readdir(folder)).length === 0;
  const isCopy = existsSync(join(folder, pointerPath)) && !existsSync(join(folder, beginningOf("object")));
  if (isEmpty || isCopy) return;
  throw new NotCopied(
    `${folder} has files that are no copy of a site, and a copy takes the place of all that is there: name a folder that is empty or new`,
  );
}
