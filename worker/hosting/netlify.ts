// Netlify's deploys by file digests (https://docs.netlify.com/api/get-started/#deploy-with-the-api): Netlify is told the hash of
// every file, asks for those that it does not have, and shows them all together, or goes on with the deploy before.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { proxyAgentFor } from "../../service/connection.ts";
import type { Exchanged } from "../../service/exchange.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import {
  callNetlify,
  notDeployed,
  type NetlifySettings,
  usualPausesMs,
  usualWaitMs,
} from "./netlify-call.ts";

export interface Deployed {
  readonly id: string;
  readonly url: string | undefined;
  readonly uploaded: number;
}

const connectMs = 10_000;
const uploadsAtOnce = 5; // as many as Netlify lets one account send

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
  const call: Call = (method, path, body) => callNetlify(agent, { method, path, body }, settings);
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
