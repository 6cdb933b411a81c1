// Presses languages in a process beside the worker (process.ts), so that its calls are not held up. The process starts with the
// first language and ends when there has been none for a while, which gives all of its memory back: after a thread of the
// worker had pressed 26 languages and ended, the worker kept 270 MB of it. A start takes the same processor time for both.
import { type ChildProcess, fork } from "node:child_process";
import { on } from "node:events";
import type { PrintProgress } from "../../publish/press/printing.ts";
import type { PressInput } from "../../readings/run-messages.ts";
import type { Log } from "../../vault/log.ts";
import type { StoreWatch } from "../monitor/counted-store.ts";
import { type PressOrder, type PressSettings, type SaidByProcess, saidByProcess } from "./messages.ts";

/** Longer than from one language of a batch to the next; a start takes half a second of processor time. */
const idleMs = 5_000;

interface PressWatch extends StoreWatch {
  readonly log: Log;
}

/** Thrown where the process ended before it had pressed, or failed as its name and message say. */
export class PressFailed extends Error {
  override readonly name: string;
  constructor(
    message = "the process that presses ended before the language was pressed",
    name = "PressEnded",
  ) {
    super(message);
    this.name = name;
  }
}

export class PressProcess {
  readonly #settings: PressSettings;
  readonly #watch: PressWatch;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(settings: PressSettings, watch: PressWatch) {
    this.#settings = settings;
    this.#watch = watch;
  }

  /** One at a time: a worker takes no further language before. */
  async press(input: PressInput, onPrinted: PrintProgress, signal: AbortSignal): Promise<void> {
    clearTimeout(this.#idle);
    const child = (this.#child ??= this.#start());
    try {
      const heard = on(child, "message", { signal, close: ["exit"] });
      const order: PressOrder = { settings: this.#settings, input, now: this.#watch.now() };
      child.send(order);
      for await (const [message] of heard) {
        const said = saidByProcess.parse(message);
        if (said.kind === "done") return;
        if (said.kind === "failed") throw new PressFailed(said.message, said.name);
        if (said.kind === "printed") onPrinted(said.printed, said.of);
        else await this.#hear(said);
      }
      throw new PressFailed();
    } catch (error) {
      this.end();
      throw error;
    } finally {
      this.#idle = setTimeout(() => this.end(), idleMs).unref();
    }
  }

  /** What the worker's own stores and log would tell. */
  async #hear(said: Exclude<SaidByProcess, { kind: "printed" | "done" | "failed" }>): Promise<void> {
    const { log, metrics, alert } = this.#watch;
    if (said.kind === "log") log[said.level](said.facts, said.message);
    else if (said.kind === "put") metrics.put(said.store, said.sizeBytes);
    else if (said.kind === "storeFailed") metrics.storeFailed(said.store, said.doing);
    else await alert({ ...said, kind: "store-unwritable" });
  }

  end(): void {
    clearTimeout(this.#idle);
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #start(): ChildProcess {
    return fork(new URL("process.ts", import.meta.url), {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
  }
}
