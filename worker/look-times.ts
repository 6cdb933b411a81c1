// When a worker looks at the note of a rate again.
import type { ShareHolder } from "../vault/rate-note.ts";

/**
 * The first looks after a change, with twice the time to each next one: workers that begin together soon know of each other.
 * Who comes to its share later than the others ends its part of a short night later than they, and their shares lie idle.
 */
const firstMs = 100;
const firstLooks = 4;
/** A holder that is owed a part of its share, or is to give some away, looks more often; one that could use more, too. */
const owedEveryMs = 500;
const lackingEveryMs = 500;
export const lookEveryMs = 5_000;
/** Before another try where another worker wrote first. */
const againMs = 25;
const longestAgainMs = 800;

export class LookTimes {
  /** From 0.5 to 1.5, so that workers that came upon each other do not meet again. */
  readonly #own: number;
  #looks = 0;
  #refusals = 0;

  constructor(id: string) {
    const chance = Number.parseInt(id.slice(-4), 16) / 0xffff;
    this.#own = 0.5 + (Number.isNaN(chance) ? 0 : chance);
  }

  written(): void {
    this.#looks = 0;
    this.#refusals = 0;
  }

  afterLookMs({ share, wants }: Pick<ShareHolder, "share" | "wants">, target: number): number {
    const soonMs = firstMs * 2 ** Math.max(0, this.#looks - firstLooks + 1);
    this.#looks += 1;
    if (share !== target) return Math.min(soonMs, owedEveryMs);
    return Math.min(soonMs, share < wants ? lackingEveryMs : lookEveryMs);
  }

  afterRefusalMs(): number {
    const pauseMs = Math.min(longestAgainMs, againMs * 2 ** this.#refusals);
    this.#refusals += 1;
    return pauseMs * this.#own;
  }
}
