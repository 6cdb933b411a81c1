// One call to Netlify's interface: tried again where Netlify asks for patience, and refused in words of ours that say what to do.
import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { retryAfterMs } from "../../readings/retry-after.ts";
import { type Exchanged, exchange } from "../../service/exchange.ts";
import type { Secret } from "../../service/secret.ts";
import { reportingWait } from "../../store/waits.ts";
import { TransportFault } from "../../service/transport-faults.ts";
import { passes } from "../outside-answer.ts";
import type { Environment } from "../settings/environment.ts";

export interface NetlifySettings {
  /** The site's id, or its address at Netlify. */
  readonly site: string;
  readonly token: () => Secret;
  readonly proxies: Environment["proxies"];
  /** Netlify's own unless said. */
  readonly endpoint?: string;
  /** The pauses between the tries at one call. */
  readonly pausesMs?: readonly number[];
  /** Netlify prepares a deploy of many files, and copies it to all its places, in a minute or so. */
  readonly mostWaitMs?: number;
  readonly onProgress?: (words: string) => void;
}

/** Thrown where the deploy did not come to its end: what was live before is live still. */
export class NotDeployed extends Error {
  override readonly name = "NotDeployed";
}

const answerMs = 60_000;
export const usualPausesMs = [1_000, 4_000, 15_000, 60_000];
export const usualWaitMs = 20 * 60_000;

export async function callNetlify(
  agent: Dispatcher,
  sent: {
    readonly method: "GET" | "POST" | "PUT";
    readonly path: string;
    readonly body?: string | Uint8Array;
  },
  { token, endpoint = "https://api.netlify.com", pausesMs = usualPausesMs }: NetlifySettings,
): Promise<Exchanged> {
  const { method, path, body } = sent;
  const type = typeof body === "string" ? "application/json" : "application/octet-stream";
  for (const pauseMs of [...pausesMs, undefined]) {
    // The token is read for each call, because one in a file may be changed meanwhile.
    const headers = {
      authorization: `Bearer ${token().reveal()}`,
      "user-agent": "Almanac",
      "accept-encoding": "identity",
      ...(body !== undefined && { "content-type": type }),
    };
    const url = new URL(`${endpoint}/api/v1/${path}`);
    const question = { origin: url.origin, path: url.pathname, method, headers, body: body ?? null };
    const attempt = () => exchange(agent, question, { answerMs }).catch(faultOf);
    const answer = await reportingWait(url.host, answerMs, attempt);
    if (!(answer instanceof TransportFault) && answer.status >= 200 && answer.status < 300) return answer;
    const isPassing = answer instanceof TransportFault || passes(answer.status);
    if (pauseMs === undefined || !isPassing) throw refused(answer, method, path);
    const asked = answer instanceof TransportFault ? undefined : retryAfterMs(answer.retryAfter, new Date());
    const waitMs = Math.min(asked ?? pauseMs, usualWaitMs);
    await reportingWait(`the next try at ${url.host}`, waitMs, () => pause(waitMs));
  }
  throw notDeployed("no answer", "run it again");
}

function faultOf(error: unknown): TransportFault {
  if (error instanceof TransportFault) return error;
  throw error;
}

/** Without Netlify's words, which may quote what was sent. */
function refused(answer: Exchanged | TransportFault, method: string, path: string): NotDeployed {
  if (answer instanceof TransportFault)
    return notDeployed(answer.message, "see that this machine gets there");
  const remedies: Readonly<Record<number, string>> = {
    401: "ALMANAC_NETLIFY_TOKEN is no personal access token that is valid now",
    404: "--site is to be the id of a site that the token's owner may deploy to",
    422: "Netlify does not take these files",
  };
  const remedy = remedies[answer.status] ?? "run it again later: what was uploaded is not uploaded again";
  return notDeployed(`${method} ${path} was answered with ${answer.status}`, remedy);
}

export function notDeployed(seen: string, remedy: string): NotDeployed {
  return new NotDeployed(`Netlify shows what it showed before: ${seen}; ${remedy}`);
}
