// The copies of pictures that the pages of a step name, which are published with them if the site does not have them yet.
import type { PublishedSite } from "../state/published-files.ts";
import type { Deck, Sheet } from "../../site/edition.ts";
import {
  deckWithOwnPictures,
  picturesIn,
  picturesInDecks,
  withOwnPictures,
} from "../../site/copied-pictures.ts";
import type { PressedFile } from "../../site/press.ts";
import { UnreadableFile } from "../../vault/json.ts";
import { type BasePaths, basePaths } from "../state/base-paths.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import type { Publishing } from "../state/publishing-place.ts";

type PictureSettings = Pick<Publishing, "configuration" | "pictures">;

interface WithCopies<Item> {
  readonly shown: readonly Item[];
  /** The paths of the copies that the items name now. */
  readonly pictures: readonly string[];
  /** Whether some pictures stay linked to the service for now. */
  readonly lacks: boolean;
}

/** The sheets with the site's copy of each picture that it has, or will have with this step. */
export async function sheetsWithCopies(
  sheets: readonly Sheet[],
  base: BasePaths,
  needs: PictureSettings,
): Promise<WithCopies<Sheet>> {
  if (needs.pictures === undefined) return { shown: sheets, pictures: [], lacks: false };
  const { url } = needs.configuration.site;
  const named = picturesIn(sheets, url);
  const paths = await pathsOf(named, base, needs);
  const shown = sheets.map((sheet) => withOwnPictures(sheet, url, paths));
  return { shown, pictures: [...paths.values()], lacks: paths.size < named.size };
}

/** The decks with copies; most of their cards are of other days than the sheets. */
export async function decksWithCopies(
  decks: readonly Deck[],
  base: BasePaths,
  needs: PictureSettings,
): Promise<WithCopies<Deck>> {
  if (needs.pictures === undefined) return { shown: decks, pictures: [], lacks: false };
  const { url } = needs.configuration.site;
  const named = picturesInDecks(decks, url);
  const paths = await pathsOf(named, base, needs);
  const shown = decks.map((deck) => deckWithOwnPictures(deck, url, paths));
  return { shown, pictures: [...paths.values()], lacks: paths.size < named.size };
}

async function pathsOf(
  addresses: ReadonlySet<string>,
  base: BasePaths,
  { pictures }: PictureSettings,
): Promise<Map<string, string>> {
  if (pictures === undefined || addresses.size === 0) return new Map();
  const paths = await pictures.pathsOf(addresses);
  const lost = new Set<string>();
  await inParallel(new Set(paths.values()), async (path) => {
    if (!(await base.has(path)) && (await pictures.file(path)) === undefined) lost.add(path);
  });
  for (const [address, path] of paths) if (lost.has(path)) paths.delete(address);
  return paths;
}

/** The files of the copies that the published state does not have. */
export async function pictureFiles(
  presses: readonly { readonly pictures: readonly string[] }[],
  published: PublishedSite,
  { pictures }: Pick<Publishing, "pictures">,
): Promise<PressedFile[]> {
  const base = basePaths(published);
  const files: PressedFile[] = [];
  await inParallel(new Set(presses.flatMap((one) => one.pictures)), async (path) => {
    if (await base.has(path)) return;
    const file = await pictures?.file(path);
    if (file === undefined)
      throw new UnreadableFile(`${path} was in the vault a moment ago and is no longer`);
    files.push(file);
  });
  return files;
}
