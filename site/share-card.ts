// The card that others show where somebody shares a page's address, as Open Graph tags.
import { type Language, languageNames } from "../readings/languages.ts";
import type { Context } from "./page-context.ts";
import { html, type Markup } from "./html.ts";
import type { Page, PlacedPage } from "./page.ts";
import type { TreePath } from "./tree.ts";

/** Every picture is of this size: `npm run pictures` draws them. */
export const pictureSize = { width: 1200, height: 630 } as const;

export function pictureOf({ picture }: Page): TreePath {
  return picture === undefined ? { row: "sitePicture" } : { row: "signPicture", sign: picture };
}

export function sharing(context: Context, page: PlacedPage): Markup {
  const { settings, language } = context;
  const alternative = page.picture === undefined ? settings.name : context.signNames[page.picture];
  return html`<meta property="og:type" content="${page.kind}" />
    <meta property="og:site_name" content="${settings.name}" />
    <meta property="og:title" content="${page.title}" />
    <meta property="og:description" content="${page.description}" />
    <meta property="og:url" content="${context.url(page.canonical)}" />
    <meta property="og:locale" content="${locales.get(language)}" />
    <meta property="og:image" content="${context.url(pictureOf(page))}" />
    <meta property="og:image:width" content="${pictureSize.width}" />
    <meta property="og:image:height" content="${pictureSize.height}" />
    <meta property="og:image:alt" content="${alternative}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/** Open Graph wants a country with the language: `pt_BR`, where most of its readers are. Worked out once, because it is slow. */
const locales = new Map<Language, string>(
  languageNames.map((language) => {
    const { region } = new Intl.Locale(language).maximize();
    return [language, region === undefined ? language : `${language}_${region}`];
  }),
);
