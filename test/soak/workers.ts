// Workers of the soak: unmodified `almanac worker` processes that can be killed, frozen and stopped, whose clock can be moved, and
// that report their memory.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type RunningWorker, startWorker } from "../support/night.ts";
import { memoryAnswer, type MemoryAnswer } from "./memory.ts";

const inWorker = new URL("in-worker.ts", import.meta.url).href;
const startsWithinMs = 60_000;
const answersWithinMs = 30_000;
const stopsWithinMs = 40_000;

const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

export class SoakWorker {
  readonly #worker: RunningWorker;
  #freezes = 0;

  private constructor(worker: RunningWorker) {
    this.#worker = worker;
  }

  static async start(env: Record<string, string>, folder: string): Promise<SoakWorker> {
    // Same flags as the launcher's for a worker without an IPC channel.
    const bounds = ["--max-semi-space-size=16", "--heap-growing-percent=60"];
    const pools = {
      MALLOC_ARENA_MAX: "2",
      MALLOC_MMAP_THRESHOLD_: "65536",
      MALLOC_TRIM_THRESHOLD_: "8388608",
    };
    const node = [...bounds, "--expose-gc", "--import", inWorker];
    const own = { ...env, ...pools, ALMANAC_DRAIN_SECONDS: "10" };
    const worker = startWorker(own, folder, children, { node });
    return new SoakWorker(await within(startsWithinMs, "a worker to begin its work", worker));
  }

  get #child(): ChildProcess {
    return this.#worker.child;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  moveClock(testClockOffsetMs: number): void {
    this.#child.send({ testClockOffsetMs });
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

  /** It resumes when everyone who froze it has thawed it. */
  thaw(): void {
    this.#freezes -= 1;
    if (this.#freezes === 0) this.#child.kill("SIGCONT");
  }

  async kill(): Promise<void> {
    await within(answersWithinMs, "a killed worker to be gone", this.#worker.kill());
  }

  /** SIGTERM; answers the exit code. */
  async stop(): Promise<number | null> {
    return within(stopsWithinMs, "a worker to stop when told to", this.#worker.stop());
  }
}

export async function within<Value>(ms: number, what: string, promise: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`waited ${ms / 1000} s in vain for ${what}`)), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
