// Netlify's deploys by file digests (https://docs.netlify.com/api/get-started/#deploy-with-the-api): Netlify is told the hash of
// every file, asks for those that it does not have, and shows them all together, or goes on with the deploy before.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { z } from "zod";
import { retryAfterMs } from "../../readings/retry-after.ts";
import { proxyAgentFor } from "../../service/connection.ts";
import { type Exchanged, exchange } from "../../service/exchange.ts";
import type { Secret } from "../../service/secret.ts";
import { TransportFault } from "../../service/transport-faults.ts";
import { inParallel } from "../../store/parallel-calls.ts";
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

export interface Deployed {
  readonly id: string;
  readonly url: string | undefined;
  readonly uploaded: number;
}

/** Thrown where the deploy did not come to its end: what was live before is live still. */
export class NotDeployed extends Error {
  override readonly name = "NotDeployed";
}

const answerMs = 60_000;
const connectMs = 10_000;
const uploadsAtOnce = 5; // as many as Netlify lets one account send
const usualPausesMs = [1_000, 4_000, 15_000, 60_000];
const usualWaitMs = 20 * 60_000;

const deploy = z.object({
  id: z.string().regex(/^[\w-]+$/),
  state: z.string(),
  required: z.array(z.string()).nullish(),
  ssl_url: z.string().nullish(),
});
type Deploy = z.infer<typeof deploy>;

/** `paths` are those of the files below the folder. */
export async function deployToNetlify(
  folder: string,
  paths: readonly string[],
  settings: NetlifySettings,
): Promise<Deployed> {
  const agent = proxyAgentFor(uploadsAtOnce, connectMs, settings.proxies);
  const call: Call = (method, path, body) => callPatiently(agent, { method, path, body }, settings);
  try {
    const digests = new Map(
      await inParallel(paths, async (path) => [path, await sha1Of(join(folder, path))] as const),
    );
    const files = Object.fromEntries([...digests].map(([path, digest]) => [`/${path}`, digest]));
    const site = encodeURIComponent(settings.site);
    const begun = deployIn(
      await call("POST", `sites/${site}/deploys`, JSON.stringify({ files, async: true })),
    );
    const prepared = await awaitState(begun, ["prepared", "uploading", "uploaded", "ready"], call, settings);
    const required = new Set(prepared.required);
    const missing = paths.filter((path) => required.has(digests.get(path) ?? ""));
    let uploaded = 0;
    await inParallel(
      missing,
      async (path) => {
        await call("PUT", `deploys/${begun.id}/files/${path}`, await readFile(join(folder, path)));
        uploaded += 1;
        settings.onProgress?.(`${uploaded} of ${missing.length} files`);
      },
      uploadsAtOnce,
    );
    const live = await awaitState(prepared, ["ready"], call, settings);
    return { id: live.id, url: live.ssl_url ?? undefined, uploaded };
  } finally {
    await agent.destroy();
  }
}

type Call = (method: "GET" | "POST" | "PUT", path: string, body?: string | Uint8Array) => Promise<Exchanged>;

async function sha1Of(place: string): Promise<string> {
  return createHash("sha1")
    .update(await readFile(place))
    .digest("hex");
}

async function awaitState(
  before: Deploy,
  states: readonly string[],
  call: Call,
  { pausesMs: [pollMs = 0] = usualPausesMs, mostWaitMs = usualWaitMs }: NetlifySettings,
): Promise<Deploy> {
  const untilMs = performance.now() + mostWaitMs;
  for (let one = before; ; one = deployIn(await call("GET", `deploys/${before.id}`))) {
    if (states.includes(one.state)) return { ...one, required: one.required ?? before.required };
    if (one.state === "error" || one.state === "rejected")
      throw notDeployed(`deploy ${one.id} ended as "${one.state}"`, "Netlify's page of the deploy says why");
    if (performance.now() > untilMs)
      throw notDeployed(`deploy ${one.id} stays at "${one.state}"`, "run it again");
    await pause(pollMs);
  }
}

function deployIn({ body }: Exchanged): Deploy {
  const parsed = deploy.safeParse(parsedJson(body));
  if (parsed.success) return parsed.data;
  throw notDeployed("its answer is no deploy", "run it again; if it stays so, its interface has changed");
}

function parsedJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

async function callPatiently(
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
    const answer = await exchange(agent, question, { answerMs }).catch(faultOf);
    if (!(answer instanceof TransportFault) && answer.status >= 200 && answer.status < 300) return answer;
    const isPassing = answer instanceof TransportFault || passes(answer.status);
    if (pauseMs === undefined || !isPassing) throw refused(answer, method, path);
    const asked = answer instanceof TransportFault ? undefined : retryAfterMs(answer.retryAfter, new Date());
    await pause(Math.min(asked ?? pauseMs, usualWaitMs));
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

function notDeployed(seen: string, remedy: string): NotDeployed {
  return new NotDeployed(`Netlify shows what it showed before: ${seen}; ${remedy}`);
}
