// From an address in the settings to the store behind it.
import { fileURLToPath, pathToFileURL } from "node:url";
import { type FolderOptions, openFolder } from "./file.ts";
import { lookingFirst } from "./looking-first.ts";
import { openMemory } from "./memory.ts";
import type { S3Settings } from "./s3-client.ts";
import { openS3 } from "./s3.ts";
import type { Store } from "./store.ts";

export interface StoreSettings extends S3Settings {
  /** `none` for servers that heed no `If-Match`: see looking-first.ts. */
  readonly conditions?: "supported" | "none" | undefined;
}

/**
 * `file:./.almanac/vault` is relative to the working directory, `file:///srv/site` is not; `s3://bucket/prefix` is the
 * part of a bucket under that prefix; `memory:` is a new, empty one.
 */
export function openStore(location: string, s3: StoreSettings = {}, folder: FolderOptions = {}): Store {
  if (location === "memory:") return openMemory();
  if (location.startsWith("file:")) return openFolder(folderOf(location), folder);
  if (location.startsWith("s3:")) {
    const bucket = openS3({ ...s3, ...partOfBucket(location) });
    return isOneAtATime(location, s3) ? lookingFirst(bucket) : bucket;
  }
  throw new WrongStoreAddress(location, meant(location));
}

/** A store that heeds no conditions: one at a time may publish there (worker/only-publisher.ts). */
export function isOneAtATime(location: string, { conditions }: StoreSettings): boolean {
  return location.startsWith("s3:") && conditions === "none";
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixStep = /^(?!\.{1,2}$)[\w~=+.-]+$/;
const longestPrefix = 120; // S3 takes 1,024 bytes, of which a key may need 900

export function partOfBucket(location: string): { bucket: string; prefix: string } {
  const [bucket = "", ...steps] = location
    .replace(/^s3:\/\//, "")
    .replace(/\/$/, "")
    .split("/");
  if (!location.startsWith("s3://") || location.includes("@")) throw new WrongStoreAddress(location, "");
  if (!bucketName.test(bucket)) {
    const rule = "a bucket's name has 3 to 63 small letters, digits, dots and hyphens";
    throw new WrongStoreAddress(location, `: ${rule}`);
  }
  const prefix = steps.join("/");
  if (prefix.length > longestPrefix || !steps.every((step) => prefixStep.test(step))) {
    const rule = `a prefix has at most ${longestPrefix} of A-Z a-z 0-9 _ ~ = + . - between single slashes`;
    throw new WrongStoreAddress(location, `: ${rule}`);
  }
  return { bucket, prefix };
}

export function folderOf(location: string): string {
  const url = URL.parse(location, pathToFileURL(`${process.cwd()}/`).href);
  if (url === null || location === "file:") throw new WrongStoreAddress(location, "");
  if (url.host !== "")
    throw new WrongStoreAddress(location, `: did you mean file:///${url.host}${url.pathname}?`);
  if (url.search !== "" || url.hash !== "") {
    throw new WrongStoreAddress(location, ": in a folder's name write ? as %3F and # as %23");
  }
  return fileURLToPath(url);
}

function meant(location: string): string {
  if (location === "memory") return ": did you mean memory:?";
  return /^[./~]|^\w+$/.test(location) ? `: did you mean file:${location}?` : "";
}

/** A wrong setting: shown without what may stand before an @, which could be a password. */
export class WrongStoreAddress extends Error {
  override readonly name = "WrongStoreAddress";
  readonly type = "WrongStoreAddress";
  constructor(location: string, guess: string) {
    const shown = JSON.stringify(location.replace(/\/\/.*@/, "//").slice(0, 200));
    super(
      `${shown} is not a store address this version knows (file:./folder, file:///folder, s3://bucket/prefix, memory:)${guess}`,
    );
  }
}
