// The archive's pages on a published site: every dated page can be reached, whatever came, went or was left out.
import { describe, expect, test } from "vitest";
import { merge } from "../../publish/render/merged-state.ts";
import { renderArchive } from "../../publish/archive.ts";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { publish } from "../../publish/publish.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { bringBack, withdraw } from "../../publish/withdraw.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { addDays } from "../../readings/calendar.ts";
import { documents } from "../../site/data.schema.ts";
import { linksIn, newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";
import { watched } from "../support/stores.ts";
import { commitOn } from "./support/commit-on.ts";

const configuration: ConfigurationInput = {
  languages: ["en"],
  operations: ["daily-horoscope", "weekly-horoscope", "monthly-horoscope", "yearly-horoscope"],
};

async function nights(site: PublishedSite, from: string, to: string): Promise<void> {
  for (let night = from; night <= to; night = addDays(night, 1)) {
    site.setClock(`${night}T12:00:00Z`);
    await site.gather(night);
    await site.night();
  }
}

/** Dated pages that are unreachable from Leo's front pages through the archive only. */
async function unreachable(site: PublishedSite): Promise<string[]> {
  const all = [...(await site.paths()).keys()];
  const dated = all.filter((path) => /^en\/(?:daily|weekly|monthly|yearly)\/leo\/\d/.test(path));
  const fronts = ["en/daily/leo/index.html", "en/yearly/leo/index.html"];
  const seen = new Set(fronts.filter((path) => all.includes(path)));
  for (const path of seen) {
    if (dated.includes(path)) continue;
    const links = linksIn(await site.text(path));
    for (const link of links) if (link.startsWith("en/archive/leo/") || dated.includes(link)) seen.add(link);
  }
  return dated.filter((path) => !seen.has(path));
}

async function expectRight(site: PublishedSite): Promise<void> {
  expect(await unreachable(site)).toEqual([]);
  expect(await site.deadLinks()).toEqual([]);
}

describe("links from the archive reach every dated page", () => {
  test("over a month's end, and over months without any", async () => {
    const site = newSite(configuration);
    await nights(site, "2026-09-29", "2026-10-01");
    await expectRight(site);
    await nights(site, "2026-12-30", "2027-01-02");
    await expectRight(site);
    const january = await site.text("en/archive/leo/2027-01/index.html");
    expect(january).toContain('rel="prev" href="/en/archive/leo/2026-12/"');
    const version = await site.night();
    expect(await site.night()).toBe(version);
  });

  test("even if a month between is added late", async () => {
    const site = newSite(configuration);
    await nights(site, "2026-09-10", "2026-09-10");
    await nights(site, "2026-11-20", "2026-11-20");
    await site.gather("2026-10-05", "2026-10-06");
    await renderArchive(
      { languages: ["en"], dates: { from: "2026-10-01" }, evenMany: true },
      site.publishing,
    );
    await expectRight(site);
    expect(await site.text("en/archive/leo/2026-09/index.html")).toContain('href="/en/archive/leo/2026-10/"');
  });

  test("except withdrawn and rolled back ones, and again to the byte when they return", async () => {
    const site = newSite(configuration);
    await nights(site, "2026-11-18", "2026-11-21");
    const before = await site.paths();
    const key = "daily/2026-11-19/en/daily-horoscope/leo";
    await withdraw(recordOf(key), requestAt(key), site.publishing);
    await expectRight(site);
    expect(await site.text("en/archive/leo/2026-11/index.html")).not.toContain("2026-11-19");
    expect(await site.text("en/archive/aries/2026-11/index.html")).toContain("2026-11-19");
    await bringBack(requestAt(key), { by: "editor" }, site.publishing);
    expect(await site.paths()).toEqual(before);
    const { site: store, now } = site.publishing;
    const to = await chooseState("2", { site: store, now: now(), keepDays: 30 });
    await rollback({ to, evenMany: true, by: { by: "editor" } }, site.publishing);
    await expectRight(site);
    expect(await site.text("en/archive/leo/2026-11/index.html")).not.toContain("2026-11-20");
  });

  test("even for operations that are no longer configured", async () => {
    const site = newSite(configuration);
    await nights(site, "2026-11-20", "2026-11-21");
    const without = site.with({ operations: ["weekly-horoscope"] });
    site.setClock("2026-11-22T12:00:00Z");
    await without.gather("2026-11-22");
    await without.night();
    expect(await site.text("en/archive/leo/2026-11/index.html")).toContain("/en/daily/leo/2026-11-20/");
    expect((await site.deadLinks()).filter((link) => link.startsWith("en/archive/"))).toEqual([]);
  });

  test("on a site published before the archive existed, from its next night on", async () => {
    const site = newSite({ ...configuration, operations: ["daily-horoscope", "daily-tarot"] });
    for (const night of ["2026-08-31", "2026-10-05", "2026-11-19"]) await nights(site, night, night);
    const before = await site.paths();
    const later = [...before.keys()].filter((path) =>
      /\/(?:archive|decks)\/|^status\/|status\.json$/.test(path),
    );
    expect(later.length).toBeGreaterThan(36);
    const by = { run: "earlier", asOf: "2026-11-19T12:00:00.000Z" };
    await commitOn(site.publishing, by, (base, reader) => merge(base?.manifest, [], later, reader));
    await nights(site, "2026-11-20", "2026-11-20");
    await expectRight(site);
    const after = await site.paths();
    expect(later.filter((path) => !after.has(path))).toEqual([]);
    const { cards } = documents.deck.parse(await site.json("v1/en/decks/daily-tarot.json"));
    expect(cards.map(({ first }) => first)).toContain("2026-08-31");
  });

  test("at a cost that is independent of the number of months", async () => {
    const reads: number[] = [];
    for (const from of ["2026-10-30", "2026-04-30"]) {
      const site = newSite({ ...configuration, operations: ["daily-horoscope"] });
      for (let night = from; night < "2026-11-19"; night = addDays(night, 21))
        await nights(site, night, night);
      await nights(site, "2026-11-19", "2026-11-20");
      let count = 0;
      const store = watched(site.site, (call) => {
        if (call === "read") count += 1;
      });
      site.setClock("2026-11-21T12:00:00Z");
      await site.gather("2026-11-21");
      const asOf = "2026-11-21T12:00:00.000Z";
      await publish({ run: "night", asOf, languages: ["en"] }, { ...site.publishing, site: store });
      reads.push(count);
      await expectRight(site);
    }
    expect(reads[1]).toBe(reads[0]);
  });
});
