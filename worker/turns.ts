// Which request goes out next: the calls of one worker on one address that may be in flight at once. A slow language holds no more
// slots than its width while others wait; what nobody waits for is anybody's, as at the end of a night.
import type { CallWords, InTurn } from "../activities/dependencies.ts";

interface Waiting {
  readonly number: number;
  readonly begin: () => void;
}

interface Edition {
  /** How many of its calls are in flight at once while others wait. */
  readonly width: number;
  readonly waiting: Waiting[];
  bundles: number;
  inFlight: number;
}

export class Turns {
  readonly #most: number;
  readonly #onFree: () => void;
  readonly #editions = new Map<string, Edition>();
  #inFlight = 0;
  #notGone = 0;
  #underWay = 0;
  #asked = 0;

  constructor(most: number, onFree: () => void) {
    this.#most = most;
    this.#onFree = onFree;
  }

  async within<Result>(name: string, width: number, work: (inTurn: InTurn) => Promise<Result>) {
    const edition = this.#editions.get(name) ?? { width, waiting: [], bundles: 0, inFlight: 0 };
    this.#editions.set(name, edition);
    edition.bundles += 1;
    try {
      return await work((ask) => this.#inTurn(edition, ask));
    } finally {
      edition.bundles -= 1;
      if (edition.bundles === 0) this.#editions.delete(name);
    }
  }

  /** Requests that have a slot, or could use one now. */
  get here(): number {
    return this.#inFlight + this.#due();
  }

  /** Of these, the ones that have not gone out. */
  get behind(): number {
    return this.#notGone + this.#due();
  }

  #due(): number {
    let due = 0;
    for (const { waiting, width, inFlight } of this.#editions.values())
      due += Math.min(waiting.length, Math.max(0, width - inFlight));
    return due;
  }

  async #inTurn<One>(edition: Edition, ask: (words: CallWords) => Promise<One>): Promise<One> {
    const { promise: isTurn, resolve: begin } = Promise.withResolvers<void>();
    this.#asked += 1;
    edition.waiting.push({ number: this.#asked, begin });
    this.#fill();
    await isTurn;
    const went = once(() => (this.#notGone -= 1));
    const answered = once(() => {
      went();
      edition.inFlight -= 1;
      this.#inFlight -= 1;
    });
    const telling = (happened: () => void) => (): void => {
      happened();
      this.#fill();
      this.#onFree();
    };
    try {
      return await ask({ went: telling(went), answered: telling(answered) });
    } finally {
      this.#underWay -= 1;
      telling(answered)();
    }
  }

  /** An answer that is being kept holds up no call; but where the vault is slow, answers don't pile up. */
  #fill(): void {
    while (this.#inFlight < this.#most && this.#underWay < 2 * this.#most) {
      const edition = this.#next();
      const first = edition?.waiting.shift();
      if (edition === undefined || first === undefined) return;
      edition.inFlight += 1;
      this.#inFlight += 1;
      this.#notGone += 1;
      this.#underWay += 1;
      first.begin();
    }
  }

  /** Of the editions with less than their width, and then of all, the one that has waited for the longest. */
  #next(): Edition | undefined {
    let next: Edition | undefined;
    for (const edition of this.#editions.values()) {
      if (edition.waiting.length > 0 && (next === undefined || isBefore(edition, next))) next = edition;
    }
    return next;
  }
}

function isBefore(one: Edition, other: Edition): boolean {
  const [isDue, isOtherDue] = [one.inFlight < one.width, other.inFlight < other.width];
  if (isDue !== isOtherDue) return isDue;
  return (one.waiting[0]?.number ?? Infinity) < (other.waiting[0]?.number ?? Infinity);
}

function once(deed: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) deed();
    isDone = true;
  };
}
