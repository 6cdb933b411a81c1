// Serves the site as a browser would get it from a bucket behind a plain web server, on this machine only.
import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { pathAt } from "../site/address.ts";
import { typeOf } from "../site/draft.ts";
import { type Store, WrongKey } from "../store/store.ts";
import { freePorts } from "./temporal/ports.ts";

/** Port 0 takes a free port; so does a port that is taken. */
export async function startPreview(site: Store, wished: number) {
  const listener = getRequestListener(routesOf(site).fetch, { overrideGlobalObjects: false });
  const server = createServer(
    { requestTimeout: 10_000 },
    (request, response) => void listener(request, response),
  );
  const [port = 0] = await freePorts([wished === 0 ? undefined : wished]);
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function routesOf(site: Store) {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("cache-control", "no-store");
    context.header("x-content-type-options", "nosniff");
  });
  app.get("*", async (context) => {
    const key = keyOf(context.req.url);
    const found = key === undefined ? undefined : await readOrNothing(site, key);
    if (key !== undefined && found !== undefined) {
      return context.body(found, 200, { "content-type": typeOf(key) });
    }
    const missing = (await readOrNothing(site, "404.html")) ?? "not found\n";
    return context.body(missing, 404, { "content-type": "text/html; charset=utf-8" });
  });
  app.all("*", (context) => context.text("GET or HEAD only\n", 405));
  app.onError((error, context) => context.text(`${error.message}\n`, 500));
  return app;
}

/** The store's key for an address: its path, with index.html for a folder; undefined for a path that can be no key. */
function keyOf(url: string) {
  try {
    return pathAt(decodeURIComponent(new URL(url).pathname).slice(1));
  } catch {
    return undefined; // a broken percent-encoding
  }
}

async function readOrNothing(site: Store, key: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const stored = await site.read(key);
    return stored && new Uint8Array(stored.body);
  } catch (error) {
    if (error instanceof WrongKey) return undefined;
    throw error;
  }
}
