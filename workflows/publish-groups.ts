// The languages of a run that are ready to be published, and whether any other can still follow.
import type { Language } from "../readings/tables.ts";

export interface PublishGroup {
  readonly languages: readonly Language[];
  /** Nothing more can come, so this group also brings the other languages' pages their links to the new ones. */
  readonly last: boolean;
}

export class PublishGroups {
  readonly #ready: Set<Language>;
  readonly #gathering: Set<Language>;

  constructor(ready: Iterable<Language>, gathering: Iterable<Language>) {
    this.#ready = new Set(ready);
    this.#gathering = new Set(gathering);
  }

  /** The language has whole sets to publish, and more may come. */
  hasSets(language: Language): void {
    this.#ready.add(language);
  }

  /** The language is ready and has ended, in one step: otherwise its publish could pass for one that is not the last. */
  hasEnded(language: Language): void {
    this.#gathering.delete(language);
    this.#ready.add(language);
  }

  isDue(): boolean {
    return this.#ready.size > 0 || this.isLast();
  }

  /** Nothing more can come. */
  isLast(): boolean {
    return this.#gathering.size === 0;
  }

  /** Undefined when no language is left and none can come. */
  take(): PublishGroup | undefined {
    return this.#createGroup(this.#ready);
  }

  /** The languages that have ended, those of which nothing more can come. Undefined when there are none yet. */
  takeEnded(): PublishGroup | undefined {
    return this.#createGroup(this.#ready.difference(this.#gathering));
  }

  #createGroup(taken: ReadonlySet<Language>): PublishGroup | undefined {
    if (taken.size === 0) return undefined;
    const languages = [...taken].sort();
    for (const language of languages) this.#ready.delete(language);
    return { languages, last: this.isLast() };
  }
}
