// Addresses that may stand in a page. Escaping does not make an address safe, so a page takes only these.

/** A folder is addressed by its name alone. */
const index = "index.html";

export class Address {
  readonly href: string;
  private constructor(href: string) {
    this.href = href;
  }

  /** A page or file of this site. */
  static own(root: string, path: string): Address {
    const isFolder = path === index || path.endsWith(`/${index}`);
    return new Address(root + (isFolder ? path.slice(0, -index.length) : path));
  }

  /** See safeUrl. */
  static foreign(text: string, use: "link" | "image"): Address | undefined {
    const url = URL.parse(text);
    if (url === null) return undefined;
    const safe =
      url.protocol === "https:" || (url.protocol === "http:" && (use === "link" || isLoopback(url.hostname)));
    return safe ? new Address(url.href) : undefined;
  }
}

/** Links by https: and http:, pictures by https: and, on this machine only, http:; undefined for all else. */
export function safeUrl(text: string, use: "link" | "image"): Address | undefined {
  return Address.foreign(text, use);
}

/** What stands before a path: as a link on the site has it, and in full. */
export function siteRootOf(siteUrl: string): { readonly root: string; readonly full: string } {
  const { pathname, origin } = new URL(siteUrl);
  const root = pathname.endsWith("/") ? pathname : `${pathname}/`;
  return { root, full: origin + root };
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}
