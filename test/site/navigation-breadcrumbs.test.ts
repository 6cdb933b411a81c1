import { describe, expect, test } from "vitest";
import { z } from "zod";
import { languageNames, signs } from "../../readings/tables.ts";
import { labelsIn } from "../../site/labels.ts";
import { renderShared } from "../../site/render.ts";
import {
  renderedIn,
  settings,
  summaryOf,
  textOf,
  wholeEdition,
  withoutLeo,
  renderLanguage,
} from "./editions.ts";

const thing = z.looseObject({ "@type": z.string() });
const crumbs = z.array(
  z.strictObject({
    "@type": z.literal("ListItem"),
    position: z.int(),
    name: z.string().min(1),
    item: z.url(),
  }),
);

/** A page's structured data, by type. */
function saidOn(html: string): Map<string, Record<string, unknown>> {
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  const graphs = blocks.map(([, json = ""]) =>
    z
      .strictObject({ "@context": z.literal("https://schema.org"), "@graph": z.array(thing) })
      .parse(JSON.parse(json)),
  );
  return new Map(graphs.flatMap((graph) => graph["@graph"]).map((one) => [one["@type"], one]));
}

function trailOn(html: string): string[] {
  const [, line = ""] = /<nav class="trail small"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
  return [...line.matchAll(/<li>(?:<a href="([^"]+)">|<span aria-current="page">)(.*?)</gs)].map(
    ([, href = "here", name = ""]) => `${name} ${href}`,
  );
}

const shared = renderShared(
  languageNames.map((language) => summaryOf(renderedIn(language), language)),
  settings,
);
const english = renderedIn("en");

describe("breadcrumbs", () => {
  test.each([
    ["en/daily/leo/index.html", ["Front page /en/", "Leo here"]],
    [
      "en/weekly/leo/2026-11-08/index.html",
      ["Front page /en/", "Leo /en/daily/leo/", "Week /en/weekly/leo/", "November 8 – 14, 2026 here"],
    ],
    ["en/daily-tarot/index.html", ["Front page /en/", "Cards /en/cards/", "Daily tarot here"]],
    [
      "en/love-compatibility/aries-leo/index.html",
      [
        "Front page /en/",
        "Love compatibility /en/love-compatibility/",
        "Aries /en/love-compatibility/aries/",
        "Aries and Leo here",
      ],
    ],
    ["en/people/example/index.html", ["Front page /en/", "Cards /en/cards/", "Which animal are you? here"]],
    [
      "en/decks/daily-tarot/index.html",
      ["Front page /en/", "Cards /en/cards/", "Daily tarot /en/daily-tarot/", "All cards here"],
    ],
    [
      "en/archive/leo/2026-11/index.html",
      ["Front page /en/", "Archive /en/archive/", "Leo /en/daily/leo/", "November 2026 here"],
    ],
    ["en/404.html", ["Front page /en/", "Page not found here"]],
    ["en/about/index.html", ["Front page /en/", "About here"]],
    ["en/index.html", []],
  ])("leads to %s", (path, expected) => {
    expect(trailOn(textOf(english, path)).map((crumb) => crumb.replaceAll(/\s/g, " "))).toEqual(expected);
  });

  test("are in the page's language and equal to those for search engines", () => {
    const page = textOf(renderedIn("ta"), "ta/monthly/virgo/2026-10/index.html");
    expect(page).toContain(`<nav class="trail small" aria-label="${labelsIn("ta").trail}">`);
    const list = crumbs.parse(saidOn(page).get("BreadcrumbList")?.["itemListElement"]);
    expect(list.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect(list.map(({ item }) => new URL(item).pathname)).toEqual([
      "/ta/",
      "/ta/daily/virgo/",
      "/ta/monthly/virgo/",
      "/ta/monthly/virgo/2026-10/",
    ]);
    const names = trailOn(page).map((crumb) => crumb.slice(0, crumb.lastIndexOf(" ")));
    expect(list.map(({ name }) => name)).toEqual(names);
  });

  test("skip missing pages", () => {
    const alone = renderLanguage(wholeEdition("en", ["weekly-horoscope"]), settings);
    expect(trailOn(textOf(alone, "en/weekly/leo/index.html"))).toEqual(["Front page /en/", "Leo here"]);
  });
});

describe("a page's structured data", () => {
  test("is an article with its date, its language and its picture on every page of a reading", () => {
    const article = saidOn(textOf(english, "en/daily/leo/2026-11-21/index.html")).get("Article");
    expect(article).toMatchObject({
      headline: "Leo · Daily horoscope · Saturday, November 21, 2026",
      inLanguage: "en",
      datePublished: "2026-11-20T08:04:17.000Z",
      mainEntityOfPage: "https://almanac.example/en/daily/leo/",
      image: "https://almanac.example/en/pictures/leo.png",
      publisher: { name: "Almanac", url: "https://almanac.example/" },
    });
    for (const path of ["en/daily-tarot/index.html", "en/love-compatibility/aries-leo/index.html"])
      expect(saidOn(textOf(english, path)).has("Article")).toBe(true);
  });

  test("is the site on the front page and where a language is chosen, and no article there", () => {
    expect([...saidOn(textOf(english, "en/index.html")).keys()]).toEqual(["WebSite"]);
    const [site] = saidOn(textOf(shared, "index.html")).values();
    expect(site).toEqual({ "@type": "WebSite", name: "Almanac", url: "https://almanac.example/" });
    expect(saidOn(textOf(shared, "404.html")).size).toBe(0);
  });

  test("is no article where the text was withdrawn", () => {
    const edition = wholeEdition("en", ["daily-horoscope"]);
    const sets = edition.sets.map(withoutLeo);
    const page = textOf(renderLanguage({ ...edition, sets }, settings), "en/daily/leo/index.html");
    expect([...saidOn(page).keys()]).toEqual(["BreadcrumbList"]);
  });
});

describe("shared links", () => {
  const pictureOn = (html: string) =>
    [/"og:image" content="([^"]+)"/, /"og:image:alt" content="([^"]+)"/].map((one) => one.exec(html)?.[1]);

  test("a sign's pages show its picture with its name, all others the site's", () => {
    const at = "https://almanac.example";
    const leo = pictureOn(textOf(renderedIn("hi"), "hi/weekly/leo/index.html"));
    expect(leo).toEqual([`${at}/hi/pictures/leo.png`, "सिंह"]);
    for (const path of ["en/index.html", "en/love-compatibility/aries-leo/index.html"]) {
      const said = "Almanac · Horoscopes and cards, day by day";
      expect(pictureOn(textOf(english, path))).toEqual([`${at}/en/pictures/site.png`, said]);
    }
    const chooser = shared.find(({ path }) => path === "index.html");
    expect(pictureOn(Buffer.from(chooser?.bytes ?? []).toString())).toEqual([
      `${at}/assets/pictures/site.png`,
      "Almanac",
    ]);
  });

  test("each language publishes its own pictures and no other's, small and all different", () => {
    for (const language of languageNames) {
      const found = renderLanguage(wholeEdition(language, []), settings).filter(
        ({ type }) => type === "image/png",
      );
      expect(found.map(({ path }) => path)).toEqual(
        ["site", ...signs].map((name) => `${language}/pictures/${name}.png`).sort(),
      );
      for (const { bytes } of found) {
        const picture = Buffer.from(bytes);
        expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
        expect(picture.subarray(-8).toString("latin1")).toBe("IEND\xaeB`\x82");
        expect(picture.length).toBeLessThan(20_000);
      }
      expect(new Set(found.map(({ bytes }) => Buffer.from(bytes).toString("base64"))).size).toBe(13);
    }
  });

  test.each(["site", ...signs])(
    "the picture %s is published, of the size that pages name, and small",
    (name) => {
      const picture = shared.find(({ path }) => path === `assets/pictures/${name}.png`);
      const bytes = Buffer.from(picture?.bytes ?? []);
      expect(picture?.type).toBe("image/png");
      expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
      expect(bytes.length).toBeLessThan(40_000);
      const page = textOf(english, "en/index.html");
      expect(page).toContain('<meta property="og:image:width" content="1200" />');
      expect(page).toContain('<meta property="og:image:height" content="630" />');
    },
  );

  test("a page names its language with a country, as Open Graph has it", () => {
    const locales = languageNames.map(
      (language) =>
        /"og:locale" content="([^"]+)"/.exec(
          textOf(renderedIn(language), `${language}/about/index.html`),
        )?.[1],
    );
    expect(locales.filter((locale) => !/^[a-z]{2,3}_[A-Z]{2}$/.test(locale ?? ""))).toEqual([]);
    expect(locales).toEqual(expect.arrayContaining(["pt_BR", "hi_IN", "zh_CN"]));
  });
});
