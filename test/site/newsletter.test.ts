import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { type Language, languagesOf, signs } from "../../readings/tables.ts";
import type { HoroscopeReading } from "../../readings/reading.schema.ts";
import { signNames } from "../../readings/sign-names.ts";
import { Context, pathsOf, renderDrafts } from "../../site/context.ts";
import { factsOf } from "../../site/data.ts";
import { newsletterDrafts, wrapped } from "../../site/newsletter/newsletter.ts";
import { documents } from "../../site/data.schema.ts";
import { labelsIn } from "../../site/labels.ts";
import { harmless, unsubscribeSlot } from "../../site/newsletter/newsletter-content.ts";
import type { LanguageEdition, RenderedFile } from "../../site/edition.ts";
import { anyText } from "../support/any-text.ts";
import { deep } from "../support/deep.ts";
import { heldOutProse } from "../support/prose.ts";
import {
  renderedIn,
  settings,
  textOf,
  wholeEdition,
  withReadings,
  withoutLeo,
  renderLanguage,
} from "./editions.ts";
import { languageOfEachScript } from "./kinds.ts";
import { type Element, readXml } from "./xml.ts";

const languagesWithNewsletters = languagesOf("daily-horoscope");
const of = (language: Language, rest: string) => `${language}/newsletter/2026-11-21${rest}`;

function newslettersIn(files: readonly RenderedFile[], format: "html" | "txt" | "json"): RenderedFile[] {
  return files.filter(({ path }) => path.includes("/newsletter/") && path.endsWith(`.${format}`));
}

type Reader = "outlook" | "others";

/** Each language's newsletters are read once for all checks. */
const read = new Map<string, Element[]>();

/** A letter's elements: as Outlook takes them, which reads what stands in its comments, or as all others do. */
function elementsOf(html: string, reader: Reader): Element[] {
  const known = read.get(reader + html) ?? elementsIn(html, reader);
  read.set(reader + html, known);
  return known;
}

function elementsIn(html: string, reader: Reader): Element[] {
  const comments = reader === "outlook" ? /<!--\[if mso\]>|<!\[endif\]-->/g : /<!--.*?-->/gs;
  const xml = html.replace("<!doctype html>", "").replaceAll(comments, "").replaceAll("&nbsp;", "\u00A0");
  return inside(readXml(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`));
}

function inside(element: Element): Element[] {
  return [element, ...element.children.flatMap(inside)];
}

/** The text of an element with all that is in it, as far as its length goes. */
function textIn(element: Element): string {
  return element.text + element.children.map(textIn).join("");
}

function sizeOf(newsletters: readonly RenderedFile[]): number {
  return Math.max(...newsletters.map(({ bytes }) => bytes.length));
}

function withHoroscopes(
  edition: LanguageEdition,
  change: (reading: HoroscopeReading) => HoroscopeReading,
): LanguageEdition {
  return withReadings(edition, (reading) => (reading.family === "horoscope" ? change(reading) : reading));
}

function withText(edition: LanguageEdition, text: string): LanguageEdition {
  const all = [text];
  const sections = { personal: all, health: all, profession: all, emotions: all, travel: all };
  const luck = [{ label: text, value: text }, ...(["numbers", "singles"] as const).map(lineOf)];
  function lineOf(kind: "numbers" | "singles") {
    return { kind, label: text, value: text };
  }
  return withReadings(edition, (reading) => ({ ...reading, sections, luck }));
}

/** Six paragraphs of real prose in each section: several times the service's longest texts. */
function longEdition(language: Language): LanguageEdition {
  const prose = heldOutProse(language).filter((text) => text.length < 700);
  const share = (at: number) =>
    Array.from({ length: 6 }, (_, index) => prose[(at * 6 + index) % prose.length] ?? "");
  return withHoroscopes(wholeEdition(language, ["daily-horoscope"]), (reading) => {
    const at = signs.indexOf(reading.sign);
    const sections = {
      personal: share(at),
      health: share(at + 1),
      profession: share(at + 2),
      emotions: share(at + 3),
      travel: share(at + 4),
    };
    return { ...reading, sections };
  });
}

/** Only today: one newsletter of 13. */
function dayOf(edition: LanguageEdition): LanguageEdition {
  return { ...edition, sets: edition.sets.filter(({ current }) => current) };
}

const allowed = new Set("html head meta title style body span table tr td p h1 h2 a b br".split(" "));

describe.each(languagesWithNewsletters)("the newsletter in %s", (language) => {
  const files = renderLanguage(dayOf(wholeEdition(language, ["daily-horoscope"])), settings);
  // Long texts in one language of each script, with test:deep in all.
  const isTriedLong = deep || languageOfEachScript.includes(language);
  const long = isTriedLong ? renderLanguage(dayOf(longEdition(language)), settings) : files;
  const both = new Set([...files, ...long]);
  afterAll(() => read.clear());

  test("is small enough for every mail program, however long the texts are", () => {
    for (const newsletters of [newslettersIn(files, "html"), newslettersIn(long, "html")]) {
      expect(newsletters.length).toBe(13);
      expect(sizeOf(newsletters)).toBeLessThanOrEqual(90_000);
    }
  });

  test("has of each text at least 60 letters, and a link to the rest", () => {
    for (const rendered of new Set([files, long])) {
      const elements = elementsOf(textOf(rendered, of(language, ".html")), "others");
      const texts = elements.filter(
        ({ name, children }) => name === "p" && children[0]?.name === "b" && children.length === 1,
      );
      expect(texts).toHaveLength(60);
      for (const { text } of texts) expect(text.trim().length).toBeGreaterThanOrEqual(60);
      const links = elements.filter(({ name }) => name === "a").map(({ attributes }) => attributes["href"]);
      for (const sign of signs)
        expect(links.filter((link) => link?.endsWith(`/${language}/daily/${sign}/2026-11-21/`))).toHaveLength(
          2,
        );
    }
  });

  test("is made of tables that are no data, one a sign, none higher than Outlook's page", () => {
    for (const { path, bytes } of newslettersIn([...both], "html")) {
      const html = new TextDecoder().decode(bytes);
      const tables = elementsOf(html, "outlook").filter(({ name }) => name === "table");
      expect([path, tables.every(({ attributes }) => attributes["role"] === "presentation")]).toEqual([
        path,
        true,
      ]);
      const strips = elementsOf(html, "others").filter(({ attributes }) => attributes["class"] === "p");
      // The first is the body. What so many letters take in a browser was measured: 1,500 px at most.
      for (const strip of strips.slice(1)) {
        expect([path, textIn(strip).length < 2300]).toEqual([path, true]);
        expect(strip.attributes).toMatchObject({ lang: language, dir: language === "ar" ? "rtl" : "ltr" });
      }
      if (path === of(language, ".html")) expect(strips).toHaveLength(1 + 2 + 12 + 1);
    }
  });

  test("has no script, no picture, no external resource, and its styles inline", () => {
    for (const { path, bytes } of newslettersIn([...both], "html")) {
      const html = new TextDecoder().decode(bytes);
      expect(/url\(|@import|@font-face|javascript:|<div|<img|<link|<script/i.exec(html)).toBeNull();
      const elements = elementsOf(html, "outlook");
      expect([path, elements.filter(({ name }) => !allowed.has(name))]).toEqual([path, []]);
      const active = /^(?:on|src|background|srcset|action|id)/;
      const keys = elements.flatMap(({ attributes }) => Object.keys(attributes));
      expect([path, keys.filter((key) => active.test(key))]).toEqual([path, []]);
      const links = elements.filter(({ name }) => name === "a").map(({ attributes }) => attributes["href"]);
      const own = /^https:\/\/almanac\.example\/|^\{\{unsubscribe\}\}$/;
      expect([path, links.filter((link) => !own.test(link ?? ""))]).toEqual([path, []]);
      const cells = elementsOf(html, "others").filter(({ attributes }) => attributes["class"] === "t r");
      for (const { attributes } of cells)
        expect(attributes["style"]).toMatch(/font-family:.*line-height:\d+px;color:#/);
      expect(html).toContain('<meta name="color-scheme" content="light dark" />');
    }
  });

  test("prints no time of day: a reader learns nothing from the minute of receipt", () => {
    for (const format of ["html", "txt"] as const)
      for (const { path, bytes } of newslettersIn([...both], format))
        expect([
          path,
          /\b\d{1,2}[:.]\d{2}\b(?!\.)/.exec(new TextDecoder().decode(bytes).replaceAll(/style="[^"]*"/g, "")),
        ]).toEqual([path, null]);
  });

  test("has one unsubscribe placeholder in each form, and no others", () => {
    for (const format of ["html", "txt"] as const) {
      const newsletters = newslettersIn(files, format);
      expect(newsletters).toHaveLength(13);
      for (const { path, bytes } of newsletters) {
        const [before, after, ...more] = new TextDecoder().decode(bytes).split(unsubscribeSlot);
        expect([path, more.length]).toEqual([path, 0]);
        expect([path, tagIn(`${before}${after}`)]).toEqual([path, undefined]);
      }
    }
    expect(textOf(files, of(language, ".html"))).toContain(labelsIn(language).unsubscribe);
  });

  test("says the same as text: every sign, every word, in lines that any mailbox shows", () => {
    const squeezed = (text: string) => text.replaceAll(/\s+/g, "");
    for (const rest of ["", "/leo"]) {
      const text = textOf(files, of(language, `${rest}.txt`));
      const whole = squeezed(text);
      for (const sign of rest === "" ? signs : (["leo"] as const))
        expect(text).toContain(`${signNames[language][sign]} (`);
      const elements = elementsOf(textOf(files, of(language, `${rest}.html`)), "others");
      for (const { text: words, ...one } of elements) {
        // But for the line of luck, which in the text is several.
        if (one.name !== "p" || one.children.length > 1) continue;
        expect([words, whole.includes(squeezed(words))]).toEqual([words, true]);
      }
      for (const line of text.split("\n"))
        expect(line.replaceAll(/\p{M}/gu, "").length <= 72 || line.startsWith("https://"), line).toBe(true);
      expect(/<[a-z/!]|&[a-z]+;/i.exec(text)).toBeNull();
    }
  });

  test("as data has what a mailbox shows, and leads to files that are there", () => {
    const newsletter = documents.newsletter.parse(JSON.parse(textOf(files, of(language, ".json"))));
    const there = new Set(files.map(({ path }) => `https://almanac.example/${path}`));
    const all = [newsletter, ...Object.values(newsletter.signs)];
    expect(all).toHaveLength(13);
    for (const { subject, preheader, html, text } of all) {
      expect([there.has(html), there.has(text)]).toEqual([true, true]);
      const path = html.slice("https://almanac.example/".length);
      const head = elementsOf(textOf(files, path), "others").find(({ name }) => name === "title");
      expect(head?.text.trim()).toBe(subject);
      const shown = elementsOf(textOf(files, path), "others").find(({ name }) => name === "span");
      expect(shown?.text.trim()).toBe(preheader);
      expect(preheader.length).toBeLessThanOrEqual(140);
      expect(subject.length).toBeLessThanOrEqual(78);
    }
    expect(newsletter).toMatchObject({ language, date: "2026-11-21", unsubscribe: unsubscribeSlot });
    expect(newsletter).not.toHaveProperty("withdrawn");
  });
});

test("no newsletter is rendered where there is no daily horoscope", () => {
  expect(renderedIn("gu").filter(({ path }) => path.includes("newsletter"))).toEqual([]);
  const weekly = renderLanguage(wholeEdition("en", ["weekly-horoscope"]), settings);
  expect(weekly.filter(({ path }) => path.includes("/newsletter/"))).toEqual([]);
});

test("a day's newsletter is identical, to the byte, whenever it is rendered again", () => {
  const edition = wholeEdition("en", ["daily-horoscope"]);
  const then = newslettersOf(renderLanguage(edition, settings));
  const sets = edition.sets.map((set) => ({ ...set, current: false }));
  const later = renderLanguage({ pastAlone: true, ...edition, date: "2027-03-01", sets }, settings, [
    "en/daily/leo/feed.xml",
  ]);
  expect(newslettersOf(later)).toEqual(then);
  expect(then.size).toBe(2 * 27);
});

function newslettersOf(files: readonly RenderedFile[]): Map<string, string> {
  const newsletters = files.filter(({ path }) => path.includes("/newsletter/"));
  return new Map(newsletters.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));
}

test("a withdrawn sign is missing from its day's newsletter, and the data name it", () => {
  const edition = wholeEdition("ar", ["daily-horoscope"]);
  const [today, ...before] = edition.sets;
  if (today === undefined) throw new Error("no set");
  const sets = [withoutLeo(today), ...before];
  const newsletters = newslettersOf(renderLanguage({ ...edition, sets }, settings));
  expect([...newsletters.keys()].filter((path) => path.includes("leo"))).toEqual([
    "ar/newsletter/2026-11-20/leo.html",
    "ar/newsletter/2026-11-20/leo.txt",
  ]);
  for (const format of [".html", ".txt"])
    expect(newsletters.get(of("ar", format))).not.toContain(signNames.ar.leo);
  const newsletter = documents.newsletter.parse(JSON.parse(newsletters.get(of("ar", ".json")) ?? ""));
  expect(newsletter.withdrawn).toEqual(["leo"]);
  expect(Object.keys(newsletter.signs)).toHaveLength(11);
});

/** Patterns that mail services treat as merge tags. */
const tag =
  /\{\{|\}\}|\{%|%\}|\{#|#\}|<%|%>|\*\||\|\*|\[\[|\]\]|\[%|%\]|%%|\$\{|##|%[\p{L}_]|\{[\p{L}_]|\[(?!if mso|endif)[\p{L}_]/u;

/** The style block has single braces, but no double ones. */
function tagIn(newsletter: string): string | undefined {
  const [style = ""] = /<style>.*?<\/style>/s.exec(newsletter) ?? [];
  return (/\{\{|\}\}|\{%|\{#/.exec(style) ?? tag.exec(newsletter.replace(style, "")))?.[0];
}

/** The day's newsletter without pages, which need not be rendered fifty times. */
function onlyNewsletters({ language, sets, ...home }: LanguageEdition): RenderedFile[] {
  const [set] = sets;
  if (set === undefined) return [];
  const received = set.readings.flatMap(({ reading, receivedAt }) =>
    reading.family === "horoscope" ? [{ reading, receivedAt }] : [],
  );
  const facts = factsOf(set);
  const drafts = newsletterDrafts({ language, date: set.period, received, withdrawn: [], facts });
  return renderDrafts(drafts, new Context({ language, ...home }, settings, pathsOf(drafts)));
}

const tagPieces = fc.array(
  fc.oneof(
    fc.constantFrom(..."{ } [ ] < > % * | $ # @ ~ ^ -".split(" "), " ", "\n"),
    fc.constantFrom(
      "name",
      "recipient",
      "UNSUB",
      "{{",
      "}}",
      "*|",
      "|*",
      "<%",
      "%>",
      "unsubscribe",
      "अ",
      "字",
    ),
  ),
  { minLength: 1, maxLength: 20 },
);

describe("a reading's text", () => {
  test("is never mistaken for a merge tag, whatever its characters", () => {
    fc.assert(
      fc.property(tagPieces, (pieces) => {
        const text = harmless(pieces.join(""));
        expect(text).not.toMatch(tag);
        // Nothing visible is lost.
        expect(text.replaceAll("\u2060", "")).toBe(pieces.join("").replaceAll(/\s+/g, " ").trim());
      }),
      { numRuns: 3000 },
    );
  });

  test("without tag characters stays unchanged", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\p{L}\p{N}.,:;!?()'"&-]*$/u), (text) => {
        expect(harmless(text)).toBe(text);
      }),
    );
    expect(harmless("Give 100% today, and 20 % more.")).toBe("Give 100% today, and 20 % more.");
  });

  const edition = wholeEdition("en", ["daily-horoscope"]);
  const hostile = fc.oneof(
    tagPieces.map((pieces) => pieces.join("")),
    anyText({ minLength: 1 }),
    fc.constantFrom(
      "{{x}}",
      "{{unsubscribe}}",
      "*|UNSUB|*",
      "%recipient%",
      "<% system %>",
      "${7*7}",
      "[[data:name]]",
      "%%emailaddr%%",
      "<script>alert(1)</script>",
      '"><img src=x onerror=alert(1)>',
      "</td></tr></table><!--",
      "--><![endif]-->",
      "\u202Etxet desrever",
      "\u0000\u0007\r\n.\r\nBcc: all@example.org",
      "\uD83D",
      "x".repeat(50_000),
      '"'.repeat(50_000),
      "\u{1F469}\u200D\u{1F469}\u200D\u{1F467} ".repeat(2000),
    ),
  );

  test("that takes six bytes a character is shortened until the newsletter fits", () => {
    const files = onlyNewsletters(withText(edition, '"'.repeat(50_000)));
    expect(sizeOf(newslettersIn(files, "html"))).toBeLessThanOrEqual(90_000);
  });

  test("never escapes an element, contains a tag or makes a newsletter too large", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(hostile, (text) => {
        const files = onlyNewsletters(withText(edition, text));
        for (const rest of ["", "/leo"]) {
          const html = textOf(files, of("en", `${rest}.html`));
          const words = textOf(files, of("en", `${rest}.txt`));
          for (const { name, attributes } of elementsOf(html, "outlook")) {
            expect(allowed.has(name)).toBe(true);
            for (const key of Object.keys(attributes)) seen.add(key);
          }
          expect(elementsOf(html, "others").filter(({ name }) => name === "a").length).toBeGreaterThan(1);
          for (const newsletter of [html, words])
            expect(tagIn(newsletter.replace(unsubscribeSlot, ""))).toBeUndefined();
          expect(/[\u0000-\u0009\u000B-\u001F\u202A-\u202E\u2066-\u2069]/.exec(words)).toBeNull();
          expect(Math.max(...words.split("\n").map((line) => Buffer.byteLength(line)))).toBeLessThan(998);
        }
        expect(sizeOf(newslettersIn(files, "html"))).toBeLessThanOrEqual(90_000);
      }),
      { numRuns: deep ? 40 : 12 },
    );
    const own =
      "align bgcolor border cellpadding cellspacing charset class content dir height href lang name role style width";
    expect([...seen].sort()).toEqual(own.split(" "));
  });
});

test("a very long paragraph continues in the next table, without losing a word", () => {
  for (const sentence of ["Today is good. ", "今天很好。", "good", "\u{1F469}"]) {
    const text = sentence.repeat(3900 / sentence.length).trim();
    const html = textOf(
      onlyNewsletters(withText(wholeEdition("zh", ["daily-horoscope"]), text)),
      of("zh", "/leo.html"),
    );
    const strips = elementsOf(html, "others").filter(({ attributes }) => attributes["class"] === "p");
    const lengths = strips.slice(1).map((strip) => textIn(strip).length);
    expect(lengths.filter((length) => length > 3000)).toEqual([]);
    expect(html.split(text.slice(0, 8)).length).toBeGreaterThan(15);
    const parts = elementsOf(html, "others").filter(
      ({ name, children }) => name === "p" && children.length === 0,
    );
    const words = parts
      .map((part) => part.text.trim())
      .join("")
      .replaceAll(" ", "");
    expect(words).toContain(text.replaceAll(" ", ""));
    expect(words.isWellFormed()).toBe(true);
  }
});

describe("a text is broken into lines", () => {
  test("between words, and where a script has none, not before the marks that close", () => {
    expect(wrapped("one two ".repeat(12).trim())).toEqual([
      "one two one two one two one two one two one two one two one two one two",
      "one two one two one two",
    ]);
    const lines = wrapped("今天很好。明天也会很好，后天更好；".repeat(6));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      expect(line).not.toMatch(/^[、。，；]/);
      expect(line.length).toBeLessThanOrEqual(37);
    }
  });

  test("without losing a letter, and never within one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
        const lines = wrapped(text);
        expect(lines.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
        expect(lines.every((line) => line.isWellFormed()) || !text.isWellFormed()).toBe(true);
      }),
    );
  });
});
