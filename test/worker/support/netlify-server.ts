// Netlify as far as a deploy by digests goes, on this machine: it checks each call as the real one does, asks for the files that it
// lacks and for no others, takes none with another hash than was told, and shows a deploy when all of it is there.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { type AtEnd, listen } from "../../support/ends.ts";

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Deploy {
  readonly id: string;
  readonly files: Readonly<Record<string, string>>;
  readonly required: Set<string>;
  state: "preparing" | "uploading" | "processing" | "ready" | "error";
}

const wish = z.strictObject({
  files: z.record(z.string().regex(/^\/[\w.~@=+-]+(?:\/[\w.~@=+-]+)*$/), z.string().regex(/^[0-9a-f]{40}$/)),
  async: z.literal(true),
});

export async function startNetlify(atEnd: AtEnd, site: string, token: string) {
  const blobs = new Map<string, Buffer>();
  const deploys: Deploy[] = [];
  const refusals: Answer[] = [];
  const calls: string[] = [];
  let live: Deploy | undefined;
  let breaks = false;

  const shown = ({ id, state, required }: Deploy): Answer => ({
    status: 200,
    body: {
      id,
      state,
      required: state === "preparing" ? [] : [...required],
      ssl_url: `https://${site}.netlify.example`,
    },
  });

  function begin(type: string | undefined, body: Buffer): Answer {
    const asked = wish.safeParse(parsed(body)).data;
    if (asked === undefined || type !== "application/json")
      return { status: 422, body: { message: `not for logs: ${token}` } };
    const required = new Set(Object.values(asked.files).filter((digest) => !blobs.has(digest)));
    const deploy: Deploy = { id: `d${deploys.length + 1}`, files: asked.files, required, state: "preparing" };
    deploys.push(deploy);
    return shown(deploy);
  }

  /** Each look is a step on. */
  function look(deploy: Deploy): Answer {
    if (deploy.state === "preparing") deploy.state = "uploading";
    else if (deploy.state === "uploading" && deploy.required.size === 0)
      deploy.state = breaks ? "error" : "processing";
    else if (deploy.state === "processing") {
      deploy.state = "ready";
      live = deploy;
    }
    return shown(deploy);
  }

  function take(deploy: Deploy, path: string, type: string | undefined, body: Buffer): Answer {
    const digest = createHash("sha1").update(body).digest("hex");
    const isRight = deploy.files[`/${path}`] === digest && type === "application/octet-stream";
    if (!isRight || deploy.state !== "uploading")
      return { status: 422, body: { message: "unexpected file" } };
    blobs.set(digest, body);
    deploy.required.delete(digest);
    return { status: 200, body: { id: `/${path}`, sha: digest } };
  }

  function handle({ method, url = "", headers }: IncomingMessage, body: Buffer): Answer {
    if (headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { code: 401, message: "Access Denied" } };
    if (method === "POST" && url === `/api/v1/sites/${site}/deploys`)
      return begin(headers["content-type"], body);
    const [, id, path] = /^\/api\/v1\/deploys\/(\w+)(?:\/files\/(.+))?$/.exec(url) ?? [];
    const deploy = deploys.find((one) => one.id === id);
    if (deploy === undefined) return { status: 404, body: { code: 404, message: "Not Found" } };
    if (method === "GET" && path === undefined) return look(deploy);
    if (method === "PUT" && path !== undefined) return take(deploy, path, headers["content-type"], body);
    return { status: 405 };
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    calls.push(`${request.method} ${request.url}`);
    const { status, body: told, headers } = refusals.shift() ?? handle(request, body);
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(told ?? {}));
  }

  const server = createServer((request, response) => void receive(request, response));
  return {
    url: `http://127.0.0.1:${await listen(server, atEnd)}`,
    calls,
    /** What the next calls are answered with, whatever they say. */
    refusals,
    /** From now on a deploy fails after its last upload. */
    break: () => void (breaks = true),
    /** The files that readers get, by their paths. */
    live: () =>
      new Map(Object.entries(live?.files ?? {}).map(([path, digest]) => [path.slice(1), blobs.get(digest)])),
  };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
