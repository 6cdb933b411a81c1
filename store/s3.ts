// A store in a bucket of Amazon S3 or of a server that speaks its protocol, under a prefix of its own.
import type { S3, ListObjectsV2Output } from "@aws-sdk/client-s3";
import {
  type Condition,
  type Fence,
  type ObjectHeaders,
  type Refused,
  type Store,
  type StoreFacts,
  type Stored,
  type Written,
  refused,
  requireKey,
  type Listed,
  isFileName,
  isFolderName,
  callsAtOnce,
} from "./store.ts";
import { attempting } from "./s3-attempts.ts";
import {
  type Bucket,
  s3ClientFor,
  type S3Limits,
  s3Limits,
  type S3Settings,
  AnswerTimes,
} from "./s3-client.ts";
import { putObject } from "./s3-put.ts";
import { namingS3Faults, KeyNotRemoved, NoS3Answer, troubleOf } from "./s3-faults.ts";

export interface S3Options extends S3Settings {
  readonly bucket: string;
  /** The beginning of every key, without slashes at its ends; empty for the whole bucket. */
  readonly prefix: string;
  readonly limits?: Partial<S3Limits>;
}

const removedAtOnce = 1_000; // S3's maximum for one call

export function openS3({ bucket: name, prefix, limits: given, ...settings }: S3Options): Store {
  const limits = { ...s3Limits, ...given };
  let usual: Promise<S3> | undefined;
  let short: Promise<S3> | undefined;
  // Two clients, because the SDK puts its middleware together for each call with options of its own.
  const client = (kind: "usual" | "fenced") =>
    kind === "usual"
      ? (usual ??= s3ClientFor(settings, limits))
      : (short ??= s3ClientFor(settings, { ...limits, attemptMs: limits.fencedMs }));
  const start = prefix === "" ? "" : `${prefix}/`;
  const bucket: Bucket = { name, start, settings, limits, times: new AnswerTimes(limits), client };
  const place = `s3://${name}${prefix === "" ? "" : `/${prefix}`}`;
  const deed = (doing: StoreFacts["doing"], key: string) => ({ doing, key, place });

  return {
    writesAtOnce: callsAtOnce,
    holdsBytes: 32 * 1024 * 1024, // a read is a request, and takes as long as a write
    async read(key) {
      requireKey(key);
      return namingS3Faults(deed("read", key), () => attempting(bucket, (s3) => readOnce(s3, bucket, key)));
    },
    async write(key, body, headers, when, fence) {
      requireKey(key);
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength); // the same bytes, as the SDK wants them
      return namingS3Faults(deed("write", key), () => writeTo(bucket, key, bytes, headers, when, fence));
    },
    async *list(prefixOfKeys) {
      if (!canBegin(prefixOfKeys)) return;
      yield* await namingS3Faults(deed("list", prefixOfKeys), () => listAll(bucket, prefixOfKeys));
    },
    async *keys(prefixOfKeys) {
      for await (const { key } of this.list(prefixOfKeys)) yield key;
    },
    async remove(keys, fence) {
      for (const key of keys) requireKey(key);
      for (let at = 0; at < keys.length; at += removedAtOnce) {
        const some = keys.slice(at, at + removedAtOnce);
        const what = some.length === 1 ? (some[0] ?? "") : `${some[0]} and ${some.length - 1} more`;
        await namingS3Faults(deed("remove", what), () => removeFrom(bucket, some, fence));
      }
    },
  };
}

async function readOnce(s3: S3, bucket: Bucket, key: string): Promise<Stored | undefined> {
  try {
    const where = { Bucket: bucket.name, Key: bucket.start + key };
    const { Body, ETag } = await s3.getObject(where);
    if (Body === undefined || ETag === undefined) throw new NoS3Answer("an object without a body or an ETag");
    const bytes = await Body.transformToByteArray();
    return { body: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), version: ETag };
  } catch (error) {
    if (troubleOf(error).code === "NoSuchKey") return undefined; // any other 404 is a wrong bucket or endpoint
    throw error;
  }
}

/**
 * A refused condition proves a lost race only if this write was never tried before: an attempt whose answer was lost may itself
 * have written the object that the next attempt finds. So after such an attempt the object is read back, and if it holds our
 * bytes, the write is done.
 * This promises a state, not authorship. Two writers of equal bytes under one condition may both be told "written",
 * and both are right: the bytes are there, and nothing that either had not seen was lost. Whoever must be the only
 * winner writes bytes that are its own, as a pointer does that names its run.
 * If the bytes are others by then, the answer is "refused" although ours may have stood there for a moment and been
 * built upon: a caller that reads again and goes on from what it finds, as every loser does, is right either way.
 * An attempt given up may still arrive late, for as long as `attemptMs`, or with a fence `fencedMs`. With a condition it is then refused;
 * without one it can overwrite something newer, which is why only what can be made again from a manifest is written so.
 */
async function writeTo(
  bucket: Bucket,
  key: string,
  body: Buffer,
  headers: ObjectHeaders,
  when: Condition,
  fence: Fence | undefined,
): Promise<Written | Refused> {
  const what = {
    Bucket: bucket.name,
    Key: bucket.start + key,
    Body: body,
    ContentType: headers.type,
    CacheControl: headers.cacheControl,
    // S3 has no header of its own for tags; CloudFront reads them from x-amz-meta-cache-tag, as this is answered.
    Metadata: headers.tags && { "cache-tag": headers.tags.join(",") },
    ServerSideEncryption: bucket.settings.encryption,
    SSEKMSKeyId: bucket.settings.kmsKey,
    ...preconditionOf(when),
  };
  const timeoutMs = fence === undefined ? bucket.limits.attemptMs : bucket.limits.fencedMs;
  const attempt = async (s3: S3, inDoubt: boolean): Promise<Written | Refused> => {
    try {
      const { ETag } = await putObject(s3, bucket, what, timeoutMs);
      if (ETag === undefined) throw new NoS3Answer("a write was answered without an ETag");
      return { kind: "written", version: ETag };
    } catch (error) {
      if (!isRefusal(error, when)) throw error;
      const there = inDoubt ? await readOnce(s3, bucket, key) : undefined;
      if (there === undefined || !body.equals(there.body)) return refused;
      return { kind: "written", version: there.version };
    }
  };
  return attempting(bucket, attempt, { fence });
}

function preconditionOf(when: Condition) {
  switch (when.kind) {
    case "always":
      return {};
    case "absent":
      return { IfNoneMatch: "*" };
    case "version":
      return { IfMatch: when.version };
  }
}

/** S3 answers 404 where a version was expected and nothing is there any more. */
function isRefusal(error: unknown, when: Condition) {
  const { code, status } = troubleOf(error);
  if (when.kind === "always") return false;
  return status === 412 || (when.kind === "version" && code === "NoSuchKey");
}

/** S3 answers 200 for the whole and names the keys that it did not remove; those are tried again. */
async function removeFrom(bucket: Bucket, keys: readonly string[], fence: Fence | undefined) {
  let left = keys.map((key) => bucket.start + key);
  await attempting(
    bucket,
    async (s3) => {
      const what = {
        Bucket: bucket.name,
        Delete: { Objects: left.map((Key) => ({ Key })), Quiet: true },
        // The removal of many is the one call that must have a checksum; older servers know only this one.
        ...(bucket.settings.checksums === "when-required" ? { ChecksumAlgorithm: "MD5" as const } : {}),
      };
      const { Errors = [] } = await s3.deleteObjects(what);
      const failed = Errors.filter(({ Code }) => Code !== "NoSuchKey"); // versitygw's, where another removed it first
      const [first] = failed;
      if (first === undefined) return;
      const named = failed.flatMap(({ Key }) => Key ?? []);
      if (named.length === failed.length) left = named;
      throw new KeyNotRemoved(
        first.Code ?? "unknown",
        first.Key ?? "a key",
        first.Message,
        failed.length - 1,
      );
    },
    { isHarmlessLate: false, fence },
  );
}

// The listing of a bucket store: complete or not at all, in the order of keys.
/**
 * The whole listing is read before the first key is given, 300 bytes a key: Amazon lists in the order of keys, but some servers
 * list folder by folder (SeaweedFS does), which is another order wherever `a.json` is next to `a/`.
 */
async function listAll(bucket: Bucket, prefix: string): Promise<Listed[]> {
  const all: Listed[] = [];
  let from: string | undefined;
  do {
    const asked = { Bucket: bucket.name, Prefix: bucket.start + prefix, ContinuationToken: from };
    const page = await attempting(bucket, async (s3) => {
      const answer = await s3.listObjectsV2(asked);
      return { listed: listedOn(answer, bucket.start), next: nextAfter(answer, asked.ContinuationToken) };
    });
    all.push(...page.listed);
    from = page.next;
  } while (from !== undefined);
  return all.sort((one, other) => (one.key < other.key ? -1 : 1));
}

/** Passes over names that are no keys: no store wrote them, and none could remove them. */
function listedOn(page: ListObjectsV2Output, start: string): Listed[] {
  return (page.Contents ?? []).flatMap(({ Key, Size, LastModified, ETag }) => {
    if (Key === undefined || Size === undefined || LastModified === undefined) {
      throw new NoS3Answer("a listing entry without key, size or time");
    }
    const key = Key.slice(start.length);
    return isKey(key) ? [{ key, sizeBytes: Size, modifiedAt: LastModified, tag: ETag }] : [];
  });
}

/** Throws for a list that ends half-way, which looks like a whole one, and for an answer without a list, which looks empty. */
function nextAfter(page: ListObjectsV2Output, from: string | undefined) {
  if (page.IsTruncated === false) return undefined;
  if (page.IsTruncated === undefined)
    throw new NoS3Answer("a listing that does not report whether it is complete");
  const next = page.NextContinuationToken;
  if (next === undefined || next === from)
    throw new NoS3Answer("a truncated listing with no new continuation token");
  return next;
}

function isKey(name: string) {
  const [file = "", ...folders] = name.split("/").toReversed();
  return isFileName(file) && folders.every(isFolderName);
}

/** Whether any key can begin so; a server never gets `../`, which it may interpret as anything. */
function canBegin(prefix: string): boolean {
  const [last = "", ...folders] = prefix.split("/").toReversed();
  return folders.every(isFolderName) && /^(?:[\w~@=+-][\w~@=+.-]*)?$/.test(last);
}
