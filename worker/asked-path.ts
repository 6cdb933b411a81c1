// The path of the site that a browser asks for.
import { pathAt } from "../site/address.ts";

/** With index.html for a folder; undefined for an address outside the site's root, or one that can be no path. */
export function askedPath(pathname: string, root = "/"): string | undefined {
  if (!pathname.startsWith(root)) return undefined;
  try {
    return pathAt(decodeURIComponent(pathname.slice(root.length)));
  } catch {
    return undefined; // a broken percent-encoding
  }
}
