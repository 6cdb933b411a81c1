// What of a run is ready to be published, and whether anything can come after it.
import type { Language } from "../readings/languages.ts";

export interface PublishBatch {
  readonly languages: readonly Language[];
  /** Nothing more can come, so that the other languages' pages get their links to what is new. */
  readonly last: boolean;
}

export class PublishBatches {
  readonly #ready: Set<Language>;
  readonly #gathering: Set<Language>;

  constructor(ready: Iterable<Language>, gathering: Iterable<Language>) {
    this.#ready = new Set(ready);
    this.#gathering = new Set(gathering);
  }

  /** Whole sheets of it can be published, more may come. */
  hasSheets(language: Language): void {
    this.#ready.add(language);
  }

  /** In one step: were it ready before it has ended, its publish could pass for one that is not the last. */
  hasEnded(language: Language): void {
    this.#gathering.delete(language);
    this.#ready.add(language);
  }

  isDue(): boolean {
    return this.#ready.size > 0 || this.#gathering.size === 0;
  }

  /** Undefined when nothing is left and nothing can come. */
  take(): PublishBatch | undefined {
    if (this.#ready.size === 0) return undefined;
    const languages = [...this.#ready].sort();
    this.#ready.clear();
    return { languages, last: this.#gathering.size === 0 };
  }
}
