// The copies of pictures that the pages of a step name: published with them, where the site does not have them yet.
import type { Deck, Sheet } from "../../site/edition.ts";
import { deckWithOwnPictures, picturesIn, picturesInDecks, withOwnPictures } from "../../site/mirrored.ts";
import type { PressedFile } from "../../site/press.ts";
import { UnreadableFile } from "../../vault/json.ts";
import { type BasePaths, basePaths } from "../state/base-paths.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import type { Publishing } from "../state/publishing-place.ts";
import type { Published } from "./shared.ts";

type Needs = Pick<Publishing, "configuration" | "pictures">;

interface Naming {
  /** The paths that it names now. */
  readonly pictures: readonly string[];
  /** Whether some stay linked as they are, for now. */
  readonly lacksPictures: boolean;
}

interface Shown {
  readonly sheets: readonly Sheet[];
  readonly decks: readonly Deck[];
}

/**
 * The sheets with each picture as the site has it, or is sure to have it with this step; then the decks that are made of
 * them, most of whose cards are of other days.
 */
export async function ownPictures(
  sheets: readonly Sheet[],
  decksOf: (sheets: readonly Sheet[]) => Promise<readonly Deck[]>,
  base: BasePaths,
  needs: Needs,
): Promise<Shown & Naming> {
  if (needs.pictures === undefined) {
    return { sheets, decks: await decksOf(sheets), pictures: [], lacksPictures: false };
  }
  const { url } = needs.configuration.site;
  const inSheets = picturesIn(sheets, url);
  const paths = await pathsOf(inSheets, base, needs);
  const shown = sheets.map((sheet) => withOwnPictures(sheet, url, paths));
  const decks = await decksOf(shown);
  const named = picturesInDecks(decks, url);
  const inDecks = await pathsOf(named, base, needs);
  return {
    sheets: shown,
    decks: decks.map((deck) => deckWithOwnPictures(deck, url, inDecks)),
    pictures: [...paths.values(), ...inDecks.values()],
    lacksPictures: paths.size + inDecks.size < inSheets.size + named.size,
  };
}

async function pathsOf(
  addresses: ReadonlySet<string>,
  base: BasePaths,
  { pictures }: Needs,
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

/** The files of those that the published state does not have. */
export async function pictureFiles(
  presses: readonly Pick<Naming, "pictures">[],
  published: Published,
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
