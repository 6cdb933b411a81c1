// A webhook receiver: stores its requests, and responds as a test wants.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type AtEnd, listen } from "./ends.ts";

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

export async function startCollector(atEnd: AtEnd) {
  const received: Received[] = [];
  /** The statuses of the next answers; then 200. */
  const statuses: number[] = [];
  const server = createServer((request, response) => void receive(request, response));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    received.push({ method, url, body: await text(request) });
    const status = statuses.shift() ?? 200;
    response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end("thank you");
  }
  const port = await listen(server, atEnd);
  return { url: `http://127.0.0.1:${port}`, received, statuses };
}
