// Review: under `before`, no text appears anywhere that no person has approved, and no text that readers know leaves.
import { describe, expect, test } from "vitest";
import { textsToReview } from "../../insight/set-states.ts";
import { setsToReview } from "../../insight/review-list.ts";
import { why } from "../../insight/why.ts";
import { renderArchive } from "../../publish/archive.ts";
import { changeTo, correctableText, publishCorrection, recordCorrection } from "../../publish/correct.ts";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { publishDue } from "../../publish/publish.ts";
import { repair } from "../../publish/repair/repair.ts";
import { publishApproved, recordReview } from "../../publish/review.ts";
import { bringBack, textOn, withdraw } from "../../publish/withdraw.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { type RequestKey, requestKey } from "../../readings/request.ts";
import type { ReviewDecision } from "../../readings/review.ts";
import { documents } from "../../site/data.schema.ts";
import { fill, inMemory, type Snapshot, snapshotOf } from "../support/stores.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";

const [yesterday, today, tomorrow] = ["2026-11-20", "2026-11-21", "2026-11-22"] as const;
const settings: ConfigurationInput = { zones: { en: "UTC", hi: "UTC" } };
const before = { hi: { mode: "before" } } as const;
const late = { hi: { mode: "before", late: "publish" } } as const;
const after = { hi: { mode: "after" } } as const;

const leo = (date: string) => `daily/${date}/hi/daily-horoscope/leo`;
const tarot = (date: string) => `daily/${date}/hi/daily-tarot/reading`;
const weekly = (week: string) => `weekly/${week}/hi/weekly-horoscope/leo`;
const pair = "seasonal/2026-Q4/hi/love-compatibility/aries-leo";
const person = "once/always/hi/which-animal-are-you-reading/example";

/** Words of the text with this key, and of no other. */
const wordsOf = (key: RequestKey) => `Words of ${key.replaceAll("/", " ")}.`;

async function decide(site: PublishedSite, kind: ReviewDecision, only = ""): Promise<string[]> {
  const { publishing } = site;
  const date = /^daily\/([\d-]+)/.exec(only)?.[1];
  const wish = date === undefined ? {} : { dateIn: () => date };
  const sets = (await setsToReview(wish, { ...publishing, now: publishing.now() })).filter(({ set }) =>
    set.startsWith(only),
  );
  const texts = sets.flatMap(textsToReview);
  await recordReview(kind, texts, { by: "editor" }, publishing);
  if (kind === "approve") await publishApproved(texts, publishing);
  return sets.map(({ set }) => set);
}

async function correct({ publishing }: PublishedSite, key: RequestKey, was: string, words: string) {
  const text = await correctableText(requestAt(key), "personal", publishing);
  const change = await changeTo(text.paragraphs.join("\n").replace(was, words), undefined, text, {});
  await recordCorrection(change, text, { by: "editor" }, publishing);
  await publishCorrection(change, requestAt(key), publishing);
}

async function toReview({ publishing }: PublishedSite) {
  const sets = await setsToReview({}, { ...publishing, now: publishing.now() });
  return sets.map(({ set, state }) => `${state} ${set}`);
}

/** Stores the dates' texts, each with its own words. */
async function gather(site: PublishedSite, ...dates: readonly string[]): Promise<void> {
  for (const date of dates) {
    await site.gather(date);
    for (const key of [leo(date), tarot(date)]) await site.keep(key, wordsOf(key));
  }
}

/** English and Hindi with yesterday's edition, which was published without review, and today's texts in the vault. */
async function newWorld(review: ConfigurationInput["review"]): Promise<PublishedSite> {
  made ??= madeOnce();
  const stores = inMemory();
  await fill(stores, await made);
  const site = newSite({ ...settings, review }, stores);
  site.setClock(`${yesterday}T12:00:00Z`);
  return site;
}

let made: Promise<Snapshot> | undefined;

async function madeOnce(): Promise<Snapshot> {
  const stores = inMemory();
  const site = newSite(settings, stores);
  site.setClock(`${yesterday}T12:00:00Z`);
  await gather(site, yesterday);
  await site.night();
  await gather(site, today, tomorrow);
  return snapshotOf(stores);
}

const statusOf = async (site: PublishedSite, language: string) =>
  documents.status
    .parse(await site.json("v1/status.json"))
    .languages.find((one) => one.language === language);

const latest = async (site: PublishedSite) =>
  documents.signs.parse(await site.json("v1/hi/daily/latest.json")).readings.leo?.period;

describe("under `before`", () => {
  test("a set is published by the next publish after its approval, and English without one", async () => {
    const site = await newWorld(before);
    site.setClock(`${today}T00:05:00Z`);
    await site.publishDue();
    expect(await site.filesWith(wordsOf(leo(today)))).toEqual([]);
    expect(await latest(site)).toBe(yesterday);
    const { date, newest } = documents.language.parse(await site.json("v1/en/index.json"));
    expect([date, newest["daily-horoscope"]]).toEqual([today, today]);

    await decide(site, "approve", `daily/${today}`);
    expect(await latest(site)).toBe(today);
    const pages = await site.filesWith(wordsOf(leo(today)));
    expect(pages).toContain("hi/daily/leo/index.html");
    expect(pages).toContain("hi/feed.json");
    expect(await site.deadLinks()).toEqual([]);
    expect(await toReview(site)).not.toContainEqual(expect.stringContaining(`waiting daily/${today}`));
  });

  test("an approval before midnight is published at midnight, by the schedule", async () => {
    const site = await newWorld(before);
    await decide(site, "approve", `daily/${today}`);
    expect(await site.filesWith(wordsOf(leo(today)))).toEqual([]);
    site.setClock(`${today}T00:05:00Z`);
    await site.publishDue();
    expect(await latest(site)).toBe(today);
  });

  test("an approval that was recorded but not published is published by the schedule", async () => {
    const site = await newWorld(before);
    site.setClock(`${today}T12:00:00Z`);
    await site.night();
    const { publishing } = site;
    const sets = await setsToReview({}, { ...publishing, now: publishing.now() });
    const due = sets.filter(({ set }) => set.startsWith(`daily/${today}`)).flatMap(textsToReview);
    await recordReview("approve", due, { by: "editor" }, publishing);
    expect(await latest(site)).toBe(yesterday);
    await publishDue(publishing);
    expect(await latest(site)).toBe(today);
    expect((await publishDue(publishing)).languages).toEqual([]);
  });

  test("a held edition keeps yesterday's texts with their date, and says what waits", async () => {
    const site = await newWorld({
      hi: { ...before.hi, operations: { "which-animal-are-you-reading": "none" } },
    });
    site.setClock(`${today}T12:00:00Z`);
    await site.night();
    const { date, newest, nextAt, waiting } = documents.language.parse(await site.json("v1/hi/index.json"));
    expect({ date, nextAt }).toEqual({ date: today, nextAt: `${tomorrow}T00:00:00.000Z` });
    expect([newest["daily-horoscope"], newest["daily-tarot"]]).toEqual([yesterday, yesterday]);
    expect(waiting).toEqual({ "daily-horoscope": today, "daily-tarot": today });
    expect(await statusOf(site, "hi")).toMatchObject({ missing: [], waiting });
    expect(await statusOf(site, "en")).not.toHaveProperty("waiting");
    expect(await site.text("status/index.html")).toContain("Waiting for review");

    const paths = [...(await site.paths()).keys()].filter(
      (path) => path.startsWith("hi/") || path.startsWith("v1/hi/"),
    );
    expect(paths.filter((path) => path.includes(today))).toEqual([]);
    expect(await site.text("hi/index.html")).toContain(`datetime="${yesterday}"`);
    expect(await site.text("hi/feed.json")).toContain(wordsOf(leo(yesterday)));
    expect(await site.deadLinks()).toEqual([]);
  });

  test("the second night in a row keeps the last approved texts, and approving an old day adds its pages", async () => {
    const site = await newWorld(before);
    site.setClock(`${today}T12:00:00Z`);
    await site.night();
    site.setClock(`${tomorrow}T12:00:00Z`);
    await site.night();
    expect(await latest(site)).toBe(yesterday);
    await decide(site, "approve", `daily/${tomorrow}`);
    expect(await latest(site)).toBe(tomorrow);
    expect(await site.filesWith(wordsOf(leo(today)))).toEqual([]);
    await decide(site, "approve", `daily/${today}`);
    expect(await site.filesWith(wordsOf(leo(today)))).toContain(`hi/daily/leo/${today}/index.html`);
    expect(await latest(site)).toBe(tomorrow);
    expect(await site.deadLinks()).toEqual([]);
  });

  test("a week without an approval keeps the last approved texts, and each date comes once", async () => {
    const site = await newWorld(before);
    await site.gather("2026-11-23", "2026-11-27");
    for (let day = 21; day <= 27; day += 1) {
      site.setClock(`2026-11-${day}T12:00:00Z`);
      await site.publishDue();
      expect((await publishDue(site.publishing)).languages).toEqual([]);
    }
    const { date, newest } = documents.language.parse(await site.json("v1/hi/index.json"));
    expect([date, newest["daily-horoscope"]]).toEqual(["2026-11-27", yesterday]);
    expect(await site.text("hi/index.html")).toContain(`datetime="${yesterday}"`);
    expect(await site.text("hi/feed.json")).toContain(wordsOf(leo(yesterday)));
    expect(await site.deadLinks()).toEqual([]);
  });

  test("an approved text that is requested again and differs waits, and readers keep the approved one", async () => {
    const site = await newWorld(before);
    site.setClock(`${today}T12:00:00Z`);
    await decide(site, "approve", `daily/${today}`);
    await site.keep(leo(today), "Other words.");
    await site.night();
    await renderArchive({ languages: ["hi"], dates: { from: yesterday }, evenMany: false }, site.publishing);
    await repair(site.publishing, false);
    expect(await site.filesWith("Other words.")).toEqual([]);
    expect(await site.filesWith(wordsOf(leo(today)))).toContain("hi/daily/leo/index.html");
    expect(await toReview(site)).toContain(`waiting daily/${today}/hi/daily-horoscope`);
    await decide(site, "approve", `daily/${today}`);
    expect(await site.filesWith("Other words.")).toContain("hi/daily/leo/index.html");
  });

  test("a correction of an approved text waits, and readers keep the approved one until it is approved", async () => {
    const site = await newWorld(before);
    const { publishing } = site;
    site.setClock(`${today}T12:00:00Z`);
    await decide(site, "approve", `daily/${today}`);
    await correct(site, leo(today), "Words of", "Corrected words of");
    await site.night();
    await repair(publishing, false);
    expect(await site.filesWith("Corrected words of")).toEqual([]);
    expect(await site.filesWith(wordsOf(leo(today)))).toContain("hi/daily/leo/index.html");
    expect((await publishDue(publishing)).languages).toEqual([]);
    await decide(site, "approve", `daily/${today}`);
    expect(await site.filesWith("Corrected words of")).toContain("hi/daily/leo/index.html");
    const { reviewed } = documents.sign.parse(await site.json(`v1/hi/daily/${today}/leo.json`));
    expect(reviewed).toBe(true);
  });

  test("a rollback shows the approved correction of a text while a newer one waits", async () => {
    const site = await newWorld(before);
    site.setClock(`${today}T12:00:00Z`);
    await decide(site, "approve", `daily/${today}`);
    await correct(site, leo(today), "Words of", "First words of");
    await decide(site, "approve", `daily/${today}`);
    await correct(site, leo(today), "First words of", "Second words of");
    const to = await chooseState(undefined, { ...site.publishing, now: site.publishing.now(), keepDays: 30 });
    await rollback({ to, evenMany: true, by: { by: "editor" } }, site.publishing);
    expect(await site.filesWith("Second words of")).toEqual([]);
    expect(await site.filesWith(wordsOf(leo(today)))).toEqual([]);
    expect(await site.filesWith("First words of")).toContain("hi/daily/leo/index.html");
  });

  test("other templates void no approval", async () => {
    const site = await newWorld(before);
    site.setClock(`${today}T12:00:00Z`);
    await decide(site, "approve", `daily/${today}`);
    const other = site.with({ review: before, site: { name: "Another name" } });
    await other.publishDue();
    expect(await other.text("hi/daily/leo/index.html")).toContain("Another name");
    expect(await toReview(other)).not.toContainEqual(expect.stringContaining(`daily/${today}`));
  });

  test("a new template reaches the archive that was published before there was review", async () => {
    const site = await newWorld(before);
    const other = site.with({ review: before, site: { name: "Another name" } });
    const dates = { from: yesterday };
    const { passedOver } = await renderArchive(
      { languages: ["hi"], dates, evenMany: false },
      other.publishing,
    );
    expect(passedOver).toEqual([]);
    expect(await other.text(`hi/daily/leo/${yesterday}/index.html`)).toContain("Another name");
  });

  test("texts that were published while there was no review stay, and changed ones wait", async () => {
    const site = await newWorld(before);
    site.setClock(`${today}T12:00:00Z`);
    await decide(site, "approve", `daily/${today}`);
    await site.keep(leo(today), "Published without review.");
    await site.with({ review: {} }).night();
    expect(await site.filesWith("Published without review.")).not.toEqual([]);
    await site.keep(leo(today), "Never approved.");
    await site.night();
    expect(await site.filesWith("Published without review.")).toContain("hi/daily/leo/index.html");
    expect(await site.filesWith("Never approved.")).toEqual([]);
    const document = documents.sign.parse(await site.json(`v1/hi/daily/${today}/leo.json`));
    expect(document.reviewed).toBeUndefined();
  });

  test("a rollback and its end bring back no text that nobody approved", async () => {
    const site = await newWorld(before);
    site.setClock(`${today}T12:00:00Z`);
    await decide(site, "approve", `daily/${today}`);
    await site.keep(leo(today), "Never approved.");
    const to = await chooseState(undefined, { ...site.publishing, now: site.publishing.now(), keepDays: 30 });
    await rollback({ to, evenMany: true, by: { by: "editor" } }, site.publishing);
    expect(await latest(site)).toBe(yesterday);
    await site.night();
    await withdraw(recordOf(leo(today)), requestAt(leo(today)), site.publishing);
    await bringBack(requestAt(leo(today)), { by: "editor" }, site.publishing);
    await site.night();
    await renderArchive({ languages: ["hi"], evenMany: false }, site.publishing);
    expect(await site.filesWith("Never approved.")).toEqual([]);
  });

  test("a text that was stopped before its midnight is missing, and its set is approved without it", async () => {
    const site = await newWorld(before);
    await withdraw(recordOf(leo(today)), requestAt(leo(today)), site.publishing);
    await decide(site, "approve", `daily/${today}`);
    site.setClock(`${today}T00:05:00Z`);
    await site.publishDue();
    expect(await latest(site)).toBeUndefined();
    expect(await site.filesWith(wordsOf(leo(today)))).toEqual([]);
    const signs = documents.signs.parse(await site.json("v1/hi/daily/latest.json"));
    expect([signs.withdrawn, signs.reviewed]).toEqual([["leo"], true]);

    // Nobody has approved it, so it does not come back before that.
    await bringBack(requestAt(leo(today)), { by: "editor" }, site.publishing);
    expect(await site.filesWith(wordsOf(leo(today)))).toEqual([]);
    await decide(site, "approve", `daily/${today}`);
    expect(await site.filesWith(wordsOf(leo(today)))).toContain("hi/daily/leo/index.html");
  });

  test("a withdrawal after the approval needs no other one", async () => {
    const site = await newWorld(before);
    site.setClock(`${today}T12:00:00Z`);
    await decide(site, "approve", `daily/${today}`);
    await withdraw(recordOf(leo(today)), requestAt(leo(today)), site.publishing);
    const signs = documents.signs.parse(await site.json("v1/hi/daily/latest.json"));
    expect([signs.withdrawn, signs.readings.aries?.period]).toEqual([["leo"], today]);
    await bringBack(requestAt(leo(today)), { by: "editor" }, site.publishing);
    expect(await latest(site)).toBe(today);
  });

  test("a week, a pair and a person's text wait too", async () => {
    const site = newSite({ ...settings, review: before });
    await gather(site, yesterday, today);
    for (const key of [weekly("2026-11-15"), pair, person]) await site.keep(key, wordsOf(key));
    await site.night();
    expect([...(await site.paths()).keys()].filter((path) => path.startsWith("hi/"))).toEqual([]);
    await decide(site, "approve");
    await site.publishDue();
    for (const key of [weekly("2026-11-15"), pair, person])
      expect(await site.filesWith(wordsOf(key))).not.toEqual([]);
    expect(await toReview(site)).toEqual([]);
    expect(await site.deadLinks()).toEqual([]);
  });

  test("a pair keeps the text that readers know, and gets a new one after its approval", async () => {
    const site = await newWorld(before);
    site.setClock(`${today}T12:00:00Z`);
    const [shown] = await site.filesWith('"love-compatibility"');
    await site.keep(pair, "Other words.");
    await site.night();
    expect(await site.filesWith("Other words.")).toEqual([]);
    expect(shown).toBeDefined();
    expect(await site.text("hi/love-compatibility/index.html")).toContain("aries-leo");
    await decide(site, "approve", pair);
    expect(await site.filesWith("Other words.")).toContain("hi/love-compatibility/aries-leo/index.html");
  });

  test("a further draw waits for its own approval", async () => {
    const site = (await newWorld(before)).with({ review: before, decks: { callsPerNight: 1 } });
    site.setClock(`${today}T12:00:00Z`);
    await decide(site, "approve", `daily/${today}`);
    const draw = `daily/${today}/hi/daily-tarot/draw-1`;
    await site.keep(draw, "A further draw.");
    await site.night();
    expect(await site.filesWith("A further draw.")).toEqual([]);
    expect(await toReview(site)).toContain(`waiting ${draw}`);
    await decide(site, "approve", draw);
    expect(await site.filesWith("A further draw.")).toContain("v1/hi/decks/daily-tarot.json");
  });

  test("tomorrow's page of `site.tomorrow` waits, and its approval publishes it before its day", async () => {
    const site = (await newWorld(before)).with({ review: before, site: { tomorrow: true } });
    site.setClock(`${today}T12:00:00Z`);
    await decide(site, "approve", `daily/${today}`);
    await site.night();
    expect(await site.filesWith(wordsOf(leo(tomorrow)))).toEqual([]);
    await decide(site, "approve", `daily/${tomorrow}`);
    expect(await site.filesWith(wordsOf(leo(tomorrow)))).toContain(`hi/daily/leo/${tomorrow}/index.html`);
  });
});

describe("with `late: publish`", () => {
  test("a set waits until its midnight, and is then published without approval", async () => {
    const site = (await newWorld(late)).with({ review: late, site: { tomorrow: true } });
    site.setClock(`${yesterday}T23:50:00Z`);
    await site.night();
    expect(await site.filesWith(wordsOf(leo(today)))).toEqual([]);
    site.setClock(`${today}T00:05:00Z`);
    await site.publishDue();
    expect(await latest(site)).toBe(today);
    expect(documents.sign.parse(await site.json(`v1/hi/daily/${today}/leo.json`)).reviewed).toBeUndefined();
    // Nobody has looked yet.
    expect(await toReview(site)).toContain(`published daily/${today}/hi/daily-horoscope`);
  });

  test("a rejected set stays away", async () => {
    const site = await newWorld(late);
    await decide(site, "reject", `daily/${today}/hi/daily-horoscope`);
    site.setClock(`${today}T00:05:00Z`);
    await site.publishDue();
    expect(await latest(site)).toBe(yesterday);
    expect(await site.filesWith(wordsOf(tarot(today)))).not.toEqual([]);
    expect(await toReview(site)).toContain(`rejected daily/${today}/hi/daily-horoscope`);
    expect((await statusOf(site, "hi"))?.missing).toEqual([]);
    await decide(site, "approve", `daily/${today}/hi/daily-horoscope`);
    expect(await latest(site)).toBe(today);
  });
});

describe("under `after`", () => {
  test("a set is published at once, listed until it is approved, and then says so", async () => {
    const site = await newWorld(after);
    site.setClock(`${today}T00:05:00Z`);
    await site.publishDue();
    expect(await latest(site)).toBe(today);
    expect(await toReview(site)).toContain(`published daily/${today}/hi/daily-horoscope`);
    expect(await site.filesWith('"reviewed":true')).toEqual([]);
    await decide(site, "approve");
    await decide(site, "approve", `daily/${yesterday}`);
    const reviewed = await site.filesWith('"reviewed":true');
    for (const path of [
      `v1/hi/daily/${today}/leo.json`,
      "v1/hi/daily/latest.json",
      `v1/hi/daily/${yesterday}.json`,
      "hi/daily/leo/index.html",
      `hi/daily/leo/${yesterday}/index.html`,
      "v1/hi/daily-tarot/latest.json",
      "v1/hi/love-compatibility/aries-leo.json",
      `hi/newsletter/${today}.json`,
    ])
      expect(reviewed).toContain(path);
    expect(reviewed.filter((path) => !/^(?:v1\/)?hi\//.test(path))).toEqual([]);
    expect(await toReview(site)).toEqual([]);
  });
});

test("`why` gives the review as the reason for a missing text, and names the person who approved or rejected it", async () => {
  const site = await newWorld(before);
  const { publishing } = site;
  site.setClock(`${today}T12:00:00Z`);
  const path = `hi/daily/leo/${today}/index.html`;
  const facts = async () => why({ path }, { ...publishing, now: publishing.now() });
  expect(await facts()).toContainEqual(
    expect.objectContaining({ about: "reason", is: "waiting for review" }),
  );
  await decide(site, "reject", `daily/${today}/hi/daily-horoscope`);
  const rejection = { about: "reason", is: "rejected", words: `by editor at ${today} 12:00 UTC` };
  expect(await facts()).toContainEqual(rejection);
  await decide(site, "approve", `daily/${today}/hi/daily-horoscope`);
  expect(await facts()).toContainEqual({
    about: "review",
    is: "approved",
    words: `by editor at ${today} 12:00 UTC`,
  });
});

test("a text can be named by the path that it will get, if the vault has it", async () => {
  const site = await newWorld(before);
  const request = await textOn(`hi/daily/leo/${today}/index.html`, site.publishing);
  expect(requestKey(request)).toBe(leo(today));
  await expect(textOn("hi/daily/leo/2027-01-01/index.html", site.publishing)).rejects.toThrow(
    "nothing is published",
  );
});

test("a text of a language that is not published yet can be stopped, which publishes nothing", async () => {
  const site = newSite(settings);
  await gather(site, today);
  const { changes } = await withdraw(recordOf(leo(today)), requestAt(leo(today)), site.publishing);
  expect(changes).toEqual([]);
  expect(await site.paths()).toEqual(new Map());
  await site.publishDue();
  expect(await site.filesWith(wordsOf(leo(today)))).toEqual([]);
});
