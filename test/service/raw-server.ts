// Small TCP servers for the tests of the client: they see every byte of a request and answer with any bytes at all.
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { Secret } from "../../service/secret.ts";
import { createService, settingsFrom, type Service, type ServiceSettings } from "../../service/service.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { listen } from "../support/ends.ts";

export type RawServer = Awaited<ReturnType<typeof rawServer>>;

/** Calls `answer` once for each whole request; without it the server reads and stays silent. */
export async function rawServer(answer?: (socket: Socket, request: string) => void) {
  /** Whole requests, as received. */
  const requests: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => socket.destroy());
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk) => {
      text += String(chunk);
      if (!isWhole(text)) return;
      requests.push(text);
      text = "";
      answer?.(socket, requests.at(-1) ?? "");
    });
  });
  const port = await listen(server);
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return { url: `http://127.0.0.1:${port}`, port, requests, sockets };
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
  return end >= 0 && text.length >= end + 4 + length;
}

export function reply(status: string, body: string, ...headers: string[]): string {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return [`HTTP/1.1 ${status}`, length, ...headers, "", body].join("\r\n");
}

export const goodBody = '{"success":1,"data":{}}';

export const token = "token-5up3r+s3cret/value==";
export const apiKey = "key-94c1f7d2aa&b";
export const instant = new Date("2026-11-21T12:00:00Z");
export const tarot: ReadingRequest = { operation: "daily-tarot", language: "en", period: "2026-11-21" };

/** A client whose three endpoints are one server's, with quick time-outs; closed when the test ends. */
export function clientOf(url: string | undefined, over: Partial<ServiceSettings> = {}): Service {
  const service = createService({
    endpoints: { english: url, translator: url, legacy: url },
    ...settingsFrom(configurationSchema.parse({})),
    connections: { english: 2, translator: 2, legacy: 2 },
    credentials: async () => ({ token: new Secret(token), apiKey: new Secret(apiKey) }),
    zones: () => "Asia/Kolkata",
    person: () => ({ fullName: "Given Fämily", birthDate: "1990-07-05" }),
    now: () => new Date(),
    ...over,
  });
  onTestFinished(async () => await service.close());
  return service;
}

/** All three endpoints with equal timeouts. */
export function within(answerMs: number, connectMs = answerMs - 1): Pick<ServiceSettings, "timeouts"> {
  const timeouts = { connectMs, answerMs };
  return { timeouts: { english: timeouts, translator: timeouts, legacy: timeouts } };
}

export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => {
      throw new Error("expected a failure, got an answer");
    },
    (error: unknown) => error,
  );
}
