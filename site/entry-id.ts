// The id of a feed's entry, made from the text's request, and the way back from the id to the request.
import { type HoroscopeRequest, requestOf } from "../readings/request.ts";
import { isOperation, rowOf } from "../readings/operations.ts";

const scheme = "urn:almanac:";

export function entryId(siteId: string, text: HoroscopeRequest): string {
  const { operation, language, sign, period } = text;
  return `${scheme}${siteId}:${operation}:${language}:${sign}:${period}`;
}

/** Where an id begins in a text, such as in the fragment of a feed's address; undefined where there is none. */
export function entryIdIn(text: string): string | undefined {
  const start = text.indexOf(scheme);
  return start === -1 ? undefined : text.slice(start);
}

/** The text that has this id on this site; undefined for any other id. */
export function requestOfEntry(siteId: string, id: string): HoroscopeRequest | undefined {
  const [operation = "", language = "", sign = "", period = ""] = id
    .slice(`${scheme}${siteId}:`.length)
    .split(":");
  if (!isOperation(operation)) return undefined;
  const request = requestOf(`${rowOf(operation).due}/${period}/${language}/${operation}/${sign}`);
  return request !== undefined && "sign" in request && entryId(siteId, request) === id ? request : undefined;
}
