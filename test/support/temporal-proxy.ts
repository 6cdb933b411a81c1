// A proxy in front of Temporal that disappears at the first call of a named method: open calls break, and new ones are refused. It
// can also be slow, and never answer such calls, or lag behind, and answer them with nothing.
import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { type AtEnd, listen } from "./ends.ts";

/** Answers the address of it. */
export async function startTemporalProxy(
  target: string,
  method: string,
  atEnd: AtEnd,
  then: "gone" | "silent" | "empty" = "gone",
): Promise<string> {
  const upstream = connect(`http://${target}`).on("error", () => undefined);
  const named = new Set(method.split("|"));
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  const cut = (): void => {
    for (const session of sessions) session.destroy();
    server.close();
    upstream.destroy();
  };
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => undefined);
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    if (named.has(headers[":path"]?.split("/").at(-1) ?? "")) {
      if (then === "gone") cut();
      if (then === "empty") answerEmpty(stream);
    } else forwardCall(upstream, stream, headers);
  });
  const port = await listen(server, atEnd);
  atEnd(async () => cut());
  return `127.0.0.1:${port}`;
}

/** A message without fields. */
function answerEmpty(stream: ServerHttp2Stream): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.resume().end(Buffer.alloc(5));
}

/** Hands a call on, and its answer back. */
export function forwardCall(
  upstream: ClientHttp2Session,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): void {
  const call = upstream.request(headers);
  let trailers: IncomingHttpHeaders = {};
  call.on("error", () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  stream.on("close", () => call.close());
  stream.on("wantTrailers", () => stream.sendTrailers(trailers));
  call.on("trailers", (given) => (trailers = given));
  call.on("response", ({ ":status": _status, ...answer }, flags) => {
    const isAll = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(answer, isAll ? { endStream: true } : { waitForTrailers: true });
    if (!isAll) call.pipe(stream);
  });
  stream.pipe(call);
}
