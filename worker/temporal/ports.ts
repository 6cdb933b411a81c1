// Ports for servers on this machine that have to be told theirs before they start.
import { createServer, type Server } from "node:net";

// Below the ranges for outgoing connections (Linux from 32768, macOS from 49152): nothing takes the port of a
// server that is down for a moment, and it can come back where its clients look for it.
const firstPort = 20_000;
const portCount = 12_000;
const triesPerPort = 100;

/** As many distinct free ports of 127.0.0.1 as wishes are given; a wish that is free is granted. */
export async function freePorts(wishes: readonly (number | undefined)[]): Promise<number[]> {
  const held: { port: number; server: Server }[] = [];
  try {
    for (const wish of wishes) held.push(await hold(wish)); // held together, hence distinct
    return held.map(({ port }) => port);
  } finally {
    await Promise.all(held.map(({ server }) => closed(server)));
  }
}

async function hold(wish: number | undefined): Promise<{ port: number; server: Server }> {
  for (let attempt = 0; attempt < triesPerPort; attempt += 1) {
    const drawn = firstPort + Math.floor(Math.random() * portCount);
    const port = attempt === 0 && wish !== undefined ? wish : drawn;
    const server = await listening(port);
    if (server !== undefined) return { port, server };
  }
  throw new Error(
    `no free port on 127.0.0.1: ${triesPerPort} between ${firstPort} and ${firstPort + portCount - 1} could not be bound`,
  );
}

async function listening(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => resolve(server));
  });
}

async function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
