// PutObject, signed by the SDK's signer and sent by undici: in a publish, the SDK's middleware takes more processor time than all else.
// The SDK gives endpoint, credentials and constant headers, and reads every answer except a plain success.
import { crc32 } from "node:zlib";
import type { PutObjectCommandInput, S3 } from "@aws-sdk/client-s3";
import type { Dispatcher } from "undici";
import { z } from "zod";
import { type Bucket, mostSockets } from "./s3-client.ts";
import { NoAnswer } from "./s3-faults.ts";

type BucketField = "Bucket" | "ServerSideEncryption" | "SSEKMSKeyId";
type ObjectField = "ContentType" | "CacheControl" | "Metadata" | "IfNoneMatch" | "IfMatch";
type Put = Pick<PutObjectCommandInput, BucketField | ObjectField> & {
  readonly Key: string;
  readonly Body: Buffer;
};
type BucketFields = Pick<Put, BucketField>;

type Answer = Awaited<ReturnType<typeof answerTo>>;
type Send = (what: Put, timeoutMs: number) => Promise<{ ETag?: string | undefined }>;
const opened = new WeakMap<S3, Promise<Send>>();

/** Does what the client's own `putObject` does, and ends within the time. */
export async function putObject(s3: S3, bucket: Bucket, what: Put, timeoutMs: number) {
  const opening = opened.get(s3) ?? open(s3, bucket, what);
  opened.set(s3, opening);
  const send = await opening.catch((error: unknown) => {
    opened.delete(s3);
    throw error;
  });
  return send(what, timeoutMs);
}

/** From this size on the SDK asks whether the store accepts the body before it sends it. */
const largeBytes = 2 * 1024 * 1024;

async function open(s3: S3, { settings, limits }: Bucket, first: Put): Promise<Send> {
  const { to, scheme } = await templateOf(s3, first);
  if (scheme?.name !== "sigv4") return (what) => s3.putObject(what); // a directory bucket has sessions
  const signer = await s3.config.signer(scheme);
  const setsClock = !(await s3.config.disableClockSkewCorrection());
  const { Pool } = await import("undici");
  const address = `${to.protocol}//${to.hostname}`;
  const pool = new Pool(to.port === undefined ? address : `${address}:${to.port}`, {
    connections: mostSockets,
    connectTimeout: limits.connectMs,
    allowH2: false,
    headersTimeout: 0, // the whole answer has one time
    bodyTimeout: 0,
  });
  return async (what, timeoutMs) => {
    const { Key, Body: body } = what;
    if (body.length >= largeBytes) return s3.putObject(what);
    const path = to.path + Key.split("/").map(encodeURIComponent).join("/");
    const unsigned = { ...to, method: "PUT", path, headers: headersOf(what, to.headers), body };
    const signingDate = new Date(Date.now() + s3.config.systemClockOffset);
    const { headers } = await signer.sign(unsigned, { signingDate });
    const answer = await answerTo(pool, { method: "PUT", path, headers, body }, timeoutMs);
    const { status, body: text } = answer;
    // S3 can report an error in the body of a success.
    if (status < 200 || status > 299 || text.length > 0) return readBySdk(s3, what, answer);
    const { date, age, etag } = answer.headers;
    if (date !== undefined) {
      settings.onTime?.(address, date);
      const offsetMs = Date.parse(date) - Date.now();
      if (setsClock && age === undefined && !Number.isNaN(offsetMs)) s3.config.systemClockOffset = offsetMs;
    }
    return { ETag: etag };
  };
}

const templateKey = "key";
const template = z.object({
  protocol: z.string(),
  hostname: z.string(),
  port: z.number().optional(),
  path: z.string().transform((path) => path.slice(0, -templateKey.length)),
  headers: z.record(z.string(), z.string()),
});

async function templateCommand({ Bucket, ServerSideEncryption, SSEKMSKeyId }: BucketFields) {
  const { PutObjectCommand } = await import("@aws-sdk/client-s3");
  const Body = Buffer.alloc(0);
  return new PutObjectCommand({ Bucket, ServerSideEncryption, SSEKMSKeyId, Key: templateKey, Body });
}

/** The request of any object as the SDK builds it, and the scheme to sign it by. Nothing is sent. */
async function templateOf(s3: S3, fields: BucketFields) {
  const command = await templateCommand(fields);
  type Scheme = Parameters<S3["config"]["signer"]>[0];
  const built = Promise.withResolvers<{ to: z.infer<typeof template>; scheme: Scheme }>();
  command.middlewareStack.add(
    (_, context) =>
      async ({ request }) => {
        const scheme = context.endpointV2?.properties?.authSchemes?.[0];
        built.resolve({ to: template.parse(request), scheme });
        return { response: undefined, output: { $metadata: {} } };
      },
    { step: "build", priority: "low" },
  );
  await s3.send(command, {});
  return built.promise;
}

function headersOf(what: Put, constant: Readonly<Record<string, string>>) {
  const { Body, ContentType, CacheControl, Metadata, IfNoneMatch, IfMatch } = what;
  const headers: Record<string, string> = { ...constant, "content-length": String(Body.length) };
  const checksum = "x-amz-checksum-crc32"; // unless the settings or the environment switch it off
  if (checksum in constant) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(crc32(Body));
    headers[checksum] = bytes.toString("base64");
  }
  if (ContentType !== undefined) headers["content-type"] = ContentType;
  if (CacheControl !== undefined) headers["cache-control"] = CacheControl;
  if (IfNoneMatch !== undefined) headers["if-none-match"] = IfNoneMatch;
  if (IfMatch !== undefined) headers["if-match"] = IfMatch;
  for (const [name, value] of Object.entries(Metadata ?? {})) headers[`x-amz-meta-${name}`] = value;
  return headers;
}

/** Throws NoAnswer after a time in which it also waits for its connection. */
async function answerTo(pool: Dispatcher, request: Dispatcher.RequestOptions, timeoutMs: number) {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new NoAnswer(timeoutMs)), timeoutMs);
  try {
    const { statusCode: status, headers, body } = await pool.request({ ...request, signal: ending.signal });
    const single = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
    return { status, headers: Object.fromEntries(single), body: await body.bytes() };
  } finally {
    clearTimeout(timer);
  }
}

/** Returns or throws what the SDK makes of an answer; the SDK sets its clock by it. */
async function readBySdk(s3: S3, fields: BucketFields, { status, headers, body }: Answer) {
  const command = await templateCommand(fields);
  const response = { statusCode: status, headers, body };
  command.middlewareStack.add(() => async () => ({ response }), { step: "deserialize", priority: "low" });
  return s3.send(command, {});
}
