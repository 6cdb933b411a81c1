// Addresses that may stand in a page. Escaping does not make an address safe, so a page takes only these.

/** A folder is addressed by its name alone. */
const index = "index.html";

export class Address {
  readonly href: string;
  private constructor(href: string) {
    this.href = href;
  }

  /** The address of a page or file of this site. */
  static own(root: string, path: string): Address {
    return new Address(root + addressOf(path));
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

export function isFolder(path: string): boolean {
  return path === index || path.endsWith(`/${index}`);
}

/** The address under which a path is asked for on the site. */
export function addressOf(path: string): string {
  return isFolder(path) ? path.slice(0, -index.length) : path;
}

/** The path behind an address on the site; for a folder the page in it. */
export function pathAt(address: string): string {
  return address === "" || address.endsWith("/") ? address + index : address;
}

/** The beginning of every address of the site: as its links have it, and in full. */
export function siteRootOf(siteUrl: string): { readonly root: string; readonly full: string } {
  const { pathname, origin } = new URL(siteUrl);
  const root = pathname.endsWith("/") ? pathname : `${pathname}/`;
  return { root, full: origin + root };
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}
