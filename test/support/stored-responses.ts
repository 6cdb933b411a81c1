// The sandbox's answers as a vault keeps them, made in this process.
import type { StoredResponse } from "../../vault/vault.ts";
import { sha256 } from "../../vault/files.ts";
import { type ReadingRequest, type RequestKey, requestKey } from "../../readings/request.ts";
import { dataFor, envelope } from "../../packages/sandbox/answers.ts";
import type { ReceivedRequest } from "../../packages/sandbox/received-request.ts";
import { hashOf, seededRandom } from "../../packages/sandbox/random.ts";

interface Answering {
  readonly translated?: boolean;
  /** First words of the text, which identify it and distinguish it from others of the same request. */
  readonly words?: string | undefined;
}

/** Cards are drawn by the request's key, so that every run draws the same. */
export function dataOf(request: ReadingRequest, translated = true) {
  return dataFor(
    asReceived(request),
    { translated, shape: undefined },
    seededRandom(hashOf(requestKey(request))),
  );
}

/** The request as the service sees it: a pair has no season there, a person no id. */
function asReceived(request: ReadingRequest): ReceivedRequest {
  if ("person" in request) return { ...request, birthNumber: 7 };
  return "sign1" in request ? { ...request, period: "always" } : request;
}

export function storedResponseOf(
  request: ReadingRequest,
  { translated = true, words = "" }: Answering = {},
  more: Partial<StoredResponse> = {},
): StoredResponse {
  const answer = JSON.stringify(envelope(asReceived(request), dataOf(request, translated)));
  const first = /"(?:personal|overall_compatibility|result|career)":"/;
  const body = words === "" ? answer : answer.replace(first, (field) => `${field}${words} `);
  return storedResponseWith(requestKey(request), body, more);
}

export function storedResponseWith(
  key: RequestKey,
  body: string,
  more: Partial<StoredResponse> = {},
): StoredResponse {
  return {
    format: 1,
    key,
    address: "http://127.0.0.1/",
    receivedAt: "2026-11-19T08:05:17.000Z",
    tries: 1,
    run: "almanac-nightly",
    bodyHash: sha256(new TextEncoder().encode(body)),
    body,
    notes: [],
    ...more,
  };
}
