// A site that is shown before it is published, and made again whenever that is asked for. Its errors are shown in place of its pages.
import type { Content } from "../../site/html.ts";
import { WrongConfiguration } from "../settings/configuration-problems.ts";

export interface LiveFile {
  readonly bytes: Uint8Array;
  readonly type: string;
  /** The content of the bar that the server adds to a page. */
  readonly bar: () => Content | Promise<Content>;
}

export interface ShownSite {
  /** The site's own address. */
  readonly url: string;
  /** Undefined if the site would not have this file. */
  file(path: string): Promise<LiveFile | undefined>;
}

interface LiveState {
  /** Counts the changes. */
  readonly version: number;
  readonly url: string;
  /** Throws the errors while there are any. */
  readonly site: () => ShownSite;
  readonly problems: readonly string[];
}

export class LivePreview {
  readonly #make: () => Promise<ShownSite>;
  readonly #listeners = new Set<() => void>();
  #now: LiveState = { version: 0, url: "http://127.0.0.1/", site: () => fail([]), problems: [] };
  #working: Promise<void> = Promise.resolve();

  constructor(make: () => Promise<ShownSite>) {
    this.#make = make;
  }

  get now(): LiveState {
    return this.#now;
  }

  /** Returns the unsubscribe function. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Serializes refreshes, because the newest files must win. */
  refresh(): Promise<void> {
    this.#working = this.#after(this.#working);
    return this.#working;
  }

  async #after(earlier: Promise<void>): Promise<void> {
    await earlier;
    this.#now = await this.#made();
    for (const listener of this.#listeners) listener();
  }

  async #made(): Promise<LiveState> {
    const version = this.#now.version + 1;
    try {
      const site = await this.#make();
      return { version, url: site.url, site: () => site, problems: [] };
    } catch (error) {
      const problems = problemsIn(error);
      return { version, url: this.#now.url, site: () => fail(problems), problems };
    }
  }
}

export function problemsIn(error: unknown): readonly string[] {
  return error instanceof WrongConfiguration ? error.problems : [String(error)];
}

function fail(problems: readonly string[]): never {
  throw new WrongConfiguration("the preview shows these errors:", problems);
}
