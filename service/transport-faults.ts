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

const closed = "the connection was closed before the answer was complete";
const noRoute = "the network has no way to that address";
const sentences = new Map([
  ["ECONNREFUSED", "the connection was refused"],
  ["ECONNRESET", closed],
  ["EPIPE", closed],
  ["UND_ERR_SOCKET", closed],
  ["HPE_INVALID_EOF_STATE", closed],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", closed],
  ["ENOTFOUND", "the host name is not known"],
  ["EAI_AGAIN", "the host name could not be looked up"],
  ["EHOSTUNREACH", noRoute],
  ["ENETUNREACH", noRoute],
  ["ETIMEDOUT", "no connection came about in time"],
  ["UND_ERR_CONNECT_TIMEOUT", "no connection came about in time"],
  ["UND_ERR_HEADERS_OVERFLOW", "the headers of the answer are too long"],
]);
const tlsCode = /CERT|TLS|SSL|^EPROTO$|^UNABLE_TO_|^HOSTNAME_MISMATCH$/;

/** The message of an error that has no sentence here may quote the answer, so the caller redacts it before it is printed. */
export function sentenceFor(error: Error): string {
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  const sentence = sentences.get(code);
  if (sentence !== undefined) return `${sentence} (${code})`;
  if (error.name === "HTTPParserError") return `the answer is not HTTP (${error.message})`;
  if (tlsCode.test(code)) return `no TLS connection that can be trusted (${code}: ${error.message})`;
  return `${error.message} (${code})`;
}
