// Decides which of several publishers makes its next store call: each call waits until its publisher is let go on.
import { setImmediate as everythingElse } from "node:timers/promises";
import type { Gate } from "./publisher.ts";

interface Waiting {
  readonly what: string;
  readonly go: () => void;
}

export class Conductor {
  readonly #waiting = new Map<string, Waiting[]>();

  /** Calls that do not matter are made at once. */
  gateFor(name: string, matters: (what: string) => boolean = () => true): Gate {
    return (what) => {
      if (!matters(what)) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      const queue = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, queue);
      queue.push({ what, go: resolve });
      return promise;
    };
  }

  /** Publishers that wait, after all others have run as far as they can: in memory, queued tasks are all there is. */
  async waiting(): Promise<string[]> {
    await everythingElse();
    return [...this.#waiting].filter(([, queue]) => queue.length > 0).map(([name]) => name);
  }

  /** A publisher's next operation. */
  next(name: string): string | undefined {
    return this.#waiting.get(name)?.[0]?.what;
  }

  /** Runs a publisher's first waiting call, and describes it. */
  step(name: string): string | undefined {
    const next = this.#waiting.get(name)?.shift();
    next?.go();
    return next?.what;
  }

  /** Drops all of its calls. */
  drop(name: string): void {
    this.#waiting.delete(name);
  }
}
