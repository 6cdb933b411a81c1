// Live preview: the site with the theme and configuration on disk, rendered again when one of their files is saved. Texts are loaded
// once, and again only if the configuration changes. Nothing is written.
import { isDeepStrictEqual } from "node:util";
import type { PublishedSite } from "../../publish/state/published-files.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Theme } from "../../site/theme/theme.ts";
import { WrongConfiguration } from "../settings/configuration.ts";
import { type LiveLanguage, LiveSite } from "./live-site.ts";

export interface LiveSettings {
  readonly configuration: Configuration;
  readonly theme: Theme | undefined;
}

export interface LiveParts {
  /** Reads the current configuration and theme from disk. */
  readonly read: () => Promise<LiveSettings>;
  /** The published site, for pages of the archive. */
  readonly published: () => Promise<PublishedSite>;
  /** The texts of each language. */
  readonly load: (configuration: Configuration) => Promise<readonly LiveLanguage[]>;
}

interface LiveState {
  /** Counts the changes. */
  readonly version: number;
  /** The site's own address. */
  readonly url: string;
  /** Throws the errors while there are any. */
  readonly site: () => LiveSite;
  readonly problems: readonly string[];
}

export class LivePreview {
  readonly #parts: LiveParts;
  readonly #listeners = new Set<() => void>();
  #loaded: { readonly configuration: Configuration; readonly languages: readonly LiveLanguage[] } | undefined;
  #now: LiveState = { version: 0, url: "http://127.0.0.1/", site: () => fail([]), problems: [] };
  #working: Promise<void> = Promise.resolve();

  constructor(parts: LiveParts) {
    this.#parts = parts;
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
      const { configuration, theme } = await this.#parts.read();
      if (!isDeepStrictEqual(this.#loaded?.configuration, configuration)) {
        this.#loaded = { configuration, languages: await this.#parts.load(configuration) };
      }
      const site = await LiveSite.of(
        this.#loaded?.languages ?? [],
        configuration,
        theme,
        await this.#parts.published(),
      );
      return { version, url: configuration.site.url, site: () => site, problems: [] };
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
