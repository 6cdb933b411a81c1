// Whether a note that was read stays as it is until somebody changes it knowingly. A write that was given up may still arrive, on
// the version on which it was built or never; and where a store heeds no conditions, two writers can cross each other.
import type { MonotonicClock } from "./monotonic-clock.ts";

/** Where a store heeds no conditions, what stands in the note for so long counts. */
const provenAfterMs = 1_000;

export class NoteCertainty {
  readonly #clock: MonotonicClock;
  readonly #isHeedless: boolean;
  #doubted: string | undefined;
  #newest: { readonly version: string | undefined; readonly sinceMs: number } | undefined;

  constructor(clock: MonotonicClock, isHeedless: boolean) {
    this.#clock = clock;
    this.#isHeedless = isHeedless;
  }

  /** A write begins on this version; where it fails, it stays in doubt. */
  writing(version: string | undefined): void {
    this.#doubted = version;
  }

  /** It is written as this version, or refused. */
  answered(version: string | undefined): void {
    this.#doubted = undefined;
    if (version !== undefined) this.#newest = { version, sinceMs: this.#clock.nowMs() };
  }

  isCertain(version: string | undefined): boolean {
    if (this.#doubted !== version) this.#doubted = undefined;
    if (!this.#isHeedless) return this.#doubted === undefined;
    const nowMs = this.#clock.nowMs();
    if (this.#newest?.version !== version) this.#newest = { version, sinceMs: nowMs };
    return nowMs - (this.#newest?.sinceMs ?? nowMs) >= provenAfterMs;
  }
}
