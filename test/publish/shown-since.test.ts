// The time at which readers first see each text: in feeds, sitemaps, pages and data, and across changes.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { renderArchive } from "../../publish/archive.ts";
import { publishDue } from "../../publish/publish.ts";
import { withdraw } from "../../publish/withdraw.ts";
import { createVault } from "../../vault/vault.ts";
import { openMemory } from "../support/memory.ts";
import type { Store } from "../../store/store.ts";
import { contentOf, inMemory, keysOf, type Stores, textAt, watched } from "../support/stores.ts";
import { recordDecision } from "../../vault/journal.ts";
import {
  acceptanceOf,
  configured,
  newSite,
  type PublishedSite,
  recordOf,
  requestAt,
} from "./support/published-site.ts";

const leo = "daily/2026-11-24/en/daily-horoscope/leo";
/** New York's midnight, and the publish that first shows the day's texts. */
const midnight = "2026-11-24T05:00:00.000Z";
const publishedAt = "2026-11-24T05:07:11.300Z";
const shown = "2026-11-24T05:07:12.000Z";

/** English, published on the day before; the publish after midnight is still to come. */
async function onTheEve(more = {}, stores: Stores = inMemory()): Promise<PublishedSite> {
  const site = newSite({ languages: ["en"], ...more }, stores);
  await site.gather("2026-11-22", "2026-11-25");
  await site.nights("2026-11-23", "2026-11-23");
  return site;
}

async function afterMidnight(more = {}, stores: Stores = inMemory()): Promise<PublishedSite> {
  const site = await onTheEve(more, stores);
  site.setClock(publishedAt);
  await site.publishDue();
  return site;
}

const dates = z.object({ shownFrom: z.string(), receivedAt: z.string() });

async function shownFromOf(site: PublishedSite, path: string): Promise<string> {
  return dates.parse(await site.json(path)).shownFrom;
}

const leoData = "v1/en/daily/2026-11-24/leo.json";
const ariesData = "v1/en/daily/2026-11-24/aries.json";

/** All times of a sign's text of the 24th, each from its own file. */
async function saidOf(site: PublishedSite, sign: string): Promise<string[]> {
  const feed = z
    .object({ items: z.array(z.object({ date_published: z.string(), date_modified: z.string() })) })
    .parse(await site.json(`en/daily/${sign}/feed.json`));
  const rss = await site.text(`en/daily/${sign}/feed.xml`);
  const page = await site.text(`en/daily/${sign}/index.html`);
  const sitemap = await site.text("en/sitemap.xml");
  const listed = new RegExp(`/en/daily/${sign}/</loc><lastmod>([^<]+)`);
  return [
    await shownFromOf(site, `v1/en/daily/2026-11-24/${sign}.json`),
    ...feed.items.flatMap(({ date_published, date_modified }) => [date_published, date_modified]),
    ...[...rss.matchAll(/<(?:pubDate|lastBuildDate)>([^<]+)/g)].map(([, at = ""]) =>
      new Date(at).toISOString(),
    ),
    /"datePublished":"([^"]+)"/.exec(page)?.[1] ?? "none",
    listed.exec(sitemap)?.[1] ?? "none",
  ];
}

test("every file that dates a text says when readers first see it, in whole seconds and never too early", async () => {
  const site = await afterMidnight();
  expect(await saidOf(site, "leo")).toEqual(Array.from({ length: 7 }, () => shown));
  expect(await site.json("v1/en/daily/latest.json")).toMatchObject({
    shownFrom: shown,
    receivedAt: "2026-11-19T08:05:17.000Z",
    validFrom: midnight,
  });
  expect(await shownFromOf(site, "v1/en/daily-tarot/2026-11-24.json")).toBe(shown);
  expect(await shownFromOf(site, "v1/en/index.json")).toBe(shown);
  // The week's text was shown before, and stays as old as it is.
  expect(await shownFromOf(site, "v1/en/weekly/latest.json")).toBe("2026-11-23T12:00:00.000Z");
});

test("a corrected text counts from its correction, and the others of its set as before", async () => {
  const site = await afterMidnight();
  await site.keep(leo, "Corrected:");
  await recordDecision(site.publishing.vault.own, acceptanceOf(leo));
  site.setClock("2026-11-24T09:30:00Z");
  await site.publishDue();
  expect(await site.text("en/daily/leo/feed.xml")).toContain("Corrected:");
  const corrected = "2026-11-24T09:30:00.000Z";
  expect(await saidOf(site, "leo")).toEqual(Array.from({ length: 7 }, () => corrected));
  expect(await saidOf(site, "aries")).toEqual(Array.from({ length: 7 }, () => shown));
  expect(await shownFromOf(site, "v1/en/daily/latest.json")).toBe(corrected);
});

test("a withdrawn text makes no other text new", async () => {
  const site = await afterMidnight();
  site.setClock("2026-11-24T09:30:00Z");
  await withdraw(recordOf(leo), requestAt(leo), site.publishing);
  expect(await saidOf(site, "aries")).toEqual(Array.from({ length: 7 }, () => shown));
});

test("new templates change the pages, but no text's time", async () => {
  const site = (await afterMidnight()).with({ site: { ...configured.site, name: "Another name" } });
  site.setClock("2026-11-24T09:30:00Z");
  await site.publishDue();
  expect(await site.text("en/daily/leo/index.html")).toContain("Another name");
  expect(await saidOf(site, "leo")).toEqual(Array.from({ length: 7 }, () => shown));
});

/** The store as a publisher finds it who dies before it has written such a key. */
function diesAt(store: Store, isSuch: (key: string) => boolean): Store {
  return watched(store, (call, key) => {
    if (call === "write" && isSuch(key)) throw new Error("died");
  });
}

describe("the recorded time of a text", () => {
  test("is the same on a site rebuilt from the vault, even for past days", async () => {
    const stores = inMemory();
    await afterMidnight({}, stores);
    const rebuilt = newSite({ languages: ["en"] }, { site: openMemory(), vault: stores.vault });
    rebuilt.setClock("2026-11-24T18:00:00Z");
    const others = (await keysOf(stores.vault, "sites/almanac/")).filter((key) => !key.includes("/shown/"));
    await stores.vault.remove(others);
    await renderArchive(
      { languages: ["en"], dates: { from: "2026-11-22" }, evenMany: false },
      rebuilt.publishing,
    );
    expect(await saidOf(rebuilt, "leo")).toEqual(Array.from({ length: 7 }, () => shown));
    expect(await shownFromOf(rebuilt, "v1/en/daily/2026-11-23/leo.json")).toBe("2026-11-23T12:00:00.000Z");
  });

  test("is taken from the site if the vault's notes are lost, and noted again", async () => {
    const stores = inMemory();
    const site = await afterMidnight({}, stores);
    const notes = await keysOf(stores.vault, "sites/almanac/shown/");
    expect(notes).toContain("sites/almanac/shown/daily/2026-11-24/en.json");
    await stores.vault.remove(notes);
    const other = site.with({ site: { ...configured.site, name: "Another name" } });
    other.setClock("2026-11-24T09:30:00Z");
    await other.publishDue();
    expect(await saidOf(other, "leo")).toEqual(Array.from({ length: 7 }, () => shown));
    expect(await textAt(stores.vault, "sites/almanac/shown/daily/2026-11-24/en.json")).toContain(shown);
  });

  test("is unchanged in the readers' files if a publisher dies before it could note it", async () => {
    const stores = inMemory();
    const site = await onTheEve({}, stores);
    site.setClock(publishedAt);
    const dying = createVault(
      diesAt(stores.vault, (key) => key.startsWith("sites/almanac/shown/")),
      "almanac",
    );
    await expect(publishDue({ ...site.publishing, vault: dying })).rejects.toThrow("died");
    const before = await contentOf(stores.site);
    site.setClock("2026-11-24T06:00:00Z");
    await site.night();
    expect(await contentOf(stores.site)).toEqual(before);
    expect(await saidOf(site, "leo")).toEqual(Array.from({ length: 7 }, () => shown));
    expect(await keysOf(stores.vault, "sites/almanac/shown/daily/2026-11-24")).toEqual([
      "sites/almanac/shown/daily/2026-11-24/en.json",
    ]);
  });

  test("does not exist if a publisher dies before its readers see anything", async () => {
    const stores = inMemory();
    const site = await onTheEve({}, stores);
    site.setClock(publishedAt);
    const dying = diesAt(stores.site, (key) => key === "v1/pointer.json");
    await expect(publishDue({ ...site.publishing, site: dying })).rejects.toThrow("died");
    site.setClock("2026-11-24T06:00:00Z");
    await site.publishDue();
    expect(await saidOf(site, "leo")).toEqual(Array.from({ length: 7 }, () => "2026-11-24T06:00:00.000Z"));
  });
});

test("of tomorrow's text is its midnight, and then the publish that makes it the day's text", async () => {
  const site = await onTheEve({ site: { ...configured.site, tomorrow: true } });
  expect(await shownFromOf(site, leoData)).toBe(midnight);
  const sitemap = await site.text("en/sitemap-2026-11.xml");
  expect(sitemap).toContain("/en/daily/leo/2026-11-24/</loc></url>");
  site.setClock(publishedAt);
  await site.publishDue();
  expect(await saidOf(site, "leo")).toEqual(Array.from({ length: 7 }, () => shown));
  expect(await shownFromOf(site, ariesData)).toBe(shown);
});
