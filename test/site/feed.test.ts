import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { languagesOf, signs } from "../../readings/tables.ts";
import { signNames } from "../../readings/sign-names.ts";
import type { LanguageEdition, RenderedFile } from "../../site/edition.ts";
import { anyText } from "../support/any-text.ts";
import { deep } from "../support/deep.ts";
import {
  renderedIn,
  settings,
  textOf,
  wholeEdition,
  withReadings,
  withoutLeo,
  renderLanguage,
} from "./editions.ts";
import { childOf, type Element, readXml } from "./xml.ts";

const item = z.strictObject({
  id: z.string().min(1),
  url: z.url(),
  title: z.string().min(1),
  summary: z.string().min(1),
  content_html: z.string().min(1),
  date_published: z.iso.datetime(),
  date_modified: z.iso.datetime(),
  language: z.string(),
});
/** JSON Feed 1.1, without unknown fields. */
const feed = z.strictObject({
  version: z.literal("https://jsonfeed.org/version/1.1"),
  title: z.string().min(1),
  description: z.string().min(1),
  language: z.string(),
  home_page_url: z.url(),
  feed_url: z.url(),
  icon: z.url(),
  items: z.array(item),
});

function jsonIn(files: readonly RenderedFile[], path: string) {
  return feed.parse(JSON.parse(textOf([...files], path)));
}

function channelIn(files: readonly RenderedFile[], path: string): Element | undefined {
  const rss = readXml(textOf([...files], path));
  expect([rss.name, rss.attributes["version"]]).toEqual(["rss", "2.0"]);
  return childOf(rss, "channel");
}

function itemsIn(channel: Element | undefined) {
  const items = channel?.children.filter(({ name }) => name === "item") ?? [];
  return items.map((one) => ({
    id: childOf(one, "guid")?.text,
    url: childOf(one, "link")?.text,
    title: childOf(one, "title")?.text,
    content_html: childOf(one, "description")?.text,
    date_published: new Date(childOf(one, "pubDate")?.text ?? "").toISOString(),
  }));
}

test("a feed names the site's hub, if there is one, in both formats", () => {
  const withHub = { ...settings, hub: "https://hub.example/?a=1&b=2" };
  const files = renderLanguage(wholeEdition("en", ["daily-horoscope"]), withHub);
  for (const path of ["en/feed", "en/daily/leo/feed"]) {
    const document: unknown = JSON.parse(textOf(files, `${path}.json`));
    expect(document).toMatchObject({
      feed_url: `https://almanac.example/${path}.json`,
      hubs: [{ type: "WebSub", url: "https://hub.example/?a=1&b=2" }],
    });
    const rss = readXml(textOf(files, `${path}.xml`));
    const links = childOf(rss, "channel")?.children.filter(({ name }) => name === "atom:link") ?? [];
    expect(links.map(({ attributes }) => [attributes["rel"], attributes["href"]])).toEqual([
      ["self", `https://almanac.example/${path}.xml`],
      ["hub", "https://hub.example/?a=1&b=2"],
    ]);
  }
  expect(textOf(renderedIn("en"), "en/feed.xml")).not.toContain('rel="hub"');
});

describe("a language's feeds", () => {
  test("have the twelve signs in full, in the order of the signs", () => {
    const { items } = jsonIn(renderedIn("el"), "el/feed.json");
    expect(items.map(({ id }) => id)).toEqual(
      signs.map((sign) => `urn:almanac:almanac:daily-horoscope:el:${sign}:2026-11-21`),
    );
    expect(items[0]?.url).toBe("https://almanac.example/el/daily/aries/2026-11-21/");
    expect(items[0]?.content_html).toContain("<h2>Προσωπική ζωή</h2>");
  });

  test("keep words apart if a program only strips tags", () => {
    const [first] = jsonIn(renderedIn("en"), "en/feed.json").items;
    const texts = first?.content_html.match(/(?<=>)[^<]+(?=<)/g)?.filter((text) => text.trim() !== "") ?? [];
    const stripped = first?.content_html.replaceAll(/<[^>]+>/g, "");
    expect(texts.length).toBeGreaterThan(9);
    expect(stripped?.split("\n")).toEqual(texts);
  });

  test("are not rendered for a language without horoscopes", () => {
    expect(
      renderedIn("gu")
        .map(({ path }) => path)
        .filter((path) => path.includes("feed.")),
    ).toEqual([]);
  });
});

describe.each(languagesOf("daily-horoscope"))("the feeds in %s", (language) => {
  const files = renderLanguage(wholeEdition(language, ["daily-horoscope"]), settings);

  test("say the same as RSS and as JSON, to whoever reads them strictly", () => {
    const json = jsonIn(files, `${language}/feed.json`);
    const channel = channelIn(files, `${language}/feed.xml`);
    expect(childOf(channel, "title")?.text).toBe(json.title);
    expect(childOf(channel, "link")?.text).toBe(json.home_page_url);
    expect(childOf(channel, "language")?.text).toBe(language);
    expect(childOf(channel, "lastBuildDate")?.text).toBe("Fri, 20 Nov 2026 08:11:17 GMT");
    expect(itemsIn(channel)).toMatchObject(
      json.items.map(({ id, url, title, content_html, date_published }) => {
        return { id, url, title, content_html, date_published };
      }),
    );
  });

  test("of each sign have its item of the language's feed, and nothing else", () => {
    const all = jsonIn(files, `${language}/feed.json`);
    for (const [index, sign] of signs.entries()) {
      const path = `${language}/daily/${sign}/feed`;
      const own = jsonIn(files, `${path}.json`);
      expect(own.items).toEqual([all.items[index]]);
      expect(own.title).toBe(`${signNames[language][sign]} · Almanac`);
      expect(own.home_page_url).toBe(`https://almanac.example/${language}/daily/${sign}/`);
      expect(own.feed_url).toBe(`https://almanac.example/${path}.json`);
      const channel = channelIn(files, `${path}.xml`);
      expect(itemsIn(channel).map(({ id }) => id)).toEqual([all.items[index]?.id]);
      expect(childOf(channel, "atom:link")?.attributes["href"]).toBe(`https://almanac.example/${path}.xml`);
    }
  });
});

test("a sign's own feed is linked from its daily pages, before the language's, and from no other sign's", () => {
  const named = (path: string) => {
    const page = textOf(renderedIn("fr"), path);
    return [
      ...page.matchAll(/rel="alternate"\s+type="application\/((?:feed|rss)\+\w+)"[^>]*href="([^"]+)"/g),
    ].map(([, type, href]) => `${type} ${href}`);
  };
  const language = ["feed+json /fr/feed.json", "rss+xml /fr/feed.xml"];
  const leo = ["feed+json /fr/daily/leo/feed.json", "rss+xml /fr/daily/leo/feed.xml", ...language];
  expect(named("fr/daily/leo/index.html")).toEqual(leo);
  expect(named("fr/daily/leo/2026-11-21/index.html")).toEqual(leo);
  expect(named("fr/weekly/leo/index.html")).toEqual(language);
  expect(named("fr/index.html")).toEqual(language);
});

describe("a corrected text", () => {
  test("keeps its id in both feeds", () => {
    const edition = wholeEdition("en", ["daily-horoscope"]);
    const [before, after] = [edition, withText(edition, "Stay at home.")].map((one) =>
      renderLanguage(one, settings),
    );
    for (const path of ["en/feed.json", "en/daily/leo/feed.json"]) {
      const [was, is] = [jsonIn(before ?? [], path), jsonIn(after ?? [], path)];
      expect(is.items.map(({ id }) => id)).toEqual(was.items.map(({ id }) => id));
      expect(is.items.map(({ content_html }) => content_html)).not.toEqual(
        was.items.map(({ content_html }) => content_html),
      );
    }
  });
});

test("a withdrawn sign's feed stays, empty; the language's has the other eleven", () => {
  const edition = wholeEdition("ar", ["daily-horoscope"]);
  const sets = edition.sets.map(withoutLeo);
  const files = renderLanguage({ ...edition, sets }, settings);
  expect(jsonIn(files, "ar/daily/leo/feed.json").items).toEqual([]);
  expect(itemsIn(channelIn(files, "ar/daily/leo/feed.xml"))).toEqual([]);
  expect(jsonIn(files, "ar/feed.json").items).toHaveLength(11);
  expect(itemsIn(channelIn(files, "ar/feed.xml"))).toHaveLength(11);
});

test("whatever a text contains, feeds stay well-formed and contain none of its markup", () => {
  const edition = wholeEdition("en", ["daily-horoscope"]);
  // A text of only spaces is no text: the parser leaves it out.
  const hostile = fc.oneof(
    anyText({ minLength: 1 }).filter((text) => text.trim() !== ""),
    fc.constantFrom(
      "]]>",
      "<![CDATA[",
      "</description>",
      "&nbsp;",
      "<script>alert(1)</script>",
      "\u0000\uFFFE",
    ),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const files = renderLanguage(withText(edition, text), settings);
      const [one] = itemsIn(channelIn(files, "en/daily/leo/feed.xml"));
      expect(one?.content_html).not.toMatch(/<(?!\/?(?:h2|p)>)/);
      expect(jsonIn(files, "en/daily/leo/feed.json").items[0]?.content_html).not.toMatch(/<(?!\/?(?:h2|p)>)/);
    }),
    { numRuns: deep ? 300 : 10 },
  );
});

function withText(edition: LanguageEdition, text: string): LanguageEdition {
  const all = [text];
  const sections = { personal: all, health: all, profession: all, emotions: all, travel: all };
  return withReadings(edition, (reading) =>
    reading.family === "horoscope" ? { ...reading, sections } : reading,
  );
}

test("the strict parser refuses malformed XML", () => {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  expect(readXml(`${head}<a b="1 &lt; 2"><c/>x &amp; y</a>\n`)).toMatchObject({
    name: "a",
    attributes: { b: "1 < 2" },
    text: "x & y",
  });
  for (const wrong of [
    "<a>",
    "<a></b>",
    "<a/><b/>",
    "<a>&nbsp;</a>",
    "<a>&</a>",
    "<a b='1'/>",
    '<a b="1" b="2"/>',
    "<a><</a>",
    "x<a/>",
    "<a>]]></a>",
    "<a>\u0000</a>",
  ])
    expect(() => readXml(head + wrong), wrong).toThrow();
});
