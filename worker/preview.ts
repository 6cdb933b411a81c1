// Shows the site as a browser would get it from a bucket behind a plain web server; on this machine only.
import { type Store, WrongKey } from "../store/store.ts";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pathAt } from "../site/address.ts";
import { typeOf } from "../site/draft.ts";

export interface Preview {
  readonly url: string;
  close(): Promise<void>;
}

/** Port 0 takes a free one; a wished one that is taken gives way to a free one. */
export async function startPreview(site: Store, port: number): Promise<Preview> {
  const server = createServer((request, response) => void answer(site, request, response));
  server.requestTimeout = 10_000;
  const listen = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(at, "127.0.0.1", () => {
        server.off("error", reject);
        resolve();
      });
    });
  await listen(port).catch(() => listen(0));
  const address = server.address();
  const listening = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${listening}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(site: Store, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    if (request.method !== "GET" && request.method !== "HEAD")
      return reply(response, 405, "text/plain", "GET or HEAD only\n");
    const key = keyOf(request.url ?? "/");
    const found = key === undefined ? undefined : await readOrNothing(site, key);
    if (key !== undefined && found !== undefined) return reply(response, 200, typeOf(key), found);
    const missing = await readOrNothing(site, "404.html");
    return reply(response, 404, typeOf("404.html"), missing ?? "not found\n");
  } catch (error) {
    return reply(response, 500, "text/plain", `${error instanceof Error ? error.message : String(error)}\n`);
  }
}

/** The store's key for an address: its path, with index.html for a folder; undefined for what can be no key. */
function keyOf(target: string): string | undefined {
  const url = URL.parse(target, "http://127.0.0.1");
  if (url === null) return undefined;
  try {
    return pathAt(decodeURIComponent(url.pathname).slice(1));
  } catch {
    return undefined; // a broken percent-encoding
  }
}

async function readOrNothing(site: Store, key: string): Promise<Uint8Array | undefined> {
  try {
    return (await site.read(key))?.body;
  } catch (error) {
    if (error instanceof WrongKey) return undefined;
    throw error;
  }
}

function reply(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  response.writeHead(status, {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}
