// A published site as a search engine sees it: each page's robots tag, canonical address and translations, the sitemaps and the feeds.
// `disagreements` compares all of them with one another.
import { z } from "zod";
import { objectPath } from "../../../publish/state/state.ts";
import { parsePath } from "../../../site/paths.ts";
import type { PublishedSite } from "./published-site.ts";

interface SeenPage {
  readonly isNoIndex: boolean;
  /** Whether a person has approved its one text. */
  readonly isReviewed: boolean;
  /** The canonical page, if the page names one. */
  readonly canonical: string | undefined;
  /** Translations that the page names, by their language. */
  readonly translations: ReadonlyMap<string, string>;
}

interface IndexedSite {
  readonly pages: ReadonlyMap<string, SeenPage>;
  /** For each page in a sitemap that the index names, how often. */
  readonly listed: ReadonlyMap<string, number>;
  /** Pages to which items of feeds lead, by feed. */
  readonly feeds: ReadonlyMap<string, readonly string[]>;
}

export function isListed({ pages }: Pick<IndexedSite, "pages">, path: string): boolean {
  const page = pages.get(path);
  return page !== undefined && !page.isNoIndex && page.canonical === path;
}

/** Texts by the hashes of their objects, because most pages stay the same from state to state. */
export type SeenTexts = Map<string, unknown>;

export async function indexedSite(site: PublishedSite, seen: SeenTexts = new Map()): Promise<IndexedSite> {
  const paths = await site.paths();
  const pages = new Map<string, SeenPage>();
  const feeds = new Map<string, readonly string[]>();
  const once = async <Result>(path: string, schema: z.ZodType<Result>, look: (text: string) => Result) => {
    const object = paths.get(path) ?? "";
    if (!seen.has(object)) {
      const stored = await site.site.read(objectPath(object, path));
      seen.set(object, look(new TextDecoder().decode(stored?.body)));
    }
    return schema.parse(seen.get(object));
  };
  for (const path of paths.keys()) {
    if (path.endsWith(".html") && !path.includes("/newsletter/"))
      pages.set(path, await once(path, z.custom<SeenPage>(), pageIn));
    else if (path.endsWith("feed.json") || path.endsWith("feed.xml"))
      feeds.set(path, await once(path, z.custom<string[]>(), (text) => itemsIn(text)));
  }
  const listed = new Map<string, number>();
  for (const sitemap of await once("sitemap.xml", z.custom<string[]>(), locationsIn))
    for (const path of await once(sitemap, z.custom<string[]>(), locationsIn))
      listed.set(path, (listed.get(path) ?? 0) + 1);
  return { pages, listed, feeds };
}

function pageIn(html: string): SeenPage {
  const head = html.slice(0, html.indexOf("</head>"));
  const canonical = /<link rel="canonical" href="([^"]+)"/.exec(head)?.[1];
  const links = head.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"/g);
  return {
    isReviewed: head.includes('"reviewed":true'),
    isNoIndex: head.includes('<meta name="robots" content="noindex, follow"'),
    canonical: canonical && pathIn(canonical),
    translations: new Map([...links].map(([, language = "", address = ""]) => [language, pathIn(address)])),
  };
}

const jsonFeed = z.object({ items: z.array(z.object({ url: z.string() })) });

function itemsIn(feed: string): string[] {
  if (feed.startsWith("{")) return jsonFeed.parse(JSON.parse(feed)).items.map(({ url }) => pathIn(url));
  return [...feed.matchAll(/<item>.*?<link>([^<]+)<\/link>/gs)].map(([, address = ""]) => pathIn(address));
}

function locationsIn(sitemap: string): string[] {
  return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => pathIn(address));
}

function pathIn(address: string): string {
  const path = new URL(address).pathname.slice(1);
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

/** `isSettled`: no month waits for its turn to be rendered again, so that canonical pages must be listed too. */
export function disagreements(site: IndexedSite, isSettled = true): string[] {
  const { pages, listed, feeds } = site;
  const wrong: string[] = [];
  for (const [path, { isNoIndex, canonical, translations }] of pages) {
    const say = (what: string) => wrong.push(`${path}: ${what}`);
    if (isNoIndex !== (canonical === undefined)) say("noindex and a canonical page exclude each other");
    const isOwn = isListed(site, path);
    const count = listed.get(path) ?? 0;
    if (count !== (isOwn ? 1 : 0)) say(`is in ${count} sitemaps, and listed: ${isOwn}`);
    if (!isOwn && translations.size > 0) say("names translations, and is not listed");
    if (canonical !== undefined && canonical !== path && isSettled && !isListed(site, canonical))
      say(`${canonical} is no listed page`);
    for (const [language, other] of translations) {
      if (!isListed(site, other)) say(`the ${language} translation ${other} is not listed`);
      const returned = pages.get(other)?.translations ?? new Map();
      if (JSON.stringify([...returned]) !== JSON.stringify([...translations]))
        say(`the ${language} translation ${other} names other translations`);
    }
  }
  for (const path of listed.keys()) if (!pages.has(path)) wrong.push(`${path}: listed, and no page`);
  for (const [feed, items] of feeds)
    for (const path of items) {
      // Readers keep their feed, and each item its own page, whatever search engines list.
      if (!pages.has(path) || parsePath(path)?.row !== "datedPage") wrong.push(`${feed}: leads to ${path}`);
    }
  return wrong;
}
