// The document around every page: head, masthead, footer. A page is one request without script; only pictures may be foreign.
import { createHash } from "node:crypto";
import { type Language, languages, type Script } from "../readings/languages.ts";
import { signNames } from "../readings/sign-names.ts";
import type { Sign } from "../readings/signs.ts";
import { isLoopback, safeUrl } from "./address.ts";
import { alternateLinks } from "./alternates.ts";
import type { Draft } from "./draft.ts";
import type { Context } from "./page-context.ts";
import type { Footer, SiteSettings } from "./edition.ts";
import { directionOf } from "./formats.ts";
import { type Content, html, type Markup } from "./html.ts";
import { type Page, type PlacedPage, received } from "./page.ts";
import { sharing } from "./share-card.ts";
import { structuredData } from "./structured-data.ts";
import { styleFor } from "./style.ts";
import { trailLine } from "./breadcrumbs.ts";
import type { TreePath } from "./tree.ts";

/** The draft of a page; `receivedAt` is of the newest reading on it. */
export function pageDraft(at: TreePath, pageIn: (context: Context) => Page, receivedAt?: string): Draft {
  return {
    at,
    receivedAt,
    print: (context) => {
      const page = pageIn(context);
      return printPage(context, { receivedAt, ...page, at, canonical: page.canonical ?? at });
    },
  };
}

/** The head up to the style, the style, the rest: the style is half of a page and the same in all, so it comes as bytes. */
function printPage(context: Context, page: PlacedPage): readonly (Markup | Uint8Array)[] {
  const { language, labels, settings } = context;
  const dress = dressFor(languages[language].script, settings);
  const rest = html`</head>
    <body>
      <a class="skip" href="#text">${labels.skip}</a>
      ${masthead(context, page)} ${trailLine(context, page)}
      <main id="text">${page.body}</main>
      ${footer(context, page)}
    </body>
    </html> `;
  return [head(context, page, dress.policy), dress.style, rest];
}

/** The beginning of every document, of an embedded card as well. */
export function headStart(language: Language, sign: Sign | undefined, policy: string): Markup {
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}" class="${sign ?? "plain"}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content="${policy}" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="referrer" content="no-referrer" />`;
}

function head(context: Context, page: PlacedPage, policy: string): Markup {
  const { settings, language } = context;
  const title = page.title === settings.name ? settings.name : `${page.title} · ${settings.name}`;
  return html`${headStart(language, page.sign, policy)}
        <title>${title}</title>
        <meta name="description" content="${page.description}" />
        ${page.isHidden === true && noIndex}<link rel="canonical" href="${context.fullAddress(page.canonical)}" />
        <link rel="icon" type="image/svg+xml" href="${context.address({ row: "icon" })}" />
        ${alternateLinks(context, page.at)} ${feeds(context, page)}
        ${sharing(context, page)} ${structuredData(context, page)}
     `;
}

const noIndex = html`<meta name="robots" content="noindex" />`;

function feeds(context: Context, { feed }: Page): (Markup | undefined)[] {
  const { language, settings } = context;
  const both = (title: string, json: TreePath, rss: TreePath) =>
    (
      [
        [json, "application/feed+json"],
        [rss, "application/rss+xml"],
      ] as const
    ).map(([at, type]) =>
      context.has(at)
        ? html`<link rel="alternate" type="${type}" title="${title}" href="${context.address(at)}" />`
        : undefined,
    );
  const ofSign =
    feed === undefined
      ? []
      : both(
          signNames[language][feed],
          { row: "signFeed", language, sign: feed },
          { row: "signRss", language, sign: feed },
        );
  return [...ofSign, ...both(settings.name, { row: "feed", language }, { row: "rss", language })];
}

interface Dress {
  readonly style: Uint8Array;
  readonly policy: string;
}
const dresses = new WeakMap<SiteSettings, Map<Script, Dress>>();
/**
 * The style's hash lets it in; no other style, no script, no frame and no form gets past the policy. `connect-src` is for
 * Lighthouse, which reads robots.txt from within the page: without scripts nothing else makes use of it.
 */
export function dressFor(script: Script, settings: SiteSettings): Dress {
  const ofSite = dresses.get(settings) ?? new Map<Script, Dress>();
  dresses.set(settings, ofSite);
  const known = ofSite.get(script);
  if (known !== undefined) return known;
  const css = styleFor(script, settings);
  const hash = createHash("sha256").update(css).digest("base64");
  // A site on this machine may show pictures of a service on this machine.
  const local = isLoopback(new URL(settings.url).hostname);
  const images = local ? "'self' https: http://127.0.0.1:* http://localhost:*" : "'self' https:";
  const dress = {
    style: new TextEncoder().encode(`<style>${css}</style>`),
    policy: `default-src 'none';style-src 'sha256-${hash}';img-src ${images};connect-src 'self';base-uri 'none';form-action 'none'`,
  };
  ofSite.set(script, dress);
  return dress;
}

function masthead(context: Context, page: Page): Markup {
  const { name } = context.settings;
  return html`<header class="masthead">
    ${context.linkTo({ row: "frontPage", language: context.language }, name) ?? html`<b>${name}</b>`}
    <p>${page.dateline}</p>
  </header>`;
}

function footer(context: Context, page: Page): Markup {
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
  const address = link === undefined ? undefined : safeUrl(link, "link");
  return address === undefined ? text : html`<a href="${address}">${text}</a>`;
}
