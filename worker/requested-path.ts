// Maps a request path to a path of the site.
import { pathAt } from "../site/address.ts";

/** Adds index.html to a folder. Undefined for a path outside the site's root, or one that can't be decoded. */
export function requestedPath(pathname: string, root = "/"): string | undefined {
  if (!pathname.startsWith(root)) return undefined;
  try {
    return pathAt(decodeURIComponent(pathname.slice(root.length)));
  } catch {
    return undefined; // a broken percent-encoding
  }
}
