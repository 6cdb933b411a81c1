// A bucket for one test file, and stores in it, on a real S3 server that all files of a run share.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { S3 } from "@aws-sdk/client-s3";
import { afterAll } from "vitest";
import { z } from "zod";
import type { Store } from "../../store/store.ts";
import { openS3, type S3Options } from "../../store/s3.ts";
import { startS3 } from "./s3-server.ts";
import type { AtEnd } from "./ends.ts";
import { runProcess, startedOnce } from "./run-server.ts";

export interface TestS3 {
  readonly endpoint: string;
  readonly bucket: string;
  /** The SDK's variables and ours, for a separate process; this process has them too until the file ends. */
  readonly variables: Readonly<Record<string, string>>;
  /** A store under a prefix that no other has, unless the options name one. */
  open(options?: Partial<S3Options>): Store;
  /** Reads around the stores. */
  readonly client: S3;
}

const servers = z.object({
  endpoint: z.string(),
  keys: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }).optional(),
});
type Place = z.infer<typeof servers>;

/** Call it at the top of a test file (`const s3 = await s3ForTests()`); the bucket ends with that file. */
export async function s3ForTests(atEnd: AtEnd = afterAll): Promise<TestS3> {
  const given = process.env["ALMANAC_TEST_S3_ENDPOINT"];
  const owner = runProcess();
  if (given !== undefined) return bucketOn({ endpoint: given }, atEnd, (one, bucket) => emptied(one, bucket));
  if (owner === undefined) {
    const server = await startReady();
    return bucketOn(server, atEnd, server.stop);
  }
  const shared = await startedOnce("s3", servers, () => startReady(owner));
  return bucketOn(shared, atEnd, async (one, Bucket) => {
    await one.deleteBucket({ Bucket }).catch(() => undefined); // the run's end removes its files at the latest
  });
}

async function bucketOn(
  place: Place,
  atEnd: AtEnd,
  end: (client: S3, bucket: string) => Promise<void>,
): Promise<TestS3> {
  const variables = variablesOf(place);
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  const client = new S3({ forcePathStyle: true, maxAttempts: 1 });
  const bucket = `almanac-test-${hex()}`;
  await bucketMade(client, bucket, undefined);
  atEnd(async () => {
    await end(client, bucket);
    client.destroy();
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  const open = (options: Partial<S3Options> = {}) =>
    openS3({ bucket, prefix: `test/${hex()}`, pathStyle: true, ...options });
  return { endpoint: place.endpoint, bucket, variables, open, client };
}

function variablesOf({ endpoint, keys }: Place) {
  return {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: process.env["AWS_REGION"] ?? "us-east-1",
    ALMANAC_S3_PATH_STYLE: "1",
    ...(keys && { AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey }),
  };
}

async function startReady(owner?: number, attempt = 1): Promise<Awaited<ReturnType<typeof startS3>>> {
  const server = await startS3(owner);
  const { endpoint, keys: credentials } = server;
  const region = variablesOf(server).AWS_REGION;
  const client = new S3({ endpoint, credentials, region, forcePathStyle: true, maxAttempts: 1 });
  try {
    await bucketMade(client, `almanac-ready-${hex()}`, server.ended);
    return server;
  } catch (error) {
    await server.stop();
    if (error instanceof ServerEnded && attempt < startAttempts) return await startReady(owner, attempt + 1);
    throw error;
  } finally {
    client.destroy();
  }
}

const startTimeoutMs = 60_000; // 2 s on a machine with nothing else to do
const startAttempts = 3; // about one in some hundred starts fails silently on a busy machine

class ServerEnded extends Error {
  override readonly name = "ServerEnded";
}

/** The server is ready when it keeps an object: it may take a bucket before all of its parts have their ports. */
async function bucketMade(client: S3, bucket: string, ended: Promise<string> | undefined): Promise<void> {
  let isMade = false;
  let lastWords: string | undefined;
  void ended?.then((words) => (lastWords = words));
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    try {
      if (!isMade) await client.createBucket({ Bucket: bucket });
      isMade = true;
      await client.putObject({ Bucket: bucket, Key: "ready.txt", Body: "ready" });
      await client.deleteObject({ Bucket: bucket, Key: "ready.txt" });
      return;
    } catch (error) {
      if (lastWords !== undefined) throw new ServerEnded(`the S3 server did not start: ${lastWords}`);
      if (ended === undefined || performance.now() > deadline) {
        throw new Error(`the S3 server keeps no object: ${String(error)}`, { cause: error });
      }
    }
    await delay(50);
  }
}

/** Removes our files, and those that tests put around the stores, from a server that existed before. */
async function emptied(client: S3, bucket: string): Promise<void> {
  for (;;) {
    const { Contents = [] } = await client.listObjectsV2({ Bucket: bucket });
    if (Contents.length === 0) break;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    await client.deleteObjects({ Bucket: bucket, Delete: { Objects, Quiet: true } });
  }
  await client.deleteBucket({ Bucket: bucket });
}

function hex(): string {
  return randomBytes(6).toString("hex");
}
