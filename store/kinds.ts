// The kinds of store, a row each, and from an address in the settings to the store behind it. A further kind is its store, a
// row here, and a test by test/store/store-conformance.test.ts.
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { type Store, always, conditionHolds, refused } from "./store.ts";
import { openFolder, workshopName } from "./folder.ts";
import { type S3Limits, type S3Settings, s3ClientFor, s3Limits } from "./s3-client.ts";
import { openS3 } from "./s3.ts";
import { troubleOf } from "./s3-faults.ts";

export interface StoreSettings extends S3Settings {
  /** `none` for servers that ignore `If-Match`: see kinds.ts. */
  readonly conditions?: "supported" | "none";
  /** Whether a folder that is not there yet is made for its own user alone; a bucket has policies of its own. */
  readonly isPrivate?: boolean;
  /** The address of the private store next to this one, which is served to readers: a folder there has the lock of a folder here. */
  readonly lockedIn?: string;
  /** For a bucket: the bounds of each call that differ from the usual ones. */
  readonly limits?: Partial<S3Limits>;
}

interface StoreKind {
  /** The beginning of every address of this kind. */
  readonly scheme: `${string}:`;
  readonly examples: string;
  /** The form of a setting that names such a store. */
  readonly form: string;
  open(address: string, settings: StoreSettings): Store;
  /** The beginning of all addresses within this one; it ends in a slash, so that `site-2` does not lie in `site`. */
  rootOf(address: string): string;
  /** Whether others can read the store. */
  exposureOf(address: string, settings: StoreSettings): Promise<Exposure>;
  /** Whether conditional writes hold: `unproven` where only the server knows, `none` where one at a time may publish. */
  conditions(settings: StoreSettings): "held" | "unproven" | "none";
}

const folder: StoreKind = {
  scheme: "file:",
  examples: "file:./folder, file:///folder",
  form: "file:<folder>",
  open(address, { isPrivate, lockedIn }) {
    const isFolder = lockedIn !== undefined && kindOf(lockedIn) === folder;
    return openFolder(folderAt(address), { isPrivate, lockedIn: isFolder ? folderAt(lockedIn) : undefined });
  },
  rootOf: (address) => `${realPathOf(folderAt(address)).replace(/\/+$/, "")}/`,
  exposureOf: (address) => folderExposure(folderAt(address)),
  conditions: () => "held",
};

const bucket: StoreKind = {
  scheme: "s3:",
  examples: "s3://bucket/prefix",
  form: "s3://<bucket>/<prefix>",
  open(address, settings) {
    const store = openS3({ ...settings, ...bucketAt(address) });
    return settings.conditions === "none" ? lookingFirst(store) : store;
  },
  rootOf(address) {
    const { bucket: name, prefix } = bucketAt(address);
    return `s3://${name}/${prefix === "" ? "" : `${prefix}/`}`;
  },
  exposureOf: (address, settings) =>
    bucketExposure(address, bucketAt(address), settings, openStore(address, settings)),
  conditions: ({ conditions }) => (conditions === "none" ? "none" : "unproven"),
};

const kinds: readonly StoreKind[] = [folder, bucket];

/** The forms of all settings that name a store. */
export const settingForms = kinds.map(({ form }) => form).join(" or ");

export function isSetting(text: string): boolean {
  return kinds.some(({ scheme }) => text.length > scheme.length && text.startsWith(scheme));
}

export function isBucketSetting(text: string): boolean {
  return text.startsWith(bucket.scheme);
}

/** The folder that an address names from the root on; undefined for one that depends on where it is read, and for a bucket. */
export function rootedFolder(address: string): string | undefined {
  return address.startsWith(`${folder.scheme}///`) ? folderAt(address) : undefined;
}

export function kindOf(address: string): StoreKind {
  const kind = kinds.find(({ scheme }) => address.startsWith(scheme));
  if (kind === undefined) throw new WrongStoreAddress(address, meant(address));
  return kind;
}

/** Describes the fault in a store address; undefined if the address is valid. */
export function faultInAddress(address: string): string | undefined {
  try {
    kindOf(address).rootOf(address);
    return undefined;
  } catch (error) {
    if (error instanceof WrongStoreAddress) return error.message;
    throw error;
  }
}

/**
 * `file:./.almanac/vault` is relative to the working directory, `file:///srv/site` is not; `s3://bucket/prefix` is the
 * part of a bucket under that prefix.
 */
export function openStore(address: string, settings: StoreSettings = {}): Store {
  return kindOf(address).open(address, settings);
}

/** The folder for the kernel's locks of a store in a folder (lease.ts); undefined for a bucket. */
export function lockFolderOf(address: string): string | undefined {
  return kindOf(address) === folder ? join(folderAt(address), workshopName) : undefined;
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixStep = /^(?!\.{1,2}$)[\w~=+.-]+$/;
const longestPrefix = 120; // S3 takes 1,024 bytes, of which a key may need 900

export function bucketAt(address: string): { bucket: string; prefix: string } {
  const [name = "", ...steps] = address
    .replace(/^s3:\/\//, "")
    .replace(/\/$/, "")
    .split("/");
  if (!address.startsWith("s3://") || address.includes("@")) throw new WrongStoreAddress(address, "");
  if (!bucketName.test(name)) {
    const rule = "a bucket name has 3 to 63 lower-case letters, digits, dots and hyphens";
    throw new WrongStoreAddress(address, `: ${rule}`);
  }
  const prefix = steps.join("/");
  if (prefix.length > longestPrefix || !steps.every((step) => prefixStep.test(step))) {
    const rule = `a prefix has at most ${longestPrefix} of A-Z a-z 0-9 _ ~ = + . - between single slashes`;
    throw new WrongStoreAddress(address, `: ${rule}`);
  }
  return { bucket: name, prefix };
}

function folderAt(address: string) {
  const url = URL.parse(address, pathToFileURL(`${process.cwd()}/`).href);
  if (url === null || address === "file:") throw new WrongStoreAddress(address, "");
  if (url.host !== "")
    throw new WrongStoreAddress(address, `. Did you mean file:///${url.host}${url.pathname}?`);
  if (url.search !== "" || url.hash !== "") {
    throw new WrongStoreAddress(address, ". In a folder name, write ? as %3F and # as %23");
  }
  return fileURLToPath(url);
}

/** Resolves symbolic links; for a path that does not exist yet, those of its nearest existing folder. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPathOf(above), basename(path));
  }
}

function meant(address: string) {
  return /^[./~]|^\w+$/.test(address) ? `. Did you mean file:${address}?` : "";
}

/** Thrown for a wrong setting; the message leaves out the part before an @, which could hold a password. */
export class WrongStoreAddress extends Error {
  override readonly name = "WrongStoreAddress";
  readonly type = "WrongStoreAddress";
  constructor(address: string, guess: string) {
    const shown = JSON.stringify(address.replace(/\/\/.*@/, "//").slice(0, 200));
    const known = kinds.map(({ examples }) => examples).join(", ");
    super(`${shown} is not a storage URL (${known})${guess}`);
  }
}

/**
 * For a site on a server that takes conditional writes and ignores the conditions: the store reads the key just before each write. That
 * holds while one process writes, and the site's lease, which is in the vault, sees to it.
 */
function lookingFirst(store: Store): Store {
  return {
    ...store,
    async write(key, body, headers, when, fence) {
      const current = when.kind === "always" ? undefined : await store.read(key);
      if (!conditionHolds(when, current?.version)) return refused;
      return store.write(key, body, headers, always, fence);
    },
  };
}

// Whether others can read a store that has to be private. It is tried as a stranger would, with one throw-away key.
export type Exposure =
  | { readonly kind: "private"; readonly seen: string }
  /** The store is open to every user of this machine, or to everybody, or its server says neither. */
  | { readonly kind: "machine" | "public" | "unknown"; readonly seen: string; readonly remedy: string };

/** The bits by which others may read a folder and pass through it. */
const forOthers = 0o005;

async function folderExposure(location: string): Promise<Exposure> {
  for (let path = location; ; path = dirname(path)) {
    const { mode } = await stat(path);
    if ((mode & forOthers) === 0) return { kind: "private", seen: `${path} is closed to other users` };
    if (path === dirname(path)) break;
  }
  const seen = `every user of this machine can read ${location}`;
  return { kind: "machine", seen, remedy: `chmod 700 ${location}` };
}

async function bucketExposure(
  address: string,
  { bucket: Bucket, prefix }: { readonly bucket: string; readonly prefix: string },
  settings: S3Settings,
  store: Store,
): Promise<Exposure> {
  const key = `probe/${randomBytes(8).toString("hex")}.json`;
  const Key = prefix === "" ? key : `${prefix}/${key}`;
  const stranger = await s3ClientFor(settings, s3Limits, "stranger");
  await store.write(key, Buffer.from("{}"), { type: "application/json" }, always);
  try {
    const abortSignal = AbortSignal.timeout(s3Limits.attemptMs);
    const read = await seenBy(() => stranger.getObject({ Bucket, Key }, { abortSignal }));
    const listed = await seenBy(() => stranger.listObjectsV2({ Bucket, MaxKeys: 1 }, { abortSignal }));
    if (read === "given" || listed === "given") {
      const what = read === "given" ? "read" : "list";
      const seen = `anyone can ${what} ${address} without credentials`;
      const remedy = `remove the public policy or access list from the bucket ${Bucket}, or move ALMANAC_VAULT to a separate bucket`;
      return { kind: "public", seen, remedy };
    }
    const other = [read, listed].find((answer) => answer !== "refused");
    if (other === undefined)
      return { kind: "private", seen: "reads and listings without credentials are refused" };
    const seen = `a request without credentials to ${Bucket} is not refused, but answered with ${other}`;
    return { kind: "unknown", seen, remedy: "check yourself that nobody else can read it" };
  } finally {
    stranger.destroy();
    await store.remove([key]);
  }
}

/** Result of an anonymous request: `given`, `refused`, or another answer in words. */
async function seenBy(ask: () => Promise<unknown>) {
  try {
    await ask();
    return "given";
  } catch (error) {
    const { status, code } = troubleOf(error);
    return status === 401 || status === 403 ? "refused" : code;
  }
}
