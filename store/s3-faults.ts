// The faults of S3 and of the way to it, in words that an operator can act on.
import { LeaseLost } from "./held-lease.ts";
import { type Deed, type StoreFacts, StoreFailure } from "./store.ts";
import { type Trouble, troubleOf } from "./s3-errors.ts";

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
  ["it timed out", "check the network and the store", "TimeoutError", "NoAnswer", "ETIMEDOUT"],
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
  return /^E[A-Z]+$|^ERR_STREAM/.test(code)
    ? ["the connection broke", "check the network and the store"]
    : ["it failed", "fix that and try again"];
}

function detailOf({ code, status, message }: Trouble) {
  if (status === undefined) return message === "" ? code : message;
  const words = [...new Set([code, message]).difference(nameless)];
  return `HTTP ${status} ${words.join(": ")}`.trim();
}
