// The feeds of the day's texts in full, as JSON Feed 1.1 and as RSS 2.0: one for a language with all signs, and one for each
// sign. An item's id is made from its request, so it is the same in both, and a corrected text is the same item, published when it was.
import { type Language, isOperation, operations, rowOf, type Sign, signs } from "../readings/tables.ts";
import { sectionNames } from "../readings/reading.schema.ts";
import { type HoroscopeRequest, requestOf } from "../readings/request.ts";
import { Address } from "./address.ts";
import { timesOf, timesOfOne } from "./data.ts";
import type { Draft, Context } from "./context.ts";
import { horoscopesIn, inSignOrder, type ReceivedHoroscope, type ReadingSet } from "./edition.ts";
import { html, xmlDocument } from "./html.ts";
import { openingOf, paragraphs } from "./pages/page.ts";
import type { TreePath } from "./tree.ts";

/** A feed of a language, or of one of its signs. */
interface Feed {
  readonly sign?: Sign;
  readonly items: readonly ReceivedHoroscope[];
  readonly json: TreePath;
  readonly rss: TreePath;
  /** The page with the same texts. */
  readonly home: TreePath;
}

/** The feeds of the current daily set. A withdrawn sign's feed stays, empty, for its subscribers. */
export function feedDrafts(language: Language, sets: readonly ReadingSet[]): Draft[] {
  const set = sets.find(({ operation, current }) => current && operation === "daily-horoscope");
  const items = inSignOrder(horoscopesIn(set?.readings ?? []));
  const shown = signs.filter(
    (sign) => set?.withdrawn?.includes(sign) === true || items.some(({ reading }) => reading.sign === sign),
  );
  return items.length === 0 ? [] : draftsOf(language, shown, items);
}

/** The feeds of a daily horoscope that is no longer configured: subscribers keep their feed, without an old text in it. */
export function emptyFeeds(language: Language): Draft[] {
  return draftsOf(language, signs, []);
}

function draftsOf(language: Language, shown: readonly Sign[], items: Feed["items"]): Draft[] {
  const whole: Feed = {
    items,
    json: { row: "feed", language },
    rss: { row: "rss", language },
    home: { row: "frontPage", language },
  };
  const ofSigns = shown.map((sign): Feed => ({
    sign,
    items: items.filter(({ reading }) => reading.sign === sign),
    json: { row: "signFeed", language, sign },
    rss: { row: "signRss", language, sign },
    home: { row: "signPage", language, kind: "daily", sign },
  }));
  return [whole, ...ofSigns].flatMap((feed): Draft[] => {
    const { json, rss } = feed;
    return [
      { at: json, render: (context) => jsonFeed(context, feed) },
      { at: rss, render: (context) => rssFeed(context, feed) },
    ];
  });
}

function titleOf({ signNames, settings }: Context, { sign }: Feed) {
  return sign === undefined ? settings.name : `${signNames[sign]} · ${settings.name}`;
}

/** An item in JSON Feed's form; the RSS item is made from it. */
function itemOf(context: Context, received: ReceivedHoroscope) {
  const { reading } = received;
  const { shownFrom } = timesOfOne(received);
  const { language, formats, labels, settings } = context;
  const { sign, period, operation } = reading;
  const kind = operations[operation].due;
  return {
    id: entryId(settings.id, reading),
    url: context.url({ row: "datedPage", language, kind, sign, key: period }),
    title: `${context.signNames[sign]} · ${formats.period(kind, period)}`,
    summary: openingOf(reading, 200),
    // Each paragraph is on a line of its own: a program that strips the tags, as WordPress does, would run words together.
    content_html: sectionNames
      .flatMap((name) => [html`<h2>${labels.sections[name]}</h2>`].concat(paragraphs(reading.sections[name])))
      .join("\n"),
    date_published: received.firstShown ?? shownFrom,
    date_modified: shownFrom,
    language,
  };
}

function jsonFeed(context: Context, feed: Feed) {
  const { language, labels, settings } = context;
  const { hub } = settings;
  const { items, home, json } = feed;
  const document = {
    version: "https://jsonfeed.org/version/1.1",
    title: titleOf(context, feed),
    description: labels.tagline,
    language,
    home_page_url: context.url(home),
    feed_url: context.url(json),
    icon: context.url({ row: "icon" }),
    ...(hub !== undefined && { hubs: [{ type: "WebSub", url: hub }] }),
    items: items.map((item) => itemOf(context, item)),
  };
  return `${JSON.stringify(document)}\n`;
}

/** The same tag under another name, because the formatter would treat `<link>` as HTML's. */
const xml = html;

function rssFeed(context: Context, feed: Feed) {
  const { language, labels, settings } = context;
  const hub = settings.hub === undefined ? undefined : Address.link(settings.hub);
  const { items, home, rss } = feed;
  const newest = timesOf(items)?.shownFrom;
  return xmlDocument(xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${titleOf(context, feed)}</title>
<link>${context.url(home)}</link>
<description>${labels.tagline}</description>
<language>${language}</language>
${newest !== undefined && xml`<lastBuildDate>${rfc822(newest)}</lastBuildDate>`}
<atom:link href="${context.fullAddress(rss)}" rel="self" type="application/rss+xml"/>${hub && xml`<atom:link href="${hub}" rel="hub"/>`}
${items.map((item) => rssItem(itemOf(context, item)))}</channel></rss>`);
}

function rssItem({ id, url, title, content_html, ...item }: ReturnType<typeof itemOf>) {
  const { date_published, date_modified } = item;
  const isCorrected = date_modified !== date_published;
  return xml`<item>
<title>${title}</title>
<link>${url}</link>
<guid isPermaLink="false">${id}</guid>
<pubDate>${rfc822(date_published)}</pubDate>${isCorrected && xml`<atom:updated>${date_modified}</atom:updated>`}
<description>${content_html}</description>
</item>
`;
}

function rfc822(instant: string) {
  return new Date(instant).toUTCString();
}

// The id of a feed entry, made from the text's request, and the way back from the id to the request.
const scheme = "urn:almanac:";

export function entryId(siteId: string, text: HoroscopeRequest): string {
  const { operation, language, sign, period } = text;
  return `${scheme}${siteId}:${operation}:${language}:${sign}:${period}`;
}

/** The feed entry's id at the end of a text, such as in the fragment of a feed's address; undefined if there is none. */
export function entryIdIn(text: string): string | undefined {
  const start = text.indexOf(scheme);
  return start === -1 ? undefined : text.slice(start);
}

/** The text that has this id on this site; undefined for any other id. */
export function requestOfEntry(siteId: string, id: string): HoroscopeRequest | undefined {
  const [operation = "", language = "", sign = "", period = ""] = id
    .slice(`${scheme}${siteId}:`.length)
    .split(":");
  if (!isOperation(operation)) return undefined;
  const request = requestOf(`${rowOf(operation).due}/${period}/${language}/${operation}/${sign}`);
  return request !== undefined && "sign" in request && entryId(siteId, request) === id ? request : undefined;
}
