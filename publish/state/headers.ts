// How long a published file may be kept by caches: for ever only where its path is made from its hash.
import { parsePath } from "../../site/paths.ts";
import { tree } from "../../site/tree.ts";
import type { ObjectHeaders } from "../../store/store.ts";
import { cacheTags } from "./cache-parts.ts";

const json = "application/json; charset=utf-8";

export const immutable = "public, max-age=31536000, immutable";
/** Past days can still be repaired: a day, then stale while it is fetched again. */
const dated = "public, max-age=86400, stale-while-revalidate=86400";
const current = "public, max-age=300";

export const manifestHeaders: ObjectHeaders = { type: json, cacheControl: immutable };
export const pointerHeaders: ObjectHeaders = { type: json, cacheControl: "public, max-age=5" };

export function objectHeaders(type: string): ObjectHeaders {
  return { type, cacheControl: immutable };
}

/** `siteId`: with which the tags of its files begin. */
export function projectedHeaders(type: string, path: string, siteId?: string): ObjectHeaders {
  const at = parsePath(path);
  if (at !== undefined && "hash" in at) return objectHeaders(type);
  const cacheControl = at !== undefined && tree[at.row].stage === "dated" ? dated : current;
  return { type, cacheControl, ...(siteId !== undefined && { tags: cacheTags(siteId, path) }) };
}
