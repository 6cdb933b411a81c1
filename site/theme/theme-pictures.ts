// What a page shows of the theme in place of ours: the site's mark, its icon, and the pictures of signs and cards.
import type { Language, Sign } from "../../readings/tables.ts";
import type { Address } from "../address.ts";
import { typeOf } from "../edition.ts";
import { medal } from "../pages/drawings.ts";
import { type Content, html, type Markup } from "../html.ts";
import { labelsIn } from "../labels.ts";
import type { Context } from "../context.ts";
import { pathOf } from "../paths.ts";
import type { TreePath } from "../tree.ts";

/** The site's name, or its logo with the name for those who do not see it. */
export function siteMark(context: Context): Content {
  const { name, theme } = context.settings;
  if (theme?.logo === undefined) return name;
  const { at, width, height } = theme.logo;
  return html`<img class="logo" src="${context.address(at)}" alt="${name}" width="${width}" height="${height}" />`;
}

export function iconLink(context: Context): Markup {
  const at: TreePath = context.settings.theme?.icon ?? { row: "icon" };
  return context.once(
    "icon",
    () => html`<link rel="icon" type="${typeOf(pathOf(at))}" href="${context.address(at)}" />`,
  );
}

/** The sign's drawing in the head of a page. */
export function signArt(context: Context, sign: Sign, ours = medal(sign)): Markup {
  const at = context.settings.theme?.signs[sign];
  if (at === undefined) return ours;
  return html`<img class="medal" src="${context.address(at)}" alt="" width="100" height="100" />`;
}

/** The picture that is shown where a page is shared. */
export function sharedPicture(
  { settings, language, labels: own }: Context,
  { picture: sign, at }: { readonly picture?: Sign; readonly at: TreePath },
): TreePath {
  const { site, signs } = settings.theme?.sharing ?? { signs: {} };
  const themed = sign === undefined ? site : signs[sign];
  // The owner's tagline is on no picture.
  const isWordless =
    !("language" in at) || (sign === undefined && own.tagline !== labelsIn(language).tagline);
  return themed ?? pictureFor(sign, isWordless ? undefined : language);
}

export function pictureFor(sign: Sign | undefined, language: Language | undefined): TreePath {
  if (language === undefined)
    return sign === undefined ? { row: "sitePicture" } : { row: "signPicture", sign };
  return sign === undefined
    ? { row: "languagePicture", language }
    : { row: "languageSignPicture", language, sign };
}

/** The picture of a card: the theme's or the service's, as the theme says. */
export function cardArt(context: Context, name: string, found: Address | undefined): Address | undefined {
  const { use, files } = context.settings.theme?.cards ?? { use: "fallback", files: {} };
  if (found !== undefined && use === "fallback") return found;
  const file = cardFileName(name);
  // The service names the card: every object has its own "constructor".
  const own = Object.hasOwn(files, file) ? files[file] : undefined;
  return own === undefined ? found : context.address(own);
}

/** `the-fool` for "The Fool". */
export function cardFileName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
}
