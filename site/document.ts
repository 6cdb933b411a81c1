// The document around every page: head, masthead, footer. A page is one request without script; only pictures may be foreign.
import type { Sign } from "../readings/signs.ts";
import { Address } from "./address.ts";
import { alternateLinks } from "./alternates.ts";
import type { Draft } from "./draft.ts";
import type { Context } from "./page-context.ts";
import type { Footer } from "./edition.ts";
import { directionOf } from "./formats.ts";
import { type Content, html, type Markup } from "./html.ts";
import { type Page, type PlacedPage, received } from "./page.ts";
import { sharing } from "./share-card.ts";
import { structuredData } from "./structured-data.ts";
import { trailLine, trailTo } from "./breadcrumbs.ts";
import type { TreePath } from "./tree.ts";

/** The draft of a page; `receivedAt` is of the newest reading on it. */
export function pageDraft(at: TreePath, pageIn: (context: Context) => Page, receivedAt?: string): Draft {
  return {
    at,
    receivedAt,
    print: (context) => {
      const page = pageIn(context);
      const trail = trailTo(context, at, page);
      return printPage(context, { receivedAt, ...page, at, trail, canonical: page.canonical ?? at });
    },
  };
}

/** The head up to the style, the style, the rest: the style is half of a page and the same in all, so it comes as bytes. */
function printPage(context: Context, page: PlacedPage): readonly (Markup | Uint8Array)[] {
  const { labels } = context;
  const top = html`</head>
    <body>
      <a class="skip" href="#text">${labels.skip}</a>
      ${masthead(context, page)} ${trailLine(context, page)}
      <main id="text">`;
  const bottom = html`</main>
      ${footer(context, page)}
    </body>
    </html> `;
  return [head(context, page), context.dress.style, top, ...[page.body].flat(), bottom];
}

/** The beginning of every document, of an embedded card as well. */
export function headStart({ language, dress }: Context, sign: Sign | undefined): Markup {
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}" class="${sign ?? "plain"}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content="${dress.policy}" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="referrer" content="no-referrer" />`;
}

function head(context: Context, page: PlacedPage) {
  const { settings } = context;
  const title = page.title === settings.name ? settings.name : `${page.title} · ${settings.name}`;
  return html`${headStart(context, page.sign)}
        <title>${title}</title>
        <meta name="description" content="${page.description}" />
        ${page.isHidden === true && noIndex}<link rel="canonical" href="${context.fullAddress(page.canonical)}" />
        <link rel="icon" type="image/svg+xml" href="${context.address({ row: "icon" })}" />
        ${alternateLinks(context, page.at)} ${feeds(context, page)}
        ${sharing(context, page)} ${structuredData(context, page)}
     `;
}

const noIndex = html`<meta name="robots" content="noindex" />`;

function feeds(context: Context, { feed: sign }: Page): (Markup | undefined)[] {
  const { language, settings } = context;
  const link = (at: TreePath, type: string, title: string) => {
    const address = context.linked(at);
    return address && html`<link rel="alternate" type="${type}" title="${title}" href="${address}" />`;
  };
  const [json, rss] = ["application/feed+json", "application/rss+xml"] as const;
  const ofSign = sign && [
    link({ row: "signFeed", language, sign }, json, context.signNames[sign]),
    link({ row: "signRss", language, sign }, rss, context.signNames[sign]),
  ];
  return [
    ...(ofSign ?? []),
    link({ row: "feed", language }, json, settings.name),
    link({ row: "rss", language }, rss, settings.name),
  ];
}

function masthead(context: Context, page: Page) {
  const { name } = context.settings;
  return html`<header class="masthead">
    ${context.linkTo({ row: "frontPage", language: context.language }, name) ?? html`<b>${name}</b>`}
    <p>${page.dateline}</p>
  </header>`;
}

function footer(context: Context, page: Page) {
  const { labels, language } = context;
  const chooser = html`<a href="${context.address({ row: "chooserPage" })}">${labels.chooseLanguage}</a>`;
  const links = [
    context.linkTo({ row: "frontPage", language }, labels.frontPage),
    chooser,
    context.linkTo({ row: "aboutPage", language }, labels.about),
    page.data === undefined ? undefined : context.linkTo(page.data, "JSON"),
  ];
  return html`<footer class="small">
    ${
      page.receivedAt !== undefined &&
      html`<p>
        ${received(context, page.receivedAt)}
      </p>`
    }
    <ul>
      ${links.map((link) => link && html`<li>${link}</li>`)}
    </ul>${context.settings.footer && html`<p dir="auto">${ownWords(context.settings.footer)}</p>`}
  </footer>`;
}

/** The publisher's own words in the footer. */
function ownWords({ text, link }: Footer): Content {
  const address = link === undefined ? undefined : Address.link(link);
  return address === undefined ? text : html`<a href="${address}">${text}</a>`;
}
