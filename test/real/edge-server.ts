// A test server that serves a bucket like an edge network; CloudFront (cloudfront-edge.ts) and Cloudflare (r2-edge.ts) build on it.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { NoSuchKey, type S3 } from "@aws-sdk/client-s3";
import { type AtEnd, listen } from "../support/ends.ts";

export interface Shown {
  readonly status: number;
  readonly body?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function serve(
  atEnd: AtEnd,
  answer: (request: IncomingMessage, body: Buffer) => Promise<Shown>,
): Promise<string> {
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body, headers } = await answer(request, await buffer(request));
    response.writeHead(status, headers).end(body);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  return `http://127.0.0.1:${await listen(server, atEnd)}`;
}

/** The bucket's response to an identity that may only read objects. */
export async function fromBucket(client: S3, bucket: string, key: string): Promise<Shown> {
  try {
    const {
      Body,
      ContentType = "",
      CacheControl = "",
    } = await client.getObject({ Bucket: bucket, Key: key });
    const body = (await Body?.transformToByteArray()) ?? new Uint8Array();
    return { status: 200, body, headers: { "content-type": ContentType, "cache-control": CacheControl } };
  } catch (error) {
    if (error instanceof NoSuchKey) return { status: 403, body: "AccessDenied" };
    throw error;
  }
}
