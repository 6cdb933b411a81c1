// A world for one test: Temporal, the sandbox, a vault and a site in a temporary folder, and workers as separate processes that can
// be killed by id. Everything is real, and ends with the test file.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from "@temporalio/client";
import { z } from "zod";
import type { RunProgress, RunRequest } from "../../readings/run-messages.ts";
import { changeSiteNotes } from "../../vault/site-notes.ts";
import { createVault } from "../../vault/vault.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { openFolder } from "../../store/folder.ts";
import { startBackfill, startNightly } from "../../worker/temporal/runs.ts";
import type { Queue } from "../../workflows/names.ts";
import { deep } from "./deep.ts";
import { zonesAtNoon } from "./noon.ts";
import { sharedSandbox, spawnSandbox } from "./sandbox.ts";
import { workflowsBundled } from "./bundled.ts";
import { hosted } from "./host.ts";
import type { SharedTemporal } from "./temporal.ts";
import { type AtEnd, atItsEnd } from "./ends.ts";
import { environmentFor, quickStart } from "./cli.ts";
import { openScene } from "./scenes.ts";

export { until } from "./until.ts";

const entry = fileURLToPath(new URL("../../scripts/almanac.js", import.meta.url));

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Ends with its world at the latest. */
interface SharedWorker {
  readonly pid: number;
  stop(): Promise<unknown>;
}

export type RunningWorker = Awaited<ReturnType<typeof startWorker>>;

/** Same flags as the tests' own processes: in a small night, frequent collections of young objects cost more than they free. */
const roomForYoung = deep ? [] : ["--max-semi-space-size=64"];

let worlds = 0;
let sharedWorkers = 0;
/** The process that this process's tests share for workers that are not killed. */
const askWorkers = hosted(fileURLToPath(new URL("worker-host.ts", import.meta.url)));
const isTest = process.env["VITEST"] !== undefined;
/** Not in a script: benchmarks need the sandbox in a separate process. */
const isSandboxShared = isTest && !deep;

/**
 * Call it in a test or at the top of a file; its resources end with that, or when a script says so. A test that moves the clock
 * names its zones, even if only `{}` for the languages' own; in other tests it is noon everywhere, so no midnight interferes.
 */
export async function createWorld(
  temporal: Pick<SharedTemporal, "address">,
  configuration: ConfigurationInput,
  atEnd: AtEnd = atItsEnd,
) {
  await workflowsBundled();
  worlds += 1;
  const id = `w${process.pid}-${worlds}`;
  const folder = await mkdtemp(join(tmpdir(), "almanac-night-"));
  const sandbox = await (isSandboxShared ? sharedSandbox() : spawnSandbox());
  const configPath = join(folder, "almanac.config.ts");
  const zones = configuration.zones ?? (isTest ? zonesAtNoon() : {});
  const configured = { ...configuration, zones, site: { ...configuration.site, id } };
  await writeFile(configPath, `export default ${JSON.stringify(configured)};\n`);
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    HOME: process.env["HOME"] ?? "",
    ...quickStart,
    TEMPORAL_ADDRESS: temporal.address,
    ...environmentFor(sandbox),
    ALMANAC_CONFIG: configPath,
    ALMANAC_VAULT: pathToFileURL(join(folder, "vault")).href,
    ALMANAC_SITE: pathToFileURL(join(folder, "site")).href,
  };
  const usual = defaultGrpcRetryOptions();
  let isOver = false;
  // A result that nobody awaits is still out when the connection closes. Repeated on a closed one, it would throw in a timer.
  const retryableDecider: typeof usual.retryableDecider = (attempt, status) =>
    !isOver && usual.retryableDecider(attempt, status);
  const interceptors = [makeGrpcRetryInterceptor({ ...usual, retryableDecider })];
  const connection = await Connection.connect({ address: temporal.address, interceptors });
  const client = new Client({ connection });
  const vault = createVault(openFolder(join(folder, "vault")), id);
  const children = new Set<ChildProcess>();
  const shared = new Set<SharedWorker>();
  const killAll = (): void => {
    for (const child of children) child.kill("SIGKILL");
  };
  process.once("exit", killAll); // also when the tests themselves are cut short
  const closeScene = openScene({ id, logPath: join(folder, "worker.log"), sandbox, vault });
  atEnd(async () => {
    closeScene();
    killAll();
    process.off("exit", killAll);
    await sandbox.close(); // first, so that no worker waits for an answer
    for (const worker of shared) await worker.stop();
    isOver = true;
    await connection.close();
    await rm(folder, { recursive: true, force: true });
  });
  // A world's nights begin only when its test says so.
  await changeSiteNotes(vault.own, () => ({ schedulesRemovedAt: new Date().toISOString() }));
  return {
    id,
    folder,
    sandbox,
    client,
    vault,
    site: openFolder(join(folder, "site")),
    env,
    /** Starts a worker process, with such words after `almanac worker`; resolves when it polls. */
    worker: (...words: string[]) => startWorker(env, folder, children, { words }),
    /** A worker of another code, by the path of its command. */
    workerOf: (program: string) => startWorker(env, folder, children, { program }),
    /** A worker that shares a process with other worlds' workers, which costs less; with test:deep it has its own. */
    async sharedWorker(...queues: Queue[]): Promise<SharedWorker> {
      const words = queues.length === 0 ? [] : ["--queues", queues.join()];
      if (deep) return startWorker(env, folder, children, { words });
      const own = (sharedWorkers += 1);
      const wish = { env, folder, ...(queues.length === 0 ? {} : { queues }) };
      const pid = z.number().parse(await askWorkers({ kind: "start", id: own, ...wish }));
      const worker = {
        pid,
        async stop() {
          shared.delete(worker);
          await askWorkers({ kind: "stop", id: own });
        },
      };
      shared.add(worker);
      return worker;
    },
    nightly: (request: RunRequest = {}) => startNightly(client, id, request, new Date()),
    backfill: (request: RunRequest) => startBackfill(client, id, request, new Date()),
    /** Every stored response's key. */
    held: () => vault.held(""),
    /** Log lines of all workers. */
    log: () => readFile(join(folder, "worker.log"), "utf8").catch(() => ""),
  };
}

interface WorkerStart {
  /** Behind `almanac worker`. */
  readonly words?: readonly string[];
  /** Options of Node itself: with them it can be sent messages. */
  readonly node?: readonly string[];
  readonly program?: string;
}

export async function startWorker(
  env: Record<string, string>,
  folder: string,
  children: Set<ChildProcess>,
  { words = [], node = [], program = entry }: WorkerStart = {},
) {
  const child = spawn(process.execPath, [...roomForYoung, ...node, program, "worker", ...words], {
    env,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe", node.length === 0 ? "ignore" : "ipc"],
  });
  children.add(child);
  const exited = once(child, "exit");
  let said = "";
  const logPath = join(folder, "worker.log");
  const ready = new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
      void writeFile(logPath, chunk, { flag: "a" });
      if (said.includes("worker started")) resolve();
    });
    void exited.then(() => reject(new Error(`the worker ended before it worked:\n${said}`)));
  });
  ready.catch(() => undefined);
  await ready;
  return {
    child,
    pid: child.pid ?? 0,
    /** SIGKILL. */
    kill: async (): Promise<void> => {
      child.kill("SIGKILL");
      await exited;
    },
    /** SIGTERM; resolves with the exit code. */
    stop: async (): Promise<number | null> => {
      child.kill("SIGTERM");
      await exited;
      return child.exitCode;
    },
  };
}

const tallied = ["planned", "stored", "held", "retried", "skipped"] as const;

export function countsIn(progress: RunProgress) {
  const total = { planned: 0, stored: 0, held: 0, retried: 0, skipped: 0 };
  for (const counts of Object.values(progress.languages).flatMap((tally) => Object.values(tally))) {
    for (const name of tallied) total[name] += counts[name];
  }
  return total;
}
