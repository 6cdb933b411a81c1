// The counts of `almanac plan --pages`, compared with the pages of published sites.
import { describe, expect, test } from "vitest";
import { countPages, decisions } from "../../insight/page-counts.ts";
import { addDays } from "../../readings/calendar.ts";
import { parsePath } from "../../site/paths.ts";
import { tree } from "../../site/tree.ts";
import { deep } from "../support/deep.ts";
import { indexedSite, isListed } from "../publish/support/indexed-site.ts";
import { newSite, type PublishedSite } from "../publish/support/published-site.ts";

async function countsOf(site: PublishedSite, when: "now" | "afterAYear"): Promise<Map<string, number>> {
  const pages = await countPages(site.publishing, site.publishing.now());
  const counts = pages.flatMap((one) =>
    decisions.map((name) => [`${one.page} ${name}`, one[when][name]] as const),
  );
  return new Map(counts.filter(([, count]) => count > 0));
}

/** The same from the pages themselves. */
async function countedOn(site: PublishedSite): Promise<Map<string, number>> {
  const seen = await indexedSite(site);
  const counts = new Map<string, number>();
  for (const [path, { isNoIndex }] of seen.pages) {
    const at = parsePath(path);
    if (at === undefined || tree[at.row].isListed !== true) continue;
    const name = `${at.row} ${isNoIndex ? "noindex" : isListed(seen, path) ? "listed" : "canonical"}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

describe("the pages of each kind", () => {
  test("are counted now as they are published", async () => {
    const site = newSite({
      languages: ["en", "hi"],
      operations: ["weekly-horoscope", "daily-tarot", "love-compatibility"],
      indexing: [{ pages: ["datedPage"], languages: ["hi"], as: "canonical" }],
    });
    for (const date of ["2026-08-12", "2026-11-18"]) {
      await site.gather(date);
      await site.nights(date, date);
    }
    const counts = await countsOf(site, "now");
    expect(counts).toEqual(await countedOn(site));
    expect(counts.get("datedPage noindex")).toBe(12);
    expect(counts.get("datedPage canonical")).toBe(12 + 24);
  });

  test.runIf(deep)(
    "are counted after a year as they will be published",
    async () => {
      const start = "2026-11-18";
      const operations = [
        "weekly-horoscope",
        "monthly-horoscope",
        "yearly-horoscope",
        "love-compatibility",
      ] as const;
      const site = newSite({ languages: ["en"], operations: [...operations], people: [] });
      const nights = Array.from({ length: 53 }, (_, week) => addDays(start, 7 * week)).concat(
        addDays(start, 365),
      );
      await site.gather(start, addDays(start, 365));
      await site.nights(start, start);
      const foreseen = await countsOf(site, "afterAYear");
      for (const date of nights.sort()) await site.nights(date, date);
      expect(foreseen).toEqual(await countedOn(site));
    },
    600_000,
  );
});
