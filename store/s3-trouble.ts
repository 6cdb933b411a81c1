// Reads an error of the AWS SDK: what happened, whether trying again can help, and whether it may have been done.
import { z } from "zod";

export interface Trouble {
  /** S3's own name for it where S3 answered (`AccessDenied`), else Node's or the SDK's (`ECONNREFUSED`). */
  readonly code: string;
  /** Of S3's answer; undefined where none came. */
  readonly status: number | undefined;
  /** One line, without credentials. */
  readonly message: string;
  /** Where the bucket is, when S3 says that it is elsewhere. */
  readonly region: string | undefined;
  readonly again: boolean;
  /** The store may have done it all the same. */
  readonly mayBeDone: boolean;
}

/** Nothing came in time. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs / 1000} s`);
  }
}

/** An answer that is no S3 answer: a proxy's, a web server's, half of one. */
export class NoS3Answer extends Error {
  override readonly name = "NoS3Answer";
}

/** One of the keys of a removal that S3 did not do, named by S3 as it names whole calls. */
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

export function troubleOf(error: unknown): Trouble {
  const { name, message, code, Region, $metadata, $response } = facts.safeParse(error).data ?? {
    name: "unknown",
    message: String(error),
  };
  const status = $metadata?.httpStatusCode ?? $response?.statusCode;
  const named = status === undefined ? (code ?? name) : name;
  return {
    code: named,
    status,
    message: shown(message),
    region: Region ?? $response?.headers?.["x-amz-bucket-region"],
    again: helps(named, status, message),
    mayBeDone: status === undefined ? !neverSent.has(named) : status < 400 || status >= 500,
  };
}

// Nothing left this machine. A time-out while connecting is not here, because the SDK does not tell it from others.
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
  // Names that come with status 400 or 403, or for one key of a removal without any.
  "RequestTimeout",
  "RequestTimeTooSkewed", // the SDK has set its clock by the refusal
  "InternalError",
  "SlowDown",
  "ServiceUnavailable",
  "OperationAborted",
]);

function helps(code: string, status: number | undefined, message: string): boolean {
  if (passing.has(code) || message.startsWith("Checksum mismatch")) return true; // damaged on the way
  if (status === undefined) return false;
  // 409 is a conflict with another write that was going on: it has to be asked again to know the end.
  return (
    status < 300 || status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501)
  );
}

function shown(message: string): string {
  const [line = ""] = message.split("\n");
  return line
    .replaceAll(/\/\/[^/\s]*@/g, "//")
    .replaceAll(/\b(?:AKIA|ASIA)\w{12,}/g, "…")
    .slice(0, 300);
}
