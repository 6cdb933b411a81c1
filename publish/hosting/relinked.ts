// Takes out of a page or a sitemap what leads to files that a host does not get: a link becomes its plain text, and a sitemap
// lists what is left. All other bytes stay as they were.
import { Parser } from "htmlparser2";
import { pathAt, siteRootOf } from "../../site/address.ts";
import { sitemapWithout } from "../../site/sitemap.ts";

/** Whether a host does not get a path. */
export type IsLeftOut = (path: string) => boolean;

/** Undefined for a sitemap that lists nothing any more. */
export function relinked(
  path: string,
  bytes: Uint8Array,
  isLeftOut: IsLeftOut,
  siteUrl: string,
): Uint8Array | undefined {
  const isPage = path.endsWith(".html");
  if (!isPage && !/sitemap[^/]*\.xml$/.test(path)) return bytes;
  const text = new TextDecoder().decode(bytes);
  const left = isPage ? pageWithout(text, isLeftOut, siteUrl) : sitemapWithout(text, isLeftOut);
  if (left === text) return bytes;
  return left === undefined ? undefined : new TextEncoder().encode(left);
}

function pageWithout(text: string, isLeftOut: IsLeftOut, siteUrl: string): string {
  const { root, full } = siteRootOf(siteUrl);
  const leads = (href: string): boolean => {
    const beginning = [full, root].find((one) => href.startsWith(one));
    const [address = ""] = href.slice(beginning?.length).split(/[?#]/);
    return beginning !== undefined && isLeftOut(pathAt(address));
  };
  const pieces: string[] = [];
  let copied = 0;
  const parser = new Parser({
    onopentag(name, { href }) {
      if (href === undefined || !leads(href)) return;
      const { startIndex, endIndex } = parser;
      const tag = text.slice(startIndex, endIndex + 1);
      // What is no link of the reader's, such as a `link` to the data of a page, goes whole.
      const left = name === "a" ? tag.replace(/\s+href\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/i, "") : "";
      pieces.push(text.slice(copied, startIndex), left);
      copied = endIndex + 1;
    },
  });
  parser.end(text);
  return pieces.join("") + text.slice(copied);
}
