// What a browser needs to put the site among a device's own programs: its name, its first page, its colours and its icon. Each
// language has one, which opens that language; the site's own opens the choice of a language.
import type { Language } from "../readings/languages.ts";
import { typeOf, type Draft } from "./draft.ts";
import { directionOf } from "./formats.ts";
import { pngSize } from "./icon-file.ts";
import type { Context } from "./page-context.ts";
import { pathOf } from "./paths.ts";
import type { TreePath } from "./tree.ts";

/** Where it is named: only from its first page can a site be put there. */
export function manifestFor(at: TreePath): TreePath | undefined {
  if (at.row === "frontPage") return { row: "languageManifest", language: at.language };
  return at.row === "chooserPage" ? { row: "webManifest" } : undefined;
}

/** `opens`: the language whose front page it opens; the choice of a language where there is none. */
export function webManifestDraft(at: TreePath, opens: Language | undefined): Draft {
  return { at, print: (context) => printManifest(context, opens) };
}

function printManifest(context: Context, opens: Language | undefined) {
  const { settings, language, palettes, labels } = context;
  const first: TreePath =
    opens === undefined ? { row: "chooserPage" } : { row: "frontPage", language: opens };
  const document = {
    name: settings.name,
    description: labels.tagline,
    lang: language,
    dir: directionOf(language),
    start_url: context.address(first).href,
    scope: context.root,
    display: "minimal-ui", // with the way back, which a page has no button for
    background_color: palettes.light.paper,
    theme_color: palettes.light.paper,
    icons: [iconIn(context)],
  };
  return `${JSON.stringify(document)}\n`;
}

function iconIn(context: Context) {
  const at: TreePath = context.settings.theme?.icon ?? { row: "icon" };
  const type = typeOf(pathOf(at));
  return { src: context.address(at).href, type, ...sizesOf(context, type, pathOf(at)) };
}

/** A drawing has every size; of a file of another kind than PNG the size is not known. */
function sizesOf({ settings }: Context, type: string, path: string) {
  if (type === "image/svg+xml") return { sizes: "any" };
  const bytes = settings.theme?.files.find(({ at }) => pathOf(at) === path)?.bytes;
  const size = bytes && pngSize(bytes);
  return size && { sizes: `${size.width}x${size.height}` };
}
