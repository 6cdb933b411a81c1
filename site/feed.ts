// A language's feeds: the twelve signs of the day in full, as JSON Feed 1.1 and as RSS 2.0. An item's id is made of
// what it is for, so that a corrected text is no new item.
import { operations } from "../readings/operations.ts";
import { type HoroscopeReading, sectionNames } from "../readings/reading.schema.ts";
import { signNames } from "../readings/sign-names.ts";
import { type Context } from "./context.ts";
import { newest } from "./data.ts";
import { html, type Markup } from "./html.ts";
import { paragraphs } from "./page.ts";
import { feedPath, frontPath, sharedPaths, signPath } from "./paths.ts";
import { opening } from "./text.ts";

export interface FeedItem {
  readonly reading: HoroscopeReading;
  readonly receivedAt: string;
}

interface Entry {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly summary: string;
  readonly content: string;
  readonly receivedAt: string;
}

function entryOf(context: Context, { reading, receivedAt }: FeedItem): Entry {
  const { language, formats, labels, settings } = context;
  const { sign, period, operation } = reading;
  const kind = operations[operation].due;
  return {
    id: `urn:almanac:${settings.id}:${operation}:${language}:${sign}:${period}`,
    url: context.url(signPath(language, kind, sign, period)),
    title: `${signNames[language][sign]} · ${formats.period(kind, period)}`,
    summary: opening(language, reading.sections.personal.join(" "), 200),
    content: sectionNames
      .map((name) =>
        html`<h2>${labels.sections[name]}</h2>
          ${paragraphs(reading.sections[name])}`.toString(),
      )
      .join(""),
    receivedAt,
  };
}

export function jsonFeed(context: Context, items: readonly FeedItem[]): string {
  const { language, settings, labels } = context;
  const feed = {
    version: "https://jsonfeed.org/version/1.1",
    title: settings.name,
    description: labels.tagline,
    language,
    home_page_url: context.url(frontPath(language)),
    feed_url: context.url(feedPath(language, "json")),
    icon: context.url(sharedPaths.icon),
    items: items
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
  return `${JSON.stringify(feed)}\n`;
}

/** The same tag; under this name the formatter takes no `<link>` for HTML's. */
const xml = html;
/** Characters that no XML file may hold, even escaped. */
const notXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

export function rssFeed(context: Context, items: readonly FeedItem[]): string {
  const { language, settings, labels } = context;
  const rss = xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${settings.name}</title>
<link>${context.url(frontPath(language))}</link>
<description>${labels.tagline}</description>
<language>${language}</language>
<lastBuildDate>${rfc822(newest(items))}</lastBuildDate>
<atom:link href="${context.fullAddress(feedPath(language, "xml"))}" rel="self" type="application/rss+xml"/>
${items.map((item) => rssItem(entryOf(context, item)))}</channel></rss>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${rss.toString().replaceAll(notXml, "")}\n`;
}

function rssItem({ id, url, title, content, receivedAt }: Entry): Markup {
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
