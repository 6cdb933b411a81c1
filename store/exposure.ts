// Whether others can read a store that has to be private. It is tried as a stranger would, with one throw-away key.
import { type Store, always } from "./store.ts";
import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { s3ClientFor, s3Limits, type S3Settings } from "./s3-client.ts";
import { troubleOf } from "./s3-errors.ts";

export type Exposure =
  | { readonly kind: "private"; readonly seen: string }
  /** The store is open to every user of this machine, or to everybody, or its server says neither. */
  | { readonly kind: "machine" | "public" | "unknown"; readonly seen: string; readonly remedy: string };

/** The bits by which others may read a folder and pass through it. */
const forOthers = 0o005;

export async function folderExposure(folder: string): Promise<Exposure> {
  for (let path = folder; ; path = dirname(path)) {
    const { mode } = await stat(path);
    if ((mode & forOthers) === 0) return { kind: "private", seen: `${path} is closed to other users` };
    if (path === dirname(path)) break;
  }
  const seen = `every user of this machine can read ${folder}`;
  return { kind: "machine", seen, remedy: `chmod 700 ${folder}` };
}

export async function bucketExposure(
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
