// A gate in front of Temporal: TLS with certificates of both sides, and an API key in each call's metadata. Its permissions can be
// changed while it is used, and it reports who called what.
import { connect, createSecureServer, type ServerHttp2Session } from "node:http2";
import { TLSSocket } from "node:tls";
import { type AtEnd, listen } from "./ends.ts";
import type { Certificate } from "./self-signed.ts";
import { forwardCall } from "./temporal-proxy.ts";

export interface GuardedCall {
  readonly method: string;
  /** The name in the caller's certificate. */
  readonly by: string;
  readonly apiKey: string | undefined;
}

interface Guard {
  /** The gate's own certificate. */
  readonly own: Certificate;
  /** Authorities whose certificates it accepts. */
  readonly authorities: readonly Certificate[];
  readonly apiKeys: readonly string[];
}

const unauthenticated = { ":status": 200, "content-type": "application/grpc", "grpc-status": "16" };

export async function startTemporalGate(target: string, first: Guard, atEnd: AtEnd) {
  const upstream = connect(`http://${target}`).on("error", () => undefined);
  const sessions = new Set<ServerHttp2Session>();
  const passed: GuardedCall[] = [];
  const refused = { handshakes: 0, calls: 0 };
  let guard = first;
  const contextOf = ({ own, authorities }: Guard) => ({
    key: own.keyText,
    cert: own.cert,
    ca: authorities.map(({ cert }) => cert),
  });
  const server = createSecureServer({ ...contextOf(first), requestCert: true, rejectUnauthorized: true });
  server.on("tlsClientError", () => (refused.handshakes += 1));
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    session.on("error", () => undefined);
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    const apiKey = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
    if (guard.apiKeys.length > 0 && !guard.apiKeys.includes(apiKey ?? "")) {
      refused.calls += 1;
      stream.respond({ ...unauthenticated, "grpc-message": "invalid API key" }, { endStream: true });
      return;
    }
    const socket = stream.session?.socket;
    const by = socket instanceof TLSSocket ? socket.getPeerCertificate().subject.CN : undefined;
    passed.push({ method: headers[":path"]?.split("/").at(-1) ?? "", by: String(by), apiKey });
    forwardCall(upstream, stream, headers);
  });
  const port = await listen(server, atEnd);
  const cut = (): void => {
    for (const session of sessions) session.destroy();
  };
  atEnd(async () => {
    cut();
    upstream.destroy();
  });
  return {
    address: `127.0.0.1:${port}`,
    calls: passed,
    refused,
    /** Applies from now on; existing connections stay, unless they are cut. */
    change(next: Guard): void {
      guard = next;
      server.setSecureContext(contextOf(next));
    },
    /** Closes all connections, like a restarting server. */
    cut,
  };
}
