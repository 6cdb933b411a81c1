// Which files of the vault a backup has. What only a run under way needs is left out: brought back it would name runs and
// workers that are no more. The record of the site's states is written by the restore (restore.ts).
import { z } from "zod";
import { parseJson } from "../../vault/json.ts";
import { folders, layout, passing } from "../../vault/layout.ts";
import { sha256 } from "../../vault/sha256.ts";

const leftOut = [...passing, folders.record, folders.manifests];
const pictures = layout.picture("", "").slice(0, -1);

export function isCopied(key: string): boolean {
  return !leftOut.some((beginning) => key.startsWith(beginning));
}

/** Whether the bytes can be those that were written there. */
export function isSound(key: string, bytes: Uint8Array): boolean {
  if (key.startsWith(pictures)) return key.includes(sha256(bytes));
  if (!key.endsWith(".json") || key.startsWith(folders.damaged)) return true; // set aside as it was found
  try {
    parseJson(key, bytes, z.unknown());
    return true;
  } catch {
    return false;
  }
}
