// The pages without readings: about, the choice of a language, and the one for addresses that lead nowhere.
import type { Context } from "./page-context.ts";
import { wheel } from "./drawings.ts";
import { directionOf } from "./formats.ts";
import { html } from "./html.ts";
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
    title: settings.name,
    description: labels.chooseLanguage,
    body: html`${hero(wheel(context, "daily"), settings.name, labels.chooseLanguage)}
      ${languageLinks(context, contexts, ({ formats, date }) => formats.date(date))}
      <p class="onward small">${context.linkTo({ row: "statusPage" }, labels.status.title)}</p>`,
  };
}

export function notFoundPage(context: Context, contexts: readonly Context[]): Page {
  const { labels } = context;
  return {
    kind: "website",
    title: labels.notFound,
    description: labels.notFoundText,
    body: html`<header class="hero">
        <h1>${labels.notFound}</h1>
        <p>${labels.notFoundText}</p>
      </header>
      ${languageLinks(context, contexts, (other) => other.labels.frontPage)}`,
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
