// The window of one edition in a simulated night: so many of its requests are out at once, as workflows/window.ts has it.
import { mostPending } from "./retry-rules.ts";

export interface WindowRules {
  readonly widthOf: (edition: string) => number;
  /** A request that is out at two of these ticks gives its place to the next one and stays out beside it. */
  readonly tickMs: number;
}

/** Each request has one, whether it waits or is out. */
export interface WindowPlace {
  ticks: number;
  givenUp: boolean;
}

export class CallWindow<Entry extends { readonly place: WindowPlace }> {
  readonly #waiting: Entry[] = [];
  readonly #out = new Set<Entry>();
  readonly #width: number;
  #begun = 0;
  #taken = 0;

  constructor(edition: string, windows: WindowRules) {
    this.#width = windows.widthOf(edition);
  }

  add(entry: Entry): void {
    this.#waiting.push(entry);
  }

  /** The next request, if there is room for it. */
  next(): Entry | undefined {
    return this.#taken < this.#width ? this.#waiting[this.#begun] : undefined;
  }

  begin(entry: Entry): void {
    this.#begun += 1;
    this.#taken += 1;
    this.#out.add(entry);
  }

  end(entry: Entry): void {
    this.#out.delete(entry);
    if (!entry.place.givenUp) this.#taken -= 1;
  }

  tick(): void {
    for (const { place } of this.#out) {
      place.ticks += 1;
      if (place.ticks < 2 || place.givenUp || this.#out.size >= mostPending) continue;
      place.givenUp = true;
      this.#taken -= 1;
    }
  }
}
