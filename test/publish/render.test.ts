import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  type ArchiveInput,
  renderArchive,
  batchesOf,
  unitsTogether,
  type ArchiveUnit,
} from "../../publish/archive.ts";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { pointerPath, readState } from "../../publish/state/state.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { createVault } from "../../vault/vault.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { languageNames } from "../../readings/tables.ts";
import { addDays } from "../../readings/calendar.ts";
import { openTrial } from "../../store/trial.ts";
import { brokenPromises } from "./support/look.ts";
import { configured, linksIn, newSite, type PublishedSite } from "./support/published-site.ts";
import { storesIn } from "./support/resettable.ts";
import { contentOf, damage, inMemory, watched } from "../support/stores.ts";

const today = "2026-11-21";
const cards: ConfigurationInput = { operations: ["daily-tarot"] };
const folder = mkdtempSync(join(tmpdir(), "almanac-render-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function render({ publishing }: PublishedSite, more: Partial<ArchiveInput> = {}) {
  return renderArchive({ languages: ["en", "hi"], evenMany: false, ...more }, publishing);
}

/** Published on each of these days. */
async function published(site: PublishedSite, from: string, to: string): Promise<PublishedSite> {
  await site.gather(addDays(from, -1), to);
  await site.nights(from, to);
  return site;
}

const horoscopes: ConfigurationInput = { languages: ["en"], operations: ["daily-horoscope"] };
const page = (date: string) => `en/daily/leo/${date}/index.html`;

function neighboursIn(html: string): (string | undefined)[] {
  return ["prev", "next"].map((rel) => new RegExp(`rel="${rel}" href="([^"]+)"`).exec(html)?.[1]);
}

describe("rendered pages", () => {
  test("include the dates and the current pages, and no other date", async () => {
    const both: ConfigurationInput = { ...horoscopes, operations: ["daily-horoscope", "weekly-horoscope"] };
    const site = await published(newSite(both), "2026-11-14", "2026-11-18");
    const renamed = site.with({
      ...horoscopes,
      operations: ["daily-horoscope", "weekly-horoscope"],
      site: { id: "almanac", name: "Stars", url: "https://almanac.example" },
    });
    const result = await render(renamed, {
      languages: ["en"],
      dates: { from: "2026-11-15", to: "2026-11-15" },
    });
    const isNew = async (path: string) => (await site.text(path)).includes("· Stars</title>");
    expect(await isNew(page("2026-11-15"))).toBe(true);
    expect(await isNew("en/weekly/leo/2026-11-15/index.html")).toBe(true); // it begins on that date
    expect(await isNew("en/daily/leo/index.html")).toBe(true);
    expect(await isNew(page("2026-11-14"))).toBe(false);
    expect(await isNew(page("2026-11-16"))).toBe(false);
    expect(await isNew("en/weekly/leo/2026-11-08/index.html")).toBe(true); // the current set's neighbour
    expect(result.passedOver).toEqual([]);
    expect(await site.deadLinks()).toEqual([]);
  });

  test("link to the previous and next dates, whether those are rendered with them or not", async () => {
    const site = await published(newSite(horoscopes), "2026-11-14", "2026-11-18");
    await render(site, { languages: ["en"], dates: { from: "2026-11-15", to: "2026-11-16" } });
    for (const date of ["2026-11-14", "2026-11-15", "2026-11-16", "2026-11-17"]) {
      expect(neighboursIn(await site.text(page(date)))).toEqual([
        `/en/daily/leo/${addDays(date, -1)}/`,
        `/en/daily/leo/${addDays(date, 1)}/`,
      ]);
    }
  });

  test("connect a date that was never published with its neighbors, which then link to it", async () => {
    const site = newSite(horoscopes);
    await site.gather("2026-11-10", "2026-11-12");
    await site.gather("2026-11-14", "2026-11-18");
    for (const date of ["2026-11-12", "2026-11-18"]) {
      site.setClock(`${date}T12:00:00Z`);
      await site.night();
    }
    await render(site, { languages: ["en"], dates: { from: "2026-11-14", to: "2026-11-16" } });
    expect(neighboursIn(await site.text(page("2026-11-17")))[0]).toBe("/en/daily/leo/2026-11-16/");
    expect(neighboursIn(await site.text(page("2026-11-14")))[0]).toBeUndefined();
    await site.gather("2026-11-13");
    const { passedOver } = await render(site, {
      languages: ["en"],
      dates: { from: "2026-11-13", to: "2026-11-13" },
    });
    expect(passedOver).toEqual([]);
    for (const date of ["2026-11-12", "2026-11-13", "2026-11-14"]) {
      expect(neighboursIn(await site.text(page(date)))).toEqual([
        `/en/daily/leo/${addDays(date, -1)}/`,
        `/en/daily/leo/${addDays(date, 1)}/`,
      ]);
    }
    expect(await site.deadLinks()).toEqual([]);
  });

  test("make no new state and write nothing if the readings are the same", async () => {
    const site = await published(newSite(horoscopes), "2026-11-18", "2026-11-20");
    await render(site, { languages: ["en"], dates: { from: "2026-11-17" } });
    const version = (await readState(site.site))?.pointer.version;
    const written: string[] = [];
    const publishing = {
      ...site.publishing,
      site: watched(site.site, (call, key) => call !== "read" && written.push(key)),
    };
    const again = await renderArchive(
      { languages: ["en"], evenMany: false, dates: { from: "2026-11-17" } },
      publishing,
    );
    expect(again).toMatchObject({ version, changes: [] });
    expect(written).toEqual([]);
  });

  test("exclude dates that have not begun in the language's time zone", async () => {
    const site = newSite(cards);
    await site.gather("2026-11-20", "2026-11-23");
    site.setClock("2026-11-21T20:00:00Z"); // in India it is the 22nd
    await render(site, { dates: { from: "2026-11-20", to: "2026-11-25" } });
    const dates = [...(await site.paths()).keys()].filter((path) => /tarot\/\d/.test(path)).sort();
    expect(dates).toEqual([
      "v1/en/daily-tarot/2026-11-20.json",
      "v1/en/daily-tarot/2026-11-21.json",
      "v1/hi/daily-tarot/2026-11-20.json",
      "v1/hi/daily-tarot/2026-11-21.json",
      "v1/hi/daily-tarot/2026-11-22.json",
    ]);
  });

  test("are only listed in a dry run, with a reason for each path, and nothing is written", async () => {
    const site = await published(newSite(cards), "2026-11-18", "2026-11-20");
    await site.gather("2026-11-16");
    const { store } = site.publishing.vault;
    const content = [await contentOf(site.site), await contentOf(store)];
    const trial = {
      ...site.with({ ...cards, languages: ["en"] }).publishing,
      site: openTrial(site.site, { forgets: true }),
      vault: createVault(openTrial(store, { forgets: true }), "almanac"),
    };
    const { changes } = await renderArchive(
      { languages: ["en"], evenMany: true, dates: { from: "2026-11-16", to: "2026-11-16" } },
      trial,
    );
    expect(changes).toContainEqual({ path: "v1/en/daily-tarot/2026-11-16.json", reason: "new" });
    expect(changes).toContainEqual({ path: "index.html", reason: "changed" });
    expect(changes).toContainEqual({ path: "hi/daily-tarot/index.html", reason: "gone" });
    expect([await contentOf(site.site), await contentOf(store)]).toEqual(content);
  });
});

describe("a set that can't be rendered", () => {
  const dates = { from: "2026-11-18", to: "2026-11-20" };
  const bad = "daily/2026-11-18/en/daily-horoscope/leo";

  test("with an unreadable stored response loses only itself, is reported, and stays as published", async () => {
    const site = await published(
      newSite({ ...horoscopes, operations: ["daily-horoscope", "daily-tarot"] }),
      "2026-11-17",
      "2026-11-20",
    );
    await damage(site.publishing.vault.store, `responses/${bad}.json`);
    await site.keep("daily/2026-11-19/en/daily-horoscope/leo", "Other words.");
    const shown = (await site.paths()).get(page("2026-11-18"));
    const { passedOver, changes } = await render(site, { languages: ["en"], dates });
    expect(passedOver).toEqual([
      {
        set: "daily/2026-11-18/en/daily-horoscope",
        kind: "missing",
        reason: `responses/${bad}.json is unreadable`,
      },
    ]);
    expect((await site.paths()).get(page("2026-11-18"))).toBe(shown);
    expect(changes.map(({ path }) => path)).toContain(page("2026-11-19"));
    expect(site.said.join()).toContain(bad);
  });

  test("of today stays the current one, and is reported", async () => {
    const site = await published(newSite(horoscopes), "2026-11-19", "2026-11-20");
    const shown = await site.paths();
    const newest = bad.replace("18", "20");
    await damage(site.publishing.vault.store, `responses/${newest}.json`);
    const { passedOver } = await render(site, { languages: ["en"] });
    expect(passedOver.map(({ set }) => set)).toEqual(["daily/2026-11-20/en/daily-horoscope"]);
    expect(await site.paths()).toEqual(shown);
  });

  test("because readings are missing is reported with their number", async () => {
    const site = await published(newSite(horoscopes), "2026-11-17", "2026-11-20");
    await site.publishing.vault.displace(bad);
    const { passedOver } = await render(site, { languages: ["en"], dates });
    expect(passedOver).toEqual([
      {
        set: "daily/2026-11-18/en/daily-horoscope",
        kind: "missing",
        reason: "the vault contains 11 of its 12 readings",
      },
    ]);
  });

  test("because its only reading is missing is reported in the singular", async () => {
    const site = await published(newSite({ operations: ["daily-tarot"] }), "2026-11-17", "2026-11-20");
    await site.publishing.vault.displace("daily/2026-11-18/en/daily-tarot/reading");
    const { passedOver } = await render(site, { languages: ["en"], dates });
    expect(passedOver).toEqual([
      {
        set: "daily/2026-11-18/en/daily-tarot",
        kind: "missing",
        reason: "the vault does not contain its reading",
      },
    ]);
  });

  test("because it never had any reading is not reported", async () => {
    const site = await published(newSite(horoscopes), "2026-11-19", "2026-11-20");
    const { passedOver } = await render(site, {
      languages: ["en"],
      dates: { from: "2026-11-01", to: "2026-11-05" },
    });
    expect(passedOver).toEqual([]);
  });
});

describe("sets pinned by a rollback", () => {
  async function rolledBack(): Promise<PublishedSite> {
    const site = await published(newSite(cards), "2026-11-20", today);
    const { now, configuration } = site.publishing;
    const to = await chooseState(undefined, {
      site: site.site,
      now: now(),
      keepDays: configuration.publishing.keepDays,
    });
    await rollback({ to, evenMany: true, by: { by: "editor" } }, site.publishing);
    return site;
  }
  const heldIn = async ({ publishing }: PublishedSite) =>
    (await readWithheld(publishing.vault.own)).note.pins.map(({ language }) => language);

  test("return for the named languages, and for no others", async () => {
    const site = await rolledBack();
    const { lifted } = await render(site, { languages: ["hi"] });
    expect(lifted.map(({ language }) => language)).toEqual(["hi"]);
    expect(await heldIn(site)).toEqual(["en"]);
    const paths = await site.paths();
    expect(paths.has(`v1/hi/daily-tarot/${today}.json`)).toBe(true);
    expect(paths.has(`v1/en/daily-tarot/${today}.json`)).toBe(false);
    const version = (await readState(site.site))?.pointer.version;
    expect(await site.night()).toBe(version);
  });

  test("stay pinned if the render does not complete", async () => {
    const site = await rolledBack();
    const failing = watched(site.site, (call, key) => {
      if (call === "write" && key === pointerPath) throw new Error("the pointer can't be written");
    });
    const attempt = renderArchive(
      { languages: ["en", "hi"], evenMany: false },
      { ...site.publishing, site: failing },
    );
    await expect(attempt).rejects.toThrow("the pointer can't be written");
    expect(await heldIn(site)).toEqual(["en", "hi"]);
  });
});

describe("pages of operations that are no longer configured", () => {
  const without: ConfigurationInput = { ...cards, languages: ["en"], publishing: { unusualShare: 0.1 } };

  test("stay if they are unusually many, with a count, until an operator confirms", async () => {
    const site = (await published(newSite(cards), "2026-11-20", today)).with({
      ...without,
      languages: ["en"],
    });
    const kept = await render(site, { languages: ["en"] });
    expect(kept.left).toBeGreaterThan(5);
    expect((await site.paths()).has("hi/index.html")).toBe(true);
    const { left, changes } = await render(site, { languages: ["en"], evenMany: true });
    expect(left).toBe(0);
    expect(changes).toContainEqual({ path: "hi/index.html", reason: "gone" });
    expect(await site.deadLinks()).toEqual([]);
    expect(linksIn(await site.text("index.html"))).not.toContain("hi/index.html");
  });

  // On a folder a language's parts of the manifest are read again; elsewhere they stay in memory.
  test.for([
    { name: "memory", open: inMemory },
    { name: "a folder", open: () => storesIn(folder) },
  ])("goes in the very step that renders its language, on $name", async ({ open }) => {
    const both = ["daily-tarot", "daily-horoscope"] as const;
    const site = await published(newSite({ operations: [...both] }, open()), "2026-11-20", today);
    const less = site.with({ operations: ["daily-horoscope"], site: { ...configured.site, name: "Stars" } });
    const { changes } = await render(less);
    expect(changes).toContainEqual({ path: "en/daily-tarot/index.html", reason: "gone" });
    expect(changes).toContainEqual({ path: "en/index.html", reason: "changed" });
    expect(await site.deadLinks()).toEqual([]);
    expect(await brokenPromises({ site: site.site, vault: site.publishing.vault.store })).toEqual([]);
  });
});

describe("units of work", () => {
  const unit = fc.record({
    language: fc.constantFrom(...languageNames),
    days: fc.integer({ min: 0, max: 31 }),
    current: fc.boolean(),
  });

  test("form batches that contain all of them, in order, and fit into memory", () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 400 }), (wanted) => {
        const units = wanted.map(({ language, days, current }): ArchiveUnit => {
          const from = days === 0 ? undefined : "2026-10-01";
          return { language, current, from, to: from && addDays(from, days - 1) };
        });
        const batches = [...batchesOf(units)];
        expect(batches.flat()).toEqual(units);
        for (const batch of batches) {
          const files = batch.reduce((sum, { from, to, current }) => {
            const days = from === undefined || to === undefined ? 0 : Number(to.slice(-2));
            return sum + days * 50 + (current ? 500 : 0);
          }, 0);
          expect(files).toBeLessThanOrEqual(20_000);
        }
      }),
    );
  });

  test("of one language are one: from the first to the last, with the current pages when those are in it", () => {
    const months: ArchiveUnit[] = [
      { language: "en", from: "2026-10-05", to: "2026-10-31", current: false },
      { language: "en", from: "2026-11-01", to: "2026-11-21", current: true },
      { language: "hi", from: undefined, to: undefined, current: true },
    ];
    expect(unitsTogether(months)).toEqual([
      { language: "en", from: "2026-10-05", to: "2026-11-21", current: true },
      { language: "hi", from: undefined, to: undefined, current: true },
    ]);
  });
});
