// How long a published file may be kept by caches: for ever only where its path is made from its hash.
import type { ObjectHeaders } from "../../store/store.ts";
import { isCardPicturePath, stageOf } from "../../site/paths.ts";

const json = "application/json; charset=utf-8";

export const immutable = "public, max-age=31536000, immutable";
/** Past days can still be mended: a day, then stale while it is fetched anew. */
const dated = "public, max-age=86400, stale-while-revalidate=86400";
const current = "public, max-age=300";

export const manifestHeaders: ObjectHeaders = { type: json, cacheControl: immutable };
export const pointerHeaders: ObjectHeaders = { type: json, cacheControl: "public, max-age=5" };

export function objectHeaders(type: string): ObjectHeaders {
  return { type, cacheControl: immutable };
}

export function projectedHeaders(type: string, path: string): ObjectHeaders {
  if (isCardPicturePath(path)) return objectHeaders(type);
  return { type, cacheControl: stageOf(path) === "dated" ? dated : current };
}
