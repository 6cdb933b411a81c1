// That a publish takes what was pressed ahead of it as long as that is right, and names what has to be pressed first.
import { expect, test } from "vitest";
import { pressAhead } from "../../publish/press/pressed-ahead.ts";
import { publish } from "../../publish/publish.ts";
import { announceSweep, endSweep } from "../../publish/state/sweeping.ts";
import type { Publishing } from "../../publish/state/publishing-place.ts";
import type { Language } from "../../readings/languages.ts";
import { keysOf, watched } from "../support/stores.ts";
import { newSite, type PublishedSite } from "./support/published-site.ts";

const languages: Language[] = ["en", "hi", "es"];

async function gathered() {
  const site = newSite({ languages, operations: ["daily-horoscope", "daily-tarot"] });
  await site.gather("2026-11-20", "2026-11-21");
  return site;
}

/** Publishes without pressing anything itself. */
function take({ publishing }: PublishedSite, more: Partial<Publishing> = {}, batch = languages) {
  const asOf = publishing.now().toISOString();
  const input = { run: "almanac-nightly", asOf, languages: batch, last: true, apart: true };
  return publish(input, { ...publishing, ...more });
}

/** Presses and publishes in turns, as workflows/publishing.ts does; returns which languages were pressed in each. */
async function inTurns(site: PublishedSite, batch = languages) {
  const pressed: (readonly Language[])[] = [];
  const beside = new Set<Language>();
  for (let due: readonly Language[] | undefined = batch; due !== undefined;) {
    pressed.push(due);
    for (const language of due) await pressAhead({ language, beside: [...beside] }, site.publishing);
    const result = await take(site, {}, batch);
    for (const language of [...due, ...(result.unpressed ?? [])]) beside.add(language);
    due = result.unpressed;
  }
  return pressed;
}

async function day(site: PublishedSite, date: string) {
  await site.gather(date);
  site.setClock(`${date}T12:00:00Z`);
}

test("a site that was pressed ahead is the same as one that its publish pressed", async () => {
  const [ahead, own] = [await gathered(), await gathered()];
  const pressed: unknown[] = [];
  for (const date of ["2026-11-21", "2026-11-22"]) {
    await day(ahead, date);
    await day(own, date);
    pressed.push(await inTurns(ahead));
    await own.night();
    expect(await ahead.paths()).toEqual(await own.paths());
  }
  // On the first day no language's pages are known to the others before they are pressed.
  expect(pressed).toEqual([[languages, languages], [languages]]);
});

test("a language that stands is pressed again where another one brings it new translations", async () => {
  const site = await gathered();
  expect(await inTurns(site, ["en"])).toEqual([["en"]]);
  expect(await inTurns(site, ["hi"])).toEqual([["hi"], ["en"]]);
  expect(await site.text("en/index.html")).toContain('hreflang="hi"');
});

test("what was pressed ahead is neither read nor printed again, nor are its objects put again", async () => {
  const site = await gathered();
  await inTurns(site);
  await day(site, "2026-11-22");
  for (const language of languages) await pressAhead({ language, beside: [] }, site.publishing);
  const before = new Set(await keysOf(site.site, "v1/objects/"));
  const put: string[] = [];
  const watching = watched(site.site, (call, key) => call === "write" && put.push(key));
  expect(await take(site, { site: watching })).toMatchObject({ languages });
  expect(put.filter((key) => before.has(key))).toEqual([]);
});

test("a language is pressed first if it was not, or not of what the vault has now, or too long ago", async () => {
  const site = await gathered();
  await inTurns(site);
  await day(site, "2026-11-22");
  const { version } = await publish(
    { run: "almanac-nightly", asOf: site.publishing.now().toISOString(), languages: [] },
    site.publishing,
  );
  const unpressed = async () => (await take(site)).unpressed;
  expect(await unpressed()).toEqual(languages);
  for (const language of languages) await pressAhead({ language, beside: [] }, site.publishing);
  await site.keep("daily/2026-11-22/hi/daily-horoscope/leo", "Other words");
  expect(await unpressed()).toEqual(["hi"]);
  site.setClock("2026-11-22T12:31:00Z");
  expect(await unpressed()).toEqual(languages);
  await inTurns(site);
  expect(await site.filesWith("Other words")).not.toEqual([]);
  expect(
    (await publish({ run: "x", asOf: "2026-11-22T13:00:00.000Z", languages: [] }, site.publishing)).version,
  ).toBe(version + 1);
});

test("a language that somebody published in between is pressed first again", async () => {
  const site = await gathered();
  await inTurns(site);
  await day(site, "2026-11-22");
  for (const language of languages) await pressAhead({ language, beside: [] }, site.publishing);
  await site.keep("daily/2026-11-22/hi/daily-horoscope/leo", "Other words");
  await site.night(["hi"]);
  await site.keep("daily/2026-11-22/hi/daily-horoscope/leo");
  expect((await take(site)).unpressed).toEqual(["hi"]);
});

test("an object that a clean-up took after it was put ahead is put again", async () => {
  const site = await gathered();
  const [ahead, other] = [site.publishing, await gathered()];
  for (const beside of [[], languages])
    for (const language of languages) await pressAhead({ language, beside }, ahead);
  const keys = await keysOf(site.site, "v1/objects/");
  const sweep = await announceSweep(ahead, keys);
  await site.site.remove(keys);
  await endSweep(ahead, sweep);
  while ((await take(site)).unpressed !== undefined)
    for (const language of languages) await pressAhead({ language, beside: languages }, ahead);
  await other.night();
  expect(await site.paths()).toEqual(await other.paths());
  expect(await keysOf(site.site, "v1/objects/")).toEqual(
    expect.arrayContaining(await keysOf(other.site, "v1/objects/")),
  );
});
