// Free ports for local servers that need their port number before they start.
import { once } from "node:events";
import { createServer, type Server } from "node:net";

// Below the ranges for outgoing connections (Linux from 32768, macOS from 49152): nothing takes the port of a
// server that is down for a moment, and it can come back where its clients look for it.
const firstPort = 20_000;
const portCount = 12_000;
const triesPerPort = 100;

/** Finds one free port of 127.0.0.1 per wish, all distinct. A wished port is used if it is free. */
export async function freePorts(wishes: readonly (number | undefined)[]): Promise<number[]> {
  const held: Server[] = []; // together, hence distinct
  const ports: number[] = [];
  try {
    for (const wish of wishes) ports.push(await hold(wish, held));
  } finally {
    await Promise.all(held.map((server) => server[Symbol.asyncDispose]()));
  }
  return ports;
}

async function hold(wish: number | undefined, held: Server[]) {
  for (let attempt = 0; attempt < triesPerPort; attempt += 1) {
    const drawn = firstPort + Math.floor(Math.random() * portCount);
    const port = attempt === 0 && wish !== undefined ? wish : drawn;
    const server = await listening(port);
    if (server === undefined) continue;
    held.push(server);
    return port;
  }
  throw new Error(
    `no free port on 127.0.0.1: none of ${triesPerPort} ports between ${firstPort} and ${firstPort + portCount - 1} is available`,
  );
}

async function listening(port: number) {
  const server = createServer();
  return once(server.listen({ host: "127.0.0.1", port, exclusive: true }), "listening").then(
    () => server,
    () => undefined,
  );
}
