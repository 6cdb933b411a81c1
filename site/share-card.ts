// The card that others show where somebody shares a page's address, as Open Graph tags.
import { type Language, languageNames } from "../readings/languages.ts";
import type { Context } from "./page-context.ts";
import { html, type Markup } from "./html.ts";
import type { PlacedPage } from "./page.ts";
import { sharedPicture } from "./theme/theme-pictures.ts";
import type { TreePath } from "./tree.ts";

/** Every picture is of this size: `npm run pictures` draws them. */
export const pictureSize = { width: 1200, height: 630 } as const;

export function sharing(context: Context, page: PlacedPage): Markup {
  const { settings, language } = context;
  const picture = sharedPicture(context, page);
  return html`<meta property="og:type" content="${page.kind}" />
    <meta property="og:site_name" content="${settings.name}" />
    <meta property="og:title" content="${page.title}" />
    <meta property="og:description" content="${page.description}" />
    <meta property="og:url" content="${context.url(page.canonical)}" />
    <meta property="og:locale" content="${locales.get(language)}" />
    <meta property="og:image" content="${context.url(picture)}" />
    <meta property="og:image:width" content="${pictureSize.width}" />
    <meta property="og:image:height" content="${pictureSize.height}" />
    <meta property="og:image:alt" content="${saidBy(context, page, picture)}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/** What is to be read on the picture, and whose it is. */
function saidBy({ settings, signNames, labels }: Context, page: PlacedPage, { row }: TreePath): string {
  if (page.picture !== undefined) return signNames[page.picture];
  return row === "languagePicture" ? `${settings.name} · ${labels.tagline}` : settings.name;
}

/** Open Graph wants a country with the language: `pt_BR`, where most of its readers are. Worked out once, because it is slow. */
const locales = new Map<Language, string>(
  languageNames.map((language) => {
    const { region } = new Intl.Locale(language).maximize();
    return [language, region === undefined ? language : `${language}_${region}`];
  }),
);
