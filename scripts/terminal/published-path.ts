// From what somebody copies out of a browser to a path of the site.
import { isLoopback, pathAt } from "../../site/address.ts";
import { WrongUsage } from "./errors.ts";

/** `/en/daily/leo/`, `en/daily/leo`, `https://almanac.example/en/daily/leo/?x` -> `en/daily/leo/index.html` */
export function pathIn(text: string, siteUrl: string): string {
  const site = new URL(siteUrl);
  const root = site.pathname.replace(/\/?$/, "/");
  const isAddress = /^https?:\/\//i.test(text);
  const url = URL.parse(isAddress ? text : text.replace(/^\/*/, "/"), site.origin);
  if (url === null) throw new WrongUsage(`"${text}" is neither a path nor an address`);
  // A preview on this machine shows the same site without the path in front.
  const isPreview = isAddress && url.origin !== site.origin && isLoopback(url.hostname);
  if (isAddress && !isPreview && (url.origin !== site.origin || !url.pathname.startsWith(root))) {
    throw new WrongUsage(`${text} is no address of this site, which is at ${siteUrl}`);
  }
  const from = isAddress && !isPreview ? root.length : 1;
  const path = decoded(url.pathname.slice(from), text);
  const isFile = path === "" || path.slice(path.lastIndexOf("/") + 1).includes(".");
  return pathAt(isFile || path.endsWith("/") ? path : `${path}/`);
}

function decoded(path: string, text: string) {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new WrongUsage(`"${text}" has a % that stands for nothing`);
  }
}
