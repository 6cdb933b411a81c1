import { describe, expect, test } from "vitest";
import { operationNames } from "../../readings/tables.ts";
import { documents, type LanguageDocument } from "../../site/data.schema.ts";
import { renderShared } from "../../site/render.ts";
import type { Expected } from "../../site/language-files.ts";
import { renderedIn, settings, summaryOf, textOf } from "./editions.ts";

const english = summaryOf(renderedIn("en"), "en");
const hindi = summaryOf(renderedIn("hi"), "hi");
const wanted: Expected = { language: "en", zone: "America/New_York", operations: operationNames };

function statusFor(summaries: readonly LanguageDocument[], expected: readonly Expected[]) {
  const files = renderShared(summaries, settings, expected);
  const { languages } = documents.status.parse(JSON.parse(textOf(files, "v1/status.json")));
  return { languages, page: textOf(files, "status/index.html") };
}

describe("a language's status", () => {
  test("shows its newest edition, the time of its publish and of the next one, as instants", () => {
    const { languages, page } = statusFor(
      [english, hindi],
      [
        { ...wanted, language: "hi", operations: [] },
        { ...wanted, publishedAt: "2026-11-21T05:00:30.000Z" },
      ],
    );
    expect(languages).toMatchObject([
      {
        language: "en",
        zone: "America/New_York",
        date: "2026-11-21",
        publishedAt: "2026-11-21T05:00:30.000Z",
        nextAt: "2026-11-22T05:00:00.000Z",
        newest: { "daily-tarot": "2026-11-21" },
        missing: [],
      },
      { language: "hi", date: "2026-11-21", nextAt: "2026-11-21T18:30:00.000Z" },
    ]);
    expect(languages[1]).not.toHaveProperty("publishedAt");
    expect(page).toMatch(/<time datetime="2026-11-21T05:00:30\.000Z">Nov 21, 2026, 5:00\sAM UTC<\/time>/);
    expect(page).toContain('<a href="/hi/">हिन्दी</a>');
  });

  test("lists missing readings, and those still from the previous period", () => {
    const { "wisdom-reading": _none, ...newest } = english.newest;
    const late = {
      ...english,
      newest: { ...newest, "weekly-horoscope": "2026-11-08", "daily-tarot": "2026-11-20" },
    };
    const { languages, page } = statusFor([late], [wanted]);
    expect(languages[0]?.missing).toEqual([
      { operation: "weekly-horoscope", period: "2026-11-15" },
      { operation: "wisdom-reading", period: "2026-11-21" },
      { operation: "daily-tarot", period: "2026-11-21" },
    ]);
    expect(page).toContain("<dd>Weekly horoscope, Wisdom, and Daily tarot</dd>");
  });

  test("shows that there is no edition yet", () => {
    const { languages } = statusFor(
      [english],
      [wanted, { ...wanted, language: "gu", zone: "Asia/Kolkata", operations: ["ex-flame-reading"] }],
    );
    expect(languages[1]).toEqual({
      language: "gu",
      zone: "Asia/Kolkata",
      newest: {},
      missing: [{ operation: "ex-flame-reading" }],
    });
  });
});
