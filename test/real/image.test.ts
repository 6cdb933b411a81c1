// The image of deploy/Dockerfile, really built, then started like container engines do, as its user on a read-only root, next to a
// Temporal and a service in a separate network.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { fileEnd } from "../support/ends.ts";
import { temporalExecutable } from "../support/temporal.ts";
import { buildImage, type BuiltImage } from "./image-builder.ts";

const atEnd = fileEnd();
let folder = "";
let image: BuiltImage;

beforeAll(async () => {
  if (process.getuid?.() !== 0)
    throw new Error("the image is built and started as root: `sudo -E npx vitest run --project real image`");
  folder = await mkdtemp(join(tmpdir(), "almanac-image-"));
  atEnd(async () => {
    await image?.release();
    await rm(folder, { recursive: true, force: true });
  });
  image = await buildImage(folder);
  console.log(`the image was built on ${image.base}`);
}, 900_000);

test("the image says how it is run, as nobody's root, and how its health is asked", () => {
  const { User, WorkingDir, Entrypoint, Cmd, ExposedPorts, Healthcheck, Env } = image.config;
  expect({ User, WorkingDir, Entrypoint, Cmd }).toEqual({
    User: "1000:1000",
    WorkingDir: "/home/node",
    Entrypoint: ["node", "/app/scripts/almanac.js"],
    Cmd: ["worker"],
  });
  expect(Object.keys(ExposedPorts)).toEqual(["9464/tcp"]);
  expect(Healthcheck.Test.slice(0, 2)).toEqual(["CMD", "node"]);
  expect(Env).toEqual(expect.arrayContaining(["NODE_ENV=production"]));
});

test("it has what production needs and nothing else: no npm, no other platform's parts, nothing of the machine it was built on", async () => {
  const inside = (path: string) => join(image.root, path);
  for (const path of ["bin/npm", "bin/npx", "lib/node_modules"])
    expect(existsSync(inside(`usr/local/${path}`)), path).toBe(false);
  for (const lent of ["etc", "src"]) expect(await readdir(inside(`usr/local/${lent}`))).toEqual([]);
  expect(await readdir(inside("app/node_modules/@temporalio/core-bridge/releases"))).toHaveLength(1);
  expect(existsSync(inside("app/node_modules/vitest"))).toBe(false);
  expect(await readdir(inside("app/node_modules/.cache/almanac"))).toContainEqual(
    expect.stringMatching(/^workflows-\w+\.js$/),
  );
  const files = await filesBelow(inside("app"));
  const megabytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / 1e6;
  console.log(`/app has ${files.length} files, ${Math.round(megabytes)} MB`);
  expect(megabytes).toBeLessThan(160); // docs/deployment.md says 140
  for (const { path, owner, mode } of files) expect([path, owner, mode & 0o022]).toEqual([path, 0, 0]);
  const installed = await readFile(inside("app/node_modules/.package-lock.json"), "utf8");
  const hosts = [...installed.matchAll(/"resolved": "https?:\/\/([^/"]+)/g)].map(([, host]) => host);
  expect(new Set(hosts).difference(new Set(["registry.npmjs.org"]))).toEqual(new Set());
});

const seenThere = z.object({
  failing: z.array(z.string()),
  health: z.object({ before: z.boolean(), after: z.boolean() }),
  processOwner: z.object({ user: z.string(), capabilities: z.string() }),
  night: z.number(),
  drained: z.object({ code: z.number(), said: z.string() }),
  atDrain: z.object({ calls: z.number(), kept: z.number() }),
  whole: z.object({ code: z.number(), stdout: z.string(), stderr: z.string() }),
  end: z.object({
    repeats: z.number(),
    calls: z.number(),
    kept: z.number(),
    verified: z.number(),
    code: z.number(),
  }),
});

test("its worker is healthy, drains at SIGTERM, and the next one ends the night, as a user without rights on a root that can't be written", async () => {
  const seen = seenThere.parse(JSON.parse(await machine()));
  expect(seen.failing).toEqual([]); // every command's --help
  expect(seen.health).toEqual({ before: false, after: false }); // there is no worker then
  expect(seen.processOwner).toEqual({ user: "1000\t1000\t1000\t1000", capabilities: "0000000000000000" });
  expect(seen.night).toBe(0);
  expect(seen.drained.code, seen.drained.said).toBe(0);
  expect(seen.drained.said).toContain("stopped by SIGTERM");
  expect(seen.atDrain.calls).toBeGreaterThanOrEqual(4);
  expect(seen.atDrain.kept, "what was under way was let end, and kept").toBe(seen.atDrain.calls);
  expect(seen.whole.code, seen.whole.stdout + seen.whole.stderr).toBe(0);
  expect(seen.end).toEqual({
    repeats: 0,
    calls: seen.end.calls,
    kept: seen.end.calls,
    verified: 0,
    code: 0,
  });
}, 300_000);

/** From here on the root is read-only; additions by an engine already exist. */
const begin = `
set -eu
ip link set lo up
mount --bind "$ROOT" "$ROOT"
mount -o remount,bind,ro "$ROOT"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs -o mode=755 tmpfs "$ROOT/dev"
for device in null zero random urandom; do touch "$ROOT/dev/$device"; mount --bind "/dev/$device" "$ROOT/dev/$device"; done
mount -t tmpfs -o size=64m,mode=1777 tmpfs "$ROOT/tmp"
mount --bind "$FOLDER/data" "$ROOT/mnt"
exec timeout 240 "$NODE" "$MACHINE" "$FOLDER/given.json"
`;

async function machine(): Promise<string> {
  const data = join(folder, "data");
  await chmod(folder, 0o755);
  await mkdir(data);
  const configuration = {
    site: { name: "Almanac", url: "https://almanac.example" },
    languages: ["en"],
    operations: ["daily-horoscope"],
    service: { ratePerSecond: { english: 4 } },
  };
  await writeFile(
    join(data, "almanac.config.ts"),
    `export default ${JSON.stringify(configuration, undefined, 2)};\n`,
  );
  await chown(data, 1000, 1000);
  const { Env: env, Entrypoint, Cmd, Healthcheck, WorkingDir, User } = image.config;
  const run = { entrypoint: Entrypoint, command: Cmd, health: Healthcheck.Test.slice(1) };
  const given = { root: image.root, folder, env, ...run, workingFolder: WorkingDir, user: User };
  await writeFile(join(folder, "given.json"), JSON.stringify(given));
  const namespaces = ["--net", "--mount", "--pid", "--mount-proc", "--fork", "--kill-child"];
  const child = spawn("unshare", [...namespaces, "bash", "-c", begin], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ROOT: image.root,
      FOLDER: folder,
      NODE: process.execPath,
      MACHINE: fileURLToPath(new URL("image-machine.ts", import.meta.url)),
      TEMPORAL_CLI_PATH: await temporalExecutable(), // nothing can be fetched from there
    },
  });
  atEnd(async () => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  expect(child.exitCode, stdout + stderr).toBe(0);
  return stdout.trim().split("\n").at(-1) ?? "";
}

async function filesBelow(root: string) {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    paths.map(async (path) => {
      const { size, uid, mode } = await stat(path);
      return { path, sizeBytes: size, owner: uid, mode };
    }),
  );
}
