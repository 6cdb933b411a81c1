// Closes opened resources in reverse order, whatever ends the process, and defines the meaning of Ctrl-C.

const afterAllMs = 1_000;

/**
 * Temporal's library can leave threads behind when a start fails half-way. They would keep the process alive: it would do
 * nothing and never be started again. Called when all is closed; a process that ends by itself does not wait for this.
 */
export function endForCertain(): void {
  setTimeout(() => process.exit(), afterAllMs).unref();
}

export class Closing {
  readonly #closers: { readonly what: string; readonly close: () => Promise<void> | void }[] = [];
  /** Resolves at the first Ctrl-C or SIGTERM, with which of the two it was. */
  readonly stopped: Promise<NodeJS.Signals>;

  /** `atOnce` is called at the second Ctrl-C: it is synchronous and leaves nothing running. */
  constructor(atOnce: () => void, onFirst: () => void) {
    this.stopped = new Promise((resolve) => {
      let asked = 0;
      const stop = (signal: NodeJS.Signals) => {
        asked += 1;
        if (asked === 1) {
          onFirst();
          resolve(signal);
          return;
        }
        atOnce();
        process.exit(130);
      };
      process.on("SIGINT", stop);
      process.on("SIGTERM", stop);
    });
  }

  add(what: string, close: () => Promise<void> | void): void {
    this.#closers.push({ what, close });
  }

  /** Closes all resources, even if closing one of them fails. */
  async all(onFault: (what: string, error: unknown) => void): Promise<void> {
    for (const { what, close } of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        onFault(what, error);
      }
    }
  }
}
