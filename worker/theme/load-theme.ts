// Loads the owner's theme from its folder or package, and checks it as a whole: every mistake is named at once, with its file,
// its line and what to do.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { sourcesOf } from "../../publish/press/module-graph.ts";
import { contrastProblems } from "../../site/palette.ts";
import type { Theme } from "../../site/theme/theme.ts";
import { explain } from "../settings/configuration-problems.ts";
import { loadPages } from "./own-pages.ts";
import { loadTemplates } from "./load-templates.ts";
import { loadRootFiles } from "./root-files.ts";
import { codeProblems } from "./slot-markup.ts";
import { themeParts } from "./theme-parts.ts";
import { wordProblems } from "./words-check.ts";
import { ThemeFiles } from "./theme-files.ts";
import { lineOf, placeIn, ThemeMistakes, WrongTheme } from "./theme-mistakes.ts";
import { type ThemeGiven, themeSchema, withSlotLists } from "./theme.schema.ts";

const themeModule = z.object({ default: z.unknown() });
const entryNames = ["theme.ts", "theme.js", "theme.mjs"];

/** `named` is the setting `theme`; without it theme/ beside the configuration may be absent, or have nothing of a theme yet. */
export async function loadTheme(named: string | undefined, configFile: string): Promise<Theme | undefined> {
  const folder = themeFolder(named, configFile);
  const found = themeEntry(folder);
  const isThere = ["pages", "root"].some((name) => existsSync(join(folder, name)));
  if (found === undefined && !isThere) {
    if (named === undefined) return undefined;
    throw new WrongTheme(folder, [`theme: ${named} has no theme.ts: add one, or take the setting out`]);
  }
  const mistakes = new ThemeMistakes(folder);
  const entry = found ?? "theme.ts";
  const source = found === undefined ? "" : readFileSync(join(folder, found), "utf8");
  const said = found === undefined ? {} : await defaultOf(folder, found);
  const given = checked(said, source, entry, mistakes);
  const files = new ThemeFiles(folder, mistakes);
  const templates = await loadTemplates({ folder, entry, source, named: given.templates }, mistakes);
  const parts = themeParts(given, { entry, source, files, mistakes });
  const pages = await loadPages({ folder, files, mistakes });
  const own = loadRootFiles(files, mistakes);
  for (const name of parts.menu ?? []) {
    if (pages.some(({ at }) => at.page === name)) continue;
    const line = lineOf(source, ["pages", "menu"]);
    mistakes.note(
      entry,
      line,
      `pages.menu names ${name}, and there is no pages/{language}/${name}.md: add one`,
    );
  }
  for (const [name, bytes] of files.read) {
    if (!name.endsWith(".js")) continue;
    for (const problem of codeProblems(bytes.toString(), given.hosts))
      mistakes.note(name, undefined, problem);
  }
  mistakes.settle();
  const modules = [...(found === undefined ? [] : [found]), ...Object.values(given.templates)];
  return { ...parts, ...own, templates, pages, files: files.all, hash: hashOf(folder, modules, files) };
}

/** The file that says what the theme is, where there is one. */
export function themeEntry(folder: string): string | undefined {
  return entryNames.find((name) => existsSync(join(folder, name)));
}

/** The folder of the theme, whether it is there or not. */
export function themeFolder(named: string | undefined, configFile: string): string {
  if (named === undefined) return join(dirname(configFile), "theme");
  if (/^[./]/.test(named)) return resolve(dirname(configFile), named);
  try {
    return dirname(createRequire(configFile).resolve(`${named}/package.json`));
  } catch (cause) {
    const problem = `theme: ${named} is no package that is installed here: install it, or begin a folder's name with ./`;
    throw new WrongTheme(named, [problem], { cause });
  }
}

async function defaultOf(folder: string, entry: string): Promise<unknown> {
  const file = join(folder, entry);
  try {
    return themeModule.parse(await import(pathToFileURL(file).href)).default;
  } catch (cause) {
    const why =
      cause instanceof z.ZodError
        ? "it has no default export: add `export default defineTheme({ .. })`"
        : String(cause);
    const place = placeIn(cause, folder);
    throw new WrongTheme(
      folder,
      [`${place === undefined ? file : `${place.file}:${place.line}`}: it can't be loaded: ${why}`],
      { cause },
    );
  }
}

function checked(said: unknown, source: string, entry: string, mistakes: ThemeMistakes): ThemeGiven {
  const given = withSlotLists(said);
  const { data, error } = themeSchema.safeParse(given);
  for (const issue of error?.issues ?? []) {
    const path = issue.code === "unrecognized_keys" ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
    mistakes.note(entry, lineOf(source, path), explain(issue, given, themeSchema));
  }
  mistakes.settle(); // what is of the wrong shape names no files that could be looked at
  for (const problem of contrastProblems(data?.colors)) {
    mistakes.note(entry, lineOf(source, ["colors"]), problem);
  }
  for (const { path, problem } of wordProblems(data?.words ?? {})) {
    mistakes.note(entry, lineOf(source, path), `${path.join(".")}: ${problem}`);
  }
  return data ?? themeSchema.parse({});
}

/** The hash of its modules, of the files that they name, and of the lock of packages where one is imported. */
function hashOf(folder: string, entries: readonly string[], files: ThemeFiles): string {
  const hash = createHash("sha256");
  const modules = sourcesOf(entries, folder);
  for (const [path, bytes] of [...modules, ...files.read])
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  const lock = lockAbove(folder);
  const imports = [...modules.values()].some((bytes) => /\bfrom\s*["'](?!\.|node:)/.test(bytes.toString()));
  if (imports && lock !== undefined) hash.update(readFileSync(lock));
  return hash.digest("hex");
}

function lockAbove(folder: string): string | undefined {
  const lock = join(folder, "package-lock.json");
  if (existsSync(lock)) return lock;
  return dirname(folder) === folder ? undefined : lockAbove(dirname(folder));
}
