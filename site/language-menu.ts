// The languages at the head of a page, each leading to the same page there or, where that language lacks it, to its front page.
// Which language has what is known of current pages alone (alternates.ts), so that a page of a past date leads to where a language
// is chosen: it is not pressed again when a language goes. Some twenty-five links stand on nearly every page, so what lies between
// their addresses is made once for all pages of a language.
import { Address, addressOf, siteRootOf } from "./address.ts";
import { withoutLanguage } from "./alternates.ts";
import { Formats } from "./formats.ts";
import { html, type Piece } from "./html.ts";
import { type Language, languageNames } from "../readings/languages.ts";
import type { Context } from "./page-context.ts";
import { isOfThePast, type PlacedPage } from "./page.ts";
import { pathOf } from "./paths.ts";

const encoder = new TextEncoder();

export function languageMenu(context: Context, page: PlacedPage): readonly Piece[] {
  const { alternates } = context;
  const { at, translated = at } = page;
  const languages = languagesIn(context);
  if (alternates === undefined || languages.length === 0 || !("language" in translated)) return [];
  if (isOfThePast(page))
    return [
      html`<p class="languages-of">${context.linkTo({ row: "chooserPage" }, context.labels.chooseLanguage)}</p>`,
    ];
  const path = withoutLanguage(translated);
  const having = alternates.languages.get(path) ?? [];
  const same = encoder.encode(addressOf(path));
  const pieces = context.onceAsBytes("languages", () => piecesAround(context, languages));
  return pieces.flatMap((piece, index) => {
    const language = languages[index];
    return language !== undefined && having.includes(language) ? [piece, same] : [piece];
  });
}

/** The other languages that have a front page, in the order in which a reader is offered them. */
function languagesIn({ alternates, language }: Context): Language[] {
  const others = alternates?.languages.get(withoutLanguage({ row: "frontPage", language })) ?? [];
  return languageNames.filter((one) => others.includes(one));
}

/** Stands for the path of the page in its language's folder; no address of the site has it. */
const mark = "{page}";

/** The menu, cut where the path of the page goes on in each language's folder. */
function piecesAround({ settings, labels, formats }: Context, languages: readonly Language[]) {
  const { root } = siteRootOf(settings.url);
  const link = (language: Language) =>
    html`<li>
      <a href="${Address.own(root, addressOf(pathOf({ row: "frontPage", language })) + mark)}" lang="${language}" hreflang="${language}">${new Formats(language, "UTC").languageName()}</a>
    </li>`;
  return html`<details class="languages-of">
      <summary><span class="hidden">${labels.chooseLanguage}</span> ${formats.languageName()}</summary>
      <ul>
        ${languages.map(link)}
      </ul>
    </details>`
    .toString()
    .split(mark);
}
