// A way to an S3 server that does harm on order: it loses answers, hangs, and answers itself as S3 would.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { type AtEnd, atItsEnd, listen } from "./ends.ts";

export type Fault =
  | "pass"
  /** Carried out, its answer lost. */
  | "lost"
  /** Lost on the way there. */
  | "unsent"
  /** Half of the response body, then the connection breaks, or hangs. */
  | "half"
  | "stall"
  /** Never answered; "silent" after it was carried out. */
  | "hang"
  | "silent"
  /** Answered in the server's place; `done` when the server carries it out all the same. */
  | { readonly answer: Answer; readonly done?: boolean }
  /** Passed on after this has happened. */
  | { readonly after: () => Promise<unknown> };

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A call as it went by; `answered` are the real server's own headers. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  answered?: IncomingHttpHeaders;
}

/** S3's error response. */
export function s3Error(status: number, code: string, message: string = code, more = ""): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message>${more}<RequestId>1</RequestId></Error>`;
  return { status, headers: { "content-type": "application/xml" }, body };
}

/** Without a target it answers everything itself, by default with 500. */
export async function startProxy(target?: string, atEnd: AtEnd = atItsEnd) {
  const calls: Call[] = [];
  const planned = new Map<string, Fault[]>();
  let byChance = (): Fault => "pass";
  const server = createServer((incoming, outgoing) => {
    void handle(incoming, outgoing).catch(() => outgoing.destroy());
  });

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = incoming;
    const call: Call = { method, url, headers, body: await buffer(incoming) };
    calls.push(call);
    const queue = planned.get(method) ?? [];
    const fault = (queue.length > 1 ? queue.shift() : queue[0]) ?? byChance(); // the last one stays
    if (fault === "hang") return;
    if (fault === "unsent") return void outgoing.destroy();
    if (typeof fault === "object" && "after" in fault) await fault.after();
    const own = typeof fault === "object" && "answer" in fault ? fault : undefined;
    if (own !== undefined && own.done !== true) return send(outgoing, own.answer);
    const answer = await forwarded(call, target);
    if (own !== undefined) return send(outgoing, own.answer);
    if (fault === "lost") return void outgoing.destroy();
    if (fault === "silent") return;
    outgoing.writeHead(answer.status, answer.headers);
    if (fault !== "half" && fault !== "stall") return void outgoing.end(answer.body);
    outgoing.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () => {
      if (fault === "half") outgoing.destroy();
    });
  }

  const port = await listen(server, atEnd);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    calls,
    /** Faults of the next calls of a method, in order; the last one applies to all later calls. */
    plan: (method: "GET" | "PUT" | "POST", ...faults: Fault[]) => planned.set(method, faults),
    /** Fault of every call without a planned one. */
    byChance: (chance: () => Fault) => void (byChance = chance),
    methods: () => calls.map(({ method }) => method).join(" "),
    clear: () => {
      calls.length = 0;
      planned.clear();
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function send(outgoing: ServerResponse, { status, headers = {}, body = "" }: Answer): void {
  outgoing.writeHead(status, headers);
  outgoing.end(body);
}

/** Keeps the headers unchanged: the signature covers the host that the caller knew. */
export async function forwarded(call: Call, target: string | undefined) {
  if (target === undefined) return { status: 500, headers: {}, body: Buffer.alloc(0) };
  const { method, headers } = call;
  const forward = request(new URL(call.url, target), { method, headers, agent: false });
  forward.end(call.body);
  const answer = await new Promise<IncomingMessage>((settle, fail) => {
    forward.once("response", settle).once("error", fail);
  });
  call.answered = answer.headers;
  return { status: answer.statusCode ?? 500, headers: answer.headers, body: await buffer(answer) };
}
