// Reads an error of the AWS SDK: what happened, whether trying again can help, and whether it may have been done.
import { z } from "zod";

export type Trouble = ReturnType<typeof troubleOf>;

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

function helps(code: string, status: number | undefined, message: string) {
  if (passing.has(code) || message.startsWith("Checksum mismatch")) return true; // damaged on the way
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
