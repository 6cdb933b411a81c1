// The permits to take on a batch. A worker takes one before it polls for work, and returns it when the batch has ended, or when
// none came.
import { EventEmitter, once } from "node:events";

export class Permits {
  readonly #isFree: (given: number) => boolean;
  readonly #changes = new EventEmitter<{ change: [] }>().setMaxListeners(0);
  #given = 0;

  /** `isFree` decides whether one more may be given, beyond those that are. */
  constructor(isFree: (given: number) => boolean) {
    this.#isFree = isFree;
  }

  tryReserve(): boolean {
    if (!this.#isFree(this.#given)) return false;
    this.#given += 1;
    return true;
  }

  /** Resolves with a permit; rejects with the signal's reason. */
  async reserve(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (!this.tryReserve()) {
      await once(this.#changes, "change", { signal }).catch(() => signal.throwIfAborted());
    }
  }

  release(): void {
    this.#given -= 1;
    this.changed();
  }

  /** Looks again whether permits are free. */
  changed(): void {
    this.#changes.emit("change");
  }
}
