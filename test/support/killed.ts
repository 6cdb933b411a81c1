// Real processes that are killed with SIGKILL between two of their writes; tell-writes.ts reports the writes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { entry } from "./cli.ts";

const telling = fileURLToPath(new URL("tell-writes.ts", import.meta.url));

export interface Death {
  /** Dies after this many writes; never if it makes fewer. */
  readonly afterWrites: number;
  /** Dies right there, where it pauses; or this much later, while it continues. */
  readonly afterMs: number | "at once";
  /** Dies with this process too. */
  readonly over?: AbortSignal;
}

export interface Killed {
  /** Whether it was killed; otherwise it completed. */
  readonly isKilled: boolean;
  readonly code: number | null;
  /** The writes that it has made. */
  readonly writes: number;
  readonly stderr: string;
}

/** A pause longer than any kill takes to arrive. */
const standMs = 2_000;

/** Runs `almanac` with these words; without a death to its end. */
export async function killedRun(
  words: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  death?: Death,
): Promise<Killed> {
  const stands = death?.afterMs === "at once" ? String(standMs) : "0";
  const child = spawn(process.execPath, ["--import", telling, entry, ...words], {
    cwd,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      MALLOC_ARENA_MAX: "2", // keeps a worker's launcher from replacing its process
      ...env,
      ALMANAC_TEST_STAND_AFTER: String(death?.afterWrites ?? 0),
      ALMANAC_TEST_STAND_MS: stands,
    },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const [, , stderr, told] = child.stdio;
  if (stderr === null || told === null || told === undefined || !("on" in told) || !("on" in stderr)) {
    throw new Error("the process has no streams");
  }
  const ended = once(child, "close");
  let writes = 0;
  let isDoomed = false;
  told.on("data", (chunk: Buffer) => {
    writes += chunk.length;
    if (death === undefined || isDoomed || writes < death.afterWrites) return;
    isDoomed = true;
    void delay(death.afterMs === "at once" ? 0 : death.afterMs).then(() => child.kill("SIGKILL"));
  });
  death?.over?.addEventListener("abort", () => child.kill("SIGKILL"));
  const said = text(stderr);
  await ended;
  return { isKilled: child.signalCode === "SIGKILL", code: child.exitCode, writes, stderr: await said };
}
