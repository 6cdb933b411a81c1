// A published site as readers see it: over HTTP, through any caches in between. Redirects are not followed.
import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import type { EnvHttpProxyAgent } from "undici";
import { addressOf } from "../../site/address.ts";
import type { Proxies } from "../../service/limits.ts";
import { proxyAgentFor } from "../../service/connection.ts";
import { BodyRefused, exchange, TransportFault } from "../../service/exchange.ts";
import { inParallel } from "../../store/store.ts";
import {
  differenceFrom,
  inWords,
  type SiteFinding,
  type FileLook,
  type SiteSource,
  type StateTree,
} from "./site-source.ts";

/** Enough to hide the way there and back, few enough for a small web server. */
const callsAtOnce = 16;
const connectMs = 10_000;

interface LiveSiteWaits {
  readonly answerMs: number;
  /** The pauses between the tries at a file, for a connection that breaks once or a server that is busy for a moment. */
  readonly pausesMs: readonly number[];
}
/** Timeout for the largest file over a slow connection. */
const usualWaits: LiveSiteWaits = { answerMs: 30_000, pausesMs: [300, 2_000] };

/** After this many consecutive files without a response, the site counts as unreachable: the rest would take hours. */
const mostUnanswered = 20;

const advice =
  "run `almanac verify` to check the store. If it is sound, a cache or proxy serves a changed or old copy: ";

const remedies: SiteSource["remedies"] = {
  pointer:
    "check that this URL serves the site's store from its root. `almanac verify` checks the store itself",
  signature: `a copy without a valid signature is served; ${advice}investigate this first`,
  expired: `an expired copy is served; ${advice}purge it there`,
  manifest: `${advice}purge it there`,
  object: `${advice}purge it there, and disable features that rewrite files (minifiers, e-mail protection)`,
  earlier: `current pages do not need it; ${advice}purge it there`,
  public: `${advice}purge it there, and disable features that rewrite files (minifiers, e-mail protection)`,
  stale: "a cache has an older copy: purge it, or wait until it expires",
  left: "a cache still serves a removed file: purge it",
};

/** Thrown when the site stops answering, so that most of it was not seen. */
export class SiteAway extends Error {
  override readonly name = "SiteAway";
}

export function openLiveSite(
  address: URL,
  proxies: Proxies | undefined,
  { answerMs, pausesMs }: LiveSiteWaits = usualWaits,
) {
  const agent = proxyAgentFor(callsAtOnce, connectMs, proxies);
  const limit = pLimit(callsAtOnce);
  let unanswered = 0;
  const get = (path: string): Promise<FileLook> =>
    limit(async () => {
      const look = await patiently(pausesMs, () => lookOnce(agent, address, path, answerMs));
      unanswered = look.answered ? 0 : unanswered + 1;
      if (unanswered < mostUnanswered) return look.look;
      const seen = look.look.kind === "none" ? look.look.seen : "";
      throw new SiteAway(
        `${address.href} stopped answering: ${mostUnanswered} requests in a row failed (${seen})`,
      );
    });
  const page = (path: string) => get(addressOf(path));
  return {
    file: get,
    page,
    // Over HTTP nothing says when a state was published; it was soon after the instant that the state is for.
    publishedAt: async ({ manifest }: Pick<StateTree, "manifest">) => new Date(manifest.asOf),
    leftBehind: (current: StateTree, earlier: readonly StateTree[]) => leftBehind(page, current, earlier),
    remedies,
    close: () => agent.destroy(),
  };
}

/** A site can't be listed over HTTP, so the paths of earlier states are tried. */
async function leftBehind(page: SiteSource["page"], { files }: StateTree, earlier: readonly StateTree[]) {
  const gone = earlier.flatMap((tree) => [...tree.files].filter(([path]) => !files.has(path)));
  const findings: SiteFinding[] = [];
  await inParallel(gone, async ([path, entry]) => {
    if (differenceFrom(entry, await page(path)) !== undefined) return;
    const seen = `still ${inWords(entry.object, entry.size)}`;
    findings.push({ path, expected: "nothing: the site no longer contains it", seen, remedy: remedies.left });
  });
  return findings;
}

interface FileAnswer {
  readonly look: FileLook;
  readonly answered: boolean;
  readonly again: boolean;
}

async function patiently(pausesMs: readonly number[], look: () => Promise<FileAnswer>): Promise<FileAnswer> {
  for (const pauseMs of pausesMs) {
    const found = await look();
    if (!found.again) return found;
    await delay(pauseMs);
  }
  return look();
}

async function lookOnce(
  agent: EnvHttpProxyAgent,
  { origin, pathname }: URL,
  path: string,
  answerMs: number,
): Promise<FileAnswer> {
  const none = (seen: string, answered: boolean, again: boolean): FileAnswer => {
    return { look: { kind: "none", seen }, answered, again };
  };
  try {
    // Requests bytes without a transfer encoding, because the hashes are of those.
    const headers = { accept: "*/*", "accept-encoding": "identity", "user-agent": "almanac-verify" };
    const call = { origin, path: pathname + path, method: "GET", headers } as const;
    const { status, body } = await exchange(agent, call, { answerMs });
    if (status === 200) return { look: { kind: "bytes", bytes: body }, answered: true, again: false };
    const redirect = status >= 300 && status < 400 ? ", a redirect, which is not followed" : "";
    return none(`HTTP ${status}${redirect}`, true, status >= 500 || status === 429 || status === 408);
  } catch (error) {
    if (error instanceof BodyRefused) return none(error.message, true, false);
    if (error instanceof TransportFault) return none(`no response: ${error.message}`, false, true);
    throw error;
  }
}
