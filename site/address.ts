// Addresses that are allowed in a page. Escaping does not make an address safe, so a page accepts only these.

import { shownPicture } from "../readings/picture-hosts.ts";

/** Links to a folder omit the name of its page. */
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

  /** A link by https: or http:; undefined for all other addresses. */
  static link(text: string): Address | undefined {
    const url = webUrl(text);
    return url && new Address(url.href);
  }

  /** A mailto: link; undefined if the text is not an e-mail address. */
  static mail(text: string): Address | undefined {
    return /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(text) ? new Address(`mailto:${text}`) : undefined;
  }

  /** A picture by https: from one of these hosts; undefined for all other addresses. */
  static picture(text: string, hosts: readonly string[]): Address | undefined {
    const url = shownPicture(text, hosts);
    return url && new Address(url.href);
  }
}

export function webUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : undefined;
}

/** A URL over which a secret may be sent: loopback traffic never leaves the machine, so it needs no TLS. */
export function secureUrl(text: string): URL | undefined {
  const url = webUrl(text);
  return url?.protocol === "https:" || isLoopback(url?.hostname ?? "") ? url : undefined;
}

/** The secure URL of a server or a part of it, which ends in a slash. */
export function serverUrl(text: string): URL | undefined {
  const url = secureUrl(text);
  if (url === undefined || /[?#@]/.test(text)) return undefined;
  url.pathname = url.pathname.replace(/\/*$/, "/");
  return url;
}

export function isFolder(path: string): boolean {
  return path === index || path.endsWith(`/${index}`);
}

/** The address under which a path is requested from the site. */
export function addressOf(path: string): string {
  return isFolder(path) ? path.slice(0, -index.length) : path;
}

/** The path for an address on the site; for a folder, its page. */
export function pathAt(address: string): string {
  return address === "" || address.endsWith("/") ? address + index : address;
}

/** The prefix of every address of the site: as in its links, and in full. */
export function siteRootOf(siteUrl: string): { readonly root: string; readonly full: string } {
  const { pathname, origin } = new URL(siteUrl);
  const root = pathname.endsWith("/") ? pathname : `${pathname}/`;
  return { root, full: origin + root };
}

export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
