// The copies of pictures that the pages of a step name, which are published with them if the site does not have them yet.
import { type PublishingOn, isPublished } from "../state/published-files.ts";
import { listedPictureHosts, shownPicture } from "../../readings/picture-hosts.ts";
import {
  type Deck,
  type ReadingSet,
  type SiteSettings,
  siteSettingsOf,
  type RenderedFile,
} from "../../site/edition.ts";
import type { PicturePaths } from "../../site/copied-pictures.ts";
import { UnreadableFile } from "../../vault/files.ts";
import { inParallel } from "../../store/store.ts";

/**
 * The items with each of the pictures that they name as the site has it, or is sure to have it with this step. A picture without
 * a copy stays linked where the site has no copies and the picture's host is listed, and is left out everywhere else.
 */
export async function withCopies<Item extends ReadingSet | Deck>(
  items: readonly Item[],
  picturesIn: (items: readonly Item[], siteUrl: string) => ReadonlySet<string>,
  withOwn: (item: Item, settings: SiteSettings, paths: PicturePaths) => Item,
  publishing: PublishingOn,
) {
  const { configuration, pictures } = publishing;
  const settings = siteSettingsOf(configuration);
  const named = picturesIn(items, settings.url);
  const paths = (await pictures?.pathsOf(named)) ?? new Map<string, string>();
  await inParallel(paths, async ([address, path]) => {
    if (!(await isPublished(publishing, path)) && (await pictures?.file(path)) === undefined)
      paths.delete(address);
  });
  const listed = listedPictureHosts(configuration.pictures);
  const isLeftOut = (address: string) => !paths.has(address) && shownPicture(address, listed) === undefined;
  return {
    shown: items.map((item) => withOwn(item, settings, paths)),
    /** The paths that the items name now. */
    pictures: [...paths.values()],
    /** Whether some pictures have no copy, for now. */
    lacks: pictures !== undefined && paths.size < named.size,
    /** The addresses of pictures that are left out because their hosts are not listed. */
    leftOut: [...named].filter(isLeftOut),
  };
}

/** The files of the copies that the published state does not have. */
export async function pictureFiles(
  rendered: readonly { readonly pictures: readonly string[] }[],
  publishing: PublishingOn,
): Promise<RenderedFile[]> {
  const { pictures } = publishing;
  const files: RenderedFile[] = [];
  await inParallel(new Set(rendered.flatMap((one) => one.pictures)), async (path) => {
    if (await isPublished(publishing, path)) return;
    const file = await pictures?.file(path);
    if (file === undefined) throw new UnreadableFile(`${path} was removed from the vault during the work`);
    files.push(file);
  });
  return files;
}
