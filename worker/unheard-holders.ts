// Which of the others that hold a share were not heard of for 25 s, as this process sees it by its own clock.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import type { Store } from "../store/store.ts";
import { counterOf, type RateNote, type ShareHolder } from "../vault/rate-note.ts";
import type { MonotonicClock } from "./monotonic-clock.ts";
import { secondOf } from "./pacer.ts";

/** What has not moved for so long is taken away. The clock of one process may be a quarter quicker than another's. */
export const unmovedMs = 25_000;
const atOnce = 3;
const everyMs = 4_500;

interface Watched {
  readonly seen: string;
  readonly sinceMs: number;
}

interface WatchSettings {
  readonly store: Store;
  readonly address: ServiceAddress;
  readonly clock: MonotonicClock;
}

export class UnheardHolders {
  readonly #settings: WatchSettings;
  readonly #watched = new Map<string, Watched>();
  #looks = 0;
  #lookedMs = -Infinity;

  constructor(settings: WatchSettings) {
    this.#settings = settings;
  }

  /** Who is alone need not count. So what was seen before means nothing when this worker joins. */
  clear(): void {
    this.#watched.clear();
  }

  /** Each look is at three of the others, so that many workers cost no more than few; if nothing lacks, only at who is gone. */
  async among({ holders }: RateNote, ownId: string, isLacking: boolean): Promise<ReadonlySet<string>> {
    for (const id of this.#watched.keys()) {
      if (!holders.some((one) => one.id === id)) this.#watched.delete(id);
    }
    const nowMs = this.#settings.clock.nowMs();
    const isDue = isLacking && nowMs - this.#lookedMs >= everyMs;
    if (isDue) this.#lookedMs = nowMs;
    const others = holders.filter(({ id, isGone }) => id !== ownId && (isDue || isGone));
    const from = others.length > atOnce ? this.#looks % others.length : 0;
    this.#looks += atOnce;
    const some = [...others.slice(from), ...others.slice(0, from)].slice(0, atOnce);
    const unheard = await Promise.all(some.map((one) => this.#isUnheard(one)));
    return new Set(some.filter((_, index) => unheard[index]).map(({ id }) => id));
  }

  async #isUnheard({ id, place, epoch, share, isGone }: ShareHolder): Promise<boolean> {
    const { store, address, clock } = this.#settings;
    const askedMs = clock.nowMs();
    if (isGone) return this.isUnmoved(id, `${epoch} gone`, askedMs, secondOf(share));
    const counter = await counterOf(store, address, { place });
    return this.isUnmoved(id, `${epoch} ${counter}`, askedMs);
  }

  /** Counted from the end of the first look to the beginning of this one. */
  isUnmoved(name: string, seen: string, askedMs: number, afterMs = unmovedMs): boolean {
    const before = this.#watched.get(name);
    if (before?.seen === seen) return askedMs - before.sinceMs >= afterMs;
    this.#watched.set(name, { seen, sinceMs: this.#settings.clock.nowMs() });
    return false;
  }
}
