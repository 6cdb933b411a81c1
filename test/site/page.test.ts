import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Language, languageNames, languagesOf } from "../../readings/tables.ts";
import type { Reading } from "../../readings/reading.schema.ts";
import { type Alternates, Context, renderDraft } from "../../site/context.ts";
import { labelsIn } from "../../site/labels.ts";
import { draftLanguage, renderShared } from "../../site/render.ts";
import type { LanguageEdition, RenderedFile } from "../../site/edition.ts";
import { linksIn } from "../publish/support/published-site.ts";
import { deep } from "../support/deep.ts";
import { heldOutProse } from "../support/prose.ts";
import { languageOfEachScript } from "./kinds.ts";
import {
  renderedIn,
  settings,
  summaryOf,
  textOf,
  wholeEdition,
  withReadings,
  renderLanguage,
} from "./editions.ts";

const mostBytes = 14_336;
const decoder = new TextDecoder();

/** All files except newsletters, which are no pages: see newsletter.test.ts. */
function pagesOf(files: readonly RenderedFile[]): { path: string; html: string; bytes: Uint8Array }[] {
  return htmlOf(files).filter(({ path }) => !path.includes("/newsletter/"));
}

function htmlOf(files: readonly RenderedFile[]): { path: string; html: string; bytes: Uint8Array }[] {
  return files
    .filter(({ type }) => type.startsWith("text/html"))
    .map(({ path, bytes }) => ({ path, html: decoder.decode(bytes), bytes }));
}

function pathsWhere(files: readonly RenderedFile[], isWrong: (html: string) => boolean): string[] {
  return pagesOf(files)
    .filter(({ html }) => isWrong(html))
    .map(({ path }) => path);
}

function deadLinks(files: readonly RenderedFile[], among: ReadonlySet<string>): string[] {
  return htmlOf(files).flatMap(({ path, html }) =>
    linksIn(html)
      .filter((link) => !among.has(link))
      .map((link) => `${path} -> ${link}`),
  );
}

/** The pages of no language are in English. */
const shared = renderShared(
  languageNames.map((language) => summaryOf(renderedIn(language), language)),
  settings,
);

describe("links", () => {
  const sharedPaths = shared.map(({ path }) => path);

  test.each(languageNames)("of the pages in %s lead only to what is rendered with them", (language) => {
    const files = renderedIn(language);
    expect(deadLinks(files, new Set([...sharedPaths, ...files.map(({ path }) => path)]))).toEqual([]);
  });

  test("of the shared pages lead to every language's front page and nowhere else", () => {
    const fronts = languageNames.map((language) => `${language}/index.html`);
    expect(deadLinks(shared, new Set([...sharedPaths, ...fronts]))).toEqual([]);
    expect(linksIn(textOf(shared, "index.html"))).toEqual(expect.arrayContaining(fronts));
  });

  test("never lead to a set that the edition lacks", () => {
    const edition = wholeEdition("en");
    for (const operation of ["daily-horoscope", "weekly-horoscope", "love-compatibility", "wisdom-reading"]) {
      const sets = edition.sets.filter((set) => set.operation !== operation);
      const files = renderLanguage({ ...edition, sets }, settings);
      expect(deadLinks(files, new Set([...sharedPaths, ...files.map(({ path }) => path)]))).toEqual([]);
    }
  });

  test("lead from a dated page to its neighbours, and from every page home", () => {
    const files = renderedIn("en");
    expect(linksIn(textOf(files, "en/daily/leo/2026-11-20/index.html"))).toContain(
      "en/daily/leo/2026-11-21/index.html",
    );
    expect(linksIn(textOf(files, "en/daily/leo/index.html"))).toContain("en/daily/leo/2026-11-20/index.html");
    expect(pathsWhere(files, (html) => !linksIn(html).includes("en/index.html"))).toEqual([]);
  });
});

describe("a page", () => {
  test.each(languageNames)(
    "in %s has language, direction, title, canonical URL and landmarks",
    (language) => {
      // A card for a frame has nothing to skip: see embed-page.test.ts.
      const own = renderedIn(language).filter(({ at }) => at.row !== "embed");
      const files = language === "en" ? [...own, ...shared] : own;
      const direction = language === "ar" ? "rtl" : "ltr";
      for (const part of [
        `<html lang="${language}" dir="${direction}"`,
        "<title>",
        '<header class="masthead">',
        '<main id="text">',
        "<h1",
        "<footer",
        `<a class="skip" href="#text">${labelsIn(language).skip}</a>`,
      ]) {
        expect(pathsWhere(files, (html) => count(html, part) !== 1)).toEqual([]);
      }
      const place = /<link rel="canonical"|<meta name="robots" content="noindex, follow"/g;
      expect(pathsWhere(files, (html) => html.match(place)?.length !== 1)).toEqual([]);
      const described = /<meta name="description" content="[^"]{6,}"/;
      expect(pathsWhere(files, (html) => !described.test(html))).toEqual([]);
    },
  );

  test("with a date names the current page as canonical until it is in the past", () => {
    const files = renderedIn("en");
    const canonical = (path: string) => /rel="canonical" href="([^"]+)"/.exec(textOf(files, path))?.[1];
    const current = "https://almanac.example/en/daily/leo/";
    expect(canonical("en/daily/leo/index.html")).toBe(current);
    expect(canonical("en/daily/leo/2026-11-21/index.html")).toBe(current);
    expect(canonical("en/daily/leo/2026-11-20/index.html")).toBe(`${current}2026-11-20/`);
  });

  test("allows only its own style and scripts, by their hashes", () => {
    const files = [...renderedIn("en"), ...renderedIn("ar")];
    const policy =
      /content="default-src 'none';style-src 'sha256-[\w+/]+=*'(?: 'sha256-[\w+/]+=*')?;img-src 'self' https:\/\/cards\.example;/;
    const byAttribute = /\son\w+=|\sstyle=/;
    expect(
      pathsWhere(files, (html) => byAttribute.test(html.replaceAll(/<script>.*?<\/script>/gs, ""))),
    ).toEqual([]);
    expect(pathsWhere(files, (html) => !policy.test(html))).toEqual([]);
    const scripts = /<script(?! type="application\/ld\+json">)[^>]*>(.*?)<\/script>/gs;
    const wrong = pathsWhere(files, (html) => {
      const hashes = [...html.matchAll(scripts)].map(
        ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
      );
      const [, allowed = ""] = /;script-src ([^;"]+)/.exec(html) ?? [];
      return allowed.split(" ").sort().join(" ") !== [...new Set(hashes)].sort().join(" ");
    });
    expect(wrong).toEqual([]);
    expect(textOf(files, "en/about/index.html")).not.toContain("script-src");
  });

  test("shows readers neither data links nor times of receipt, which are in its head for programs", () => {
    const [head = "", body = ""] = textOf(renderedIn("en"), "en/daily/leo/index.html").split("<body>");
    expect(body).not.toMatch(/JSON|\.json|08:04/);
    expect(head).toContain('type="application/json" href="/v1/en/daily/2026-11-21/leo.json"');
    expect(head).toContain('"datePublished":"2026-11-20T08:04:17.000Z"');
  });

  test("has each score as a bar with its name, its value and its text", () => {
    const page = textOf(renderedIn("de"), "de/daily/leo/index.html");
    const bars = [...page.matchAll(/<meter[^>]*>[^<]*</g)].map(([bar]) => bar);
    expect(bars).toHaveLength(6);
    for (const bar of bars) expect(bar).toMatch(/aria-label="[^"]+"\s+max="100"\s+value="\d+">\d+\s%</);
  });

  test("has every picture with its name and its size", () => {
    const pictures = pagesOf(renderedIn("ta")).flatMap(({ html }) => html.match(/<img[^>]*>/g) ?? []);
    expect(pictures.length).toBeGreaterThan(12);
    // In a deck the name is below the picture, and would be read out twice.
    for (const picture of pictures)
      expect(picture).toMatch(
        /src="https:[^"]+"\s+alt="(?:[^"]+"\s+width="\d+"\s+height="\d+"|"\s+width="\d+"\s+height="\d+"\s+loading="lazy")/,
      );
  });
});

/** Most do so packed in a hurry, which is quicker to find out. */
function isWithinOneRoundTrip({ bytes }: { readonly bytes: Uint8Array }): boolean {
  return [1, 6].some((level) => gzipSync(bytes, { level }).length <= mostBytes);
}

/** The largest take the most when packed too: in npm test these are looked at, all with test:deep. */
const largest = deep ? Infinity : 40;

function tooLargeIn(files: readonly RenderedFile[]): string[] {
  return pagesOf(files)
    .toSorted((one, other) => other.bytes.length - one.bytes.length)
    .slice(0, largest)
    .filter((page) => !isWithinOneRoundTrip(page))
    .map(({ path }) => path);
}

describe("the size of a page", () => {
  test.each(languageNames)("in %s is within one round trip", (language) => {
    expect(tooLargeIn(renderedIn(language))).toEqual([]);
  });

  const withHoroscopes = languagesOf("daily-horoscope").filter(
    (language) => deep || languageOfEachScript.includes(language),
  );

  test.each(withHoroscopes)("in %s is so with long texts of prose that never repeats", (language) => {
    const edition = longEdition(language);
    expect(tooLargeIn(renderLanguage(edition, settings, [], everywhere(language)))).toEqual([]);
  });
});

describe("a front page with all that an owner can switch on", () => {
  const all = { ...settings, accessibility: { contact: "help@almanac.example" }, machineMade: true };

  test.each(languageNames)("in %s is within one round trip", (language) => {
    const edition = { ...wholeEdition(language), hasAccessibility: true };
    const { files, linked } = draftLanguage(edition, []);
    const context = new Context(edition, all, linked, everywhere(language));
    expect(
      tooLargeIn(files.filter(({ at }) => at.row === "frontPage").map((one) => renderDraft(one, context))),
    ).toEqual([]);
  });
});

describe("hostile readings", () => {
  const edition = wholeEdition("en", [
    "daily-horoscope",
    "divine-angel-reading",
    "daily-tarot",
    "past-present-future-reading",
  ]);
  const harmless = skeletons(renderLanguage(withTexts(edition, "harmless"), settings));
  const attacks = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</p></main></body></html>",
    "<!-- ",
    "]]>",
    "{{7*7}}${7*7}<%= 7*7 %>",
    "javascript:alert(1)",
    "\u202Etxet desrever",
    "\u0000\u0001",
    "👩‍👩‍👧‍👦".repeat(40),
    "x".repeat(50_000),
  ];

  test("change no tag and no attribute name: their text stays text", () => {
    // A text of only spaces is no text: the parser leaves it out.
    const texts = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(texts, (text) => {
        expect(skeletons(renderLanguage(withTexts(edition, text), settings))).toEqual(harmless);
      }),
      { examples: attacks.map((text) => [text]), numRuns: attacks.length + (deep ? 40 : 4) },
    );
  });

  test("load pictures only by https", () => {
    const images = ["http://cards.example/x.jpg", "javascript:alert(1)"];
    const unsafe = withReadings(edition, (reading) =>
      "images" in reading ? { ...reading, images } : reading,
    );
    const page = textOf(renderLanguage(unsafe, settings), "en/daily-tarot/index.html");
    expect(page).not.toContain("<img");
    expect(page).not.toContain("javascript:");
  });
});

/** Every paragraph from the declaration of human rights, each used once: no compressor gets help from repetition. */
function longEdition(language: Language): LanguageEdition {
  const prose = heldOutProse(language).filter((text) => text.length < 700);
  const share = (index: number) => prose.slice(index * 6, index * 6 + 6);
  const sections = {
    personal: share(0),
    health: share(1),
    profession: share(2),
    emotions: share(3),
    travel: share(4),
  };
  return withReadings(wholeEdition(language, ["daily-horoscope"]), (reading) =>
    reading.family === "horoscope" ? { ...reading, sections } : reading,
  );
}

/** Every page is in all other languages too. */
function everywhere(language: Language): Alternates {
  const others = new Map(languageNames.map((other) => [other, true]));
  others.delete(language);
  const pages = renderedIn(language).map(({ path }) => path.slice(language.length + 1));
  return new Map(pages.map((page) => [page, others]));
}

function withTexts(edition: LanguageEdition, text: string): LanguageEdition {
  return withReadings(edition, (reading) => replaced(reading, text));
}

/** The reading with all visible texts replaced by this one. */
function replaced(reading: Reading, text: string): Reading {
  const card = <C extends { name: string }>(one: C): C => ({ ...one, name: text });
  switch (reading.family) {
    case "horoscope": {
      const all = [text];
      return {
        ...reading,
        sections: { personal: all, health: all, profession: all, emotions: all, travel: all },
        luck: [
          { label: text, value: text },
          { kind: "numbers", label: text, value: text },
        ],
      };
    }
    case "cards":
      return { ...reading, cards: reading.cards.map((one) => ({ ...card(one), text: [text, text] })) };
    case "tarot":
      return { ...card(reading), category: text, career: [text], love: [text], finance: [text] };
    case "spread": {
      const one = { ...card(reading.past), keywords: [text], summary: [text], advice: [text] };
      return { ...reading, past: one, present: one, future: one };
    }
    default:
      return reading;
  }
}

/** The tags of each page with the names of their attributes, read as a browser would. */
function skeletons(files: readonly RenderedFile[]): Record<string, string> {
  return Object.fromEntries(
    pagesOf(files).map(({ path, html }) => {
      const tags = html.matchAll(/<!--|<[/!]?[a-zA-Z](?:[^"'>]|"[^"]*"|'[^']*')*>/g);
      return [path, [...tags].map(([tag]) => tag.replaceAll(/="[^"]*"/g, "")).join("")];
    }),
  );
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
