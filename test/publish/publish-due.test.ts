// The languages that a publish finds due apart from those whose date has changed, and its cost if none is.
import { expect, test } from "vitest";
import { publishDue } from "../../publish/publish.ts";
import { objectPath } from "../../publish/state/state.ts";
import { createVault } from "../../vault/vault.ts";
import type { Language } from "../../readings/tables.ts";
import { recordDecision } from "../../vault/journal.ts";
import { acceptanceOf, newSite, type PublishedSite } from "./support/published-site.ts";
import { damage, watched } from "../support/stores.ts";

const today = "2026-11-21";
const leo = `daily/${today}/hi/daily-horoscope/leo`;

/** English is published; Hindi has only the readings that a test stores. */
async function englishAlone(): Promise<PublishedSite> {
  const site = newSite();
  await site.with({ languages: ["en"] }).gather(today);
  await site.night(["en"]);
  return site;
}

/** Leaves the vault like a night that stopped before it published. */
async function gatherHindi(site: PublishedSite): Promise<void> {
  await site.with({ languages: ["hi"] }).gather(today);
}

/** Reads of the vault for Hindi, and the published files. */
async function tracePublish({
  publishing,
}: PublishedSite): Promise<{ requested: string[]; languages: Language[] }> {
  const requested: string[] = [];
  const vault = createVault(
    watched(publishing.vault.store, (call, key) => {
      if (key.includes("/hi/")) requested.push(`${call} ${key}`);
    }),
    "almanac",
  );
  const { languages } = await publishDue({ ...publishing, vault });
  return { requested, languages: [...languages] };
}

test("a language that was never published is due when the vault has its day", async () => {
  const site = await englishAlone();
  await gatherHindi(site);
  expect((await tracePublish(site)).languages).toEqual(["hi"]);
  expect([...(await site.paths()).keys()]).toContain("hi/daily/leo/index.html");
  expect(await site.deadLinks()).toEqual([]);
  expect(await tracePublish(site)).toEqual({ requested: [], languages: [] });
});

test("a site that was never published is due too, but not for a single accepted text", async () => {
  const site = newSite();
  await site.keep(leo);
  await recordDecision(site.publishing.vault.own, acceptanceOf(leo));
  expect(await publishDue(site.publishing)).toEqual({ version: 0, changed: 0, languages: [] });
  await site.gather(today);
  expect((await publishDue(site.publishing)).languages).toEqual(["en", "hi"]);
});

test("a language without readings in the vault costs a publish one listing", async () => {
  expect(await tracePublish(await englishAlone())).toEqual({
    requested: [`list responses/daily/${today}/hi/`],
    languages: [],
  });
});

test("a language that is still being gathered waits for its whole day, and is not read", async () => {
  const site = await englishAlone();
  await gatherHindi(site);
  await site.publishing.vault.displace(leo);
  const { requested, languages } = await tracePublish(site);
  expect(languages).toEqual([]);
  expect(requested.filter((call) => !call.startsWith("list "))).toEqual([]);
});

test("a quarantined response delays no other set of the day", async () => {
  const site = await englishAlone();
  await gatherHindi(site);
  const { vault } = site.publishing;
  const response = await vault.response(leo);
  if (response === undefined) throw new Error("nothing was gathered");
  const { key, address, body, run, tries, receivedAt: at } = response;
  await vault.quarantine({ format: 1, key, type: "Unfit", reason: "short", at, tries, run, address, body });
  await vault.displace(leo);
  expect((await tracePublish(site)).languages).toEqual(["hi"]);
  const paths = [...(await site.paths()).keys()].filter((path) => path.startsWith("hi/"));
  expect(paths).toContain("hi/daily-tarot/index.html");
  expect(paths).not.toContain("hi/daily/leo/index.html");
});

test("a language whose only set can't be read is checked, but not rendered at every publish", async () => {
  const site = (await englishAlone()).with({ operations: ["daily-horoscope"] });
  await gatherHindi(site);
  await damage(site.publishing.vault.store, `responses/${leo}.json`);
  const { requested, languages } = await tracePublish(site);
  expect(languages).toEqual([]);
  expect(requested).toContain(`read responses/${leo}.json`);
  expect(requested.filter((call) => !call.includes(`responses/daily/${today}/hi/daily-horoscope/`))).toEqual([
    `list responses/daily/${today}/hi/`,
  ]);
});

test.each([["en", "hi"], ["hi"]] as const)(
  "a lost summary that can't be restored stops no publish (%s, %s)",
  async (...languages) => {
    const site = newSite();
    await site.gather("2026-11-20", "2026-11-22");
    await site.nights(today, today);
    const path = "v1/en/index.json";
    const object = (await site.paths()).get(path) ?? "";
    await site.site.remove([objectPath(object, path), path]);
    site.setClock("2026-11-22T12:00:00Z");
    await site.night(languages);
    expect(await site.json("v1/index.json")).toMatchObject({
      languages: [
        { language: "en", date: languages.length === 2 ? "2026-11-22" : today },
        { language: "hi", date: "2026-11-22" },
      ],
    });
    if (languages.length === 2) expect(await site.json(path)).toMatchObject({ date: "2026-11-22" });
  },
);
