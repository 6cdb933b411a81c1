// Links to the owner's pages in the footer of every page: in its language, or in the first language of the theme's list that has it.
import { withoutLanguage } from "../alternates.ts";
import { Address } from "../address.ts";
import { directionOf } from "../formats.ts";
import { html, type Markup } from "../html.ts";
import type { Context } from "../page-context.ts";
import { pathOf } from "../paths.ts";
import type { OwnPage } from "./theme.ts";

export function ownLinks(context: Context): Markup[] {
  const { theme } = context.settings;
  if (theme === undefined) return [];
  const names = theme.menu ?? [...new Set(theme.pages.map(({ at }) => at.page))];
  return names.flatMap((name) => {
    const inOrder = [context.language, ...theme.fallback];
    const there = theme.pages.filter(({ at }) => at.page === name && isThere(context, at));
    const [page] = inOrder.flatMap((language) => there.filter(({ at }) => at.language === language));
    return page === undefined ? [] : [linkTo(context, page)];
  });
}

function isThere(context: Context, at: OwnPage["at"]): boolean {
  if (at.language === context.language) return context.has(at);
  return context.alternates?.languages.get(withoutLanguage(at))?.includes(at.language) === true;
}

function linkTo(context: Context, { at, title }: OwnPage): Markup {
  const { language } = at;
  const address = Address.own(context.root, pathOf(at));
  if (language === context.language) return html`<a href="${address}">${title}</a>`;
  return html`<a href="${address}" hreflang="${language}" lang="${language}" dir="${directionOf(language)}">${title}</a>`;
}
