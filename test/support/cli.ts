// Runs the command line like a user: in a separate process with only the path in its environment, at the fixed time of tests
// without Temporal (noon.ts), or at the machine's time if the command has a real Temporal. The first test of each command uses a
// separate process, with test:deep every test; the others share one process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { deep } from "./deep.ts";
import { hosted } from "./host.ts";
import { testClock } from "./noon.ts";
import type { SpawnedSandbox } from "./sandbox.ts";

export const entry = fileURLToPath(new URL("../../scripts/almanac.js", import.meta.url));
const hostPath = fileURLToPath(new URL("cli-host.ts", import.meta.url));

const ran = z.object({ code: z.number().nullable(), stdout: z.string(), stderr: z.string() });
export type Ran = z.infer<typeof ran>;

export interface Circumstances {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another path to the same entry, such as a link. */
  readonly entry?: string;
  /** Options of Node itself. */
  readonly node?: readonly string[];
  /** Forces a separate process, because the test is about the process. */
  readonly ownProcess?: boolean;
}

/** Commands that run until they are stopped. */
const lasting = new Set(["local", "preview", "sandbox", "serve", "worker"]);

export async function almanac(words: readonly string[], circumstances: Circumstances = {}): Promise<Ran> {
  const command = words.find((word) => !word.startsWith("-")) ?? "";
  const { ownProcess, entry: link, node } = circumstances;
  const isSpecial = ownProcess === true || link !== undefined || node !== undefined || lasting.has(command);
  if (deep || isSpecial || isHostBusy || isFirst(command)) return inOwnProcess(words, circumstances);
  return inHost(words, circumstances);
}

/** Whichever process of the tests is the first to make the command's folder. */
function isFirst(command: string): boolean {
  const folder = process.env["ALMANAC_TEST_RUN"];
  if (folder === undefined) return true;
  mkdirSync(folder, { recursive: true });
  try {
    mkdirSync(join(folder, `first-${encodeURIComponent(command)}`));
    return true;
  } catch {
    return false;
  }
}

async function inOwnProcess(words: readonly string[], circumstances: Circumstances): Promise<Ran> {
  const child = start(words, circumstances);
  const ended = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { code: child.exitCode, stdout, stderr };
}

/** Commands that start their own Temporal, which uses the machine's time. */
const withTemporal = new Set(["local", "worker"]);

function environmentOf(words: readonly string[], { env = {} }: Circumstances): Record<string, string> {
  const isOnTemporal = env["TEMPORAL_ADDRESS"] !== undefined || words.some((word) => withTemporal.has(word));
  return { PATH: process.env["PATH"] ?? "", ...(isOnTemporal ? {} : testClock), ...env };
}

const askHost = hosted(hostPath);
let isHostBusy = false;

/** Runs one command at a time, because folder and environment belong to the whole process. */
async function inHost(words: readonly string[], circumstances: Circumstances): Promise<Ran> {
  isHostBusy = true;
  try {
    const { cwd = process.cwd() } = circumstances;
    const wish = { words, cwd, env: environmentOf(words, circumstances) };
    return ran.parse(await askHost({ kind: "start", id: 0, ...wish }));
  } finally {
    isHostBusy = false;
  }
}

/** A command that runs until it is stopped. */
export function start(words: readonly string[], circumstances: Circumstances = {}) {
  const { cwd, node = [] } = circumstances;
  return spawn(process.execPath, [...node, circumstances.entry ?? entry, ...words], {
    env: environmentOf(words, circumstances),
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** Keeps `local` and `worker` from restarting themselves to save memory. With test:deep they restart, as in production. */
export const quickStart: Readonly<Record<string, string>> = deep ? {} : { MALLOC_ARENA_MAX: "2" };

/** The variables of a service that is set up, for commands that never ask it: nobody answers there. */
export const nobodysService = {
  READING_SERVICE_URL: "http://127.0.0.1:9",
  READING_SERVICE_TOKEN: "a-token-for-the-test",
  READING_SERVICE_API_KEY: "a-key-for-the-test",
};

/** The variables that make a sandbox the reading service. */
export function environmentFor(sandbox: Pick<SpawnedSandbox, "endpoints" | "token" | "apiKey">) {
  const { endpoints, token, apiKey } = sandbox;
  return {
    READING_SERVICE_URL: endpoints.english,
    READING_SERVICE_TRANSLATOR_URL: endpoints.translator,
    READING_SERVICE_LEGACY_URL: endpoints.legacy,
    READING_SERVICE_TOKEN: token,
    READING_SERVICE_API_KEY: apiKey,
  };
}
