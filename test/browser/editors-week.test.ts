// An editor's week in English, Arabic and Hindi, with the commands that she types and the browser in which she reads. After each
// decision, readers find a text in all its forms or in none, and in the end the journal contains the week.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { addDays } from "../../readings/calendar.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/tables.ts";
import type { PublishedSite } from "../publish/support/published-site.ts";
import { siteInFolder } from "../scripts/site-in-folder.ts";
import { settings } from "../site/editions.ts";
import { launchBrowser } from "../support/chromium.ts";
import { almanac, nobodysService } from "../support/cli.ts";
import { clockMovedBy } from "../support/noon.ts";
import { startPreview } from "../support/preview.ts";
import { folderWithFiles } from "../support/theme-folder.ts";

const [sunday, monday, tuesday, wednesday, thursday, friday, saturday] = [
  "2026-11-15",
  "2026-11-16",
  "2026-11-17",
  "2026-11-18",
  "2026-11-19",
  "2026-11-20",
  "2026-11-21",
] as const;

const configuration: ConfigurationInput = {
  site: { ...settings },
  languages: ["en", "ar", "hi"],
  operations: ["daily-horoscope"],
  people: [],
  review: { hi: { mode: "before" } },
};

const leo = (language: Language, date: string) => `daily/${date}/${language}/daily-horoscope/leo`;
const wrong = "आज आपको अपने पति की हर बात माननी होगी।";
const right = "आज आप अपने मन की बात खुलकर कहें, सुनने वाले तैयार हैं।";
const unkind = "لا تثق اليوم بأحد من جيرانك.";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser("*.example");
});
afterAll(() => browser.close());

/** The desk of an editor in front of a site's folder. The schedule's part is played in this process. */
async function sitDown() {
  const folder = folderWithFiles({});
  const { site, env } = await siteInFolder(folder, configuration);
  let now = "";
  const setClock = (instant: string) => {
    now = instant;
    site.setClock(instant);
  };
  const environment = () => {
    const clock = clockMovedBy(Date.parse(now) - Date.now());
    return { ...nobodysService, ...env, ...clock, ALMANAC_OPERATOR: "Meera" };
  };
  const type = (...words: readonly string[]) => almanac(words, { env: environment(), cwd: folder });
  return {
    folder,
    site,
    setClock,
    type,
    /** In all zones it is this date. The texts of the next one are in the vault, with these first words. */
    evening: async (date: string, words: Readonly<Record<string, string>> = {}) => {
      setClock(`${date}T16:00:00Z`);
      await site.gather(addDays(date, 1));
      for (const [key, first] of Object.entries(words)) await site.keep(key, first);
    },
    /** Midnight has passed in all zones. */
    morning: async (date: string) => {
      setClock(`${date}T06:00:00Z`);
      await site.publishDue();
    },
    /** Types a decision, a minute after the one before. The version that it prints is that of the site. */
    decide: async (...words: readonly string[]) => {
      setClock(new Date(Date.parse(now) + 60_000).toISOString());
      const { code, stdout, stderr } = await type(...words, "--json");
      expect(code, stderr).toBe(0);
      const { version } = z.object({ version: z.int().nullable() }).parse(JSON.parse(stdout));
      expect([await versionOf(site), null]).toContain(version);
    },
    previewTomorrow: () => startPreview(environment(), folder, ["--date", "tomorrow"]),
  };
}

async function versionOf({ site }: PublishedSite): Promise<number> {
  const pointer = await site.read("v1/pointer.json");
  return z.object({ version: z.int() }).parse(JSON.parse(new TextDecoder().decode(pointer?.body))).version;
}

/** All forms of a sign's text of today (such as `leo/2026-11-17`) have the sentence, or no file of the site has it. */
async function agree(
  site: PublishedSite,
  language: Language,
  text: string,
  sentence: string,
  isShown = true,
) {
  const [sign = "", date = ""] = text.split("/");
  const forms = [
    `${language}/daily/${text}/index.html`,
    `${language}/daily/${sign}/feed.xml`,
    `${language}/newsletter/${date}/${sign}.html`,
    `v1/${language}/daily/${date}/${sign}.json`,
  ];
  if (!isShown) return expect(await site.filesWith(sentence)).toEqual([]);
  for (const form of forms) expect(await site.text(form), form).toContain(sentence);
}

/** A record of the journal, with the text, set or languages that it is about. */
const decisionShape = z.object({
  by: z.string(),
  kind: z.string(),
  reason: z.string().optional(),
  subject: z
    .looseObject({
      key: z.string().optional(),
      group: z.string().optional(),
      languages: z.array(z.string()).optional(),
    })
    .transform(({ key, group, languages = [] }) => key ?? group ?? languages.join()),
});

test("a week of decisions: each is in page, feed, newsletter and JSON alike, and in the journal with its person", async () => {
  const { folder, site, setClock, type, decide, evening, morning, previewTomorrow } = await sitDown();
  const page = await browser.newPage();
  const bar = page.locator("#almanac-preview");
  const directions = () =>
    page.evaluate("[document.documentElement.dir, getComputedStyle(document.body).direction]");
  const commandFor = async (about: string) => {
    const typed = await bar.locator("li", { hasText: about }).locator("code").textContent();
    return z.string().parse(typed).split(" ").slice(1);
  };
  const update = async (title: string) => {
    await bar.locator("button").click();
    await page.waitForSelector(`text=${title}`);
  };

  // Sunday: Hindi is new, and nothing of it is published before she approves it.
  setClock(`${sunday}T06:00:00Z`);
  await site.gather(sunday);
  await site.keep(leo("hi", sunday), "Sunday in Hindi.");
  await site.night();
  await agree(site, "hi", `leo/${sunday}`, "Sunday in Hindi.", false);
  await decide("review", "approve", "hi", "--yes");
  await site.publishDue();
  await agree(site, "hi", `leo/${sunday}`, "Sunday in Hindi.");

  // Monday evening: she reads Tuesday in three languages, corrects a sentence in Hindi, and approves the corrected texts.
  await evening(sunday);
  await decide("review", "approve", "hi", "--date", "tomorrow", "--yes");
  await morning(monday);
  await evening(monday, { [leo("hi", tuesday)]: wrong });
  const onMonday = await previewTomorrow();
  for (const [language, direction] of [
    ["en", "ltr"],
    ["ar", "rtl"],
  ] as const) {
    await page.goto(`${onMonday}${language}/daily/leo/`);
    expect(await directions()).toEqual([direction, direction]);
    expect(await bar.locator("p").innerText()).toBe(
      `Preview: ${language} on ${tuesday}. All texts are ready.`,
    );
  }
  await page.goto(`${onMonday}hi/daily/leo/`);
  expect(await directions()).toEqual(["ltr", "ltr"]);
  expect(await page.locator("main").innerText()).toContain(wrong);
  expect(await bar.locator("summary").innerText()).toContain(`hi on ${tuesday}. To decide: 1 on this page`);
  expect(await bar.locator("li").textContent()).toContain("it waits for review.almanac review approve");
  const early = await commandFor(`daily/${tuesday}/hi/daily-horoscope`);
  writeFileSync(join(folder, "leo.txt"), `${right}\n`);
  const about = ["--field", "personal", "--reason", "wrong tone"];
  await decide("correct", leo("hi", tuesday), ...about, "--paragraph", "1", "--from", "leo.txt", "--yes");
  expect((await type(...early, "--yes")).stderr).toContain("a text or a decision has changed since the hash");
  await update(right);
  expect(await page.locator("main").innerText()).not.toContain(wrong);
  await decide(...(await commandFor(`daily/${tuesday}/hi/daily-horoscope`)), "--yes");
  await update("All texts are ready");
  await agree(site, "hi", `leo/${tuesday}`, right, false);
  await morning(tuesday);
  await agree(site, "hi", `leo/${tuesday}`, right);
  await agree(site, "hi", `leo/${tuesday}`, wrong, false);
  expect(await site.json(`v1/hi/daily/${tuesday}/leo.json`)).toMatchObject({
    reviewed: true,
    reading: { corrected: { fields: ["sections.personal"] } },
  });

  // Tuesday evening: a colleague stops a text in Arabic before its midnight.
  await evening(tuesday, { [leo("ar", wednesday)]: unkind, [leo("en", wednesday)]: "Wednesday in English." });
  const onTuesday = await previewTomorrow();
  await page.goto(`${onTuesday}ar/daily/leo/`);
  expect(await page.locator("main").innerText()).toContain(unkind);
  await decide("withdraw", `/ar/daily/leo/${wednesday}/`, "--by", "Omar", "--reason", "unkind");
  await update("To decide: 1 on this page");
  expect(await page.locator("main").innerText()).not.toContain(unkind);
  expect(await commandFor("withdrawn")).toEqual(["withdraw", "--undo", leo("ar", wednesday)]);
  await decide("review", "approve", "hi", "--date", "tomorrow", "--yes");
  await morning(wednesday);
  await agree(site, "ar", `leo/${wednesday}`, unkind, false);

  // Wednesday, after midnight: she withdraws a published text in English, and undoes that.
  await agree(site, "en", `leo/${wednesday}`, "Wednesday in English.");
  const address = `${settings.url}/en/daily/leo/${wednesday}/`;
  await decide("withdraw", address, "--reason", "a complaint");
  await agree(site, "en", `leo/${wednesday}`, "Wednesday in English.", false);
  await decide("withdraw", "--undo", address, "--reason", "the text was right");
  await agree(site, "en", `leo/${wednesday}`, "Wednesday in English.");

  // Thursday: Hindi keeps Wednesday's texts until somebody approves those of Thursday.
  await evening(wednesday, {
    [leo("en", thursday)]: "Thursday in English.",
    [leo("hi", thursday)]: "Thursday in Hindi.",
  });
  await morning(thursday);
  await agree(site, "hi", `leo/${thursday}`, "Thursday in Hindi.", false);
  const { stdout: waiting } = await type("review", "list", "hi");
  expect(waiting).toContain(`daily/${thursday}/hi/daily-horoscope`);
  await decide("review", "approve", "hi", "--yes");
  await agree(site, "hi", `leo/${thursday}`, "Thursday in Hindi.");

  // Friday: she rolls English back. Other languages keep their texts.
  await evening(thursday, {
    [leo("en", friday)]: "Friday in English.",
    [leo("ar", friday)]: "Friday in Arabic.",
  });
  await decide("review", "approve", "hi", "--date", "tomorrow", "--yes");
  await morning(friday);
  await agree(site, "en", `leo/${friday}`, "Friday in English.");
  await decide("rollback", "--languages", "en", "--reason", "wrong day");
  await agree(site, "en", `leo/${friday}`, "Friday in English.", false);
  await agree(site, "en", `leo/${thursday}`, "Thursday in English.");
  await agree(site, "ar", `leo/${friday}`, "Friday in Arabic.");

  // Saturday: a lost disk is restored from the backup, with all decisions.
  const look = async () => {
    const paths = [...(await site.paths())].filter(([path]) => !path.includes("status")); // it has the version
    return { paths, journal: await type("journal", "--json") };
  };
  const copies = pathToFileURL(join(folder, "copies")).href;
  expect(await type("backup", copies)).toMatchObject({ code: 0 });
  const before = await look();
  for (const lost of ["vault", "site"]) rmSync(join(folder, lost), { recursive: true });
  expect(await type("restore", copies)).toMatchObject({ code: 0 });
  expect(await look()).toEqual(before);
  await morning(saturday);
  expect((await type("review", "list", "hi")).stdout).toBe("no text waits for review\n");
  for (const sentence of [wrong, unkind, "Friday in English."])
    expect(await site.filesWith(sentence)).toEqual([]);

  // Sunday: the journal has the week, newest first.
  const { stdout } = await type("journal", "--json");
  const { decisions } = z.object({ decisions: z.array(decisionShape) }).parse(JSON.parse(stdout));
  const approval = (date: string) => ["Meera", "approve", `daily/${date}/hi`, undefined];
  expect(decisions.map(({ by, kind, subject, reason }) => [by, kind, subject, reason])).toEqual([
    ["Meera", "rollback", "en", "wrong day"],
    approval(friday),
    approval(thursday),
    ["Meera", "restore", leo("en", wednesday), "the text was right"],
    ["Meera", "withdraw", leo("en", wednesday), "a complaint"],
    approval(wednesday),
    ["Omar", "withdraw", leo("ar", wednesday), "unkind"],
    approval(tuesday),
    ["Meera", "correct", leo("hi", tuesday), "wrong tone"],
    approval(monday),
    approval(sunday),
  ]);
});
