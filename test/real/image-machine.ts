// A machine for the image: its read-only root, next to a sandbox and a Temporal server, in a separate network; image.test.ts runs
// it. It simulates a worker's life and prints its observations as one line of JSON.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { startTemporal } from "../../worker/temporal/temporal-server.ts";
import { environmentFor } from "../support/cli.ts";
import { until } from "../support/night.ts";
import { spawnSandbox } from "../support/sandbox.ts";
import { temporalExecutable } from "../support/temporal.ts";
import { commands } from "../../scripts/commands.ts";

const given = z
  .object({
    root: z.string(),
    folder: z.string(),
    env: z.array(z.string()),
    entrypoint: z.array(z.string()),
    command: z.array(z.string()),
    health: z.array(z.string()),
    workingFolder: z.string(),
    user: z.string(),
  })
  .parse(JSON.parse(await readFile(process.argv[2] ?? "", "utf8")));

const sandbox = await spawnSandbox();
const temporal = await startTemporal({ executable: await temporalExecutable(), folder: given.folder });
const settings = {
  ...environmentFor(sandbox),
  TEMPORAL_ADDRESS: temporal.address,
  ALMANAC_VAULT: "file:/mnt/vault",
  ALMANAC_SITE: "file:/mnt/site",
  ALMANAC_CONFIG: "/mnt/almanac.config.ts",
};

/** Starts like a container engine: with the image's environment, user and folder, and nothing of this machine's. */
function start(words: readonly string[]): ChildProcess {
  const env = [...given.env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];
  const inside = ["env", "-i", "-C", given.workingFolder, ...env, ...words];
  const outside = ["--no-new-privs", "chroot", `--userspec=${given.user}`, "--groups=", given.root];
  return spawn("setpriv", [...outside, ...inside], { stdio: ["ignore", "pipe", "pipe"] });
}

async function ran(words: readonly string[]) {
  const child = start(words);
  const ended = once(child, "close");
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  await ended;
  return { code: child.exitCode, stdout, stderr };
}

const almanac = (...words: string[]) => ran([...given.entrypoint, ...words]);
const isHealthy = async () => (await ran(given.health)).code === 0;
const kept = async () =>
  (await readdir(join(given.folder, "data/vault/responses"), { recursive: true }).catch(() => [])).filter(
    (name) => name.endsWith(".json"),
  ).length;

async function textOf(stream: ChildProcess["stdout"]): Promise<string> {
  return stream === null ? "" : text(stream);
}

async function worker() {
  const child = start([...given.entrypoint, ...given.command]);
  const said = textOf(child.stderr);
  const ended = once(child, "exit");
  await until("a healthy worker", async () => child.exitCode !== null || (await isHealthy()), 60_000);
  if (child.exitCode !== null) throw new Error(`the worker ended by itself: ${await said}`);
  return {
    pid: child.pid ?? 0,
    async drained() {
      child.kill("SIGTERM");
      await ended;
      return { code: child.exitCode, said: await said };
    },
  };
}

const help = await Promise.all(
  Object.keys(commands).map(async (name) => {
    const { code, stdout } = await almanac(name, "--help");
    return code === 0 && stdout.includes(`almanac ${name}`) ? [] : [name];
  }),
);
const wasHealthy = await isHealthy();
// Calls that take so long that some are under way whenever the worker is told to stop.
await sandbox.latency({ english: { fixedMs: 1_500 } });
const first = await worker();
const status = await readFile(`/proc/${first.pid}/status`, "utf8");
const night = await almanac("nightly");
await until("calls under way", async () => (await sandbox.stats()).calls >= 4);
const drained = await first.drained();
const atDrain = { ...(await sandbox.stats()), kept: await kept() };
await sandbox.latency({ english: { fixedMs: 0 } });
const second = await worker();
const whole = await almanac("nightly", "--wait");
const { repeats, calls } = await sandbox.stats();
const verified = await almanac("verify");
const last = await second.drained();
const seen = {
  failing: help.flat(),
  health: { before: wasHealthy, after: await isHealthy() },
  processOwner: {
    user: /^Uid:\s+(.*)$/m.exec(status)?.[1],
    capabilities: /^CapEff:\s+(\w+)$/m.exec(status)?.[1],
  },
  night: night.code,
  drained: { code: drained.code, said: drained.said },
  atDrain: { calls: atDrain.calls, kept: atDrain.kept },
  whole,
  end: { repeats, calls, kept: await kept(), verified: verified.code, code: last.code },
};
console.log(JSON.stringify(seen));
await temporal.stop();
await sandbox.close();
