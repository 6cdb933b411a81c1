// Files at fixed paths that programs look for without reading a page: favicon.ico, the web app manifest, security.txt, the
// client's modules, and sitemaps.
import { readFileSync } from "node:fs";
import type { Language } from "../readings/tables.ts";
import type { Draft, Context } from "./context.ts";
import { type SiteSettings, typeOf } from "./edition.ts";
import { directionOf } from "./formats.ts";
import { pathOf, parsePath } from "./paths.ts";
import type { Theme } from "./theme/theme.ts";
import type { TreePath } from "./tree.ts";
import { Address, pathAt, siteRootOf } from "./address.ts";
import { html as xml, xmlDocument } from "./html.ts";

// favicon.ico, for feed readers, lists of links and some browsers. It is ours, or made from the theme's icon. If the theme's icon
// does not fit into such a file, there is none; pages name the theme's icon in any case.
const ours: Uint8Array = readFileSync(new URL("pictures/favicon.ico", import.meta.url));

export function faviconDrafts({ theme }: Pick<SiteSettings, "theme">): Draft[] {
  const bytes = theme?.icon === undefined ? ours : ownFavicon(theme);
  return bytes === undefined ? [] : [{ at: { row: "favicon" }, render: () => [bytes] }];
}

function ownFavicon({ icon, files }: Theme): Uint8Array | undefined {
  const bytes = files.find(({ at }) => icon !== undefined && pathOf(at) === pathOf(icon))?.bytes;
  if (bytes === undefined || icon?.asset === "ico") return bytes;
  return iconOf(bytes);
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** The size of a PNG, from its first chunk; undefined for other bytes. */
export function pngSize(bytes: Uint8Array) {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length < 24 || !file.subarray(0, 8).equals(signature)) return undefined;
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

const widest = 256;

/** An icon file that contains the PNG unchanged; undefined if the bytes are no PNG or the picture is too large. */
export function iconOf(png: Uint8Array): Uint8Array | undefined {
  const size = pngSize(png);
  if (size === undefined || size.width > widest || size.height > widest) return undefined;
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // an icon, not a pointer
  head.writeUInt16LE(1, 4); // number of pictures
  head.writeUInt8(size.width % widest, 6); // 256 is written as 0
  head.writeUInt8(size.height % widest, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

// The web app manifest, with which a browser installs the site among a device's programs. Each language has one that opens its front
// page; the site's own opens the page to choose a language.
/** The manifest that a page names: only the pages that it opens name one. */
export function manifestFor(at: TreePath): TreePath | undefined {
  if (at.row === "frontPage") return { row: "languageManifest", language: at.language };
  return at.row === "chooserPage" ? { row: "webManifest" } : undefined;
}

/** `opens`: the language whose front page it opens; the choice of a language where there is none. */
export function webManifestDraft(at: TreePath, opens: Language | undefined): Draft {
  return { at, render: (context) => renderManifest(context, opens) };
}

function renderManifest(context: Context, opens: Language | undefined) {
  const { settings, language, palettes, labels } = context;
  const first: TreePath =
    opens === undefined ? { row: "chooserPage" } : { row: "frontPage", language: opens };
  const document = {
    name: settings.name,
    description: labels.tagline,
    lang: language,
    dir: directionOf(language),
    start_url: context.address(first).href,
    scope: context.root,
    display: "minimal-ui", // includes a back button, which pages don't have
    background_color: palettes.light.paper,
    theme_color: palettes.light.paper,
    icons: [iconIn(context)],
  };
  return `${JSON.stringify(document)}\n`;
}

function iconIn(context: Context) {
  const at: TreePath = context.settings.theme?.icon ?? { row: "icon" };
  const type = typeOf(pathOf(at));
  return { src: context.address(at).href, type, ...sizesOf(context, type, pathOf(at)) };
}

/** A drawing fits every size. For other types than PNG, the size is unknown. */
function sizesOf({ settings }: Context, type: string, path: string) {
  if (type === "image/svg+xml") return { sizes: "any" };
  const bytes = settings.theme?.files.find(({ at }) => pathOf(at) === path)?.bytes;
  const size = bytes && pngSize(bytes);
  return size && { sizes: `${size.width}x${size.height}` };
}

// security.txt (RFC 9116) names the contact for reports of vulnerabilities, and its own expiry. Rendering has no clock, so the expiry
// counts whole months from the newest published day: the file changes once a month, and expires if the site is abandoned.
/** The standard requires less than a year. */
const monthsAhead = 6;

export function securityDrafts(
  { security }: Pick<SiteSettings, "security">,
  languages: readonly { readonly date: string }[],
): Draft[] {
  const newest = languages
    .map(({ date }) => date)
    .toSorted()
    .at(-1);
  if (security === undefined || newest === undefined) return [];
  const text = (context: Context) => securityText(security.contact, expiryAfter(newest), context);
  return [{ at: { row: "securityText" }, render: text }];
}

function securityText(contact: string, expires: string, context: Context) {
  const address = contact.startsWith("https:") ? contact : `mailto:${contact}`;
  return `Contact: ${address}\nExpires: ${expires}\nCanonical: ${context.url({ row: "securityText" })}\n`;
}

/** The first instant of the month that is this many months after the date's. */
function expiryAfter(date: string) {
  const [year = 0, month = 1] = date.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + monthsAhead)).toISOString();
}

/** The key file of IndexNow. Its contents must be the key and nothing else. */
export function indexNowDrafts({ indexNow }: Pick<SiteSettings, "indexNow">): Draft[] {
  return indexNow === undefined ? [] : [{ at: { row: "indexNowKey" }, render: () => indexNow.key }];
}

/** The client's modules, published with the site byte for byte as they are in packages/client/. */
export const client = {
  code: readFileSync(new URL("../packages/client/almanac.js", import.meta.url)),
  types: readFileSync(new URL("../packages/client/almanac.d.ts", import.meta.url)),
  element: readFileSync(new URL("../packages/client/almanac-reading.min.js", import.meta.url)),
  elementTypes: readFileSync(new URL("../packages/client/almanac-reading.d.ts", import.meta.url)),
  pull: readFileSync(new URL("../packages/client/almanac-pull.js", import.meta.url)),
} as const;

// Sitemaps by the rules of sitemaps.org: the pages, each with the time of its last change, which is when its readings were
// received. They are read back as well, because a night knows only its own pages.
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
  return newest && Array.from(newest).join(""); // joined again, because a slice would keep the whole text in memory
}
