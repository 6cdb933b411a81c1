// The same page in other languages, for search engines. It stands on current pages alone, and every one of them names all
// the others: a link that is not returned counts for nothing.
import { languageNames } from "../readings/languages.ts";
import type { Context } from "./context.ts";
import { html, type Markup } from "./html.ts";
import { sharedPaths } from "./paths.ts";

export function alternateLinks(context: Context, path: string): Markup[] {
  const { language, alternates } = context;
  const isChooser = path === sharedPaths.chooser;
  const rest = isChooser ? path : path.slice(language.length + 1);
  const others = isChooser || path.startsWith(`${language}/`) ? alternates?.languages.get(rest) : undefined;
  if (others === undefined) return [];
  const all = languageNames.filter((one) => one === language || others.includes(one));
  const [first = language] = all;
  // Whoever reads none of these: the choice of a language, else the site's first one.
  const otherwise = rest === sharedPaths.chooser ? sharedPaths.chooser : `${first}/${rest}`;
  return [
    ...all.map((one) => alternate(context, one, `${one}/${rest}`)),
    alternate(context, "x-default", otherwise),
  ];
}

function alternate(context: Context, language: string, path: string): Markup {
  return html`<link rel="alternate" hreflang="${language}" href="${context.fullAddress(path)}" />`;
}
