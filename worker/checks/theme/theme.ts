// Checks the owner's theme: its errors, the hosts that pages may ask, its contrast, the structure of its pages for a screen reader,
// and its weight for readers.
import { gzipSync } from "node:zlib";
import type { Configuration } from "../../../readings/configuration.schema.ts";
import type { Language } from "../../../readings/tables.ts";
import { typeOf } from "../../../site/edition.ts";
import { pathOf } from "../../../site/paths.ts";
import { TemplateFault } from "../../../site/theme/filled.ts";
import type { Theme } from "../../../site/theme/theme.ts";
import { themeWord } from "../../../workflows/names.ts";
import type { LiveLanguage } from "../../live/live-site.ts";
import { now } from "../../settings/environment.ts";
import { loadTheme, themeFolder } from "../../theme/load-theme.ts";
import { shownPlace, WrongTheme } from "../../theme/theme-files.ts";
import { type Check, right, warning, wrongSetting } from "../check.ts";
import {
  markedTheme,
  sampledLanguages,
  type SamplePage,
  samplePages,
  structureFindings,
} from "./sample-pages.ts";
import { checkContrast, literalText } from "./theme-contrast.ts";

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
  const languages = sampledLanguages(configuration.languages, theme);
  const samples = languages.map((language) => sampleOf(language, configuration, now()));
  try {
    const marked = samplePages(samples, configuration, markedTheme(theme));
    const themed = samplePages(samples, configuration, theme);
    const plain = samplePages(samples, configuration, undefined);
    return [...structureChecks(marked, languages, folder), weightCheck(theme, themed, plain, folder)];
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    return [wrongSetting(name, error.message, "fix the template")];
  }
}

function structureChecks(
  pages: readonly SamplePage[],
  languages: readonly Language[],
  folder: string,
): Check[] {
  const check = `${name}: pages`;
  const decoder = new TextDecoder();
  const found = pages.flatMap(({ path, bytes }) =>
    structureFindings(decoder.decode(bytes)).map(({ file, line, seen, remedy }) => {
      const place = file === undefined ? shownPlace(folder, "") : shownPlace(folder, file, line);
      return { described: `${place}: ${seen}`, path, remedy };
    }),
  );
  if (found.length === 0) {
    const described = `${pages.length} pages in ${languages.join(", ")}, one of each kind, have landmarks, headings and accessible names`;
    return [right(check, described)];
  }
  // Counts differ from page to page, so an error is reported once, with the first page that has it.
  const firsts = new Map(found.toReversed().map((one) => [one.described.replaceAll(/ \d+ /g, " "), one]));
  return [...firsts.values()]
    .toReversed()
    .map(({ described, path, remedy }) => wrongSetting(check, `${described} (${path})`, remedy));
}

/** Bytes that a server sends in the first round trip: about ten packets, TCP's usual initial window. */
const mostPageBytes = 14_336;

/** `plain` has the same pages without the theme. */
function weightCheck(
  theme: Theme,
  themed: readonly SamplePage[],
  plain: readonly SamplePage[],
  folder: string,
): Check {
  const check = `${name}: weight`;
  const without = new Map(plain.map(({ path, bytes }) => [path, gzipSync(bytes).length]));
  const sorted = themed
    .map(({ kind, path, bytes }) => ({ kind, path, sizeBytes: gzipSync(bytes).length }))
    .toSorted((one, other) => other.sizeBytes - one.sizeBytes);
  const heaviest = [...Map.groupBy(sorted, ({ kind }) => kind).values()].flatMap(([first]) => first ?? []);
  const heavy = heaviest.filter(({ sizeBytes }) => sizeBytes > mostPageBytes);
  const described = (heavy.length > 0 ? heavy : heaviest.slice(0, 1)).map(({ path, sizeBytes }) => {
    const moreBytes = sizeBytes - (without.get(path) ?? sizeBytes);
    const by = `${Math.abs(moreBytes).toLocaleString("en")} ${moreBytes < 0 ? "fewer" : "more"}`;
    return `${path} has ${bytesInWords(sizeBytes)} compressed, ${by} than without the theme`;
  });
  const seen = `${described.join("; ")}; ${filesInWords(theme)}`;
  if (heavy.length === 0) return right(check, seen);
  const [largest] = [...theme.styles, ...theme.slots]
    .map(({ file, pieces }) => ({ file, sizeBytes: gzipSync(literalText(pieces)).length }))
    .toSorted((one, other) => other.sizeBytes - one.sizeBytes);
  const most =
    largest &&
    `; the largest part is ${shownPlace(folder, largest.file)} with ${bytesInWords(largest.sizeBytes)}`;
  const remedy = `keep a page below ${bytesInWords(mostPageBytes)}, the size of one round trip${most ?? ""}`;
  return warning(check, seen, remedy);
}

const kinds = [
  ["script", /javascript/],
  ["font", /^font\//],
  ["picture", /^image\//],
  ["stylesheet", /css/],
] as const;

/** "2 pictures of 700 bytes, 1 font of 20,000 bytes", or "no other files". */
function filesInWords({ files }: Theme): string {
  const described = kinds.flatMap(([kind, type]) => {
    const own = files.filter(({ at }) => type.test(typeOf(pathOf(at))));
    const sizeBytes = own.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return own.length === 0 ? [] : [`${countInWords(own.length, kind)} of ${bytesInWords(sizeBytes)}`];
  });
  return described.length === 0 ? "no other files" : described.join(", ");
}

const bytesInWords = (sizeBytes: number) => countInWords(sizeBytes, "byte");

/** `1 byte`, `1,204 bytes` */
function countInWords(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}
