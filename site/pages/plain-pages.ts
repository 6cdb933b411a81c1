// The pages without readings: about, the choice of a language, and the one for addresses that lead nowhere.
import { type Language, type Sign, signs } from "../../readings/tables.ts";
import { Address } from "../address.ts";
import type { Draft, Context } from "../context.ts";
import { directionOf } from "../formats.ts";
import type { LanguageEdition } from "../edition.ts";
import { html, type Markup, ownMarkup } from "../html.ts";
import { statementsIn } from "../labels.ts";
import type { OwnPage } from "../theme/theme.ts";
import type { TreePath } from "../tree.ts";
import { pageDraft } from "./document.ts";
import { wheel } from "./drawings.ts";
import { signGrid } from "./navigation.ts";
import { siteSteps } from "./next-steps.ts";
import { hero, nothingYet, type Page, sectionTitle } from "./page.ts";

/** The pages of a language; `date` is that of the newest newsletter. */
export function plainDrafts(
  { language, pages = [], hasAccessibility }: LanguageEdition,
  date: string | undefined,
): Draft[] {
  return [
    pageDraft({ row: "followPage", language }, (context) => followPage(context, date)),
    pageDraft({ row: "aboutPage", language }, aboutPage),
    ...(hasAccessibility === true
      ? [pageDraft({ row: "accessibilityPage", language }, accessibilityPage)]
      : []),
    ...ownPageDrafts(language, pages),
    pageDraft({ row: "languageNotFound", language }, languageNotFound),
    pageDraft({ row: "gonePage", language }, gonePage),
  ];
}

/** The pages of no language. `contexts`: one for each language of the site, in the order in which they are offered. */
export function plainSharedDrafts(contexts: readonly Context[], shownFrom: string | undefined): Draft[] {
  return [
    pageDraft({ row: "notFoundPage" }, (context) => notFoundPage(context, contexts)),
    { ...pageDraft({ row: "chooserPage" }, (context) => chooserPage(context, contexts)), shownFrom },
  ];
}

function aboutPage(context: Context): Page {
  const { labels, settings } = context;
  return {
    trail: [{ name: labels.about }],
    kind: "website",
    title: labels.about,
    description: labels.tagline,
    next: siteSteps(context),
    body: html`<header class="hero"><h1>${labels.about}</h1></header>
      <div class="prose">
        ${labels.aboutText.map((text) => html`<p>${text.replace("{name}", settings.name)}</p>`)}
      </div>`,
  };
}

function chooserPage(context: Context, contexts: readonly Context[]): Page {
  const { labels, settings } = context;
  return {
    kind: "website",
    title: labels.chooseLanguage,
    description: labels.chooseLanguage,
    next: [],
    body: html`${hero(wheel(context), settings.name, labels.chooseLanguage)}
      ${languageLinks(context, contexts, ({ formats, date }) => formats.date(date))}
      <p class="onward small">${context.linkTo({ row: "statusPage" }, labels.status.title)}</p>`,
  };
}

/** The page for an unknown address below a language's. */
function languageNotFound(context: Context): Page {
  const { labels } = context;
  return {
    trail: [{ name: labels.notFound }],
    kind: "website",
    next: siteSteps(context),
    ...nothingHere(labels),
  };
}

/** The page for the address of a dated page that has left the site. It leads to the current pages. */
function gonePage(context: Context): Page {
  const { labels, language } = context;
  const { chooseYou } = labels.pairRoles;
  const current = (sign: Sign): TreePath => {
    return { row: "signPage", language, kind: context.nearestKind(sign) ?? "daily", sign };
  };
  return {
    trail: [{ name: labels.gone }],
    kind: "website",
    title: labels.gone,
    description: labels.goneText,
    next: siteSteps(context),
    body: html`${headed(labels.gone, labels.goneText)} ${sectionTitle(chooseYou)}
      ${signGrid(context, chooseYou, current)}`,
  };
}

/** The page for an unknown address outside every language. */
function notFoundPage(context: Context, contexts: readonly Context[]): Page {
  const { labels } = context;
  return {
    kind: "website",
    next: [],
    ...nothingHere(
      labels,
      languageLinks(context, contexts, (other) => other.labels.frontPage),
    ),
  };
}

function nothingHere({ notFound, notFoundText }: Context["labels"], onward?: Markup) {
  return {
    title: notFound,
    description: notFoundText,
    body: html`${headed(notFound, notFoundText)} ${onward}`,
  };
}

function headed(title: string, text: string) {
  return html`<header class="hero">
    <h1>${title}</h1>
    <p>${text}</p>
  </header>`;
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

/** The accessibility statement, with the contact that the configuration gives. */
function accessibilityPage(context: Context): Page {
  const { language, settings } = context;
  const { title, paragraphs, contact } = statementsIn(language);
  const given = settings.accessibility?.contact ?? "";
  const address = Address.link(given) ?? Address.mail(given);
  return {
    trail: [{ name: title }],
    kind: "website",
    title,
    description: paragraphs[0],
    next: siteSteps(context),
    body: html`<header class="hero"><h1>${title}</h1></header>
      <div class="prose">
        ${paragraphs.map((text) => html`<p>${text}</p>`)}
        <p>${contact} <bdi>${address === undefined ? given : html`<a href="${address}">${given}</a>`}</bdi></p>
      </div>`,
  };
}

/** Links to the feeds of all signs and of each sign, and to the newsletter of `date`, if there is one. */
function followPage(context: Context, date: string | undefined): Page {
  const { language, labels } = context;
  const { follow } = labels;
  const newsletter = date && context.linkTo({ row: "newsletter", language, date }, follow.newsletterText);
  const feeds = [
    line(context, labels.signs, { row: "rss", language }, { row: "feed", language }),
    ...signs.map((sign) =>
      line(
        context,
        context.signNames[sign],
        { row: "signRss", language, sign },
        { row: "signFeed", language, sign },
      ),
    ),
  ];
  const isEmpty = newsletter === undefined && feeds.every((feed) => feed === undefined);
  const ways = html`<div class="prose text">
    <p>${follow.text}</p>
    ${
      newsletter &&
      html`<section>
        <h2>${follow.newsletter}</h2>
        <p>${newsletter}</p>
      </section>`
    }
    <section>
      <h2>${follow.feeds}</h2>
      <p>${follow.feedsText}</p>
      <dl class="feeds">${feeds}</dl>
    </section>
  </div>`;
  return {
    trail: [{ name: follow.title }],
    kind: "website",
    title: follow.title,
    description: follow.text,
    next: siteSteps(context),
    body: html`<header class="hero"><h1>${follow.title}</h1></header>
      ${isEmpty ? nothingYet(context) : ways}`,
  };
}

/** The two forms are named as all feed readers name them. */
function line(context: Context, name: string, rss: TreePath, json: TreePath) {
  const links = [context.linkTo(rss, "RSS"), context.linkTo(json, "JSON Feed")];
  if (links.every((link) => link === undefined)) return undefined;
  return html`<div>
    <dt>${name}</dt>
    <dd lang="en" dir="ltr">${links[0]} ${links[1]}</dd>
  </div>`;
}

/** The owner's pages, such as an imprint, in the same frame as all pages, whose footer links to them. */
export function ownPageDrafts(language: Language, pages: readonly OwnPage[]): Draft[] {
  return pages
    .filter(({ at }) => at.language === language)
    .map((page) => pageDraft(page.at, (context) => ownPage(context, page)));
}

function ownPage(context: Context, { title, description, body }: OwnPage): Page {
  const text = body.map((piece) => {
    if (typeof piece === "string") return piece;
    if ("file" in piece) return context.address(piece.file).href;
    return piece.value === "root" ? context.root : context.language;
  });
  return {
    trail: [{ name: title }],
    kind: "website",
    title,
    description,
    next: siteSteps(context),
    body: html`<header class="hero"><h1>${title}</h1></header>
      <div class="prose own">${ownMarkup(text.join(""))}</div>`,
  };
}
