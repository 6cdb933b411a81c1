// Serves a site on this machine only. Responses match those of the web servers in deploy/, except for caching. `almanac serve`
// serves the published site, `almanac preview` the unpublished one (live/live-server.ts).
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { type Language, languageNames } from "../readings/tables.ts";
import { addressOf, pathAt, siteRootOf } from "../site/address.ts";
import { groupAt, groupNamed, parsePath, pathOf } from "../site/paths.ts";
import { freePorts } from "./temporal/ports.ts";
import { pointerPath } from "../publish/state/state.ts";
import { typeOf } from "../site/edition.ts";
import { type Store, WrongKey } from "../store/store.ts";

export interface ServedFile {
  readonly body: string | Uint8Array;
  readonly type: string;
}

export interface ServedSite {
  /** Whether other sites' scripts may read its data. Not so for unpublished texts. */
  readonly isPublic: boolean;
  /** The beginning of its addresses, which may change. */
  readonly root: () => string;
  /** Undefined if there is no such file. */
  readonly read: (path: string) => Promise<ServedFile | undefined>;
  /** Placeholder (503) for a missing page while the site has no pages yet. It reloads itself every second. */
  readonly waiting?: () => Promise<ServedFile | undefined>;
  /** Error page if `read` throws. */
  readonly failed: (error: unknown) => ServedFile;
  /** Handles a request that is not for a file; true if it did. */
  readonly takes?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Listens on exactly this port, or on a free one if it is 0. */
export async function startSiteServer(site: ServedSite, wished: number) {
  const listener = getRequestListener(routesOf(site).fetch, { overrideGlobalObjects: false });
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    if (site.takes?.(request, response) !== true) void listener(request, response);
  });
  const [port = wished] = wished === 0 ? await freePorts([undefined]) : [];
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${port}${site.root()}`,
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
    },
  };
}

function routesOf(site: ServedSite) {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("cache-control", "no-store");
    context.header("x-content-type-options", "nosniff");
    const path = requestedPath(context.req.path, site.root()) ?? "";
    if (site.isPublic && /^(?:v1|assets)\//.test(path)) context.header("access-control-allow-origin", "*");
  });
  app.get("*", async (context) => {
    const { pathname, search } = new URL(context.req.url);
    const root = site.root();
    const path = requestedPath(pathname, root);
    const found = path === undefined ? undefined : await site.read(path);
    if (found !== undefined) return context.body(...answer(200, found));
    if (path !== undefined && (await site.read(pathAt(`${path}/`))) !== undefined)
      return context.redirect(`${root}${path}/${search}`, 308);
    const waiting = await site.waiting?.();
    if (waiting === undefined) {
      const isGone = path !== undefined && isDatedPage(path);
      return context.body(...answer(isGone ? 410 : 404, await missingPage(site, path, isGone)));
    }
    context.header("refresh", "1");
    return context.body(...answer(503, waiting));
  });
  app.all("*", (context) => context.text("GET or HEAD only\n", 405, { allow: "GET, HEAD" }));
  app.onError((error, context) => context.body(...answer(500, site.failed(error))));
  return app;
}

function answer<Status extends 200 | 404 | 410 | 500 | 503>(status: Status, { body, type }: ServedFile) {
  const bytes = typeof body === "string" ? body : new Uint8Array(body);
  return [bytes, status, { "content-type": type }] as const;
}

/** Whether only a page of a day, week, month or year can be there: if it is not, it has left the site. */
function isDatedPage(path: string): boolean {
  const at = parsePath(path);
  return (
    at !== undefined && "language" in at && groupAt(at) !== groupNamed(at.language) && path.endsWith(".html")
  );
}

/** The 404 or 410 page, in the language of the URL if it names one. */
async function missingPage(
  { read }: ServedSite,
  path: string | undefined,
  isGone: boolean,
): Promise<ServedFile> {
  const folderOf = (language: Language) => addressOf(pathOf({ row: "frontPage", language }));
  const own = languageNames.find((language) => path?.startsWith(folderOf(language)) === true);
  const ofLanguage =
    own && (await read(pathOf({ row: isGone ? "gonePage" : "languageNotFound", language: own })));
  const any = ofLanguage ?? (await read(pathOf({ row: "notFoundPage" })));
  return any ?? { body: "not found\n", type: "text/plain; charset=utf-8" };
}

/**
 * Listens on exactly this port, or on a free one if it is 0. The pages' links begin with the path of the site's URL, so this path
 * is served. `waiting` is shown while nothing is published.
 */
export function startPublishedServer(
  site: Store,
  wished: number,
  siteUrl = "http://127.0.0.1/",
  waiting?: ServedFile,
): ReturnType<typeof startSiteServer> {
  const { root } = siteRootOf(siteUrl);
  return startSiteServer(
    {
      isPublic: true,
      root: () => root,
      read: (path) => readOrNothing(site, path),
      waiting: async () => ((await site.read(pointerPath)) === undefined ? waiting : undefined),
      failed: (error) => {
        const message = error instanceof Error ? error.message : String(error);
        return { body: `${message}\n`, type: "text/plain; charset=utf-8" };
      },
    },
    wished,
  );
}

export async function readOrNothing(site: Store, path: string) {
  try {
    const stored = await site.read(path);
    return stored && { body: stored.body, type: typeOf(path) };
  } catch (error) {
    if (error instanceof WrongKey) return undefined;
    throw error;
  }
}

/** Adds index.html to a folder. Undefined for a path outside the site's root, or one that can't be decoded. */
export function requestedPath(pathname: string, root = "/"): string | undefined {
  if (!pathname.startsWith(root)) return undefined;
  try {
    return pathAt(decodeURIComponent(pathname.slice(root.length)));
  } catch {
    return undefined; // a broken percent-encoding
  }
}
