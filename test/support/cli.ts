// Runs the command line as a person does: a process of its own, with nothing of this one's environment but the path.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { SpawnedSandbox } from "./sandbox.ts";

export const entry = fileURLToPath(new URL("../../scripts/almanac.js", import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Circumstances {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another path to the same entry, such as a link. */
  readonly entry?: string;
  /** Options of Node itself. */
  readonly node?: readonly string[];
}

export async function almanac(words: readonly string[], circumstances: Circumstances = {}): Promise<Ran> {
  const child = start(words, circumstances);
  const ended = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { code: child.exitCode, stdout, stderr };
}

/** A command that runs until it is told to stop. */
export function start(words: readonly string[], circumstances: Circumstances = {}) {
  const { env = {}, cwd, node = [] } = circumstances;
  return spawn(process.execPath, [...node, circumstances.entry ?? entry, ...words], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** The variables that make a sandbox the reading service. */
export function environmentFor({
  addresses,
  token,
  apiKey,
}: Pick<SpawnedSandbox, "addresses" | "token" | "apiKey">) {
  return {
    READING_SERVICE_URL: addresses.english,
    READING_SERVICE_TRANSLATOR_URL: addresses.translator,
    READING_SERVICE_LEGACY_URL: addresses.legacy,
    READING_SERVICE_TOKEN: token,
    READING_SERVICE_API_KEY: apiKey,
  };
}
