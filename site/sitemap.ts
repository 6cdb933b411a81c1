// Sitemaps by the rules of sitemaps.org: the pages, each with the time of its last change, which is when its readings were
// received. They are read back as well, because a night knows only its own pages.
import { Address, pathAt, siteRootOf } from "./address.ts";
import type { SiteSettings } from "./edition.ts";
import { html as xml, xmlDocument } from "./html.ts";
import { parsePath } from "./paths.ts";

/** A page or, in the index, a sitemap. */
export interface SitemapEntry {
  readonly path: string;
  readonly lastmod: string | undefined;
}

export function renderSitemap(pages: readonly SitemapEntry[], settings: SiteSettings): string {
  const urls = pages.map((page) => xml`<url>${place(page, settings)}</url>\n`);
  return xmlDocument(xml`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}</urlset>`);
}

export function renderSitemapIndex(sitemaps: readonly SitemapEntry[], settings: SiteSettings): string {
  const entries = sitemaps.map((one) => xml`<sitemap>${place(one, settings)}</sitemap>\n`);
  return xmlDocument(
    xml`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</sitemapindex>`,
  );
}

function place({ path, lastmod }: SitemapEntry, { url }: SiteSettings) {
  const { href } = Address.own(siteRootOf(url).full, path);
  return xml`<loc>${href}</loc>${lastmod !== undefined && xml`<lastmod>${lastmod}</lastmod>`}`;
}

const entry = /<loc>([^<]+)<\/loc>(?:<lastmod>([^<]+)<\/lastmod>)?/g;

/** For each path of a sitemap, or of the index, when it last changed. */
export function readSitemap(text: string): Map<string, string | undefined> {
  const said = new Map<string, string | undefined>();
  for (const [, href = "", lastmod] of text.matchAll(entry)) {
    const path = pathIn(href);
    if (path !== undefined) said.set(path, lastmod);
  }
  return said;
}

/** The path at the end of an address, whatever address the site had then. */
function pathIn(href: string) {
  for (let slash = href.indexOf("/"); slash >= 0; slash = href.indexOf("/", slash + 1)) {
    const path = pathAt(href.slice(slash + 1));
    if (parsePath(path) !== undefined) return path;
  }
  return undefined;
}

/** When anything in a sitemap last changed. */
export function newestIn(text: string): string | undefined {
  let newest: string | undefined;
  for (const [, , lastmod] of text.matchAll(entry))
    if (lastmod !== undefined && (newest === undefined || lastmod > newest)) newest = lastmod;
  return newest && Array.from(newest).join(""); // a piece of a text would keep all of the text
}
