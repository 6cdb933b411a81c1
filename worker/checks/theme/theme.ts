// Checks the owner's theme: its errors, the hosts that pages may ask, its contrast, and the structure of its pages for a screen reader.
// Sample pages of each kind are rendered in memory with invented texts, in one language per script and in each language that the theme
// treats separately.
import type { Configuration } from "../../../readings/configuration.schema.ts";
import { type Language, languages as allLanguages } from "../../../readings/tables.ts";
import { renderDraft, Context } from "../../../site/context.ts";
import { languageDocument } from "../../../site/data.schema.ts";
import { type RenderedFile, siteSettingsOf } from "../../../site/edition.ts";
import { withoutLanguage } from "../../../site/pages/head.ts";
import { renderShared } from "../../../site/render.ts";
import { TemplateFault } from "../../../site/theme/filled.ts";
import type { Theme } from "../../../site/theme/theme.ts";
import { tree } from "../../../site/tree.ts";
import { parseJson } from "../../../vault/files.ts";
import { themeWord } from "../../../workflows/names.ts";
import { type LiveLanguage, withOwnPages } from "../../live/live-site.ts";
import { now } from "../../settings/environment.ts";
import { loadTheme, themeFolder } from "../../theme/load-theme.ts";
import { WrongTheme } from "../../theme/theme-files.ts";
import { isPageKind } from "../../theme/theme.schema.ts";
import { type Check, right, wrongSetting } from "../check.ts";
import { checkContrast } from "./contrast.ts";
import { StructureCheck } from "./structure.ts";

/** A language with invented texts, which only a command has. */
export type SampleOf = (language: Language, configuration: Configuration, now: Date) => LiveLanguage;

const name = "theme";

export async function checkTheme(
  configuration: Configuration,
  configFile: string,
  sampleOf: SampleOf,
): Promise<Check[]> {
  try {
    const theme = await loadTheme(configuration.theme, configFile);
    if (theme === undefined) return [];
    const folder = themeFolder(configuration.theme, configFile);
    return [
      right(name, hostsInWords(theme)),
      ...checkContrast(theme, folder),
      ...checkPages(theme, configuration, folder, sampleOf),
    ];
  } catch (error) {
    if (!(error instanceof WrongTheme)) throw error;
    return error.problems.map((problem) => wrongSetting(name, problem, "fix it there"));
  }
}

/** The theme in this project, in one word; undefined if it has errors. */
export async function themeHere(
  configuration: Configuration,
  configFile: string,
): Promise<string | undefined> {
  try {
    return themeWord(await loadTheme(configuration.theme, configFile));
  } catch (error) {
    if (error instanceof WrongTheme) return undefined; // checkTheme says why
    throw error;
  }
}

function hostsInWords({ hosts }: Theme) {
  const all = [...new Set(Object.values(hosts).flat())];
  return all.length === 0
    ? "pages make no requests to other hosts"
    : `pages may make requests to ${all.join(", ")}`;
}

function checkPages(theme: Theme, configuration: Configuration, folder: string, sampleOf: SampleOf): Check[] {
  const check = `${name}: pages`;
  const languages = sampledLanguages(configuration.languages, theme);
  const samples = languages.map((language) => sampleOf(language, configuration, now()));
  try {
    const pages = samplePages(samples, configuration, theme);
    const structure = new StructureCheck(theme, folder);
    const decoder = new TextDecoder();
    const found = pages.flatMap(({ path, bytes }) =>
      structure.findings(decoder.decode(bytes)).map(({ seen, remedy }) => ({ seen, remedy, path })),
    );
    if (found.length === 0) {
      const seen = `${pages.length} pages in ${languages.join(", ")}, one of each kind, have landmarks, headings and accessible names`;
      return [right(check, seen)];
    }
    // Counts differ from page to page, so an error is reported once, with the first page that has it.
    const alike = Map.groupBy(found, ({ seen }) => seen.replaceAll(/ \d+ /g, " "));
    return [...alike.values()].flatMap(([first]) =>
      first === undefined ? [] : [wrongSetting(check, `${first.seen} (${first.path})`, first.remedy)],
    );
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    return [wrongSetting(name, error.message, "fix the template")];
  }
}

function sampledLanguages(configured: readonly Language[], { slots, pages, words }: Theme): Language[] {
  const special = new Set([
    ...slots.flatMap((slot) => slot.languages ?? []),
    ...pages.map(({ at }) => at.language),
    ...Object.keys(words),
  ]);
  const firsts = Map.groupBy(configured, (language) => allLanguages[language].script).values();
  const ofScripts = new Set([...firsts].map(([first]) => first));
  return configured.filter((language) => ofScripts.has(language) || special.has(language));
}

function samplePages(
  samples: readonly LiveLanguage[],
  configuration: Configuration,
  theme: Theme,
): RenderedFile[] {
  const settings = siteSettingsOf(configuration, theme);
  const own = samples.flatMap((sample) => {
    const { home, files, linked } = withOwnPages(sample, theme);
    const others = new Map(configuration.languages.map((one) => [one, true]));
    others.delete(home.language);
    const listed = files.flatMap(({ at }) =>
      "language" in at && tree[at.row].isListed ? [withoutLanguage(at)] : [],
    );
    const alternates = new Map(listed.map((path) => [path, others]));
    const context = new Context(home, settings, linked, others.size === 0 ? undefined : alternates);
    // Each of the owner's pages counts as its own kind.
    const kinds = Map.groupBy(files, ({ at, path }) => (at.row === "ownPage" ? path : at.row));
    return [...kinds].flatMap(([kind, [first]]) =>
      first !== undefined && (isPageKind(first.at.row) || kind === "languageIndex")
        ? [renderDraft(first, context)]
        : [],
    );
  });
  const summaries = own.flatMap(({ at, path, bytes }) =>
    at.row === "languageIndex" ? [parseJson(path, bytes, languageDocument)] : [],
  );
  return [...own, ...renderShared(summaries, settings)].filter(({ at }) => isPageKind(at.row));
}
