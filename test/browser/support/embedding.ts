// A site that is published for real into a folder and served as `almanac serve` does it, and pages of somebody else, on another
// origin, with <almanac-reading> in them.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { z } from "zod";
import type { ConfigurationInput } from "../../../readings/configuration.schema.ts";
import { openFolder } from "../../../store/folder.ts";
import type { Store } from "../../../store/store.ts";
import { openTrial } from "../../../store/trial.ts";
import { startPublishedServer } from "../../../worker/site-server.ts";
import { newSite } from "../../publish/support/published-site.ts";
import { type AtEnd, listen } from "../../support/ends.ts";

/** Times of the two publishes: in every language it is the date that they begin with, or the next. */
export const nights = ["2026-11-21T12:00:00Z", "2026-11-22T12:00:00Z"] as const;

export type Embedding = Awaited<ReturnType<typeof newEmbedding>>;

export async function newEmbedding(configuration: ConfigurationInput, atEnd: AtEnd) {
  const folder = mkdtempSync(join(tmpdir(), "almanac-embedding-"));
  const stores = { site: openFolder(join(folder, "site")), vault: openFolder(join(folder, "vault")) };
  const first = newSite(configuration, stores);
  first.setClock(nights[0]);
  await first.gather("2026-11-21", "2026-11-22");
  await first.night();
  const lies = new Map<string, Uint8Array | undefined>();
  const read: Store["read"] = async (path) => {
    const body = lies.get(path);
    if (lies.has(path)) return body && { body, version: "of a lie" };
    return embedding.served.read(path);
  };
  const server = await startPublishedServer({ ...stores.site, read }, 0);
  const host = await startHost(atEnd);
  atEnd(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const embedding = {
    url: server.url,
    first,
    served: stores.site,
    /** Replacements for paths: other bytes, or nothing. */
    lies,
    /** Publishes the next day's edition without changing the folder. */
    async secondNight() {
      const second = newSite(configuration, { site: openTrial(stores.site), vault: openTrial(stores.vault) });
      second.setClock(nights[1]);
      await second.night();
      embedding.served = second.site;
      return second;
    },
    /** Resets everything to the state after the first night. */
    restore(): void {
      embedding.served = stores.site;
      lies.clear();
    },
    visitor: (browser: Browser, options?: BrowserContextOptions) =>
      newVisitor(browser, host, server.url, options),
  };
  return embedding;
}

/** Pages by their path, under a name and a port that are not the site's. */
async function startHost(atEnd: AtEnd) {
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(pages.get(request.url ?? "") ?? "");
  });
  const port = await listen(server, atEnd);
  return { url: `http://127.0.0.1:${port}`, pages };
}

const seen = z.array(z.object({ stale: z.boolean().optional(), reason: z.string().optional() }));

async function newVisitor(
  browser: Browser,
  host: Awaited<ReturnType<typeof startHost>>,
  site: string,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.clock.setFixedTime(nights[0]);
  return {
    page,
    /** A page with these elements, each of which has asked the site. */
    visit: async (body: string, head = ""): Promise<z.infer<typeof seen>> => {
      const path = `/${host.pages.size}.html`;
      host.pages.set(path, documentWith(body, head, site));
      await page.goto(host.url + path);
      return settled(page);
    },
    again: async (at: string): Promise<z.infer<typeof seen>> => {
      await page.clock.setFixedTime(at);
      await page.reload();
      return settled(page);
    },
    settled: () => settled(page),
    /** The way to the site is cut. */
    unplug: async (): Promise<void> => {
      // The script may come from the visitor's cache or from the page's own server.
      await context.route(`${site}v1/**`, (route) => route.abort());
    },
  };
}

function documentWith(body: string, head: string, site: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page of somebody else</title>
    <meta name="viewport" content="width=device-width"><style>
      :root { color-scheme: light dark } body { font: 1.05rem/1.6 serif; margin: 1rem }
    </style>${head}
    <script>
      const seen = [];
      document.addEventListener("reading", ({ detail }) => {
        seen.push({ stale: detail.stale, reason: detail.reason?.name });
      }, true);
    </script>
    <script type="module" src="${site}assets/almanac-reading.js"></script>
    <main><h1>A page</h1>${body}</main></html>`;
}

/** The last event of each element, once all have fired. */
async function settled(page: Page): Promise<z.infer<typeof seen>> {
  await page.waitForFunction(`seen.length >= document.querySelectorAll("almanac-reading").length`);
  return seen.parse(await page.evaluate("seen.splice(0)"));
}
