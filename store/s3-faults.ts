// Reads an error of the AWS SDK or of undici: what happened, whether trying again can help, and whether it may have been done. Then it says that
// in words that an operator can act on.
import { z } from "zod";
import { type Deed, type StoreFacts, StoreFailure, LeaseLost } from "./store.ts";

type Trouble = ReturnType<typeof troubleOf>;

/** Thrown when no answer came in time. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  constructor(timeoutMs: number) {
    super(`no response within ${timeoutMs / 1000} s`);
  }
}

/** Thrown for an answer that is not S3's: a proxy's, a web server's, half of one. */
export class NoS3Answer extends Error {
  override readonly name = "NoS3Answer";
}

/** A key that S3 did not remove, with the name that S3 gives the error. */
export class KeyNotRemoved extends Error {
  override readonly name: string;
  constructor(code: string, key: string, reason: string | undefined, others: number) {
    const why = reason === undefined || reason === code ? code : `${code}, ${reason}`;
    super(`${key}: ${why}${others > 0 ? `; and ${others} more` : ""}`);
    this.name = code;
  }
}

const facts = z.object({
  name: z.string(),
  message: z.string(),
  code: z.string().optional().catch(undefined),
  Region: z.string().optional().catch(undefined),
  $metadata: z.object({ httpStatusCode: z.number().optional() }).optional().catch(undefined),
  $response: z
    .object({ statusCode: z.number().optional(), headers: z.record(z.string(), z.string()).optional() })
    .optional()
    .catch(undefined),
});

export function troubleOf(error: unknown) {
  const { name, message, code, Region, $metadata, $response } = facts.safeParse(error).data ?? {
    name: "unknown",
    message: String(error),
  };
  const status = $metadata?.httpStatusCode ?? $response?.statusCode;
  const named = status === undefined ? (code ?? name) : name;
  return {
    /** S3's own name for the error where S3 answered (`AccessDenied`), else Node's or the SDK's (`ECONNREFUSED`). */
    code: named,
    /** The HTTP status of S3's answer; undefined where none came. */
    status,
    /** The message in one line, without credentials. */
    message: shown(message),
    /** The bucket's region, when S3 says that it is in another one. */
    region: Region ?? $response?.headers?.["x-amz-bucket-region"],
    again: helps(named, status, message),
    /** Whether the store may have done it all the same. */
    mayBeDone: status === undefined ? !neverSent.has(named) : status < 400 || status >= 500,
  };
}

// Errors after which nothing left this machine. A time-out while connecting is not one: the SDK does not distinguish it from others.
const neverSent = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "CredentialsProviderError",
]);

const passing = new Set([
  "NoAnswer",
  "NoS3Answer",
  "TimeoutError",
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND", // also what a resolver says that is away for a moment
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EMFILE",
  "ERR_STREAM_PREMATURE_CLOSE",
  // These names come with status 400 or 403, or for one key of a removal without a status.
  "RequestTimeout",
  "RequestTimeTooSkewed", // the SDK has set its clock by the refusal
  "InternalError",
  "SlowDown",
  "ServiceUnavailable",
  "OperationAborted",
]);

/** The codes of undici where an answer came in part or not at all. */
const brokenOff = /^UND_ERR_(?:CONNECT_TIMEOUT|SOCKET|RES_CONTENT_LENGTH_MISMATCH)$|^HPE_INVALID_EOF_STATE$/;

function helps(code: string, status: number | undefined, message: string) {
  if (passing.has(code) || brokenOff.test(code) || message.startsWith("Checksum mismatch")) return true; // damaged on the way
  if (status === undefined) return false;
  // 409 is a conflict with another write that was going on: only another attempt shows how it ended.
  return (
    status < 300 || status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501)
  );
}

function shown(message: string) {
  const [line = ""] = message.split("\n");
  return line
    .replaceAll(/\/\/[^/\s]*@/g, "//")
    .replaceAll(/\b(?:AKIA|ASIA)\w{12,}/g, "…")
    .slice(0, 300);
}

/** The codes are S3's names for an error where S3 answered, else Node's or the SDK's. */
type S3Account = readonly [seen: string, remedy: string, ...codes: string[]];

const wrongRegion: S3Account = [
  "the bucket is in another region",
  "set AWS_REGION to the bucket's region",
  "PermanentRedirect",
  "TemporaryRedirect",
  "AuthorizationHeaderMalformed",
  "IllegalLocationConstraintException",
];
const busy: S3Account = [
  "the store limits the rate",
  "lower the concurrency, or try again later",
  "SlowDown",
  "ServiceUnavailable",
  "Throttling",
  "ThrottlingException",
];
const noS3: S3Account = [
  "the server is not an S3 store",
  "correct AWS_ENDPOINT_URL_S3, and look for a proxy",
  "NoS3Answer",
];

const accounts: readonly S3Account[] = [
  wrongRegion,
  busy,
  noS3,
  [
    "the bucket does not exist",
    "create it, or correct its name in the storage URL",
    "NoSuchBucket",
    "InvalidBucketName",
  ],
  [
    "the credentials are refused",
    "correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile they come from",
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "InvalidToken",
    "XAdminUserNotFound", // versitygw's
  ],
  [
    "the credentials have expired",
    "sign in again, or use a role with self-renewing credentials",
    "ExpiredToken",
    "ExpiredTokenException",
    "TokenRefreshRequired",
  ],
  [
    "no credentials",
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or assign a role to the machine",
    "CredentialsProviderError",
  ],
  ["this machine's clock is wrong", "synchronize it (NTP)", "RequestTimeTooSkewed"],
  [
    "the endpoint's host name does not resolve",
    "correct AWS_ENDPOINT_URL_S3 or AWS_REGION; a server without a host name per bucket needs ALMANAC_S3_PATH_STYLE=1",
    "ENOTFOUND",
    "EAI_AGAIN",
  ],
  [
    "nothing answers there",
    "check that it is running, and correct AWS_ENDPOINT_URL_S3",
    "ECONNREFUSED",
    "EHOSTUNREACH",
    "ENETUNREACH",
  ],
  ["the endpoint is not a URL", "write AWS_ENDPOINT_URL_S3 with https:// or http://", "ERR_INVALID_URL"],
  [
    "the endpoint or the region is invalid",
    "write AWS_ENDPOINT_URL_S3 with https:// or http://, and AWS_REGION as in us-east-1",
    "EndpointError",
  ],
  [
    "it timed out",
    "check the network and the store",
    "TimeoutError",
    "NoAnswer",
    "ETIMEDOUT",
    "UND_ERR_CONNECT_TIMEOUT",
  ],
  [
    "the server does not support this request",
    "if it refuses checksums, set ALMANAC_S3_CHECKSUMS=when-required; `almanac check` tests its features",
    "NotImplemented",
    "InvalidArgument",
    "InvalidRequest",
    "BadDigest",
    "MissingContentMD5",
    "XAmzContentSHA256Mismatch",
  ],
];

/** The permission that each operation needs, for the person who writes the bucket's policy. */
const permissions: Record<StoreFacts["doing"], string> = {
  read: "allow s3:GetObject on it, and s3:ListBucket on the bucket: without it, a missing object looks forbidden",
  write:
    "allow s3:PutObject on it, and kms:GenerateDataKey and kms:Decrypt if your own key encrypts the bucket",
  list: "allow s3:ListBucket on the bucket",
  remove: "allow s3:DeleteObject on it",
};

/** Lets an operation of the bucket fail only as StoreFailure. The SDK's error stays out: it carries the request's headers. */
export async function namingS3Faults<Value>(deed: Deed, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreFailure || error instanceof LeaseLost) throw error;
    const trouble = troubleOf(error);
    const [seen, remedy] = account(trouble, deed.doing);
    const isUnanswered = trouble.status === undefined;
    throw new StoreFailure({ ...deed, seen: `${seen} (${detailOf(trouble)})`, remedy, isUnanswered });
  }
}

function account(trouble: Trouble, doing: StoreFacts["doing"]): S3Account {
  const { code, status, region, message } = trouble;
  if (message.startsWith("Region is missing")) {
    return ["no region is set", "set AWS_REGION; your own server accepts any, such as us-east-1"];
  }
  const isElsewhere = status === 301 || status === 307;
  const known =
    accounts.find(([, , ...codes]) => codes.includes(code)) ?? (isElsewhere ? wrongRegion : undefined);
  if (known === wrongRegion && region !== undefined) {
    return [`the bucket is in the region ${region}`, `set AWS_REGION=${region}`];
  }
  if (known !== undefined) return known;
  if (code.startsWith("KMS.")) {
    return ["the encryption key is refused", "correct ALMANAC_S3_KMS_KEY and the key's policy"];
  }
  if (status === 403 || code === "AccessDenied") return ["access denied", permissions[doing]];
  return status === undefined ? withoutAnswer(code) : byStatus(status, code);
}

/** The names that the SDK gives an answer in which it finds no name. */
const nameless = new Set(["NotFound", "Unknown", "UnknownError", "Error"]);

function byStatus(status: number, code: string): S3Account {
  if (status === 503 || status === 429) return busy;
  if (status >= 500) return ["the store failed", "try again later"];
  if (status < 400 || (status === 404 && nameless.has(code))) return noS3;
  return ["the store refused it", "fix that and try again"];
}

function withoutAnswer(code: string): S3Account {
  if (/CERT|SIGNATURE|ERR_TLS/.test(code)) {
    const remedy =
      "set NODE_EXTRA_CA_CERTS to its authority; for a bucket with dots in its name, set ALMANAC_S3_PATH_STYLE=1";
    return ["the endpoint's certificate is not accepted", remedy];
  }
  if (/EPROTO|ERR_SSL/.test(code)) {
    const remedy = "if the server uses plain HTTP, write AWS_ENDPOINT_URL_S3 with http://";
    return ["the TLS connection failed", remedy];
  }
  return brokenOff.test(code) || /^E[A-Z]+$|^ERR_STREAM/.test(code)
    ? ["the connection broke", "check the network and the store"]
    : ["it failed", "fix that and try again"];
}

function detailOf({ code, status, message }: Trouble) {
  if (status === undefined) return message === "" ? code : message;
  const words = [...new Set([code, message]).difference(nameless)];
  return `HTTP ${status} ${words.join(": ")}`.trim();
}
