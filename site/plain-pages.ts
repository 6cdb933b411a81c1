// The pages without readings: about, the choice of a language, and the one for addresses that lead nowhere.
import type { Context } from "./page-context.ts";
import { wheel } from "./drawings.ts";
import { directionOf } from "./formats.ts";
import { html, type Markup } from "./html.ts";
import { hero, type Page } from "./page.ts";

export function aboutPage(context: Context): Page {
  const { labels, settings } = context;
  return {
    trail: [{ name: labels.about }],
    kind: "website",
    title: labels.about,
    description: labels.tagline,
    body: html`<header class="hero"><h1>${labels.about}</h1></header>
      <div class="prose">
        ${labels.aboutText.map((text) => html`<p>${text.replace("{name}", settings.name)}</p>`)}
      </div>`,
  };
}

/** `contexts`: one for each language of the site, in the order in which they are offered. */
export function chooserPage(context: Context, contexts: readonly Context[]): Page {
  const { labels, settings } = context;
  return {
    kind: "website",
    title: labels.chooseLanguage,
    description: labels.chooseLanguage,
    body: html`${hero(wheel(context), settings.name, labels.chooseLanguage)}
      ${languageLinks(context, contexts, ({ formats, date }) => formats.date(date))}
      <p class="onward small">${context.linkTo({ row: "statusPage" }, labels.status.title)}</p>`,
  };
}

/** Where nothing is found under a language's addresses. */
export function languageNotFound(context: Context): Page {
  const { labels, language } = context;
  const home = context.linkTo({ row: "frontPage", language }, labels.frontPage);
  return {
    trail: [{ name: labels.notFound }],
    kind: "website",
    isHidden: true,
    ...nothingHere(labels, html`<p class="onward">${home}</p>`),
  };
}

/** Where the address is of no language. */
export function notFoundPage(context: Context, contexts: readonly Context[]): Page {
  const { labels } = context;
  return {
    kind: "website",
    ...nothingHere(
      labels,
      languageLinks(context, contexts, (other) => other.labels.frontPage),
    ),
  };
}

function nothingHere({ notFound, notFoundText }: Context["labels"], onward: Markup) {
  return {
    title: notFound,
    description: notFoundText,
    body: html`<header class="hero">
        <h1>${notFound}</h1>
        <p>${notFoundText}</p>
      </header>
      ${onward}`,
  };
}

function languageLinks(context: Context, contexts: readonly Context[], note: (other: Context) => string) {
  return html`<ul class="languages">
    ${contexts.map(
      (other) =>
        html`<li lang="${other.language}" dir="${directionOf(other.language)}">
          <a href="${context.address({ row: "frontPage", language: other.language })}" hreflang="${other.language}"
            >${other.formats.languageName()} <small>${note(other)}</small></a
          >
        </li>`,
    )}
  </ul>`;
}
