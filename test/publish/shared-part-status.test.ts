import { describe, expect, test } from "vitest";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { repair } from "../../publish/repair/repair.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { documents, type LanguageStatus } from "../../site/data.schema.ts";
import { newSite, type PublishedSite } from "./support/published-site.ts";

const [yesterday, today] = ["2026-11-20", "2026-11-21"] as const;

async function statusOf(site: PublishedSite, language: string): Promise<LanguageStatus | undefined> {
  const { languages } = documents.status.parse(await site.json("v1/status.json"));
  return languages.find((one) => one.language === language);
}

/** Only Hindi has its readings of today. */
async function twoNights(): Promise<PublishedSite> {
  const site = newSite({ operations: ["daily-horoscope", "daily-tarot"] });
  site.setClock(`${yesterday}T12:00:00Z`);
  await site.gather(yesterday);
  await site.night();
  site.setClock(`${today}T12:00:00Z`);
  await site.with({ languages: ["hi"] }).gather(today);
  await site.night(["hi"]);
  return site;
}

describe("the published status", () => {
  test("shows when each language's newest edition was published, and stays until a newer one is", async () => {
    const site = await twoNights();
    expect(await statusOf(site, "en")).toMatchObject({
      date: yesterday,
      publishedAt: `${yesterday}T12:00:00.000Z`,
      missing: [],
    });
    expect(await statusOf(site, "hi")).toMatchObject({ date: today, publishedAt: `${today}T12:00:00.000Z` });
    const paths = await site.paths();
    site.setClock(`${today}T14:00:00Z`);
    const version = await site.night(["hi"]);
    expect(await site.night(["hi"])).toBe(version);
    expect(await site.paths()).toEqual(paths);
  });

  test("lists missing readings until they arrive, which makes a newer edition", async () => {
    const site = await twoNights();
    site.setClock(`${today}T14:00:00Z`);
    await site.keep(`daily/${today}/en/daily-tarot/reading`);
    await site.night(["en"]);
    expect(await statusOf(site, "en")).toMatchObject({
      date: today,
      publishedAt: `${today}T14:00:00.000Z`,
      missing: [{ operation: "daily-horoscope", period: today }],
    });
    site.setClock(`${today}T15:00:00Z`);
    await site.gather(today);
    await site.night();
    const english = await statusOf(site, "en");
    expect(english).toMatchObject({ publishedAt: `${today}T15:00:00.000Z`, missing: [] });
    expect(await statusOf(site, "hi")).toMatchObject({ publishedAt: `${today}T12:00:00.000Z` });
  });

  test("does not count a correction or new templates as a newer edition", async () => {
    const site = await twoNights();
    site.setClock(`${today}T14:00:00Z`);
    await site.keep(`daily/${today}/hi/daily-tarot/reading`, "Corrected.");
    await site.night(["hi"]);
    expect(await site.filesWith("Corrected.")).toContain("v1/hi/daily-tarot/latest.json");
    expect(await statusOf(site, "hi")).toMatchObject({ publishedAt: `${today}T12:00:00.000Z` });
  });

  test("is rolled back with the rest, and repaired if it is lost", async () => {
    const site = await twoNights();
    const whole = await site.paths();
    const object = `v1/objects/${whole.get("v1/status.json")}.json`;
    await site.site.remove([object]);
    expect((await repair(site.publishing, true)).lost).toEqual([]); // the public path still has it
    await site.site.remove([object, "v1/status.json"]);
    await site.night();
    expect(await statusOf(site, "hi")).toMatchObject({ date: today, missing: [] });
    // A repair publishes it again without waiting for the next night, and one repair is enough.
    const again = `v1/objects/${(await site.paths()).get("v1/status.json")}.json`;
    await site.site.remove([again, "v1/status.json", "status/index.html"]);
    const repaired = await repair(site.publishing, false);
    expect(repaired.lost).toEqual([]);
    expect(repaired.repairs).toContainEqual({
      path: "v1/status.json",
      deed: "written",
      reason: "lost; rendered and published again. No rollback to version 3 is possible",
    });
    expect(await statusOf(site, "hi")).toMatchObject({ date: today, missing: [] });
    expect((await repair(site.publishing, false)).repairs).toEqual([]);
    site.setClock(`${today}T16:00:00Z`);
    const { site: store, now } = site.publishing;
    const to = await chooseState("1", { site: store, now: now(), keepDays: 30 });
    await rollback({ to, evenMany: true, by: { by: "editor" } }, site.publishing);
    expect(await statusOf(site, "hi")).toMatchObject({
      date: yesterday,
      publishedAt: `${yesterday}T12:00:00.000Z`,
    });
  });
});
