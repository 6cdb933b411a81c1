// Feeds as a reader program of others takes them, and against the rules of RSS 2.0 that its validators hold feeds to.
import { parseJsonFeed, parseRssFeed } from "feedsmith";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { languagesOf } from "../../readings/tables.ts";
import { renderedIn, textOf } from "./editions.ts";
import { childOf, type Element, readXml } from "./xml.ts";

const address = z.url({ protocol: /^https$/ });
/** RFC 822 with the four digits of a year that RSS 2.0 prefers, and no day that is not that date's. */
const date = z
  .string()
  .regex(/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/)
  .refine((text) => new Date(text).toUTCString() === text);

const item = z.object({
  title: z.string().min(1),
  link: address,
  description: z.string().min(1),
  guid: z.object({ value: z.string().regex(/^urn:/), isPermaLink: z.literal(false) }),
  pubDate: date,
});
const channel = z.object({
  title: z.string().min(1),
  link: address,
  description: z.string().min(1),
  language: z.string().regex(/^[a-z]{2,3}$/),
  lastBuildDate: date,
  atom: z.object({
    links: z.tuple([
      z.object({ href: address, rel: z.literal("self"), type: z.literal("application/rss+xml") }),
    ]),
  }),
  items: z.array(item).min(1),
});
const jsonItem = z.object({
  id: z.string(),
  url: address,
  title: z.string(),
  content_html: z.string(),
  date_published: z.string(),
});
const json = z.object({ title: z.string(), feed_url: address, items: z.array(jsonItem) });

const once = new Set(["title", "link", "description", "language", "lastBuildDate", "guid", "pubDate"]);
const known = new Set(["channel", "item", "atom:link", ...once]);

/** Elements unknown to RSS, and repeated elements that must be unique. */
function unruly(element: Element): string[] {
  const names = element.children.map(({ name }) => name);
  return [
    ...names.filter((name) => !known.has(name)),
    ...names.filter((name, index) => once.has(name) && names.indexOf(name) !== index),
    ...element.children.flatMap(unruly),
  ];
}

describe.each(languagesOf("daily-horoscope"))("the feeds in %s, to a parser of others", (language) => {
  const files = renderedIn(language);
  const paths = [`${language}/feed`, `${language}/daily/leo/feed`];

  test("are RSS 2.0 and JSON Feed, and say the same", () => {
    for (const path of paths) {
      const rss = channel.parse(parseRssFeed(textOf(files, `${path}.xml`)));
      const other = json.parse(parseJsonFeed(textOf(files, `${path}.json`)));
      expect(rss.atom.links[0].href).toBe(`https://almanac.example/${path}.xml`);
      expect(other.feed_url).toBe(`https://almanac.example/${path}.json`);
      expect(rss.title).toBe(other.title);
      expect(rss.items).toHaveLength(path.includes("leo") ? 1 : 12);
      const seen = rss.items.map(({ guid, link, title, description, pubDate }) => ({
        id: guid.value,
        url: link,
        title,
        content_html: description,
        date_published: new Date(pubDate).toISOString(),
      }));
      expect(other.items).toEqual(seen);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    }
  });

  test("hold to the rules of RSS 2.0: known elements, each once, whole addresses in the texts", () => {
    for (const path of paths) {
      const root = readXml(textOf(files, `${path}.xml`));
      expect([path, unruly(root)]).toEqual([path, []]);
      for (const { children } of childOf(root, "channel")?.children.filter(({ name }) => name === "item") ??
        []) {
        const text = children.find(({ name }) => name === "description")?.text ?? "";
        expect(
          /<(?:script|style|iframe|object|form)|\s(?:on\w+|style)=|(?:href|src)="(?!https:)/i.exec(text),
        ).toBeNull();
      }
    }
  });
});

test("the parser refuses what is no feed", () => {
  expect(() => parseRssFeed("<html></html>")).toThrow();
  expect(() => parseJsonFeed('{"version":"x"}')).toThrow();
});
