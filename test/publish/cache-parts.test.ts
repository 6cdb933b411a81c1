import fc from "fast-check";
import { expect, test } from "vitest";
import { languageNames } from "../../readings/tables.ts";
import { cacheTags, foldedParts, mostParts, partOf, projectedHeaders } from "../../publish/state/headers.ts";
import { renderShared } from "../../site/render.ts";
import { renderedIn, settings, summaryOf } from "../site/editions.ts";

test("a file has the tags of its site, its language and its set", () => {
  expect(cacheTags("stars", "en/daily/leo/index.html")).toEqual([
    "stars",
    "stars.en",
    "stars.en.daily-horoscope",
  ]);
  expect(cacheTags("stars", "v1/en/daily/2026-11-21/leo.json").at(-1)).toBe(
    "stars.en.daily-horoscope.2026-11-21",
  );
  expect(cacheTags("stars", "en/feed.xml").at(-1)).toBe("stars.en.daily-horoscope");
  expect(cacheTags("stars", "en/newsletter/2026-11-21.txt").at(-1)).toBe(
    "stars.en.daily-horoscope.2026-11-21",
  );
  expect(cacheTags("stars", "hi/daily-tarot/index.html").at(-1)).toBe("stars.hi.daily-tarot");
  expect(cacheTags("stars", "hi/index.html")).toEqual(["stars", "stars.hi", "stars.hi.front"]);
  expect(cacheTags("stars", "sitemap.xml")).toEqual(["stars", "stars.shared"]);
  expect(cacheTags("stars", "assets/almanac.js")).toEqual(["stars", "stars.own"]);
});

test("a file named by its hash has no tags, because it never changes", () => {
  const path = `assets/theme/${"a".repeat(64)}.css`;
  expect(partOf(path)).toBeUndefined();
  expect(projectedHeaders("text/css", path, "stars")).not.toHaveProperty("tags");
});

test("every file of a whole language has tags that CloudFront and Cloudflare take", () => {
  const shared = renderShared([summaryOf(renderedIn("en"), "en")], settings);
  for (const { path, type } of [...renderedIn("en"), ...shared]) {
    const { tags = [] } = projectedHeaders(type, path, "almanac");
    expect(tags.length, path).toBeGreaterThan(1);
    for (const tag of tags) expect(tag, path).toMatch(/^[a-z0-9.-]{1,256}$/);
  }
});

test("a night of 26 languages has 27 parts, because each language changes more than two sets", () => {
  const paths = languageNames.flatMap((language) =>
    ["daily", "weekly", "monthly"].map((kind) => `${language}/${kind}/leo/index.html`),
  );
  const parts = foldedParts([...paths, "index.html"].flatMap((path) => partOf(path) ?? []));
  expect(parts).toEqual([...languageNames, "shared"].sort());
});

test("two changed sets are notified as sets, a third makes it the whole language", () => {
  expect(foldedParts(["en.daily-horoscope", "en.front", "en.daily-tarot"])).toHaveLength(3);
  expect(foldedParts(["en.daily-horoscope", "en.daily-tarot", "en.front", "en.weekly-horoscope"])).toEqual([
    "en",
  ]);
  expect(foldedParts(["en", "en.daily-horoscope", "hi.daily-tarot"])).toEqual(["en", "hi.daily-tarot"]);
});

test("at most 60 parts are notified, each part is in one of them, and folding again changes nothing", () => {
  const operation = fc.constantFrom(
    "daily-horoscope",
    "daily-tarot",
    "front",
    "love-compatibility",
    "x.2026-11-21",
  );
  const part = fc.oneof(
    fc.constantFrom("shared", "own", ...languageNames),
    fc.tuple(fc.constantFrom(...languageNames), operation).map((both) => both.join(".")),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 300, size: "max" }), (parts) => {
      const folded = foldedParts(parts);
      expect(folded.length).toBeLessThanOrEqual(mostParts);
      for (const one of parts)
        expect(
          folded.some((wider) => wider === one || one.startsWith(`${wider}.`)),
          one,
        ).toBe(true);
      expect(foldedParts(folded)).toEqual(folded);
    }),
  );
});
