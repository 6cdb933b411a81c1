import { expect, test } from "vitest";
import { z } from "zod";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { renderArchive } from "../../publish/archive.ts";
import {
  changeTo,
  correctableText,
  NotCorrectable,
  publishCorrection,
  recordCorrection,
  undo,
} from "../../publish/correct.ts";
import { backUp } from "../../publish/backup/back-up.ts";
import { restore } from "../../publish/backup/restore.ts";
import { readSnapshot, snapshotsIn } from "../../publish/backup/snapshots.ts";
import { merge } from "../../publish/render/merged-state.ts";
import { repair } from "../../publish/repair/repair.ts";
import { manifestPath, objectPath, readState } from "../../publish/state/state.ts";
import { bringBack, withdraw } from "../../publish/withdraw.ts";
import { why } from "../../insight/why.ts";
import { staleCorrections } from "../../insight/why-facts.ts";
import { storedReader } from "../../vault/stored-readings.ts";
import { readWithheld } from "../../vault/withheld.ts";
import type { RequestKey } from "../../readings/request.ts";
import { documents } from "../../site/data.schema.ts";
import { openMemory } from "../support/memory.ts";
import { sandboxProse } from "../support/prose.ts";
import { damage, fill, inMemory, keysOf, type Snapshot, snapshotOf } from "../support/stores.ts";
import { commitOn } from "./support/commit-on.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";

const [yesterday, today, tomorrow] = ["2026-11-20", "2026-11-21", "2026-11-22"] as const;
const leo = (date: string, language = "en") => `daily/${date}/${language}/daily-horoscope/leo`;
const tarot = (date: string) => `daily/${date}/en/daily-tarot/reading`;
const draw = `daily/${yesterday}/en/daily-tarot/draw-1`;
const mark = "Quietly corrected";
const said = { by: "Ada", reason: "wrong gender" };

/** A sentence of good prose that begins with the mark. */
const goodText = `${mark}: ${(sandboxProse("en")[3] ?? "").replace(/^./, (letter) => letter.toLowerCase())}`;

let made: Promise<Snapshot> | undefined;

/** Published yesterday and today, made once and copied for each test. Times are two nights apart, so that rollbacks have a choice. */
async function published(): Promise<PublishedSite> {
  made ??= (async () => {
    const site = newSite({});
    await site.gather("2026-11-18", tomorrow);
    await site.keep(draw);
    for (const day of [yesterday, today]) {
      site.setClock(`${day}T12:00:00Z`);
      await site.night();
    }
    return snapshotOf({ site: site.site, vault: site.publishing.vault.store });
  })();
  const stores = inMemory();
  await fill(stores, await made);
  const site = newSite({}, stores);
  site.setClock(`${today}T13:00:00Z`);
  return site;
}

async function record(site: PublishedSite, key: RequestKey, field: string, words?: string) {
  const text = await correctableText(requestAt(key), field, site.publishing);
  const change = words === undefined ? undo(text) : await changeTo(words, undefined, text, {});
  await recordCorrection(change, text, said, site.publishing);
  return change;
}

async function correct(site: PublishedSite, key: RequestKey, field: string, words?: string) {
  const change = await record(site, key, field, words);
  return publishCorrection(change, requestAt(key), site.publishing);
}

const readingAt = async (site: PublishedSite, path: string) =>
  z.object({ reading: z.looseObject({ corrected: z.unknown().optional() }) }).parse(await site.json(path))
    .reading;

test("a rollback to a state that has lost a day's own file leaves no uncorrected card in the deck", async () => {
  const site = await published();
  const inDeck = async () => {
    const { cards } = documents.deck.parse(await site.json("v1/en/decks/daily-tarot.json"));
    return JSON.stringify(cards.filter(({ last }) => last === yesterday));
  };
  const lost = `v1/en/daily-tarot/${yesterday}.json`;
  await commitOn(site.publishing, { run: "a loss", asOf: `${today}T13:00:00Z` }, (base, reader) =>
    merge(base?.manifest, [], [lost], reader),
  );
  const { paragraphs } = await correctableText(requestAt(tarot(yesterday)), "career", site.publishing);
  expect(await inDeck()).toContain(paragraphs[0]);
  await site.night();
  await record(site, tarot(yesterday), "career", goodText);
  const to = await chooseState("3", { site: site.site, now: site.publishing.now(), keepDays: 30 });
  await rollback({ to, evenMany: true, by: { by: "editor" } }, site.publishing);
  expect(await inDeck()).not.toContain(paragraphs[0]);
  expect(await inDeck()).toContain(mark);
  expect(await site.deadLinks()).toEqual([]);
});

test("a repair that returns the current pages to an earlier version leaves no uncorrected text there", async () => {
  const site = await published();
  const last = "2026-11-23";
  await site.gather(last, last);
  for (const day of [tomorrow, last]) {
    site.setClock(`${day}T12:00:00Z`);
    await site.night();
  }
  await record(site, tarot(today), "career", goodText);
  await correct(site, tarot(last), "career", goodText);
  const marks = async () => {
    const { cards } = documents.deck.parse(await site.json("v1/en/decks/daily-tarot.json"));
    return cards
      .filter((card) => JSON.stringify(card).includes(mark))
      .map((card) => card.last)
      .sort();
  };
  expect(await marks()).toEqual([today, last]);
  const { manifest } = (await readState(site.site)) ?? {};
  await site.site.remove([manifestPath(manifest?.parts["en/current"] ?? ""), "en/index.html"]);
  await repair(site.publishing, true);
  expect(await marks()).toEqual([today, last]);
  expect(await site.filesWith(mark)).toContain("v1/en/daily-tarot/latest.json");
});

test("a correction is on every page and in every file that shows the text, and in no other language", async () => {
  const site = await published();
  const before = await site.paths();
  const { changes } = await correct(site, leo(today), "personal", goodText);
  expect((await site.filesWith(mark)).sort()).toEqual(
    [
      `en/daily/leo/${today}/index.html`,
      "en/daily/leo/feed.json",
      "en/daily/leo/feed.xml",
      "en/daily/leo/index.html",
      "en/embed/leo/index.html",
      "en/feed.json",
      "en/feed.xml",
      "en/index.html",
      `en/newsletter/${today}.html`,
      `en/newsletter/${today}.json`,
      `en/newsletter/${today}.txt`,
      `en/newsletter/${today}/leo.html`,
      `en/newsletter/${today}/leo.txt`,
      `v1/en/daily/${today}.json`,
      `v1/en/daily/${today}/leo.json`,
      "v1/en/daily/latest.json",
    ].sort(),
  );
  const corrected = { at: `${today}T13:00:00.000Z`, fields: ["sections.personal"] };
  expect((await readingAt(site, `v1/en/daily/${today}/leo.json`)).corrected).toEqual(corrected);
  expect(documents.signs.parse(await site.json("v1/en/daily/latest.json")).readings.leo?.corrected).toEqual(
    corrected,
  );
  for (const { path } of changes) expect(path).not.toMatch(/^(v1\/)?hi\//);
  expect(await site.filesWith("Ada")).toEqual([]);
  expect(await site.deadLinks()).toEqual([]);
  await correct(site, leo(today), "personal");
  expect(await site.paths()).toEqual(before);
});

const feedSchema = z.object({
  items: z.array(z.object({ id: z.string(), date_published: z.string(), date_modified: z.string() })),
});

test("a feed has a corrected text as the same entry, published when it was and modified now", async () => {
  const site = await published();
  const feed = async () => feedSchema.parse(await site.json("en/daily/leo/feed.json")).items;
  const [before] = await feed();
  const dates = async () => (await site.text("en/daily/leo/feed.xml")).match(/<pubDate>.*?<\/pubDate>/g);
  const wasPublished = await dates();
  await correct(site, leo(today), "personal", goodText);
  await correct(site, leo(today), "health", goodText);
  expect(await feed()).toEqual([{ ...before, date_modified: `${today}T13:00:00.000Z` }]);
  expect(await dates()).toEqual(wasPublished);
  expect(await site.text("en/daily/leo/feed.xml")).toContain(
    `<atom:updated>${today}T13:00:00.000Z</atom:updated>`,
  );
  expect(await site.text("en/daily/aries/feed.xml")).not.toContain("atom:updated");
  await correct(site, leo(today), "health");
  await correct(site, leo(today), "personal");
  expect(await feed()).toEqual([before]);
});

const corrections: readonly (readonly [key: RequestKey, field: string])[] = [
  [leo(yesterday), "personal"],
  [leo(today), "sections.travel"],
  [tarot(yesterday), "career"],
  [tarot(today), "love"],
  [draw, "finance"],
  ["weekly/2026-11-15/en/weekly-horoscope/pisces", "health"],
  ["once/always/en/which-animal-are-you-reading/example", "text"],
];

/** Corrects each kind of text, or undoes that, in one publish. */
async function correctAll(site: PublishedSite, words?: string) {
  const [pair = ""] = await site.publishing.vault.held("seasonal/");
  for (const [key, field] of corrections) await record(site, key, field, words);
  await correct(site, pair, "overall", words);
}

test("corrections of every kind of text survive publishes, renders, repairs, rollbacks and withdrawals, and can be undone", async () => {
  const before = await (await published()).paths();
  const site = await published();
  await correctAll(site, goodText);
  const shown = (await site.filesWith(mark)).sort();
  for (const part of ["v1/en/decks/daily-tarot.json", "en/people/example/index.html"])
    expect(shown).toContain(part);
  const expectShown = async () => expect((await site.filesWith(mark)).sort()).toEqual(shown);
  const paths = await site.paths();
  const expectSame = async () => expect(await site.paths()).toEqual(paths);

  await site.night();
  await expectSame();
  await renderArchive(
    { languages: ["en", "hi"], dates: { from: "2026-11-19" }, evenMany: true, by: { by: "editor" } },
    site.publishing,
  );
  await expectSame();

  const object = objectPath(paths.get(`v1/en/daily/${today}/leo.json`) ?? "", "x.json");
  await site.site.remove([object, `v1/en/daily/${today}/leo.json`]);
  await repair(site.publishing, true);
  await expectSame();

  await withdraw(recordOf(leo(today)), requestAt(leo(today)), site.publishing);
  await bringBack(requestAt(leo(today)), { by: "Ada" }, site.publishing);
  await expectSame();

  const to = async (version: string) =>
    chooseState(version, { site: site.site, now: site.publishing.now(), keepDays: 30 });
  const toBefore = await rollback(
    { to: await to("2"), evenMany: true, by: { by: "editor" } },
    site.publishing,
  );
  expect(toBefore).toMatchObject({ changes: [], isDecided: true });
  await expectSame();
  await rollback({ to: await to("1"), evenMany: true, by: { by: "editor" } }, site.publishing);
  const earlier = (await site.filesWith(mark)).filter((path) => path.includes(yesterday)).sort();
  expect(earlier).toEqual(shown.filter((path) => path.includes(yesterday)));
  await site.night();
  expect((await site.filesWith(mark)).filter((path) => path.includes(yesterday)).sort()).toEqual(earlier);
  await correct(site, leo(yesterday), "personal");
  expect(await site.filesWith(mark)).not.toContain(`en/daily/leo/${yesterday}/index.html`);
  await correct(site, leo(yesterday), "personal", goodText);
  await renderArchive(
    { languages: ["en", "hi"], dates: { from: "2026-11-19" }, evenMany: true, by: { by: "editor" } },
    site.publishing,
  );
  await expectShown();

  await correctAll(site);
  expect(await site.filesWith(mark)).toEqual([]);
  const isStatus = (path: string) => path.includes("status"); // it says when the newest version was published
  const after = await site.paths();
  for (const path of [...before.keys()].filter(isStatus)) before.delete(path);
  for (const path of [...after.keys()].filter(isStatus)) after.delete(path);
  expect(after).toEqual(before);
});

test("a recorded correction whose command died is published by the next publish, in its language only", async () => {
  const site = await published();
  const before = await site.paths();
  await record(site, leo(yesterday, "hi"), "personal", sandboxProse("hi")[2]);
  await site.publishDue();
  const changed = [...(await site.paths())].filter(([path, object]) => before.get(path) !== object);
  expect(changed.map(([path]) => path)).toContain(`v1/hi/daily/${yesterday}/leo.json`);
  for (const [path] of changed) expect(path).not.toMatch(/^(v1\/)?en\//);
});

test("a text that is not published yet is corrected when its day begins", async () => {
  const site = await published();
  const { changes } = await correct(site, leo(tomorrow), "personal", goodText);
  expect(changes).toEqual([]);
  expect(await site.filesWith(mark)).toEqual([]);
  site.setClock(`${tomorrow}T12:00:00Z`);
  await site.publishDue();
  expect(await site.filesWith(mark)).toContain("en/daily/leo/index.html");
  const [item] = feedSchema.parse(await site.json("en/daily/leo/feed.json")).items;
  expect(item?.date_modified).toBe(item?.date_published);
});

test("a correction of another response is stale: not applied and listed, until a person decides", async () => {
  const site = await published();
  const { vault } = site.publishing;
  const stale = async () => staleCorrections(vault, await readWithheld(vault.own));
  const { configuration, now } = site.publishing;
  const look = { configuration, vault, site: site.site, now: now() };
  const facts = async () =>
    (await why({ path: `v1/en/daily/${today}/leo.json` }, look)).filter(({ about }) =>
      /^(corrected|stale|next)$/.test(about),
    );
  await correct(site, leo(today), "personal", goodText);
  expect(await stale()).toEqual([]);
  expect(await facts()).toEqual([
    {
      about: "corrected",
      is: "sections.personal",
      at: `${today}T13:00:00.000Z`,
      words: "by Ada: wrong gender",
    },
  ]);
  await site.keep(leo(today), "Sent again:");
  await site.night();
  expect(await site.filesWith(mark)).toEqual([]);
  expect(await site.text("en/daily/leo/index.html")).toContain("Sent again:");
  expect((await readingAt(site, `v1/en/daily/${today}/leo.json`)).corrected).toBeUndefined();
  expect(await stale()).toMatchObject([{ key: leo(today), field: "sections.personal", by: "Ada" }]);
  expect(await facts()).toMatchObject([
    { about: "stale", is: "sections.personal", words: expect.stringContaining("no longer applies") },
    { about: "next", words: expect.stringContaining("to correct the new text, or add --undo to keep it") },
  ]);
  await correct(site, leo(today), "personal");
  expect(await stale()).toEqual([]);
  expect(await facts()).toEqual([]);
  await correct(site, leo(today), "personal", goodText);
  expect(await stale()).toEqual([]);
  expect(await site.filesWith(mark)).toContain("en/daily/leo/index.html");
});

test("a text with markup, without words, or against a rule is refused; a person can override the rule", async () => {
  const site = await published();
  const text = await correctableText(requestAt(leo(today)), "personal", site.publishing);
  const to = (words: string, place?: number) => changeTo(words, place, text, {});
  await expect(to("Read <b>this</b> text.")).rejects.toThrow(NotCorrectable);
  await expect(to("  \n \u200B")).rejects.toThrow("empty");
  expect((await to("Short.")).problems).toMatchObject([{ rule: "short" }]);
  expect((await to(sandboxProse("de")[1] ?? "")).problems).toMatchObject([{ rule: "language" }]);
  const lucky = await correctableText(requestAt(leo(today)), "luck.0.value", site.publishing);
  expect((await changeTo("One\nTwo", undefined, lucky, {})).text).toEqual(["One Two"]);
  await expect(correctableText(requestAt(leo(today)), "value", site.publishing)).rejects.toThrow(
    "luck.1.value",
  );
  const change = await to("Short.");
  await recordCorrection(change, text, said, site.publishing);
  await publishCorrection(change, text.request, site.publishing);
  expect(await site.text("en/daily/leo/index.html")).toContain("Short.");
});

test("a text that makes a sign equal to another is refused by the set rule; if overridden, its set is published", async () => {
  const site = await published();
  const { vault } = site.publishing;
  const names = ["personal", "health", "travel"] as const;
  const aries = (await storedReader(vault)([requestAt(leo(tomorrow).replace("leo", "aries"))])).stored[0]
    ?.reading;
  if (aries?.family !== "horoscope") throw new Error("no horoscope");
  for (const name of names) {
    const text = await correctableText(requestAt(leo(tomorrow)), name, site.publishing);
    const change = await changeTo(aries.sections[name].join("\n"), undefined, text, {});
    expect(change.problems.map(({ rule }) => rule)).toEqual(name === "travel" ? ["another-sign"] : []);
    await recordCorrection(change, text, said, site.publishing);
  }
  site.setClock(`${tomorrow}T12:00:00Z`);
  await site.night();
  expect(
    documents.signs.parse(await site.json("v1/en/daily/latest.json")).readings.leo?.sections.health,
  ).toEqual(aries.sections.health);
});

test("one paragraph is replaced, and a second correction keeps the original of the first", async () => {
  const site = await published();
  await correct(site, leo(today), "personal", `${goodText}\n${sandboxProse("en")[5]}`);
  const text = await correctableText(requestAt(leo(today)), "personal", site.publishing);
  const change = await changeTo(sandboxProse("en")[7] ?? "", 2, text, {});
  expect(change.text).toEqual([goodText, sandboxProse("en")[7]]);
  const stored = (await storedReader(site.publishing.vault)([text.request])).stored[0]?.reading;
  expect(stored?.family === "horoscope" && change.original).toEqual(
    stored?.family === "horoscope" && stored.sections.personal,
  );
});

test("if a decision can't be read, the sets of its language and day keep the published texts", async () => {
  const site = await published();
  const own = site.publishing.vault.own;
  await record(site, leo(today), "personal", goodText);
  for (const key of await keysOf(own, "journal/")) await damage(own, key);
  const before = await site.paths();
  await site.keep(leo(today), "Other words:");
  await site.night();
  expect(await site.paths()).toEqual(before);
  expect(site.said.join()).toContain("almanac restore");
  expect(site.said.join()).not.toContain(mark);
});

test("a correction is restored from a backup with the vault", async () => {
  const site = await published();
  await correct(site, leo(today), "personal", goodText);
  const paths = await site.paths();
  const backup = openMemory();
  await backUp(site.publishing, backup, 30);
  const again = newSite({}, inMemory());
  again.setClock(`${today}T14:00:00Z`);
  const newest = (await snapshotsIn(backup)).at(-1);
  if (newest === undefined) throw new Error("the backup has no snapshot");
  await restore(again.publishing, backup, await readSnapshot(backup, newest));
  await repair(again.publishing, false);
  await again.night();
  expect(await again.paths()).toEqual(paths);
  await correct(again, leo(today), "personal");
  expect(await again.filesWith(mark)).toEqual([]);
});
