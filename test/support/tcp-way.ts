// A connection to a server that can be cut: open connections break, and new ones are refused.
import { connect, createServer, type Socket } from "node:net";
import { type AtEnd, listen } from "./ends.ts";

export async function startWay(target: string, atEnd: AtEnd) {
  const { hostname, port } = new URL(target.includes("//") ? target : `tcp://${target}`);
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  const cut = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const own = await listen(server, atEnd);
  atEnd(async () => cut());
  return { address: `127.0.0.1:${own}`, cut };
}
