// Limits the concurrent calls of an endpoint. A slow language uses no more than its width while other languages wait. Unclaimed
// places are free for any language, as at the end of a night.
import { EventEmitter, once } from "node:events";

interface Waiting {
  readonly number: number;
  readonly begin: () => void;
  readonly fail: (error: unknown) => void;
}

interface OfLanguage {
  width: number;
  readonly waiting: Waiting[];
  inFlight: number;
}

export class ConcurrencyLimit {
  readonly most: number;
  readonly #onFree: () => void;
  readonly #languages = new Map<string, OfLanguage>();
  #inFlight = 0;
  /** The calls in flight, and the responses that are being stored. */
  #underWay = 0;
  #count = 0;

  constructor(most: number, onFree: () => void = () => undefined) {
    this.most = most;
    this.#onFree = onFree;
  }

  /**
   * Does the work when it may be in flight. `free` is called when the response is here: the place is then another call's, so that
   * none waits for a disk. If responses are stored slowly, at most twice as many as there are places are under way.
   */
  async run<Result>(
    { language, width }: { readonly language: string; readonly width: number },
    signal: AbortSignal,
    work: (free: () => void) => Promise<Result>,
  ): Promise<Result> {
    const of = this.#languages.get(language) ?? { width, waiting: [], inFlight: 0 };
    this.#languages.set(language, of);
    of.width = width;
    await this.#place(of, signal);
    let isFree = false;
    const free = (): void => {
      if (isFree) return;
      isFree = true;
      of.inFlight -= 1;
      this.#inFlight -= 1;
      this.#fill();
      this.#onFree();
    };
    try {
      return await work(free);
    } finally {
      this.#underWay -= 1;
      free();
      this.#fill();
      const isIdle = of.inFlight === 0 && of.waiting.length === 0;
      if (isIdle && this.#languages.get(language) === of) this.#languages.delete(language);
      this.#onFree();
    }
  }

  /** The calls that have a place, or could have one now. */
  get here(): number {
    let due = 0;
    for (const { waiting, width, inFlight } of this.#languages.values())
      due += Math.min(waiting.length, Math.max(0, width - inFlight));
    return this.#inFlight + due;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Rejects all that wait. */
  stop(error: Error): void {
    for (const { waiting } of this.#languages.values()) for (const { fail } of waiting.splice(0)) fail(error);
  }

  #place(of: OfLanguage, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      this.#count += 1;
      const giveUp = (): void => {
        const place = of.waiting.indexOf(entry);
        if (place >= 0) of.waiting.splice(place, 1);
        reject(signal.reason);
      };
      const end = (settle: () => void) => (): void => {
        signal.removeEventListener("abort", giveUp);
        settle();
      };
      const fail = (error: unknown): void => end(() => reject(error))();
      const entry: Waiting = { number: this.#count, begin: end(resolve), fail };
      signal.addEventListener("abort", giveUp, { once: true });
      of.waiting.push(entry);
      this.#fill();
    });
  }

  #fill(): void {
    while (this.#inFlight < this.most && this.#underWay < 2 * this.most) {
      const of = this.#next();
      const first = of?.waiting.shift();
      if (of === undefined || first === undefined) return;
      of.inFlight += 1;
      this.#inFlight += 1;
      this.#underWay += 1;
      first.begin();
    }
  }

  /** The language that has waited longest, among those below their width if there are any, else among all. */
  #next(): OfLanguage | undefined {
    let next: OfLanguage | undefined;
    for (const of of this.#languages.values()) {
      if (of.waiting.length > 0 && (next === undefined || isBefore(of, next))) next = of;
    }
    return next;
  }
}

function isBefore(one: OfLanguage, other: OfLanguage): boolean {
  const [isDue, isOtherDue] = [one.inFlight < one.width, other.inFlight < other.width];
  if (isDue !== isOtherDue) return isDue;
  return (one.waiting[0]?.number ?? Infinity) < (other.waiting[0]?.number ?? Infinity);
}

// The permits to take on a batch. A worker takes one before it polls for work, and returns it when the batch has ended, or when
// none came.
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
