// A package registry on this machine (verdaccio) with our packages; it gets all others from the registry of this machine's npm.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { freePorts } from "../../worker/temporal/ports.ts";
import type { AtEnd } from "../support/ends.ts";

/** Environment of a plain shell: the npm settings that `npm run` passes on would keep verdaccio from its upstream. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
const run = (program: string, words: readonly string[], { cwd }: { readonly cwd: string }) =>
  promisify(execFile)(program, words, { cwd, env });
const root = fileURLToPath(new URL("../../", import.meta.url));
const own = fileURLToPath(new URL("package/", import.meta.url));

export interface OwnRegistry {
  readonly registry: string;
  /** Our package in the registry. */
  readonly tarball: string;
  /** Folder of verdaccio and of the tools that inspect packages. */
  readonly tools: string;
}

/** Everything is in `folder`. */
export async function registryWithPackage(folder: string, atEnd: AtEnd): Promise<OwnRegistry> {
  const tools = join(folder, "tools");
  await cp(own, tools, { recursive: true, filter: (path) => !path.includes("node_modules") });
  await run("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: tools });
  const tarball = await pack(root, folder);
  const registry = await startRegistry(tools, folder, atEnd);
  await publishTo(registry, tarball, await manifestIn(tarball));
  return { registry, tarball, tools };
}

/** The path of the file that it makes. The checkout has its own way to pack. */
export async function pack(source: string, folder: string): Promise<string> {
  const words =
    source === root
      ? ["run", "--silent", "package", "--", "--release", folder]
      : ["pack", "--silent", "--pack-destination", folder];
  const { stdout } = await run("npm", words, { cwd: source });
  return join(folder, basename(stdout.trim().split("\n").at(-1) ?? ""));
}

const manifestShape = z.looseObject({ name: z.string(), version: z.string() });

/** The package.json inside, which npm publishes. */
async function manifestIn(tarball: string) {
  const { stdout } = await run("tar", ["-xzOf", tarball, "package/package.json"], { cwd: root });
  return manifestShape.parse(JSON.parse(stdout));
}

/** `tools` is the installation of verdaccio; `folder` has its storage. */
async function startRegistry(tools: string, folder: string, atEnd: AtEnd): Promise<string> {
  const [port = 0] = await freePorts([undefined]);
  const url = `http://127.0.0.1:${port}`;
  const settings = join(folder, "verdaccio.json");
  await writeFile(settings, JSON.stringify(await settingsFor(folder)));
  const words = [join(tools, "node_modules/verdaccio/bin/verdaccio"), "--config", settings, "--listen", url];
  const registry = spawn(process.execPath, words, { stdio: "ignore", cwd: folder, env });
  atEnd(async () => void registry.kill());
  const deadline = performance.now() + 60_000;
  while (!(await isThere(`${url}/-/ping`))) {
    if (performance.now() > deadline || registry.exitCode !== null)
      throw new Error("verdaccio did not start");
    await wait(100);
  }
  return url;
}

async function isThere(url: string) {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** npm's own registry, certificates and proxy, asked of npm itself. */
async function settingsFor(folder: string) {
  const npm = async (setting: string) => {
    const { stdout } = await run("npm", ["config", "get", setting], { cwd: folder });
    const value = stdout.trim();
    return value === "null" || value === "undefined" || value === "" ? undefined : value;
  };
  const upstream = {
    url: await npm("registry"),
    ca: await npm("cafile"),
    https_proxy: await npm("https-proxy"),
    timeout: "120s",
    max_fails: 100,
  };
  const everybody = { access: "$all", publish: "$all" };
  return {
    storage: join(folder, "storage"),
    uplinks: { upstream },
    packages: { "@almanac/*": everybody, "**": { access: "$all", proxy: "upstream" } },
    log: { type: "stdout", format: "json", level: "fatal" },
    max_body_size: "100mb",
  };
}

/** Publishes like `npm publish`, but without the field `private`, which prevents publishing. */
export async function publishTo(
  registry: string,
  tarball: string,
  manifest: { name: string; version: string },
) {
  const { name, version } = manifest;
  const bytes = await readFile(tarball);
  const file = `${name}-${version}.tgz`;
  const dist = {
    integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
    shasum: createHash("sha1").update(bytes).digest("hex"),
    tarball: `${registry}/${name}/-/${file}`,
  };
  const body = {
    _id: name,
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, private: false, _id: `${name}@${version}`, dist } },
    _attachments: {
      [file]: {
        content_type: "application/octet-stream",
        data: bytes.toString("base64"),
        length: bytes.length,
      },
    },
  };
  const answer = await fetch(`${registry}/${encodeURIComponent(name)}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the registry took no package: ${answer.status} ${await answer.text()}`);
}
