// The AWS SDK's client for one bucket, made when it is first used: the SDK takes 0.2 s to load, and a command that
// touches no bucket should not wait for it. Credentials, region and endpoint come from the SDK's own chain.
import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { S3 } from "@aws-sdk/client-s3";
import { z } from "zod";

export interface S3Settings {
  /** Without it AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile's endpoint or Amazon's own counts. */
  readonly endpoint?: string;
  /** `host/bucket/key` in place of `bucket.host/key`, for servers without a name per bucket. */
  readonly pathStyle?: boolean;
  /** `when-required` for servers that refuse the checksums which the SDK adds by itself. */
  readonly checksums?: "when-supported" | "when-required";
  readonly encryption?: "AES256" | "aws:kms" | "aws:kms:dsse";
  /** For `aws:kms` a key's id, ARN or alias; without it the account's own key counts. */
  readonly kmsKey?: string;
  /** Called with the server's time, from the header of each response. */
  readonly onTime?: (address: string, date: string) => void;
}

/** They nest: connect < an attempt; a call is over after `attempts` of them and the waits between. */
export interface S3Limits {
  /** A store that has not taken the connection by then is away; mostly it takes some 0.1 s. */
  readonly connectMs: number;
  /** From the credentials to the last byte: 100 times as long as a small file takes, even with twelve writers at one key. */
  readonly attemptMs: number;
  /** The whole time of an attempt that a fence lets begin: half of a lease, so that a renewal that fails holds nothing back. */
  readonly fencedMs: number;
  /** The shortest wait for an answer to a call that may be made again while it is still under way (s3-attempts.ts). */
  readonly hastyMs: number;
  /** With the waits between them 1.5 s where the store answers at once: enough for a throttled one; then Temporal tries again. */
  readonly attempts: number;
  /** The wait before the second attempt; it is doubled before each further one. */
  readonly firstWaitMs: number;
  /** The least wait after a 429, by which some stores say that they take one write a second to a key. */
  readonly slowDownMs: number;
}

export const s3Limits: S3Limits = {
  connectMs: 3_000,
  attemptMs: 15_000,
  fencedMs: 10_000,
  hastyMs: 500,
  attempts: 5,
  firstWaitMs: 100,
  slowDownMs: 1_000,
};

/** A bucket as its store's operations see it. */
export interface Bucket {
  readonly name: string;
  /** The prefix of every key: empty, or ending in a slash. */
  readonly start: string;
  readonly settings: S3Settings;
  readonly limits: S3Limits;
  readonly times: AnswerTimes;
  /** A fenced one ends its calls after `fencedMs`. */
  readonly client: (kind: "usual" | "fenced") => Promise<S3>;
}

/** More than any caller has in flight: a call that waits for a free socket counts as connecting. */
export const mostSockets = 256;

/** Creates the client. A `stranger` sends no credentials, to test what the bucket gives to everybody. */
export async function s3ClientFor(
  settings: S3Settings,
  limits: S3Limits,
  as: "owner" | "stranger" = "owner",
): Promise<S3> {
  const sdk = await import("@aws-sdk/client-s3");
  const sockets = { keepAlive: true, maxSockets: mostSockets };
  const { endpoint, pathStyle, checksums, onTime } = settings;
  // They end what s3-attempts.ts has given up. A signal would do so too, but with one the SDK puts its middleware together
  // for each call.
  const ends = {
    requestTimeout: limits.attemptMs,
    throwOnRequestTimeout: true,
    socketTimeout: limits.attemptMs,
  };
  const client = new sdk.S3({
    maxAttempts: 1, // s3-attempts.ts tries again, because a write has to know what was tried
    cacheMiddleware: true,
    sha256: Sha256,
    requestHandler: {
      connectionTimeout: limits.connectMs,
      ...ends,
      httpAgent: sockets,
      httpsAgent: sockets,
    },
    endpoint,
    forcePathStyle: pathStyle,
    requestChecksumCalculation: checksums && checksumWords[checksums],
    responseChecksumValidation: checksums && checksumWords[checksums],
    ...(as === "owner" ? {} : { signer: { sign: async (request) => request } }),
  });
  if (checksums === "when-required") nameNoAlgorithm(client);
  if (onTime !== undefined) tellTime(client, onTime);
  return client;
}

/** MD5 has a header of its own: strict servers refuse it as the name of one of S3's newer checksums. */
function nameNoAlgorithm(client: S3) {
  client.middlewareStack.add(
    (next) => async (call) => {
      const { request } = call;
      if (typeof request === "object" && request !== null && "headers" in request) {
        const { headers } = request;
        if (typeof headers === "object" && headers !== null && "content-md5" in headers) {
          Reflect.deleteProperty(headers, "x-amz-sdk-checksum-algorithm");
        }
      }
      return next(call);
    },
    { step: "build", priority: "low", name: "nameNoAlgorithm" },
  );
}

const sentTo = z.object({ protocol: z.string(), hostname: z.string() });
const answered = z.object({ headers: z.object({ date: z.string() }) });

function tellTime(client: S3, onTime: NonNullable<S3Settings["onTime"]>) {
  client.middlewareStack.add(
    (next) => async (call) => {
      const result = await next(call);
      const { data: to } = sentTo.safeParse(call.request);
      const { data: from } = answered.safeParse(result.response);
      if (to !== undefined && from !== undefined) onTime(`${to.protocol}//${to.hostname}`, from.headers.date);
      return result;
    },
    { step: "deserialize", priority: "low", name: "tellTime" },
  );
}

const checksumWords = { "when-supported": "WHEN_SUPPORTED", "when-required": "WHEN_REQUIRED" } as const;

// The hash by which the SDK signs its calls, with keys that are prepared once: to prepare one costs five times the hash itself,
// and each call needs two that are always the same.
type Data = string | ArrayBuffer | ArrayBufferView;

/** A worker has few credentials; those of a role are others after some hours, and the key of a signature each day. */
const mostKeys = 16;
const keys = new Map<string, KeyObject>();

export class Sha256 {
  readonly #key: KeyObject | undefined;
  readonly #parts: Buffer[] = [];

  constructor(secret?: Data) {
    this.#key = secret === undefined ? undefined : preparedKey(bytesOf(secret));
  }

  update(data: Data): void {
    this.#parts.push(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    const [first = Buffer.alloc(0), ...more] = this.#parts;
    const bytes = more.length === 0 ? first : Buffer.concat(this.#parts);
    return this.#key === undefined
      ? hash("sha256", bytes, "buffer")
      : createHmac("sha256", this.#key).update(bytes).digest();
  }
}

function preparedKey(secret: Buffer): KeyObject {
  const name = secret.toString("base64");
  const known = keys.get(name);
  if (known !== undefined) return known;
  const made = createSecretKey(secret);
  const [oldest] = keys.keys();
  if (oldest !== undefined && keys.size >= mostKeys) keys.delete(oldest);
  keys.set(name, made);
  return made;
}

function bytesOf(data: Data): Buffer {
  if (typeof data === "string") return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}

// Observed response times of a bucket, and the resulting timeout before a call is repeated. If a server hangs now and then, such a
// call loses a few seconds instead of the full time of an attempt. Operations that wait for many calls, such as a publish, meet one
// in each of their steps. The timeout adapts to observed times, like TCP's, so repeated calls don't slow down a slow connection
// further.
type WaitLimits = Pick<S3Limits, "attemptMs" | "attempts" | "hastyMs">;

/** The wait is so many times as long as answers take, with their spread. */
const spare = 3;
const spreads = 4;
/** The shares of the newest answer in what is known of all. */
const [newestShare, newestSpreadShare] = [1 / 8, 1 / 4];

export class AnswerTimes {
  readonly #limits: WaitLimits;
  #meanMs: number | undefined;
  #spreadMs = 0;

  constructor(limits: WaitLimits) {
    this.#limits = limits;
  }

  /**
   * How long to wait at this attempt, the first one being 1. From the third on each waits twice as long as the one before, and the
   * last one its whole time, so that a server that has become slow is heard.
   */
  waitMs(attempt: number): number {
    const { attemptMs, attempts, hastyMs } = this.#limits;
    if (this.#meanMs === undefined || attempt >= attempts) return attemptMs;
    const usualMs = spare * (this.#meanMs + spreads * this.#spreadMs);
    return Math.min(attemptMs, Math.max(hastyMs, usualMs) * 2 ** Math.max(0, attempt - 2));
  }

  answered(afterMs: number): void {
    if (this.#meanMs === undefined) {
      this.#meanMs = afterMs;
      this.#spreadMs = afterMs / 2;
      return;
    }
    const apartMs = afterMs - this.#meanMs;
    this.#meanMs += newestShare * apartMs;
    this.#spreadMs += newestSpreadShare * (Math.abs(apartMs) - this.#spreadMs);
  }
}
