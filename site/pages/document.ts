// The document around every page: head, masthead, place, footer. A page is one request; only pictures may be foreign.
import type { Sign } from "../../readings/tables.ts";
import type { Draft, Context } from "../context.ts";
import type { Times } from "../data.ts";
import { directionOf } from "../formats.ts";
import type { TextFacts } from "../index-policy.ts";
import { html, inOnePiece, type Markup, type Piece } from "../html.ts";
import { statementsIn } from "../labels.ts";
import { manifestFor } from "../root-files.ts";
import { type PageScript, policyOf, scriptElement, scriptSources } from "../style.ts";
import { ownLinks, slotOn, themeSources, contentsOf, type PageTexts } from "../theme/filled.ts";
import { iconLink } from "./drawings.ts";
import type { ThemeSlot } from "../theme/theme.ts";
import type { TreePath } from "../tree.ts";
import { alternateLinks, sharing, structuredData } from "./head.ts";
import { masthead, trailLine, trailTo } from "./navigation.ts";
import { nextSteps } from "./next-steps.ts";
import { isOfThePast, type Page, type PlacedPage } from "./page.ts";

/** The draft of a page with the times of the newest text on it; `texts` are for a template of the theme. */
export function pageDraft(
  at: TreePath,
  pageIn: (context: Context) => Page,
  { shownFrom, reviewed }: Partial<Times> = {},
  texts: PageTexts = [],
  known: TextFacts = {},
): Draft {
  const facts = { ...known, reviewed };
  return {
    at,
    shownFrom,
    facts,
    render: (context) => {
      const page = pageIn(context);
      const trail = trailTo(context, at, page);
      const indexing = context.indexing({ at, ...facts });
      const canonical = typeof indexing === "string" ? at : indexing;
      const placed = { ...page, shownFrom, reviewed, at, trail, canonical, indexing };
      return renderPage(context, placed, texts);
    },
  };
}

/** The style is half of a page and equal on all, so it comes as bytes, and so does all other shared markup. */
function renderPage(context: Context, contents: PlacedPage, texts: PageTexts): readonly Piece[] {
  const page = withNextSteps(context, contents);
  const slot = (name: ThemeSlot, ours?: Markup) => slotOn(context, page, name, ours);
  const isDated = page.dateline !== undefined && (!page.isDateInHead || isTemplated(context, page));
  const place = html`${slot("navigation")}
      <main id="text">
        <div class="where">
          ${trailLine(context, page)}${isDated && html`<p class="date">${page.dateline}</p>`}${listsSigns(page) && scriptElement("signs")}
        </div>
        ${slot("beforeText")}`;
  const top = () => html`</head>
    <body>
      <a class="skip" href="#text">${context.labels.skip}</a>
      ${slot("consent")}`;
  const bottom =
    () => html`${listsSigns(page) && scriptElement("signs")}${isTemplated(context, page) && isShared(page) && shareButton(context)}${slot("afterText")}${slot("advertising")}</main>${slot("sidebar")}
      ${slot("footer", footer(context, page))}${slot("measuring")}${leadsOn(page) && scriptElement("onward")}
    </body>
    </html> `;
  const kinds = `${listsSigns(page)} ${isOfThePast(page)} ${leadsOn(page)} ${isMachineMade(context, page)}`;
  return [
    ...head(context, page),
    context.dress.style,
    ...alike(context, "top", top),
    ...mastheadSlot(context, page),
    place,
    ...[contentsOf(context, page, texts)].flat(),
    ...alike(context, `bottom ${kinds}`, bottom),
  ];
}

/** Adds the button to share a text, and the next steps. A template replaces the steps, but not the button. */
function withNextSteps(context: Context, page: PlacedPage): PlacedPage {
  const share =
    isShared(page) && !isTemplated(context, page) ? alike(context, "share", () => shareButton(context)) : [];
  return { ...page, body: [...[page.body].flat(), ...share, ...nextSteps(context, page)] };
}

function isTemplated({ settings }: Context, { at }: PlacedPage) {
  return settings.theme?.templates[at.row] !== undefined;
}

/** Markup that pages with the same name share, unless a theme's slot in it differs from page to page. */
function alike(context: Context, name: string, make: () => Markup): readonly Piece[] {
  return context.settings.theme === undefined ? context.onceAsBytes(name, () => [make()]) : [make()];
}

/** Whether the page offers the device's share dialog. Without a script or such a dialog there is no button. */
function isShared({ kind }: Page) {
  return kind === "article";
}

/** Whether readers usually continue from this page to others: after a text they mostly leave. */
function leadsOn({ at }: PlacedPage) {
  return at.row === "frontPage" || at.row === "chooserPage" || (at.row === "signPage" && at.kind === "daily");
}

/** Whether the page has lists of signs, which begin with the reader's own. */
function listsSigns({ at }: PlacedPage) {
  return rowsWithSigns.has(at.row);
}

const rowsWithSigns = new Set<TreePath["row"]>([
  "frontPage",
  "signPage",
  "datedPage",
  "cardsPage",
  "pairPage",
  "pairsPage",
  "partnerPage",
  "archivePage",
  "archiveStart",
]);

function shareButton({ labels }: Context) {
  return html`<p class="onward"><button type="button" hidden>${labels.share}</button>${scriptElement("share")}</p>`;
}

function mastheadSlot(context: Context, page: PlacedPage): readonly Piece[] {
  const ours = masthead(context, page);
  if (context.settings.theme === undefined) return ours;
  const themed = slotOn(context, page, "masthead", inOnePiece(ours));
  return themed === undefined ? [] : [themed];
}

/** The head of every document, including an embedded card. */
export function headStart(
  { language, dress }: Context,
  sign: Sign | undefined,
  policy = dress.policy,
): Markup {
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}" class="${sign ?? "plain"}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content="${policy}" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="referrer" content="no-referrer" />`;
}

function head(context: Context, page: PlacedPage): readonly Piece[] {
  const { settings } = context;
  const title = page.title === settings.name ? settings.name : `${page.title} · ${settings.name}`;
  const scripts = scriptsOn(page);
  const webManifest = manifestFor(page.at);
  const start = () => headStart(context, page.sign, policyWith(context, page, scripts, webManifest));
  const named = html`
        <title>${title}</title>
        <meta name="description" content="${page.description}" />
        ${page.indexing === "noindex" ? noIndex : html`<link rel="canonical" href="${context.fullAddress(page.canonical)}" />`}
        ${iconLink(context)}${webManifest && html`<link rel="manifest" href="${context.address(webManifest)}" />`}
        ${page.indexing === "listed" && alternateLinks(context, page.at)} ${feeds(context, page)}
        ${sharing(context, page)} ${structuredData(context, page)}${slotOn(context, page, "head")}
     `;
  return [...alike(context, `head ${page.sign} ${scripts.join()} ${webManifest?.row}`, start), named];
}

/** Undefined if the page needs only the policy of every document. */
function policyWith(
  context: Context,
  page: PlacedPage,
  scripts: PageScript[],
  webManifest: TreePath | undefined,
) {
  if (scripts.length === 0 && context.settings.theme === undefined) return undefined;
  return policyOf(context.dress.sources, themeSources(context, page), {
    "script-src": scriptSources(scripts),
    "manifest-src": webManifest === undefined ? [] : ["'self'"],
  });
}

function scriptsOn(page: PlacedPage): PageScript[] {
  return [
    ...(listsSigns(page) ? (["signs"] as const) : []),
    ...(page.scripts ?? []),
    ...(isShared(page) ? (["share"] as const) : []),
    ...(leadsOn(page) ? (["onward"] as const) : []),
  ];
}

/** Without a canonical link: search engines take the two together as a contradiction. */
export const noIndex = html`<meta name="robots" content="noindex, follow" />`;

/** The feeds that have the page's text, and its data: for programs, not for readers. */
function feeds(context: Context, { feed: sign, data }: Page): (Markup | undefined)[] {
  const { language, settings } = context;
  const link = (at: TreePath, type: string, title: string) => {
    const address = context.linked(at);
    return address && html`<link rel="alternate" type="${type}" title="${title}" href="${address}" />`;
  };
  const [json, rss] = ["application/feed+json", "application/rss+xml"] as const;
  const own = data && context.linked(data);
  const ofSign = sign && [
    link({ row: "signFeed", language, sign }, json, context.signNames[sign]),
    link({ row: "signRss", language, sign }, rss, context.signNames[sign]),
  ];
  return [
    ...(ofSign ?? []),
    context.once(
      "feeds",
      () =>
        html`${link({ row: "feed", language }, json, settings.name)}${link({ row: "rss", language }, rss, settings.name)}`,
    ),
    own && html`<link rel="alternate" type="application/json" href="${own}" />`,
  ];
}

function footer(context: Context, page: PlacedPage) {
  const { labels, language } = context;
  const chooser = html`<a href="${context.address({ row: "chooserPage" })}">${labels.chooseLanguage}</a>`;
  const links = [
    context.linkTo({ row: "frontPage", language }, labels.frontPage),
    context.has({ row: "feed", language })
      ? context.linkTo({ row: "followPage", language }, labels.follow.title)
      : undefined,
    chooser,
    context.linkTo({ row: "aboutPage", language }, labels.about),
    ...(isOfThePast(page)
      ? []
      : [
          context.linkTo({ row: "accessibilityPage", language }, statementsIn(language).title),
          ...ownLinks(context),
        ]),
  ];
  return html`<footer class="small">
    <ul>
      ${links.map((link) => link && html`<li>${link}</li>`)}
    </ul>${isMachineMade(context, page) && html`<p>${statementsIn(language).machineMade}</p>`}
  </footer>`;
}

/** Whether the page has texts of the service, and the owner says that machines made them. */
function isMachineMade({ settings }: Context, { kind, at }: PlacedPage) {
  return settings.machineMade === true && (kind === "article" || at.row === "frontPage");
}
