// The feeds of the day's texts in full, as JSON Feed 1.1 and as RSS 2.0: one for a language with all signs, and one for each
// sign. An item's id is made from its request, so it is the same in both, and a corrected text is no new item.
import type { Language } from "../readings/languages.ts";
import { operations } from "../readings/operations.ts";
import { type HoroscopeReading, sectionNames } from "../readings/reading.schema.ts";
import { signNames } from "../readings/sign-names.ts";
import { type Sign, signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { newest } from "./data.ts";
import { html, type Markup } from "./html.ts";
import { paragraphs } from "./page.ts";
import type { Draft } from "./draft.ts";
import type { Sheet } from "./edition.ts";
import { entryId } from "./entry-id.ts";
import { inSignOrder } from "./signs.ts";
import { opening } from "./text-opening.ts";
import type { TreePath } from "./tree.ts";

interface FeedItem {
  readonly reading: HoroscopeReading;
  readonly receivedAt: string;
}

/** A feed of a language, or of one of its signs. */
interface Feed {
  readonly sign?: Sign;
  readonly items: readonly FeedItem[];
}

/** The feeds of the current daily sheet. A withdrawn sign's feed stays, empty, for its subscribers. */
export function feedDrafts(language: Language, sheets: readonly Sheet[]): Draft[] {
  const drafts: Draft[] = [];
  for (const { operation, current, readings, withdrawn = [] } of sheets) {
    if (operation !== "daily-horoscope" || !current) continue;
    const items: FeedItem[] = [];
    for (const { reading, receivedAt } of readings) {
      if (reading.family === "horoscope") items.push({ reading, receivedAt });
    }
    if (items.length === 0) continue;
    drafts.push(...draftsOf(language, { items: inSignOrder(items) }));
    for (const sign of signs) {
      const own = items.filter(({ reading }) => reading.sign === sign);
      if (own.length > 0 || withdrawn.includes(sign))
        drafts.push(...draftsOf(language, { sign, items: own }));
    }
  }
  return drafts;
}

/** The feeds of a daily horoscope that is no longer asked for: subscribers keep their feed, without an old text in it. */
export function emptyFeeds(language: Language): Draft[] {
  const feeds: Feed[] = [{ items: [] }, ...signs.map((sign) => ({ sign, items: [] }))];
  return feeds.flatMap((feed) => draftsOf(language, feed));
}

function draftsOf(language: Language, feed: Feed): Draft[] {
  return [
    { at: feedAt(language, feed, "json"), print: (context) => jsonFeed(context, feed) },
    { at: feedAt(language, feed, "xml"), print: (context) => rssFeed(context, feed) },
  ];
}

function feedAt(language: Language, { sign }: Feed, format: "json" | "xml"): TreePath {
  if (sign === undefined) return { row: format === "json" ? "feed" : "rss", language };
  return { row: format === "json" ? "signFeed" : "signRss", language, sign };
}

function titleOf({ language, settings }: Context, { sign }: Feed): string {
  return sign === undefined ? settings.name : `${signNames[language][sign]} · ${settings.name}`;
}

function homeOf({ language }: Context, { sign }: Feed): TreePath {
  return sign === undefined
    ? { row: "frontPage", language }
    : { row: "signPage", language, kind: "daily", sign };
}

interface FeedEntry {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly summary: string;
  readonly content: string;
  readonly receivedAt: string;
}

function entryOf(context: Context, { reading, receivedAt }: FeedItem): FeedEntry {
  const { language, formats, labels, settings } = context;
  const { sign, period, operation } = reading;
  const kind = operations[operation].due;
  return {
    id: entryId(settings.id, reading),
    url: context.url({ row: "datedPage", language, kind, sign, key: period }),
    title: `${signNames[language][sign]} · ${formats.period(kind, period)}`,
    summary: opening(language, reading.sections.personal.join(" "), 200),
    // Each paragraph is on a line of its own: a program that strips the tags, as WordPress does, would run words together.
    content: sectionNames
      .flatMap((name) => [html`<h2>${labels.sections[name]}</h2>`].concat(paragraphs(reading.sections[name])))
      .join("\n"),
    receivedAt,
  };
}

function jsonFeed(context: Context, feed: Feed): string {
  const { language, labels } = context;
  const document = {
    version: "https://jsonfeed.org/version/1.1",
    title: titleOf(context, feed),
    description: labels.tagline,
    language,
    home_page_url: context.url(homeOf(context, feed)),
    feed_url: context.url(feedAt(language, feed, "json")),
    icon: context.url({ row: "icon" }),
    items: feed.items
      .map((item) => entryOf(context, item))
      .map(({ id, url, title, summary, content, receivedAt }) => ({
        id,
        url,
        title,
        summary,
        content_html: content,
        date_published: receivedAt,
        language,
      })),
  };
  return `${JSON.stringify(document)}\n`;
}

/** The same tag; under this name the formatter takes no `<link>` for HTML's. */
const xml = html;
/** Characters that no XML file may hold, even escaped. */
const notXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

function rssFeed(context: Context, feed: Feed): string {
  const { language, labels } = context;
  const { items } = feed;
  const rss = xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${titleOf(context, feed)}</title>
<link>${context.url(homeOf(context, feed))}</link>
<description>${labels.tagline}</description>
<language>${language}</language>
${items.length > 0 && xml`<lastBuildDate>${rfc822(newest(items))}</lastBuildDate>`}
<atom:link href="${context.fullAddress(feedAt(language, feed, "xml"))}" rel="self" type="application/rss+xml"/>
${items.map((item) => rssItem(entryOf(context, item)))}</channel></rss>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${rss.toString().replaceAll(notXml, "")}\n`;
}

function rssItem({ id, url, title, content, receivedAt }: FeedEntry): Markup {
  return xml`<item>
<title>${title}</title>
<link>${url}</link>
<guid isPermaLink="false">${id}</guid>
<pubDate>${rfc822(receivedAt)}</pubDate>
<description>${content}</description>
</item>
`;
}

function rfc822(instant: string): string {
  return new Date(instant).toUTCString();
}
