// Horoscopes that are no longer configured. Their dated pages stay, bookmarks and newsletters still lead to their current pages,
// and no link of the site may lead to a missing page.
import { describe, expect, test } from "vitest";
import { withdraw } from "../../publish/withdraw.ts";
import { configured, newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";
import { contentOf } from "../support/stores.ts";

const { operations } = configured;

/** Two days with everything, then a night without one operation. */
async function without(...dropped: readonly (typeof operations)[number][]): Promise<PublishedSite> {
  const site = newSite({ languages: ["en"] });
  await site.gather("2026-11-19", "2026-11-22");
  await site.nights("2026-11-20", "2026-11-21");
  const left = site.with({ operations: operations.filter((one) => !dropped.includes(one)) });
  await left.nights("2026-11-22", "2026-11-22");
  return left;
}

const canonical = (page: string) => /<link rel="canonical" href="([^"]+)"/.exec(page)?.[1];

describe("an operation that is no longer configured", () => {
  test.each(operations)("leaves no dead link: %s", async (operation) => {
    const site = await without(operation);
    expect(await site.deadLinks()).toEqual([]);
    const before = await contentOf(site.site);
    await site.night();
    expect(await contentOf(site.site)).toEqual(before);
  });

  test("keeps its URLs, which lead to the archive and are not indexed", async () => {
    const site = await without("weekly-horoscope");
    const page = await site.text("en/weekly/leo/index.html");
    expect(page).toContain('href="/en/archive/leo/2026-11/"');
    expect(page).toContain('<meta name="robots" content="noindex, follow"');
    expect(page).not.toContain("<section>");
    expect(await site.text("en/sitemap.xml")).not.toContain("/en/weekly/");
    expect(await site.text("en/daily/leo/index.html")).not.toContain("/en/weekly/leo/");
    const last = "en/weekly/leo/2026-11-15/index.html";
    expect(canonical(await site.text(last))).toBe("https://almanac.example/en/weekly/leo/2026-11-15/");
    expect(await site.text("en/sitemap-2026-11.xml")).toContain("/en/weekly/leo/2026-11-15/");
    expect((await site.paths()).has("v1/en/weekly/latest.json")).toBe(false);
  });

  test("keeps its feeds, empty", async () => {
    const site = await without("daily-horoscope");
    for (const path of ["en/feed.json", "en/daily/leo/feed.json"])
      expect(await site.json(path)).toMatchObject({ items: [] });
    expect(await site.text("en/daily/leo/feed.xml")).not.toContain("<item>");
  });

  test("shows no text that is withdrawn afterwards", async () => {
    const site = newSite({ languages: ["en"] });
    const key = "daily/2026-11-21/en/daily-horoscope/leo";
    await site.gather("2026-11-20", "2026-11-22");
    await site.keep(key, "Unmistakable words.");
    await site.nights("2026-11-20", "2026-11-21");
    const left = site.with({ operations: ["weekly-horoscope", "daily-tarot"] });
    await left.nights("2026-11-22", "2026-11-22");
    await withdraw(recordOf(key), requestAt(key), left.publishing);
    expect(await left.filesWith("Unmistakable words.")).toEqual([]);
    expect(await left.deadLinks()).toEqual([]);
  });

  test("returns as soon as it is configured again", async () => {
    const site = await without("weekly-horoscope");
    const again = site.with({ operations });
    await again.nights("2026-11-22", "2026-11-22");
    expect(await again.text("en/weekly/leo/index.html")).toContain("<section>");
    expect(await again.text("en/sitemap.xml")).toContain("/en/weekly/leo/");
    expect(await again.deadLinks()).toEqual([]);
  });
});
