// A server of pictures on this machine, as a stranger's may behave, and the smallest files that pass for pictures.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "./ends.ts";

const bytes = (...values: readonly (number | string)[]) =>
  Buffer.concat(
    values.map((value) => (typeof value === "string" ? Buffer.from(value, "latin1") : Buffer.from([value]))),
  );

export const png = bytes(0x89, "PNG\r\n\u001A\n", "the rest of a picture");
export const jpeg = bytes(0xff, 0xd8, 0xff, 0xe0, "the rest of a picture");
export const gif = bytes("GIF89a", "the rest of a picture");
export const webp = bytes("RIFF", 0, 0, 0, 0, "WEBPVP8 ", "the rest of a picture");

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export type PictureServer = Awaited<ReturnType<typeof pictureServer>>;

/** Closed when the test ends. */
export async function pictureServer(usual?: Answer) {
  /** The paths that were asked for, in order. */
  const asked: string[] = [];
  /** Responses by path; any other path is a unique picture. */
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    asked.push(path);
    const answer = answers.get(path) ?? usual ?? ((to) => to.end(Buffer.concat([png, Buffer.from(path)])));
    answer(response, request);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, asked, answers };
}
