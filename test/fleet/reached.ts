// Makes this machine's servers reachable from other hosts: the S3 server unchanged, the reading service by TLS, like a remote
// service.
import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import type { AtEnd } from "../support/ends.ts";
import { selfSigned } from "../support/self-signed.ts";

/** Answers the origin under which other hosts reach a server of this machine. */
export async function reached(origin: string, host: string, atEnd: AtEnd): Promise<string> {
  return `http://${host}:${await listenAt(host, createServer(onwardsTo(origin)), atEnd)}`;
}

/** Serves by https, with a certificate from the returned file. */
export async function reachedByTls(origin: string, host: string, folder: string, atEnd: AtEnd) {
  const { key, cert } = selfSigned(host);
  const keys = { key: key.export({ type: "pkcs8", format: "pem" }), cert };
  const port = await listenAt(host, createTlsServer(keys, onwardsTo(origin)), atEnd);
  const certificate = join(folder, "service.pem");
  await writeFile(certificate, cert);
  return { origin: `https://${host}:${port}`, certificate };
}

function onwardsTo(origin: string) {
  const { hostname, port } = new URL(origin);
  return (socket: Socket) => {
    const onwards = connect(Number(port), hostname);
    for (const end of [socket, onwards]) {
      end.setNoDelay(true); // else a call comes later than it left
      end.on("error", () => end.destroy());
    }
    socket.on("close", () => onwards.destroy());
    onwards.on("close", () => socket.destroy());
    socket.pipe(onwards).pipe(socket);
  };
}

async function listenAt(
  host: string,
  server: ReturnType<typeof createServer>,
  atEnd: AtEnd,
): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  server.listen(0, host);
  await once(server, "listening");
  atEnd(async () => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
