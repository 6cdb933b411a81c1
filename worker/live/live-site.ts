// Live preview: the site as it would be rendered now, with the theme and configuration on disk. All paths are known up front; a page is
// rendered when it is opened. Texts are loaded once, and again only if the configuration changes. Nothing is written.
import { currentPages, alternatesOf } from "../../publish/render/alternates.ts";
import { type PublishedSite, publishedBytes } from "../../publish/state/published-files.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/tables.ts";
import { html } from "../../site/html.ts";
import { languageDocument } from "../../site/data.schema.ts";
import { type Draft, renderDraft, Context, type Home } from "../../site/context.ts";
import { type SiteSettings, siteSettingsOf, typeOf, type RenderedFile } from "../../site/edition.ts";
import { parsePath, pathOf } from "../../site/paths.ts";
import { ownPageDrafts } from "../../site/pages/plain-pages.ts";
import { type LanguageDrafts, renderShared } from "../../site/render.ts";
import type { Theme } from "../../site/theme/theme.ts";
import { parseJson } from "../../vault/files.ts";
import type { LiveFile } from "./live-preview.ts";

/** Drafts of a language, from the vault's texts or from invented ones. */
export interface LiveLanguage extends LanguageDrafts {
  readonly home: Home;
  readonly isInvented: boolean;
}

/** The bar of a page, by the origin of its texts: the vault, the sandbox, or, for older pages, the published site. */
const bars = {
  kept: () => html`<p>Preview: nothing here is published.</p>`,
  invented: () =>
    html`<p>Preview with invented texts, because the vault has no readings yet. Nothing here is published.</p>`,
  published: () =>
    html`<p>Preview: this archived page is shown as published. To render it again, run <code>almanac render --from</code>.</p>`,
} as const;

export class LiveSite {
  readonly url: string;
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
    this.url = settings.url;
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
    const changes = withPages.map(({ home, files, linked }) => {
      const { language } = home;
      const context = new Context(home, settings, linked);
      const isListed = ({ at, facts }: Draft) => context.indexing({ at, ...facts }) === "listed";
      return { language, pages: new Map(files.map((file) => [file.path, isListed(file)])), leaves: [] };
    });
    const pages = currentPages(new Map(), { configuration, theme }, changes);
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
    if (ofTheme !== undefined) return { bytes: ofTheme.bytes, type: typeOf(path), bar: bars.kept };
    const language = "language" in at ? this.#languages.get(at.language) : this.#languageWith(path);
    const draft = language?.own.files.find((one) => one.path === path);
    if (language === undefined || draft === undefined)
      return this.#sharedFile(path) ?? (await this.#older(path));
    const bar = bars[language.own.isInvented ? "invented" : "kept"];
    return { ...renderDraft(draft, language.context), bar };
  }

  /** Finds the language whose drafts include the path of a file without a language, such as a card picture of the sandbox. */
  #languageWith(path: string) {
    return [...this.#languages.values()].find(({ own }) => own.files.some((one) => one.path === path));
  }

  #sharedFile(path: string): LiveFile | undefined {
    this.#shared ??= new Map(this.#renderShared().map((file) => [file.path, file]));
    const isInvented = [...this.#languages.values()].some(({ own }) => own.isInvented);
    const file = this.#shared.get(path);
    return file && { ...file, bar: bars[isInvented ? "invented" : "kept"] };
  }

  async #older(path: string): Promise<LiveFile | undefined> {
    const bytes = await publishedBytes(this.#published, path);
    return bytes && { bytes, type: typeOf(path), bar: bars.published };
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
