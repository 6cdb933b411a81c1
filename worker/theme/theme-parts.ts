// Makes of what theme.ts says what pressing needs, reading each file that it names.
import { signs } from "../../readings/signs.ts";
import { pictureSize } from "../../site/share-card.ts";
import { cardFileName } from "../../site/theme/theme-pictures.ts";
import type { FilledSlot, Theme, ThemeCards } from "../../site/theme/theme.ts";
import { themeSlots } from "../../site/theme/theme.ts";
import type { TreePathOf } from "../../site/tree.ts";
import { scriptsIn } from "./slot-markup.ts";
import { slotPieces, stylePieces } from "./text-pieces.ts";
import type { ThemeFiles } from "./theme-files.ts";
import { lineOf, type ThemeMistakes } from "./theme-mistakes.ts";
import { ownWords } from "./words-check.ts";
import type { ThemeGiven } from "./theme.schema.ts";

interface ThemeReader {
  /** The file that says what the theme is, and its text. */
  readonly entry: string;
  readonly source: string;
  readonly files: ThemeFiles;
  readonly mistakes: ThemeMistakes;
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
  const { entry, source, files, mistakes } = reader;
  const mayHaveOurs = slot === "masthead" || slot === "footer";
  return (slots[slot] ?? []).flatMap(({ file, ...where }) => {
    const text = files.text(file, { file: entry, line: lineOf(source, ["slots", slot]) });
    if (text === undefined) return [];
    const scripts = scriptsIn({ slot, file, text }, hosts, mistakes);
    return [{ slot, file, ...where, pieces: slotPieces(text.trim(), file, mayHaveOurs, reader), scripts }];
  });
}

const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** A picture that others show where a page is shared has to be of the size that the page names. */
function sharedPicture(
  name: string | undefined,
  path: readonly string[],
  { entry, source, files, mistakes }: ThemeReader,
) {
  if (name === undefined) return undefined;
  const at = { file: entry, line: lineOf(source, path) };
  const bytes = files.bytes(name, at);
  if (bytes === undefined) return undefined;
  const { width, height } = pictureSize;
  const isPng = bytes.subarray(0, 4).equals(pngHead) && bytes.length > 24;
  const size = isPng ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : undefined;
  if (size?.[0] === width && size[1] === height) return files.published(name, at);
  const seen = size === undefined ? "no PNG" : `${size[0]} by ${size[1]} pixels`;
  mistakes.note(at.file, at.line, `${name} is ${seen}: a picture to share is a PNG of ${width} by ${height}`);
  return undefined;
}

function cardsIn({ cards }: ThemeGiven, { entry, source, files, mistakes }: ThemeReader): ThemeCards {
  if (cards === undefined) return { use: "fallback", files: {} };
  const at = { file: entry, line: lineOf(source, ["cards"]) };
  const names = files.in(cards.folder).filter((name) => /\.(?:png|jpg|webp|avif|svg|gif)$/.test(name));
  if (names.length === 0) {
    mistakes.note(
      at.file,
      at.line,
      `${cards.folder}/ has no pictures of cards: name them like the-fool.webp, or take \`cards\` out`,
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
