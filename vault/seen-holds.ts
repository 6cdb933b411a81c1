// Which holds of claims this process has seen, and since when by a clock that only measures durations. A hold says how long its
// attempt lasts at most and not until when: where clocks are apart, or one is set, an attempt would be over for others while it
// still asks.
import { setBounded } from "../readings/bounded-map.ts";
import type { Claimed } from "./claim-files.ts";

/** Far more than there are calls in flight; what is forgotten is waited for anew. */
const mostRemembered = 10_000;

/** How long a hold lasts that does not say so. */
const unsaidMs = 10 * 60_000;

interface Seen {
  readonly attempt: number | string;
  readonly begunMs: number | undefined;
  readonly sinceMs: number;
}

export class SeenHolds {
  readonly nowMs: () => number;
  readonly #seen = new Map<string, Seen>();

  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
  }

  /** The holders of other editions than the one of this name whose attempts may be at work, of a claim that was read since `askedMs`. */
  others(claim: string, { holders }: Claimed, edition: string, askedMs: number): string[] {
    return Object.entries(holders).flatMap(([owner, hold]) =>
      owner.startsWith(`${edition}/`) || this.#isOver(`${claim} ${owner}`, hold, askedMs) ? [] : [owner],
    );
  }

  /** Counted from the end of the first look to the beginning of this one. */
  #isOver(name: string, hold: Claimed["holders"][string], askedMs: number): boolean {
    const { attempt, lastsMs, begunMs } =
      typeof hold === "object" ? hold : { attempt: hold, lastsMs: unsaidMs, begunMs: undefined };
    const before = this.#seen.get(name);
    if (before?.attempt === attempt && before.begunMs === begunMs) return askedMs - before.sinceMs >= lastsMs;
    setBounded(this.#seen, name, { attempt, begunMs, sinceMs: this.nowMs() }, mostRemembered);
    return false;
  }
}
