// Cleanup of everything that tests and scripts start.
import { once } from "node:events";
import { Server as HttpServer } from "node:http";
import type { Server } from "node:net";
import { afterAll, onTestFinished } from "vitest";

/** Registers cleanup for the end: vitest's `afterAll`, or a script's own list. */
export type AtEnd = (end: () => Promise<void>) => void;

/** Cleans up at the end of the running test, or else of the file: `afterAll` does nothing within a test. */
export function atItsEnd(end: () => Promise<void>): void {
  try {
    onTestFinished(end);
  } catch {
    afterAll(end);
  }
}

/** For worlds of concurrent tests: an `afterAll` within one of them would not wait for the others. */
export function fileEnd(): AtEnd {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    await Promise.all(ends.map((end) => end()));
  });
  return (end) => {
    ends.push(end);
  };
}

/** A script's cleanup list: runs in reverse order, even after an error. */
export async function withEnds<Result>(act: (atEnd: AtEnd) => Promise<Result>): Promise<Result> {
  const ends: (() => Promise<void>)[] = [];
  const alive = setInterval(() => undefined, 1_000); // waiting for a server's end does not keep this process
  try {
    return await act((end) => void ends.unshift(end));
  } finally {
    for (const end of ends) await end();
    clearInterval(alive);
  }
}

/** Listens on a free local port, which it returns; the server and its connections close at the end. */
export async function listen(server: Server, atEnd: AtEnd = atItsEnd): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    if (server instanceof HttpServer) server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
