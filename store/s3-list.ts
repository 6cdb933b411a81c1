// The listing of a bucket store: complete or not at all, in the order of keys.
import { type Listed, isFileName, isFolderName } from "./store.ts";
import type { ListObjectsV2Output } from "@aws-sdk/client-s3";
import { attempting } from "./s3-attempts.ts";
import type { Bucket } from "./s3-client.ts";
import { NoS3Answer } from "./s3-errors.ts";

/**
 * The whole listing is read before the first key is given, 300 bytes a key: Amazon lists in the order of keys, but some servers
 * list folder by folder (SeaweedFS does), which is another order wherever `a.json` is next to `a/`.
 */
export async function listAll(bucket: Bucket, prefix: string): Promise<Listed[]> {
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
export function canBegin(prefix: string): boolean {
  const [last = "", ...folders] = prefix.split("/").toReversed();
  return folders.every(isFolderName) && /^(?:[\w~@=+-][\w~@=+.-]*)?$/.test(last);
}
