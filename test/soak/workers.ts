// The workers of the soak: `almanac worker` as it is, each a process of its own that can be killed, frozen and stopped,
// whose clock can be moved, and that tells its memory.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { memoryAnswer, type MemoryAnswer } from "./memory.ts";

const entry = fileURLToPath(new URL("../../scripts/almanac.js", import.meta.url));
const inWorker = new URL("in-worker.ts", import.meta.url).href;
const startsWithinMs = 60_000;
const answersWithinMs = 30_000;
const stopsWithinMs = 40_000;

export class SoakWorker {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #freezes = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, "exit");
  }

  static async start(env: Record<string, string>, folder: string): Promise<SoakWorker> {
    const child = spawn(process.execPath, ["--expose-gc", "--import", inWorker, entry, "worker"], {
      env: { ...env, ALMANAC_DRAIN_SECONDS: "10" },
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const worker = new SoakWorker(child);
    const killNow = (): unknown => child.kill("SIGKILL");
    process.once("exit", killNow);
    void worker.#exited.then(() => process.off("exit", killNow));
    const { promise, resolve } = Promise.withResolvers<void>();
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      void appendFile(join(folder, "worker.log"), chunk);
      if (said.length < 100_000) said += chunk.toString("utf8");
      if (said.includes("working for")) resolve();
    });
    const gone = worker.#exited.then(() => {
      throw new Error(`a worker ended before it worked: ${said}`);
    });
    await within(startsWithinMs, "a worker to begin its work", Promise.race([promise, gone]));
    gone.catch(() => undefined);
    return worker;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  moveClock(clockOffsetMs: number): void {
    this.#child.send({ clockOffsetMs });
  }

  async memory(): Promise<MemoryAnswer> {
    const answer = once(this.#child, "message");
    this.#child.send({ kind: "memory?" });
    const [message]: unknown[] = await within(answersWithinMs, "a worker to tell its memory", answer);
    return memoryAnswer.parse(message);
  }

  freeze(): void {
    this.#freezes += 1;
    this.#child.kill("SIGSTOP");
  }

  /** It goes on when all who froze it have thawed it. */
  thaw(): void {
    this.#freezes -= 1;
    if (this.#freezes === 0) this.#child.kill("SIGCONT");
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await within(answersWithinMs, "a killed worker to be gone", this.#exited);
  }

  /** SIGTERM; answers the exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill("SIGTERM");
    await within(stopsWithinMs, "a worker to stop when told to", this.#exited);
    return this.#child.exitCode;
  }
}

export async function within<Value>(ms: number, what: string, promise: Promise<Value>): Promise<Value> {
  const over = new AbortController();
  const late = delay(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`waited ${ms / 1000} s in vain for ${what}`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
  }
}
