// One HTTP request and its whole answer, under one deadline and one size limit. undici calls this handler on every event, so a
// call can be stopped at once in every phase: queued, connecting, waiting for headers, reading the body.
import type { Dispatcher } from "undici";

export interface Exchanged {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The `Date` header: the time at the server. */
  readonly date: string | undefined;
  readonly body: Uint8Array;
}

interface ExchangeBounds {
  /** From now to the last byte of the body, so that a slow drip cannot outlive it. */
  readonly answerMs: number;
  readonly signal?: AbortSignal;
  /**
   * Called when the request is written to its connection, or will never be. What it throws keeps the request from being sent.
   */
  readonly onSent?: () => void;
}

/** A body of a successful answer that is not read on purpose: too large, or compressed. */
export class BodyRefused extends Error {
  override readonly name = "BodyRefused";
  readonly rule: "size" | "encoding";
  readonly status: number;

  constructor(rule: "size" | "encoding", status: number, seen: string) {
    super(seen);
    this.rule = rule;
    this.status = status;
  }
}

/** Rejects with a TransportFault, a BodyRefused or the signal's reason. */
export async function exchange(
  dispatcher: Dispatcher,
  call: Dispatcher.DispatchOptions,
  bounds: ExchangeBounds,
): Promise<Exchanged> {
  bounds.signal?.throwIfAborted();
  const handler = new Exchange(bounds);
  dispatcher.dispatch(call, handler);
  return await handler.answer;
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #outcome = Promise.withResolvers<Exchanged>();
  readonly #bounds: ExchangeBounds;
  readonly #timer: NodeJS.Timeout;
  readonly #cancel = () => this.#reject(this.#bounds.signal?.reason);
  #controller: Dispatcher.DispatchController | undefined;
  #over = false;
  #hasSent = false;
  #status: number | undefined;
  #retryAfter: string | undefined;
  #date: string | undefined;
  readonly #body = new Body();

  constructor(bounds: ExchangeBounds) {
    this.#bounds = bounds;
    this.#timer = setTimeout(() => this.#expire(), bounds.answerMs);
    bounds.signal?.addEventListener("abort", this.#cancel);
  }

  get answer(): Promise<Exchanged> {
    return this.#outcome.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (!this.#over) this.#send();
    if (this.#over) this.#hangUp();
  }

  #send(): void {
    this.#hasSent = true;
    try {
      this.#bounds.onSent?.();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#reject(new TransportFault(`not sent: ${why}`, undefined));
    }
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = first(headers["retry-after"]);
    this.#date = first(headers["date"]);
    const encoding = first(headers["content-encoding"])?.trim().toLowerCase() ?? "identity";
    if (encoding !== "identity" && encoding !== "") {
      this.#fail(
        new BodyRefused(
          "encoding",
          status,
          `a body encoded with ${encoding}, although no encoding was accepted`,
        ),
      );
      return;
    }
    const declared = Number(first(headers["content-length"]) ?? 0);
    if (declared > bodyLimitBytes) this.#tooLarge(`a body of ${declared} bytes`);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (!this.#over && !this.#body.add(chunk)) this.#tooLarge("a body without a declared length");
  }

  onResponseEnd(): void {
    this.#resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(new TransportFault(this.#describeProgress(sentenceFor(error)), this.#status));
  }

  #expire() {
    const seen = `no complete response within ${this.#bounds.answerMs / 1000} s`;
    this.#fail(new TransportFault(this.#describeProgress(seen), this.#status));
  }

  #tooLarge(seen: string) {
    this.#fail(new BodyRefused("size", this.#status ?? 0, `${seen}; the limit is ${bodyLimitBytes}`));
  }

  #describeProgress(seen: string) {
    return this.#status === undefined ? seen : `${seen}, after ${this.#body.sizeBytes} bytes of the body`;
  }

  /** A refusal counts once its status and headers are in, even if its body fails: a 401 must open the circuit breaker. */
  #fail(error: Error) {
    const refused = this.#status !== undefined && (this.#status < 200 || this.#status > 299);
    if (refused) this.#resolve();
    else this.#reject(error);
    this.#hangUp();
  }

  #resolve() {
    const body = this.#body.bytes();
    const [retryAfter, date] = [this.#retryAfter, this.#date];
    this.#outcome.resolve({ status: this.#status ?? 0, retryAfter, date, body });
    this.#end();
  }

  #reject(reason: unknown) {
    this.#outcome.reject(reason);
    this.#end();
    this.#hangUp();
  }

  #end() {
    this.#over = true;
    if (!this.#hasSent) this.#send();
    clearTimeout(this.#timer);
    this.#bounds.signal?.removeEventListener("abort", this.#cancel);
  }

  #hangUp() {
    this.#controller?.abort(new Error("this call has ended"));
  }
}

function first(header: string | string[] | undefined) {
  return Array.isArray(header) ? header[0] : header;
}

export const bodyLimitBytes = 4 * 1024 * 1024;

/** A body while it is being read: it grows as bytes come in, and never beyond its limit. */
class Body {
  #bytes: Uint8Array = new Uint8Array(0);
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** False when the chunk does not fit: the body keeps what it had. */
  add(chunk: Uint8Array): boolean {
    const sizeBytes = this.#sizeBytes + chunk.length;
    if (sizeBytes > bodyLimitBytes) return false;
    // The first chunk, mostly the only one, is taken as it is. Further ones are copied, not collected: chunks of one
    // byte would each hold on to the whole buffer of the socket they came in.
    if (this.#sizeBytes === 0) this.#bytes = chunk;
    else this.#append(chunk, sizeBytes);
    this.#sizeBytes = sizeBytes;
    return true;
  }

  /** Plain bytes, though the network library deals in Buffers. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#sizeBytes);
  }

  #append(chunk: Uint8Array, neededBytes: number) {
    if (neededBytes > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(Math.max(neededBytes, this.#bytes.length * 2), bodyLimitBytes));
      larger.set(this.bytes());
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#sizeBytes);
  }
}

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
