// The same page in other languages, for search engines. It stands on current pages alone, and every one of them names all
// the others: a link that is not returned counts for nothing.
import { type Language, languageNames } from "../readings/languages.ts";
import type { Context } from "./page-context.ts";
import { html, type Markup } from "./html.ts";
import { pathOf } from "./paths.ts";
import type { TreePath } from "./tree.ts";

type OfLanguage = Extract<TreePath, { readonly language: Language }>;

/** The name of a page without its language, which all its translations share. */
export function withoutLanguage(at: OfLanguage): string {
  return pathOf(at).slice(at.language.length + 1);
}

export function alternateLinks(context: Context, at: TreePath): Markup[] {
  const { language, alternates } = context;
  const page: TreePath = at.row === "chooserPage" ? { row: "frontPage", language } : at;
  const others = "language" in page ? alternates?.languages.get(withoutLanguage(page)) : undefined;
  if (!("language" in page) || others === undefined) return [];
  const all = languageNames.filter((one) => one === language || others.includes(one));
  const [first = language] = all;
  return [
    ...all.map((one) => alternate(context, one, { ...page, language: one })),
    // For readers of none of these languages: the page to choose one, else the site's first language.
    alternate(
      context,
      "x-default",
      page.row === "frontPage" ? { row: "chooserPage" } : { ...page, language: first },
    ),
  ];
}

function alternate(context: Context, language: string, at: TreePath) {
  return html`<link rel="alternate" hreflang="${language}" href="${context.fullAddress(at)}" />`;
}
