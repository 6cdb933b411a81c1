// Sends a response, complete or with one of the faults that occur on the wire.
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const json = { "content-type": "application/json; charset=utf-8" };

export function sendJson(
  outgoing: ServerResponse,
  status: number,
  body: string | Buffer,
  headers = {},
): void {
  send(outgoing, status, body, { ...json, ...headers });
}

export function send(
  outgoing: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string>,
): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  outgoing.end(body);
}

/** Waits, or returns at once if the client disconnects. */
export function pause(outgoing: ServerResponse, ms: number): Promise<void> {
  if (ms <= 0 || outgoing.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      outgoing.off("close", done);
      resolve();
    }
    outgoing.once("close", done);
  });
}

/** Sends one byte at a time, which defeats clients that only detect silence. */
export async function drip(outgoing: ServerResponse, body: string | Buffer, everyMs: number): Promise<void> {
  const bytes = Buffer.from(body);
  if (outgoing.destroyed) return;
  outgoing.socket?.setNoDelay(true);
  outgoing.writeHead(200, { ...json, "content-length": bytes.length });
  for (let at = 0; at < bytes.length && !outgoing.destroyed; at += 1) {
    outgoing.write(bytes.subarray(at, at + 1));
    await pause(outgoing, everyMs);
  }
  outgoing.end();
}

/** Sends half of the body, then nothing more on this connection. */
export function truncate(outgoing: ServerResponse, body: string | Buffer, chunked: boolean): void {
  const bytes = Buffer.from(body);
  if (outgoing.destroyed) return;
  outgoing.writeHead(200, chunked ? json : { ...json, "content-length": bytes.length });
  outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.socket?.destroy());
}

/** Closes the connection before any response. */
export function reset(outgoing: ServerResponse): void {
  outgoing.socket?.resetAndDestroy();
}

/** 30 MiB of well-formed JSON, sent no faster than it is read. */
export async function sendHuge(outgoing: ServerResponse): Promise<void> {
  const filling = Buffer.alloc(1024 * 1024, "a");
  function* parts() {
    yield Buffer.from('{"success":1,"data":{"prediction":"');
    for (let count = 0; count < 30; count += 1) yield filling;
    yield Buffer.from('"}}');
  }
  if (outgoing.destroyed) return;
  outgoing.writeHead(200, json);
  await pipeline(Readable.from(parts()), outgoing).catch(() => undefined); // the client may disconnect
}
