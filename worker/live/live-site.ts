// Live preview: the site as it would be rendered now, with the theme and configuration on disk. All paths are known up front; a page is
// rendered when it is opened. Texts are loaded once, and again only if the configuration changes. Nothing is written.
import { isDeepStrictEqual } from "node:util";
import { currentPages, alternatesOf } from "../../publish/render/alternates.ts";
import { type PublishedSite, publishedBytes } from "../../publish/state/published-files.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/tables.ts";
import { languageDocument } from "../../site/data.schema.ts";
import { renderDraft, Context, type Home } from "../../site/context.ts";
import { type SiteSettings, siteSettingsOf, typeOf, type RenderedFile } from "../../site/edition.ts";
import { parsePath, pathOf } from "../../site/paths.ts";
import { ownPageDrafts } from "../../site/pages/plain-pages.ts";
import { type LanguageDrafts, renderShared } from "../../site/render.ts";
import type { Theme } from "../../site/theme/theme.ts";
import { parseJson } from "../../vault/files.ts";
import { WrongConfiguration } from "../settings/configuration-problems.ts";

/** Drafts of a language, from the vault's texts or from invented ones. */
export interface LiveLanguage extends LanguageDrafts {
  readonly home: Home;
  readonly isInvented: boolean;
}

/** Origin of a file's texts: the vault, the sandbox, or, for older pages, the published site. */
export type LiveOrigin = "kept" | "invented" | "published";

export interface LiveFile extends Pick<RenderedFile, "bytes" | "type"> {
  readonly origin: LiveOrigin;
}

export class LiveSite {
  readonly #languages: ReadonlyMap<Language, { readonly own: LiveLanguage; readonly context: Context }>;
  readonly #settings: SiteSettings;
  readonly #published: PublishedSite;
  #shared: ReadonlyMap<string, RenderedFile> | undefined;

  private constructor(
    contexts: ReadonlyMap<Language, { own: LiveLanguage; context: Context }>,
    settings: SiteSettings,
    published: PublishedSite,
  ) {
    this.#languages = contexts;
    this.#settings = settings;
    this.#published = published;
  }

  static async of(
    languages: readonly LiveLanguage[],
    configuration: Configuration,
    theme: Theme | undefined,
    published: PublishedSite,
  ): Promise<LiveSite> {
    const settings = siteSettingsOf(configuration, theme);
    const withPages = languages.map((own) => withOwnPages(own, theme));
    const changes = withPages.map(({ home, files }) => ({
      language: home.language,
      pages: files.map(({ path }) => path),
      leaves: [],
    }));
    const pages = await currentPages(
      { ...published, manifest: undefined },
      { configuration, theme },
      changes,
    );
    const contexts = withPages.map((own) => {
      const alternates = alternatesOf(own.home.language, pages);
      const context = new Context(own.home, settings, own.linked, alternates);
      return [own.home.language, { own, context }] as const;
    });
    return new LiveSite(new Map(contexts), settings, published);
  }

  /** Undefined if the site would not have this file. */
  async file(path: string): Promise<LiveFile | undefined> {
    const at = parsePath(path);
    if (at === undefined) return undefined;
    // Theme files are served directly, without rendering all shared files first.
    const ofTheme = this.#settings.theme?.files.find((one) => pathOf(one.at) === path);
    if (ofTheme !== undefined) return { bytes: ofTheme.bytes, type: typeOf(path), origin: "kept" };
    const language = "language" in at ? this.#languages.get(at.language) : this.#languageWith(path);
    const draft = language?.own.files.find((one) => one.path === path);
    if (language === undefined || draft === undefined)
      return this.#sharedFile(path) ?? (await this.#older(path));
    const origin = language.own.isInvented ? "invented" : "kept";
    return { ...renderDraft(draft, language.context), origin };
  }

  /** Finds the language whose drafts include the path of a file without a language, such as a card picture of the sandbox. */
  #languageWith(path: string) {
    return [...this.#languages.values()].find(({ own }) => own.files.some((one) => one.path === path));
  }

  #sharedFile(path: string): LiveFile | undefined {
    this.#shared ??= new Map(this.#renderShared().map((file) => [file.path, file]));
    const isInvented = [...this.#languages.values()].some(({ own }) => own.isInvented);
    const file = this.#shared.get(path);
    return file && { ...file, origin: isInvented ? "invented" : "kept" };
  }

  async #older(path: string): Promise<LiveFile | undefined> {
    const bytes = await publishedBytes(this.#published, path);
    return bytes && { bytes, type: typeOf(path), origin: "published" };
  }

  #renderShared(): RenderedFile[] {
    const summaries = [...this.#languages].flatMap(([language, { own, context }]) => {
      const path = pathOf({ row: "languageIndex", language });
      const draft = own.files.find((one) => one.path === path);
      return draft === undefined
        ? []
        : [parseJson(path, renderDraft(draft, context).bytes, languageDocument)];
    });
    return renderShared(summaries, this.#settings);
  }
}

/** Adds the owner's pages to a language: they are loaded with the theme, not with the texts. */
export function withOwnPages(own: LiveLanguage, theme: Theme | undefined): LiveLanguage {
  const drafts = ownPageDrafts(own.home.language, theme?.pages ?? []);
  const files = drafts.map(({ at, render }) => ({ at, render, path: pathOf(at) }));
  const linked = new Set([...own.linked, ...files.map(({ path }) => path)]);
  return { ...own, files: [...own.files, ...files], linked };
}

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
