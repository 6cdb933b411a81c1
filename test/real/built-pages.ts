// The pages of a folder as a web server would serve them, and their links.
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { Parser } from "htmlparser2";

/** Serves the folder below a path, like a host with other sites. */
export async function startUnder(
  path: string,
  folder: string,
): Promise<{ url: string; close: () => Promise<void> }> {
  const app = new Hono();
  app.use(
    `${path}*`,
    serveStatic({ root: folder, rewriteRequestPath: (asked) => asked.slice(path.length - 1) }),
  );
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
      resolve({
        url: `http://127.0.0.1:${port}${path}`,
        close: () => promisify(server.close.bind(server))(),
      }),
    );
  });
}

export const pagesOf = (folder: string): string[] => globSync("**/*.html", { cwd: folder }).toSorted();

/** The placeholder in a newsletter for the sender's address. */
const slot = "{{unsubscribe}}";

interface Built {
  readonly leadsTo: readonly string[];
  readonly anchors: ReadonlySet<string>;
}

function builtPage(text: string): Built {
  const leadsTo: string[] = [];
  const anchors = new Set<string>();
  const parser = new Parser({
    onopentag(_name, { id, href, src }) {
      if (id !== undefined) anchors.add(id);
      for (const to of [href, src]) if (to !== undefined && to !== "") leadsTo.push(to);
    },
  });
  parser.end(text);
  return { leadsTo, anchors };
}

/** Links, pictures and scripts of a page whose target or anchor does not exist. */
export function lostLinks(folder: string, url: string): { readonly lost: string[]; readonly count: number } {
  const pages = new Map(
    pagesOf(folder).map((path) => [path, builtPage(readFileSync(join(folder, path), "utf8"))] as const),
  );
  const lost: string[] = [];
  let count = 0;
  for (const [path, { leadsTo }] of pages) {
    for (const link of leadsTo) {
      const to = link === slot ? null : URL.parse(link, url + path);
      if (to === null || to.origin !== new URL(url).origin) continue;
      count += 1;
      const target = to.pathname.startsWith(new URL(url).pathname) ? fileAt(folder, to, url) : undefined;
      const anchors = target === undefined ? undefined : pages.get(target)?.anchors;
      const isThere =
        target !== undefined && (to.hash === "" || anchors?.has(decodeURIComponent(to.hash.slice(1))));
      if (isThere !== true) lost.push(`${path}: ${link}`);
    }
  }
  return { lost, count };
}

function fileAt(folder: string, to: URL, url: string): string | undefined {
  const path = decodeURIComponent(to.pathname.slice(new URL(url).pathname.length));
  const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  return statSync(join(folder, file), { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
}
