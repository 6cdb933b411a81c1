// A deck contains the cards of all published days, whatever was published, corrected, withdrawn or rolled back since.
import { describe, expect, test } from "vitest";
import { renderArchive } from "../../publish/archive.ts";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { publish } from "../../publish/publish.ts";
import { repair } from "../../publish/repair/repair.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { bringBack, withdraw } from "../../publish/withdraw.ts";
import { documents, type SeenCard } from "../../site/data.schema.ts";
import { withDays } from "../../site/pages/deck-pages.ts";
import { cardsIn } from "../../site/seen-cards.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";
import { watched } from "../support/stores.ts";

const operations = ["daily-tarot", "wisdom-reading"] as const;
const [first, last] = ["2026-11-12", "2026-11-21"] as const;
const words = "A text that somebody complains about.";
const tarot = (date: string) => `daily/${date}/en/daily-tarot/reading`;

/** Ten nights of two operations. */
async function afterTenNights(): Promise<PublishedSite> {
  const site = newSite({ languages: ["en"], operations: [...operations] });
  await site.gather(first, last);
  await site.nights(first, last);
  return site;
}

async function deckOf(site: PublishedSite, operation: string): Promise<readonly SeenCard[]> {
  return documents.deck.parse(await site.json(`v1/en/decks/${operation}.json`)).cards;
}

/** The deck expected from the dated files, each read again. */
async function expectedOf(site: PublishedSite, operation: string): Promise<SeenCard[]> {
  const days = new Map<string, SeenCard[]>();
  for (const path of (await site.paths()).keys()) {
    const [, date] = new RegExp(`^v1/en/${operation}/([\\d-]+)\\.json$`).exec(path) ?? [];
    if (date !== undefined) days.set(date, cardsIn(documents.card.parse(await site.json(path))));
  }
  return withDays([], days) ?? [];
}

async function expectRight(site: PublishedSite): Promise<void> {
  for (const operation of operations) {
    const deck = await deckOf(site, operation);
    expect(deck.length).toBeGreaterThan(0);
    expect(deck).toEqual(await expectedOf(site, operation));
  }
  expect(await site.deadLinks()).toEqual([]);
}

describe("the published decks", () => {
  test("hold every card of every night, and are the same when a night is published again", async () => {
    const site = await afterTenNights();
    await expectRight(site);
    const days = (await deckOf(site, "daily-tarot")).map((card) => card.first);
    expect(Math.min(...days.map((day) => Number(day.slice(-2))))).toBe(12);
    const version = await site.night();
    expect(await site.night()).toBe(version);
  });

  test.each(["2026-11-12", "2026-11-17", "2026-11-20", "2026-11-21"])(
    "lose withdrawn cards of %s, and get them back to the byte",
    async (date) => {
      const site = await afterTenNights();
      await site.keep(tarot(date), words);
      await renderArchive({ languages: ["en"], dates: { from: first }, evenMany: true }, site.publishing);
      await expectRight(site);
      const before = await site.paths();
      expect(await site.filesWith(words)).toContain(`v1/en/daily-tarot/${date}.json`);
      await withdraw(recordOf(tarot(date)), requestAt(tarot(date)), site.publishing);
      expect(await site.filesWith(words)).toEqual([]);
      await expectRight(site);
      await bringBack(requestAt(tarot(date)), { by: "editor" }, site.publishing);
      expect(await site.paths()).toEqual(before);
    },
  );

  test("follow a reading that is corrected after days, and one that arrives late", async () => {
    const site = await afterTenNights();
    for (const date of ["2026-11-14", "2026-11-21"]) {
      await site.keep(tarot(date), words);
      await renderArchive({ languages: ["en"], dates: { from: first }, evenMany: true }, site.publishing);
      await expectRight(site);
    }
    await site.gather("2026-11-05", "2026-11-11");
    await renderArchive(
      { languages: ["en"], dates: { from: "2026-11-05" }, evenMany: true },
      site.publishing,
    );
    await expectRight(site);
    expect((await deckOf(site, "daily-tarot")).some((card) => card.first === "2026-11-05")).toBe(true);
  });

  test("are rolled back, without cards withdrawn since, and continue from there", async () => {
    const site = await afterTenNights();
    await withdraw(recordOf(tarot("2026-11-19")), requestAt(tarot("2026-11-19")), site.publishing);
    const { site: store, now } = site.publishing;
    const to = await chooseState("8", { site: store, now: now(), keepDays: 30 });
    await rollback({ to, evenMany: true, by: { by: "editor" } }, site.publishing);
    await expectRight(site);
    expect((await deckOf(site, "daily-tarot")).some((card) => card.last > "2026-11-19")).toBe(false);
    expect((await site.paths()).has("v1/en/daily-tarot/2026-11-19.json")).toBe(false);
    await site.gather("2026-11-22", "2026-11-23");
    await site.nights("2026-11-22", "2026-11-23");
    await expectRight(site);
  });

  test("disappear with the last card or with their operation, and return with it", async () => {
    const site = newSite({ languages: ["en"], operations: ["daily-tarot", "wisdom-reading"] });
    await site.gather(last);
    await site.night();
    await withdraw(recordOf(tarot(last)), requestAt(tarot(last)), site.publishing);
    const paths = await site.paths();
    expect([...paths.keys()].filter((path) => path.includes("daily-tarot"))).toEqual([]);
    expect(await site.deadLinks()).toEqual([]);
    await bringBack(requestAt(tarot(last)), { by: "editor" }, site.publishing);
    await expectRight(site);
    const without = site.with({ operations: ["wisdom-reading"] });
    await without.night();
    expect([...(await site.paths()).keys()].filter((path) => path.includes("daily-tarot"))).toEqual([
      `v1/en/daily-tarot/${last}.json`,
    ]);
    await site.gather("2026-11-22");
    await site.nights("2026-11-22", "2026-11-22");
    await expectRight(site);
  });

  test("are rebuilt from the published days, to the byte, if they are lost", async () => {
    const site = await afterTenNights();
    const whole = await site.paths();
    const path = "v1/en/decks/daily-tarot.json";
    const object = whole.get(path) ?? "";
    await site.site.remove([path, `v1/objects/${object}.json`]);
    expect((await repair(site.publishing, true)).lost.map((one) => one.path)).toEqual([]);
    await expectRight(site);
    expect(await site.paths()).toEqual(whole);
  });

  test("cost a night no reads of earlier nights", async () => {
    const reads: number[] = [];
    for (const from of ["2026-11-19", "2026-10-19"]) {
      const site = newSite({ languages: ["en"], operations: [...operations] });
      await site.gather(from, last);
      await site.nights(from, "2026-11-20");
      let count = 0;
      const store = watched(site.site, (call, key) => {
        if (call === "read" && key.startsWith("v1/objects/")) count += 1;
      });
      site.setClock(`${last}T12:00:00Z`);
      const asOf = `${last}T12:00:00.000Z`;
      await publish({ run: "night", asOf, languages: ["en"] }, { ...site.publishing, site: store });
      reads.push(count);
      await expectRight(site);
    }
    expect(reads[1]).toBe(reads[0]);
  });
});
