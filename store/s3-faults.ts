// The faults of S3 and of the way to it, in words that an operator can act on.
import { LeaseLost } from "./held-lease.ts";
import { type Deed, type StoreFacts, StoreFailure } from "./store.ts";
import { type Trouble, troubleOf } from "./s3-errors.ts";

/** The codes are S3's names for an error where S3 answered, else Node's or the SDK's. */
type S3Account = readonly [seen: string, remedy: string, ...codes: string[]];

const wrongRegion: S3Account = [
  "the bucket is in another region",
  "set AWS_REGION to the bucket's own",
  "PermanentRedirect",
  "TemporaryRedirect",
  "AuthorizationHeaderMalformed",
  "IllegalLocationConstraintException",
];
const busy: S3Account = [
  "the store asks to slow down",
  "do less at once, or run it again later",
  "SlowDown",
  "ServiceUnavailable",
  "Throttling",
  "ThrottlingException",
];
const noS3: S3Account = [
  "what answers there is no S3",
  "correct AWS_ENDPOINT_URL_S3, and look for a proxy in between",
  "NoS3Answer",
];

const accounts: readonly S3Account[] = [
  wrongRegion,
  busy,
  noS3,
  [
    "there is no such bucket",
    "make it, or correct its name in the store's address",
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
    "sign in again, or let a role give credentials that renew themselves",
    "ExpiredToken",
    "ExpiredTokenException",
    "TokenRefreshRequired",
  ],
  [
    "there are no credentials",
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give the machine a role",
    "CredentialsProviderError",
  ],
  ["this machine's clock is wrong", "set it, and keep it so (NTP)", "RequestTimeTooSkewed"],
  [
    "the endpoint's name does not resolve",
    "correct AWS_ENDPOINT_URL_S3 or AWS_REGION; a server without a name per bucket needs ALMANAC_S3_PATH_STYLE=1",
    "ENOTFOUND",
    "EAI_AGAIN",
  ],
  [
    "nothing answers there",
    "see that it runs, and correct AWS_ENDPOINT_URL_S3",
    "ECONNREFUSED",
    "EHOSTUNREACH",
    "ENETUNREACH",
  ],
  ["the endpoint is no URL", "write AWS_ENDPOINT_URL_S3 with https:// or http://", "ERR_INVALID_URL"],
  [
    "the endpoint or the region is none",
    "write AWS_ENDPOINT_URL_S3 with https:// or http://, and AWS_REGION as Amazon does",
    "EndpointError",
  ],
  [
    "it took too long",
    "see whether the network or the store has trouble",
    "TimeoutError",
    "NoAnswer",
    "ETIMEDOUT",
  ],
  [
    "the server does not take such a request",
    "if checksums are what it refuses, set ALMANAC_S3_CHECKSUMS=when-required; `almanac check` shows what it can do",
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
  read: "allow s3:GetObject on it, and s3:ListBucket on the bucket: without that a missing object looks forbidden",
  write:
    "allow s3:PutObject on it, and kms:GenerateDataKey and kms:Decrypt if a key of yours encrypts the bucket",
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
    return ["no region is set", "set AWS_REGION; for a server of your own any will do, such as us-east-1"];
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
  if (status >= 500) return ["the store failed", "run it again later"];
  if (status < 400 || (status === 404 && nameless.has(code))) return noS3;
  return ["the store refused it", "put that right and run it again"];
}

function withoutAnswer(code: string): S3Account {
  if (/CERT|SIGNATURE|ERR_TLS/.test(code)) {
    const remedy =
      "name its authority in NODE_EXTRA_CA_CERTS; for a bucket with dots in its name set ALMANAC_S3_PATH_STYLE=1";
    return ["the endpoint's certificate is not accepted", remedy];
  }
  if (/EPROTO|ERR_SSL/.test(code)) {
    const remedy = "if the server speaks plain HTTP, write AWS_ENDPOINT_URL_S3 with http://";
    return ["TLS does not work there", remedy];
  }
  return /^E[A-Z]+$|^ERR_STREAM/.test(code)
    ? ["the connection broke", "see whether the network or the store has trouble"]
    : ["it failed", "put that right and run it again"];
}

function detailOf({ code, status, message }: Trouble) {
  if (status === undefined) return message === "" ? code : message;
  const words = [...new Set([code, message]).difference(nameless)];
  return `HTTP ${status} ${words.join(": ")}`.trim();
}
