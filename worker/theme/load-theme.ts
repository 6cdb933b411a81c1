// Loads the owner's theme from its folder or package, and validates it as a whole: one exception lists every error with its file,
// line and remedy.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { sourcesOf } from "../../publish/render/fingerprint.ts";
import { signs } from "../../readings/tables.ts";
import { contrastProblems } from "../../site/palette.ts";
import { pictureSize } from "../../site/pages/head.ts";
import { placeIn } from "../../site/theme/filled.ts";
import { cardFileName } from "../../site/pages/drawings.ts";
import { type FilledSlot, type Theme, type ThemeCards, themeSlots } from "../../site/theme/theme.ts";
import type { TreePathOf } from "../../site/tree.ts";
import { explain, explained } from "../settings/configuration-problems.ts";
import { loadPages, loadRootFiles } from "./own-files.ts";
import { loadTemplates } from "./templates.ts";
import { lineOf, ThemeFiles, ThemeProblems, WrongTheme } from "./theme-files.ts";
import { codeProblems, scriptsIn, slotPieces, stylePieces } from "./theme-texts.ts";
import { ownWords, type ThemeGiven, themeSchema, withSlotLists } from "./theme.schema.ts";

const themeModule = z.object({ default: z.unknown() });
const entryNames = ["theme.ts", "theme.js", "theme.mjs"];

/** `named` is the setting `theme`. Without it, theme/ next to the configuration may be missing or empty. */
export async function loadTheme(named: string | undefined, configFile: string): Promise<Theme | undefined> {
  const folder = themeFolder(named, configFile);
  const found = themeEntry(folder);
  const isThere = ["pages", "root"].some((name) => existsSync(join(folder, name)));
  if (found === undefined && !isThere) {
    if (named === undefined) return undefined;
    throw new WrongTheme(folder, [`theme: ${named} has no theme.ts. Add one, or remove the setting`]);
  }
  const problems = new ThemeProblems(folder);
  const entry = found ?? "theme.ts";
  const source = found === undefined ? "" : readFileSync(join(folder, found), "utf8");
  const said = found === undefined ? {} : await defaultOf(folder, found);
  const given = checked(said, source, entry, problems);
  const files = new ThemeFiles(folder, problems);
  const templates = await loadTemplates({ folder, entry, source, named: given.templates }, problems);
  const parts = themeParts(given, { entry, source, files, problems });
  const pages = await loadPages({ files, problems });
  const own = loadRootFiles(files, problems);
  for (const name of parts.menu ?? []) {
    if (pages.some(({ at }) => at.page === name)) continue;
    const line = lineOf(source, ["pages", "menu"]);
    problems.note(
      entry,
      line,
      `pages.menu names ${name}, but no pages/{language}/${name}.md exists. Add one`,
    );
  }
  for (const [name, bytes] of files.read) {
    if (!name.endsWith(".js")) continue;
    for (const problem of codeProblems(new TextDecoder().decode(bytes), given.hosts))
      problems.note(name, undefined, problem);
  }
  problems.settle();
  const modules = [...(found === undefined ? [] : [found]), ...Object.values(given.templates)];
  return { ...parts, ...own, templates, pages, files: files.all, hash: hashOf(folder, modules, files) };
}

/** The theme's entry module, if there is one. */
export function themeEntry(folder: string): string | undefined {
  return entryNames.find((name) => existsSync(join(folder, name)));
}

/** The theme's folder, which may not exist. */
export function themeFolder(named: string | undefined, configFile: string): string {
  if (named === undefined) return join(dirname(configFile), "theme");
  if (/^[./]/.test(named)) return resolve(dirname(configFile), named);
  try {
    return dirname(createRequire(configFile).resolve(`${named}/package.json`));
  } catch (cause) {
    const problem = `theme: the package ${named} is not installed. Install it, or begin a folder's name with ./`;
    throw new WrongTheme(named, [problem], { cause });
  }
}

function isMissingModule(cause: unknown): cause is Error {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
}

async function defaultOf(folder: string, entry: string): Promise<unknown> {
  const file = join(folder, entry);
  try {
    return themeModule.parse(await import(pathToFileURL(file).href)).default;
  } catch (cause) {
    const why =
      cause instanceof z.ZodError
        ? "it has no default export. Add `export default defineTheme({ .. })`"
        : isMissingModule(cause)
          ? `${cause.message}. Correct the path in its import`
          : String(cause);
    const place = placeIn(cause, folder);
    throw new WrongTheme(
      folder,
      [`${place === undefined ? file : `${place.file}:${place.line}`}: cannot be loaded: ${why}`],
      { cause },
    );
  }
}

function checked(said: unknown, source: string, entry: string, problems: ThemeProblems): ThemeGiven {
  const { data, error } = themeSchema.safeParse(withSlotLists(said), explained);
  for (const issue of error?.issues ?? []) {
    const path = issue.code === "unrecognized_keys" ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
    problems.note(entry, lineOf(source, path), explain(issue));
  }
  problems.settle(); // a theme of the wrong shape names no files to check
  for (const problem of contrastProblems(data?.colors)) {
    problems.note(entry, lineOf(source, ["colors"]), problem);
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

interface ThemeReader {
  /** The entry module and its text. */
  readonly entry: string;
  readonly source: string;
  readonly files: ThemeFiles;
  readonly problems: ThemeProblems;
}

export function themeParts(
  given: ThemeGiven,
  reader: ThemeReader,
): Omit<Theme, "files" | "hash" | "templates" | "pages" | "root" | "robots"> {
  const { entry, source, files } = reader;
  const named = (...path: string[]) => ({ file: entry, line: lineOf(source, path) });
  const published = (name: string | undefined, ...path: string[]) =>
    name === undefined ? undefined : files.published(name, named(...path));
  const { logo, sharing } = given;
  const logoAt = published(logo?.file, "logo", "file");
  return {
    slots: themeSlots.flatMap((slot) => filledSlots(slot, given, reader)),
    hosts: given.hosts,
    colors: given.colors,
    properties: given.properties,
    fonts: given.fonts.flatMap(({ file, ...font }) => {
      const at = published(file, "fonts", "file");
      return at === undefined ? [] : [{ ...font, at }];
    }),
    styles: given.stylesheets.flatMap((file) => {
      const text = files.text(file, named("stylesheets"));
      return text === undefined ? [] : [{ file, pieces: stylePieces(text, file, reader) }];
    }),
    logo: logo && logoAt && { at: logoAt, width: logo.width, height: logo.height },
    icon: published(given.icon, "icon"),
    sharing: {
      site: sharedPicture(sharing.site, ["sharing", "site"], reader),
      signs: bySign((sign) => sharedPicture(sharing.signs[sign], ["sharing", "signs", sign], reader)),
    },
    signs: bySign((sign) => published(given.signs[sign], "signs", sign)),
    cards: cardsIn(given, reader),
    words: ownWords.parse(given.words),
    newsletter: given.newsletter,
    menu: given.pages.menu,
    fallback: given.pages.fallback,
  };
}

type FileAt = TreePathOf<"themeFile">;

function bySign(fileOf: (sign: (typeof signs)[number]) => FileAt | undefined) {
  const found: Partial<Record<(typeof signs)[number], FileAt>> = {};
  for (const sign of signs) {
    const at = fileOf(sign);
    if (at !== undefined) found[sign] = at;
  }
  return found;
}

function filledSlots(
  slot: FilledSlot["slot"],
  { slots, hosts }: ThemeGiven,
  reader: ThemeReader,
): FilledSlot[] {
  const { entry, source, files, problems } = reader;
  const mayHaveOurs = slot === "masthead" || slot === "footer";
  return (slots[slot] ?? []).flatMap(({ file, ...where }) => {
    const text = files.text(file, { file: entry, line: lineOf(source, ["slots", slot]) });
    if (text === undefined) return [];
    const scripts = scriptsIn({ slot, file, text }, hosts, problems);
    return [{ slot, file, ...where, pieces: slotPieces(text.trim(), file, mayHaveOurs, reader), scripts }];
  });
}

const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** A picture that others show where a page is shared has to be of the size that the page names. */
function sharedPicture(
  name: string | undefined,
  path: readonly string[],
  { entry, source, files, problems }: ThemeReader,
) {
  if (name === undefined) return undefined;
  const at = { file: entry, line: lineOf(source, path) };
  const given = files.bytes(name, at);
  if (given === undefined) return undefined;
  const bytes = Buffer.from(given);
  const { width, height } = pictureSize;
  const isPng = bytes.subarray(0, 4).equals(pngHead) && bytes.length > 24;
  const size = isPng ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : undefined;
  if (size?.[0] === width && size[1] === height) return files.published(name, at);
  const seen = size === undefined ? "not a PNG" : `${size[0]} by ${size[1]} pixels`;
  problems.note(
    at.file,
    at.line,
    `${name} is ${seen}. A sharing picture must be a PNG of ${width} by ${height} pixels`,
  );
  return undefined;
}

function cardsIn({ cards }: ThemeGiven, { entry, source, files, problems }: ThemeReader): ThemeCards {
  if (cards === undefined) return { use: "fallback", files: {} };
  const at = { file: entry, line: lineOf(source, ["cards"]) };
  const names = files.in(cards.folder).filter((name) => /\.(?:png|jpg|webp|avif|svg|gif)$/.test(name));
  if (names.length === 0) {
    problems.note(
      at.file,
      at.line,
      `${cards.folder}/ has no card pictures. Name them like the-fool.webp, or remove \`cards\``,
    );
  }
  const found: Record<string, FileAt> = {};
  for (const name of names) {
    const file = files.published(name, at);
    const card = cardFileName(name.slice(cards.folder.length + 1, name.lastIndexOf(".")));
    if (file !== undefined) found[card] = file;
  }
  return { use: cards.use, files: found };
}
