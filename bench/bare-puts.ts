// Plain writes of bytes under a key, as a script would do them: one PutObject, or a temporary file that is flushed and renamed.
import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { S3 } from "@aws-sdk/client-s3";
import type { ObjectHeaders } from "../store/store.ts";
import type { TestS3 } from "../test/support/s3.ts";

export type BareLoop = (key: string, body: Uint8Array, headers: ObjectHeaders) => Promise<void>;

export function bareS3({ bucket }: TestS3): BareLoop {
  const client = new S3({ forcePathStyle: true }); // its default retries, as in a script
  const prefix = `bare/${Math.random().toString(36).slice(2)}`;
  return async (key, body, { type, cacheControl }) => {
    await client.putObject({
      Bucket: bucket,
      Key: `${prefix}/${key}`,
      Body: body,
      ContentType: type,
      CacheControl: cacheControl,
    });
  };
}

/** Writes as durably as the folder store: a crash of the machine leaves the old file or the new one. */
export function bareFolder(folder: string): BareLoop {
  const made = new Map<string, Promise<unknown>>();
  return async (key, body) => {
    const path = join(folder, key);
    const parent = dirname(path);
    const making = made.get(parent) ?? mkdir(parent, { recursive: true });
    made.set(parent, making);
    await making;
    const file = await open(`${path}.tmp`, "wx");
    try {
      await file.writeFile(body);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.tmp`, path);
    const folderHandle = await open(parent);
    try {
      await folderHandle.sync();
    } finally {
      await folderHandle.close();
    }
  };
}
