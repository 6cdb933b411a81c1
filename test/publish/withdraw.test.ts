import { describe, expect, test } from "vitest";
import { z } from "zod";
import { cleanUpSite, planCleanUp } from "../../publish/history/clean-up.ts";
import { merge } from "../../publish/render/merged-state.ts";
import { publish } from "../../publish/publish.ts";
import { readState } from "../../publish/state/state.ts";
import { NoSingleText, textOn, bringBack, withdraw } from "../../publish/withdraw.ts";
import { changeWithheld, readWithheld } from "../../vault/withheld.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { addDays } from "../../readings/calendar.ts";
import { requestKey, type RequestKey } from "../../readings/request.ts";
import { signs } from "../../readings/tables.ts";
import { documents } from "../../site/data.schema.ts";
import { labelsIn } from "../../site/labels.ts";
import { deep } from "../support/deep.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";
import { fill, inMemory, keysOf, type Snapshot, snapshotOf, through } from "../support/stores.ts";
import { commitOn } from "./support/commit-on.ts";

const [yesterday, today, tomorrow] = ["2026-11-20", "2026-11-21", "2026-11-22"] as const;
const words = "A text that somebody complains about.";
const daily: ConfigurationInput = { languages: ["en", "hi"], operations: ["daily-horoscope"] };
const leo = (date: string, language = "en") => `daily/${date}/${language}/daily-horoscope/leo`;

function take(site: PublishedSite, key: RequestKey) {
  return withdraw(recordOf(key), requestAt(key), site.publishing);
}

function undo(site: PublishedSite, key: RequestKey) {
  return bringBack(requestAt(key), { by: "editor" }, site.publishing);
}

async function partsOf({ site }: PublishedSite) {
  return (await readState(site))?.manifest.parts;
}

const nights = new Map<string, Promise<Snapshot>>();

/** Published yesterday and today; the text under the key begins with the words. Made once, and filled in for each test. */
async function publishedWith(key: RequestKey, configuration: ConfigurationInput): Promise<PublishedSite> {
  const name = JSON.stringify([key, configuration]);
  const before = nights.get(name) ?? makePublished(key, configuration);
  nights.set(name, before);
  const stores = inMemory();
  await fill(stores, await before);
  const site = newSite(configuration, stores);
  site.setClock(`${today}T12:00:00Z`);
  return site;
}

async function makePublished(key: RequestKey, configuration: ConfigurationInput): Promise<Snapshot> {
  const site = newSite(configuration);
  site.setClock(`${yesterday}T12:00:00Z`);
  await site.gather("2026-11-18", today);
  await site.keep(key, words);
  await site.night();
  site.setClock(`${today}T12:00:00Z`);
  await site.night();
  expect((await site.filesWith(words)).length).toBeGreaterThan(0);
  return snapshotOf({ site: site.site, vault: site.publishing.vault.store });
}

/** The site's store; at the first write of the pointer somebody else begins to do this, and waits for the site. */
function duringPointerWrite(site: PublishedSite, deed: () => Promise<unknown>) {
  let other: Promise<unknown> | undefined;
  const store = through(site.site, async ({ doing, keys: [key] }, make) => {
    if (doing === "write" && key === "v1/pointer.json") other ??= deed();
    return make();
  });
  return { place: { ...site.publishing, site: store }, ended: async () => expect(await other).toBeDefined() };
}

test("a text withdrawn again while another operator brings it back stays withdrawn", async () => {
  const site = (await publishedWith(leo(today, "hi"), daily)).serialized();
  await take(site, leo(today, "hi"));
  const { place, ended } = duringPointerWrite(site, async () => {
    await take(site, leo(today, "hi"));
    return take(site, leo(today, "en"));
  });
  await bringBack(requestAt(leo(today, "hi")), { by: "editor" }, place);
  await ended();
  expect(await site.filesWith(words)).toEqual([]);
});

test("a text published by another process and then withdrawn stays withdrawn, even if a running publish had already rendered it", async () => {
  const site = newSite({ languages: ["en"], operations: ["daily-tarot"] }).serialized();
  const key = `daily/${today}/en/daily-tarot/reading`;
  site.setClock(`${today}T12:00:00Z`);
  await site.gather(yesterday);
  await site.night();
  const without = await partsOf(site);
  await site.keep(key, words);
  const { place, ended } = duringPointerWrite(site, async () => {
    await site.night();
    return take(site, key);
  });
  await publish({ run: "late", asOf: `${today}T12:00:00Z`, languages: ["en"] }, place);
  await ended();
  expect((await partsOf(site))?.["en/current"]).toBe(without?.["en/current"]);
  expect(await site.filesWith(words)).toEqual([]);
});

describe("a sign's text that is withdrawn", () => {
  test("is in no published file; its own files are removed, and its current page says so in its language", async () => {
    const site = await publishedWith(leo(today, "hi"), daily);
    const { changes } = await take(site, leo(today, "hi"));
    expect(await site.filesWith(words)).toEqual([]);
    expect(changes.filter(({ reason }) => reason === "gone").map(({ path }) => path)).toEqual([
      `hi/daily/leo/${today}/index.html`,
      `hi/newsletter/${today}/leo.html`,
      `hi/newsletter/${today}/leo.txt`,
      `v1/hi/daily/${today}/leo.json`,
    ]);
    expect(await site.text("hi/daily/leo/index.html")).toContain(`<p>${labelsIn("hi").withdrawn}</p>`);
    expect(await site.site.read(`hi/daily/leo/${today}/index.html`)).toBeUndefined();
    expect(changes.every(({ path }) => path.startsWith("hi/") || path.startsWith("v1/hi/"))).toBe(true);
    expect(await site.deadLinks()).toEqual([]);
  });

  test("leaves its set complete with eleven signs, which names the missing one", async () => {
    const site = await publishedWith(leo(today), daily);
    await take(site, leo(today));
    const schema = z.fromJSONSchema(
      z.record(z.string(), z.any()).parse(await site.json("v1/schemas/signs.json")),
    );
    for (const path of [`v1/en/daily/${today}.json`, "v1/en/daily/latest.json"]) {
      const set = documents.signs.parse(await site.json(path));
      expect(Object.keys(set.readings)).toEqual(signs.filter((sign) => sign !== "leo"));
      expect(set.withdrawn).toEqual(["leo"]);
      expect(schema.safeParse(await site.json(path)).error).toBeUndefined();
    }
    expect(await site.json("v1/en/index.json")).toMatchObject({ newest: { "daily-horoscope": today } });
    const { items } = z
      .object({ items: z.array(z.object({ id: z.string() })) })
      .parse(await site.json("en/feed.json"));
    expect(items).toHaveLength(11);
    expect((await site.text("en/feed.xml")).match(/<item>/g)).toHaveLength(11);
    expect(await site.json("en/daily/leo/feed.json")).toMatchObject({ items: [] });
    expect(await site.json(`en/newsletter/${today}.json`)).toMatchObject({ withdrawn: ["leo"] });
  });

  test("is in no file of the store after gc has removed the states that had it", async () => {
    const site = await publishedWith(leo(today), daily);
    await take(site, leo(today));
    const place = site.publishing;
    const countHolding = async () => {
      const bodies = await Promise.all(
        (await keysOf(site.site, "")).map(async (key) => (await site.site.read(key))?.body),
      );
      return bodies.filter((body) => body !== undefined && Buffer.from(body).includes(words)).length;
    };
    expect(await countHolding()).toBeGreaterThan(0);
    site.setClock(new Date(Date.now() + 60 * 86_400_000).toISOString()); // the store dates files by the machine's time
    await cleanUpSite(place, await planCleanUp(place, { keepDays: 30, graceMs: 0 }));
    expect(await countHolding()).toBe(0);
  });

  test("stays withdrawn in later nights, even if it is gathered again", async () => {
    const site = await publishedWith(leo(today), daily);
    const { version } = await take(site, leo(today));
    await site.keep(leo(today), `${words} Once more.`);
    expect(await site.night()).toBe(version);
    site.setClock(`${tomorrow}T12:00:00Z`);
    await site.gather(tomorrow);
    await site.night();
    expect(await site.filesWith(words)).toEqual([]);
    expect(await site.text("en/daily/leo/index.html")).not.toContain(labelsIn("en").withdrawn);
    expect(await site.json(`v1/en/daily/${today}.json`)).toMatchObject({ withdrawn: ["leo"] });
    expect(await site.deadLinks()).toEqual([]);
  });

  test("before it was gathered leaves its set complete too", async () => {
    const site = await publishedWith(leo(today), daily);
    const add = { ...recordOf(leo(tomorrow)) };
    await changeWithheld(site.publishing.vault.own, (note) => ({
      ...note,
      withdrawn: [...note.withdrawn, add],
    }));
    site.setClock(`${tomorrow}T12:00:00Z`);
    await site.gather(tomorrow);
    await site.publishing.vault.displace(leo(tomorrow));
    await site.night();
    expect(await site.json("v1/en/daily/latest.json")).toMatchObject({
      withdrawn: ["leo"],
      readings: { aries: { period: tomorrow } },
    });
  });

  test("comes back unchanged, to the byte", async () => {
    const site = await publishedWith(leo(today), daily);
    const parts = await partsOf(site);
    await take(site, leo(today));
    expect(await partsOf(site)).not.toEqual(parts);
    const { passedOver } = await undo(site, leo(today));
    expect(passedOver).toEqual([]);
    expect(await partsOf(site)).toEqual(parts);
    expect((await readWithheld(site.publishing.vault.own)).note.withdrawn).toEqual([]);
  });

  test.each(deep ? [0, 1, 2] : [1])(
    "of a past date is removed and restored, with the links of its neighbors (%i)",
    async (later) => {
      const site = newSite({ ...daily, languages: ["en"] });
      await site.gather("2026-11-10", "2026-11-16");
      const date = addDays("2026-11-11", later);
      await site.keep(leo(date), words);
      for (let night = "2026-11-11"; night <= "2026-11-16"; night = addDays(night, 1)) {
        site.setClock(`${night}T12:00:00Z`);
        await site.night();
      }
      const before = await site.paths();
      await take(site, leo(date));
      expect(await site.filesWith(words)).toEqual([]);
      expect(await site.deadLinks()).toEqual([]);
      // No more than its own set, the two pages that led to it, its sign's month in the archive, and the month's sitemap.
      const changed = [...before].filter(([path]) => !path.includes(date)).length;
      const after = await site.paths();
      const same = [...before].filter(
        ([path, object]) => !path.includes(date) && after.get(path) === object,
      ).length;
      expect(changed - same).toBeLessThanOrEqual(4);
      await undo(site, leo(date));
      expect(await site.paths()).toEqual(before);
    },
  );

  test("is removed even if the vault no longer has the rest of its set", async () => {
    const site = await publishedWith(leo(today), daily);
    for (const key of await site.publishing.vault.held(`daily/${today}/en/`))
      await site.publishing.vault.displace(key);
    await take(site, leo(today));
    expect(await site.filesWith(words)).toEqual([]);
    expect(await site.json(`v1/en/daily/${today}.json`)).toMatchObject({ withdrawn: ["leo"] });
    expect(await site.deadLinks()).toEqual([]);
  });

  test("with all others of its set removes the set", async () => {
    const site = await publishedWith(leo(today), { ...daily, languages: ["en"] });
    for (const sign of signs) await take(site, leo(today).replace("leo", sign));
    expect([...(await site.paths()).keys()].filter((path) => path.includes(today))).toEqual([]);
    expect(await site.json("v1/en/daily/latest.json")).toMatchObject({
      readings: { leo: { period: yesterday } },
    });
    expect(await site.deadLinks()).toEqual([]);
  });

  test("is removed by the next publish if the withdrawing process died before the first one", async () => {
    const site = await publishedWith(leo(yesterday), daily);
    await changeWithheld(site.publishing.vault.own, (note) => ({
      ...note,
      withdrawn: [recordOf(leo(yesterday))],
    }));
    await site.night(["hi"]);
    expect(await site.filesWith(words)).not.toEqual([]);
    await site.night(["en"]);
    expect(await site.filesWith(words)).toEqual([]);
    expect(await site.deadLinks()).toEqual([]);
  });
});

describe("another withdrawn text", () => {
  const tarot = (date: string) => `daily/${date}/en/daily-tarot/reading`;
  const cards: ConfigurationInput = { languages: ["en"], operations: ["daily-tarot", "love-compatibility"] };

  test("of a card is replaced by the previous day's card, and comes back", async () => {
    const site = await publishedWith(tarot(today), cards);
    const before = await site.paths();
    await take(site, tarot(today));
    expect(await site.filesWith(words)).toEqual([]);
    expect((await site.paths()).has(`v1/en/daily-tarot/${today}.json`)).toBe(false);
    expect(await site.json("v1/en/daily-tarot/latest.json")).toMatchObject({
      reading: { period: yesterday },
    });
    expect(await site.deadLinks()).toEqual([]);
    await undo(site, tarot(today));
    expect(await site.paths()).toEqual(before);
  });

  test("of a card leaves its deck with the next publish, even if its command died and its own file was lost", async () => {
    const site = await publishedWith(tarot(yesterday), cards);
    const lost = `v1/en/daily-tarot/${yesterday}.json`;
    await commitOn(site.publishing, { run: "a loss", asOf: `${today}T12:00:00Z` }, (base, reader) =>
      merge(base?.manifest, [], [lost], reader),
    );
    expect(await site.filesWith(words)).toContain("v1/en/decks/daily-tarot.json");
    await changeWithheld(site.publishing.vault.own, (note) => ({
      ...note,
      withdrawn: [recordOf(tarot(yesterday))],
    }));
    await site.night();
    expect(await site.filesWith(words)).toEqual([]);
    expect(await site.deadLinks()).toEqual([]);
  });

  test("of the only card is removed with its page, and no link leads there", async () => {
    const site = newSite({ languages: ["en"], operations: ["daily-tarot"] });
    await site.gather(today);
    await site.keep(tarot(today), words);
    await site.night();
    await take(site, tarot(today));
    expect([...(await site.paths()).keys()].filter((path) => path.includes("daily-tarot"))).toEqual([]);
    expect(await site.filesWith(words)).toEqual([]);
    expect(await site.deadLinks()).toEqual([]);
  });

  test("of two signs is removed with its page and its place in the table, and the last pair with the whole table", async () => {
    const site = newSite({ languages: ["en"], operations: ["love-compatibility"] });
    await site.gather(today);
    const [first = "", second = ""] = await site.publishing.vault.held("seasonal/");
    await site.keep(first, words);
    await site.night();
    const before = await site.paths();
    await take(site, first);
    expect(await site.filesWith(words)).toEqual([]);
    expect((await site.paths()).has("en/love-compatibility/index.html")).toBe(true);
    expect(await site.deadLinks()).toEqual([]);
    await take(site, second);
    expect([...(await site.paths()).keys()].filter((path) => path.includes("love-compatibility"))).toEqual(
      [],
    );
    expect(await site.deadLinks()).toEqual([]);
    await undo(site, first);
    await undo(site, second);
    expect(await site.paths()).toEqual(before);
  });

  test("of a person goes, and comes back", async () => {
    const key = "once/always/en/which-animal-are-you-reading/example";
    const site = await publishedWith(key, {
      languages: ["en"],
      operations: ["which-animal-are-you-reading"],
    });
    const before = await site.paths();
    await take(site, key);
    expect(await site.filesWith(words)).toEqual([]);
    expect(await site.deadLinks()).toEqual([]);
    await undo(site, key);
    expect(await site.paths()).toEqual(before);
  });
});

test("a record names the request, path, reason, operator and time, and nothing of the text", async () => {
  const site = await publishedWith(leo(today), daily);
  await take(site, leo(today));
  const { note } = await readWithheld(site.publishing.vault.own);
  expect(note.withdrawn).toEqual([recordOf(leo(today))]);
  expect(site.said.join()).not.toContain(words);
});

describe("the text of a path", () => {
  async function site(): Promise<PublishedSite> {
    const made = newSite({ languages: ["en"] });
    await made.gather(yesterday, today);
    await made.night();
    return made;
  }

  test("is the one that the page or the file shows", async () => {
    const { publishing } = await site();
    const pair = (await publishing.vault.held("seasonal/")).find((key) => key.endsWith("aries-leo"));
    for (const [path, key] of [
      [`en/daily/leo/${yesterday}/index.html`, leo(yesterday)],
      [`v1/en/daily/${yesterday}/leo.json`, leo(yesterday)],
      ["en/daily/leo/index.html", leo(today)],
      ["en/weekly/leo/index.html", "weekly/2026-11-15/en/weekly-horoscope/leo"],
      ["en/daily-tarot/index.html", `daily/${today}/en/daily-tarot/reading`],
      ["v1/en/daily-tarot/latest.json", `daily/${today}/en/daily-tarot/reading`],
      [`v1/en/daily-tarot/${yesterday}.json`, `daily/${yesterday}/en/daily-tarot/reading`],
      ["en/love-compatibility/aries-leo/index.html", pair],
      ["v1/en/love-compatibility/aries-leo.json", pair],
      ["en/people/example/index.html", "once/always/en/which-animal-are-you-reading/example"],
    ] as const) {
      expect([path, requestKey(await textOn(path, publishing))]).toEqual([path, key]);
    }
  });

  test.each([
    ["en/index.html", "shows no text, or more than one"],
    ["en/feed.json", "shows no text, or more than one"],
    ["en/love-compatibility/index.html", "shows no text, or more than one"],
    ["v1/en/daily/latest.json", "such as en/daily/aries/index.html"],
    [`v1/en/daily/${today}.json`, `such as v1/en/daily/${today}/aries.json`],
    [`en/daily/leo/${tomorrow}/index.html`, "nothing is published at"],
    ["v1/pointer.json", "nothing is published at"],
  ])("is none that could be meant on %s", async (path, why) => {
    const { publishing } = await site();
    const attempt = textOn(path, publishing);
    await expect(attempt).rejects.toThrow(NoSingleText);
    await expect(attempt).rejects.toThrow(why);
  });
});
