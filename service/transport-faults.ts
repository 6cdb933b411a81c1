// Faults on the way to the service and back, each with a sentence for a person.

/** Thrown when no whole answer came; the same request may succeed later. */
export class TransportFault extends Error {
  override readonly name = "TransportFault";
  readonly status: number | undefined;

  constructor(seen: string, status?: number) {
    super(seen);
    this.status = status;
  }
}

const closed = "the connection was closed before the response was complete";
const noRoute = "no network route to that host";
const sentences = new Map([
  ["ECONNREFUSED", "the connection was refused"],
  ["ECONNRESET", closed],
  ["EPIPE", closed],
  ["UND_ERR_SOCKET", closed],
  ["HPE_INVALID_EOF_STATE", closed],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", closed],
  ["ENOTFOUND", "unknown host name"],
  ["EAI_AGAIN", "the DNS lookup failed"],
  ["EHOSTUNREACH", noRoute],
  ["ENETUNREACH", noRoute],
  ["ETIMEDOUT", "the connection timed out"],
  ["UND_ERR_CONNECT_TIMEOUT", "the connection timed out"],
  ["UND_ERR_HEADERS_OVERFLOW", "the response headers are too long"],
]);
const tlsCode = /CERT|TLS|SSL|^EPROTO$|^UNABLE_TO_|^HOSTNAME_MISMATCH$/;

/** The message of an error that has no sentence here may quote the answer, so the caller redacts it before it is printed. */
export function sentenceFor(error: Error): string {
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  const sentence = sentences.get(code);
  if (sentence !== undefined) return `${sentence} (${code})`;
  if (error.name === "HTTPParserError") return `the response is not HTTP (${error.message})`;
  if (tlsCode.test(code)) return `the TLS connection cannot be trusted (${code}: ${error.message})`;
  return code === "Error" ? error.message : `${error.message} (${code})`;
}
