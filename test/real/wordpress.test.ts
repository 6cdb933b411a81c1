// The plugin of packages/wordpress in a real WordPress, with its users: an administrator on the settings page, an author in the
// editor, visitors on their pages; and their view when the site changes, is forged or is down.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { withoutMarkup } from "../../readings/clean-text.ts";
import { addDays } from "../../readings/calendar.ts";
import { signNames } from "../../readings/sign-names.ts";
import { fingerprintOf } from "../../publish/render/fingerprint.ts";
import { publish } from "../../publish/publish.ts";
import { canonical } from "../../vault/files.ts";
import { createPartReader, groupOf, withGroup } from "../../publish/state/parts.ts";
import { hashed, manifestPath } from "../../publish/state/state.ts";
import { withdraw } from "../../publish/withdraw.ts";
import { documents } from "../../site/data.schema.ts";
import { labelsIn } from "../../site/labels.ts";
import { siteSettingsOf } from "../../site/edition.ts";
import type { OwnWords } from "../../site/theme/theme.ts";
import type { RequestKey } from "../../readings/request.ts";
import { recordOf, requestAt } from "../publish/support/published-site.ts";
import { newKeys, newWorld, owner, pointTo, type World } from "../client/support/world.ts";
import { violationsOn } from "../browser/support/axe.ts";
import { findBrowser } from "../support/chromium.ts";
import { fileEnd } from "../support/ends.ts";
import { themeOf } from "../support/theme-folder.ts";
import { openLivePage } from "./live-page.ts";
import { pluginFolder, startWordPress, until, user, type WordPress } from "./wordpress-host.ts";

const run = promisify(execFile);
const atEnd = fileEnd();
let wordpress: WordPress;
let browser: Browser;

beforeAll(async () => {
  wordpress = await startWordPress(atEnd);
  browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
  atEnd(() => browser.close());
});

const cards = [
  "daily-tarot",
  "divine-angel-reading",
  "past-present-future-reading",
  "love-triangle-reading",
  "wisdom-reading",
] as const;
const document = z.object({
  readings: z.record(z.string(), z.unknown()).optional(),
  reading: z.unknown().optional(),
});

/** A site of the true day in English and Arabic, and of the days about it in its vault. */
async function worldOfToday(): Promise<World> {
  const operations = ["daily-horoscope", "weekly-horoscope", "love-compatibility", ...cards] as const;
  const world = await newWorld(2, { languages: ["en", "ar"], operations: [...operations] });
  const now = new Date().toISOString();
  world.published.setClock(now);
  await world.published.gather(addDays(now.slice(0, 10), -2), addDays(now.slice(0, 10), 3));
  await world.night(now);
  return world;
}

async function newTab(): Promise<Page> {
  const tab = await browser.newPage();
  onTestFinished(() => tab.close());
  return tab;
}

/** Without the form, whose script takes the cursor to the name while somebody types the password. */
async function loggedIn(): Promise<Page> {
  const tab = await newTab();
  const form = { log: user.name, pwd: user.password };
  const answer = await tab.request.post(`${wordpress.url}/wp-login.php`, { form });
  expect(answer.url()).toMatch(/wp-admin/);
  return tab;
}

/** A post with this text; its address. */
async function postWith(text: string): Promise<string> {
  return wordpress.php(
    `echo get_permalink(wp_insert_post(['post_title' => 'Today', 'post_status' => 'publish', 'post_content' => base64_decode('${btoa(text)}')]));`,
  );
}

/** Every sentence of a published file, or of one sign in it. */
async function sentencesOf(world: World, path: string, sign?: string): Promise<string[]> {
  const { readings, reading } = document.parse(await world.json(path));
  const found: string[] = [];
  JSON.stringify(sign === undefined ? reading : readings?.[sign], (name, value) => {
    if (Array.isArray(value) && name !== "images" && name !== "colors")
      found.push(...value.filter((one) => typeof one === "string"));
    return value;
  });
  expect(found.length).toBeGreaterThan(0);
  return found;
}

/** The site's current date in that language. */
async function dayIn(world: World, language: string): Promise<string> {
  const leo = z.object({ period: z.string() });
  const set = z.object({ readings: z.object({ leo }) });
  return set.parse(await world.json(`v1/${language}/daily/latest.json`)).readings.leo.period;
}

const around = ".almanac-reading, .wp-block-almanac-reading";

/** A browser's computed style of a text. */
function styleOf(tab: Page, property: string): Promise<unknown> {
  return tab.evaluate(`getComputedStyle(document.querySelector("${around}"))["${property}"]`);
}

const flat = (text: string): string => text.replaceAll(/\s+/g, " ");

async function textOf(address: string): Promise<string> {
  return flat(await (await fetch(address)).text());
}

async function personalOf(world: World): Promise<string> {
  const [first = "nothing"] = await sentencesOf(world, "v1/en/daily/latest.json", "leo");
  return flat(first);
}

test("an administrator sets it up at its page, an author chooses a sign in the editor, a visitor reads it", async () => {
  const world = await worldOfToday();
  await wordpress.freshPlugin({});
  const tab = await loggedIn();
  await wordpress.php("deactivate_plugins('almanac/almanac.php');");
  await tab.goto(`${wordpress.url}/wp-admin/plugins.php`);
  await tab.click("#activate-almanac");
  await tab.goto(`${wordpress.url}/wp-admin/options-general.php?page=almanac`);
  const save = async (settings: Readonly<Record<string, string>>): Promise<string> => {
    for (const [name, value] of Object.entries(settings)) await tab.fill(`#almanac-${name}`, value);
    await Promise.all([tab.waitForURL(/settings-updated/), tab.click("#submit")]);
    return tab.locator("#wpbody-content").innerText();
  };
  expect(await save({ url: "http://other.example/", text: "red;}", keys: "AAAA" })).toMatch(
    /https:\/\/[^]*Ed25519[^]*#1d2327/,
  );
  expect(await wordpress.php("echo wp_json_encode(get_option('almanac_settings'));")).not.toMatch(
    /other|red|AAAA/,
  );
  expect(
    await save({
      url: world.url,
      text: "#222222",
      background: "#ffffff",
      heading: "#003366",
      keys: owner.open,
    }),
  ).toContain("Settings saved.");
  await tab.click("#almanac-test");
  const seen = await tab.locator("#wpbody-content").innerText();
  expect(seen).toMatch(
    /The site answers, with version 1.*It is signed by a key of yours.*Languages: en, ar\./s,
  );
  expect(await violationsOn(tab, "#wpbody-content")).toEqual([]);

  const address = await writtenInEditor(tab);
  const visitor = await newTab();
  await visitor.goto(address);
  const block = visitor.locator(".wp-block-almanac-reading");
  expect(await block.locator("h2").innerText()).toBe("Leo: Daily horoscope");
  const text = flat(await block.innerText());
  for (const sentence of await sentencesOf(world, "v1/en/daily/latest.json", "leo"))
    expect(text).toContain(flat(sentence));
  expect(await styleOf(visitor, "color")).toBe("rgb(34, 34, 34)");
  expect(await violationsOn(visitor)).toEqual([]);
  expect(wordpress.complaints()).toEqual([]);
});

test("docs/wordpress.md leads to texts on its pages", async () => {
  const world = await worldOfToday();
  const root = fileURLToPath(new URL("../../", import.meta.url));
  await wordpress.freshPlugin({});
  await wordpress.php("deactivate_plugins('almanac/almanac.php'); uninstall_plugin('almanac/almanac.php');");
  await rm(join(wordpress.root, "wp-content/plugins/almanac"), { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), "almanac-live-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const page = await openLivePage("wordpress.md", {
    folder,
    ours: () => [
      ["packages/", `${root}packages/`],
      ["/var/www/html", wordpress.root],
    ],
  });
  await page.follow("cp -r");
  expect(page.left()).toEqual([]);
  const manual = await readFile(join(root, "docs/wordpress.md"), "utf8");
  const words = new Set([...manual.matchAll(/\*\*([^*]+)\*\*/g)].map(([, word = ""]) => word));
  expect(words).toEqual(new Set(["Plugins", "Almanac", "Settings", "Save Changes", "Test"]));

  const tab = await loggedIn();
  const menu = tab.locator("#adminmenu");
  await tab.goto(`${wordpress.url}/wp-admin/`);
  await menu
    .getByRole("link", { name: /^Plugins/ })
    .first()
    .click();
  await tab.getByRole("link", { name: "Activate Almanac" }).click();
  await menu.getByRole("link", { name: "Settings", exact: true }).click();
  await menu.getByRole("link", { name: "Almanac", exact: true }).click();
  await tab.fill("#almanac-url", world.url);
  await tab.fill("#almanac-keys", owner.open);
  const saved = tab.waitForURL(/settings-updated/);
  await tab.getByRole("button", { name: "Save Changes" }).click();
  await saved;
  await tab.getByRole("button", { name: "Test", exact: true }).click();
  await tab
    .getByText(/The site answers.*It is signed by a key of yours.*Languages: en, ar\./s)
    .first()
    .waitFor();

  const [, shown = ""] = /<!-- shortcodes -->\n\n```text\n(.*?)^```$/ms.exec(manual) ?? [];
  expect(shown.trim().split("\n")).toHaveLength(3);
  const visitor = await newTab();
  await visitor.goto(await postWith(shown.trim().replaceAll("\n", "\n\n")));
  const text = flat(await visitor.locator(".entry-content").innerText());
  expect(text).toContain(await personalOf(world));
  for (const sentence of await sentencesOf(world, "v1/en/daily-tarot/latest.json"))
    expect(text).toContain(flat(sentence));
  expect(await visitor.locator(".almanac-reading").count()).toBe(3);
  expect(wordpress.complaints()).toEqual([]);
});

/** A new post with the block, found by typing its name, with another sign; its address once it is published. */
async function writtenInEditor(tab: Page): Promise<string> {
  await tab.goto(`${wordpress.url}/wp-admin/post-new.php`);
  const welcome = tab
    .getByRole("button", { name: "Close dialog" })
    .or(tab.getByRole("button", { name: "Close", exact: true }));
  await welcome.first().click();
  await tab.getByRole("textbox", { name: "Add title" }).fill("From the editor");
  await tab.keyboard.press("Enter");
  await tab.keyboard.type("/almanac");
  await tab.getByRole("option", { name: "Almanac" }).click();
  await tab.getByLabel("Sign", { exact: true }).selectOption("leo");
  await tab.locator('[data-type="almanac/reading"] h2', { hasText: "Leo" }).waitFor();
  await tab.getByRole("button", { name: "Publish", exact: true }).click();
  await tab
    .getByRole("region", { name: "Editor publish" })
    .getByRole("button", { name: "Publish", exact: true })
    .click();
  const link = tab.getByRole("region", { name: "Editor publish" }).getByRole("link", { name: "View Post" });
  return (await link.getAttribute("href")) ?? "";
}

const shortcodes = [
  '[almanac sign="leo"]',
  '[almanac sign="leo" period="weekly"]',
  '[almanac operation="love-compatibility" sign1="aries" sign2="leo"]',
  ...cards.map((operation) => `[almanac operation="${operation}" pictures="yes"]`),
].join("\n\n");
const published: readonly (readonly [path: string, sign?: string])[] = [
  ["v1/en/daily/latest.json", "leo"],
  ["v1/en/weekly/latest.json", "leo"],
  ["v1/en/love-compatibility/aries-leo.json"],
  ...cards.map((operation) => [`v1/en/${operation}/latest.json`] as const),
];

test("a shortcode shows every kind of reading whole", async () => {
  const [world, tab] = [await worldOfToday(), await newTab()];
  await wordpress.freshPlugin({ url: world.url });
  await tab.goto(await postWith(shortcodes));
  const text = flat(await tab.locator(".entry-content").innerText());
  for (const [path, sign] of published)
    for (const sentence of await sentencesOf(world, path, sign)) expect(text, path).toContain(flat(sentence));
  expect(await tab.locator(".almanac-reading [lang], .almanac-reading[lang]").count()).toBe(0);
  expect(await violationsOn(tab, ".entry-content")).toEqual([]);
  expect(wordpress.complaints()).toEqual([]);
});

test("Arabic runs from right to left in an English page, and a text can bring no markup", async () => {
  const [world, tab] = [await worldOfToday(), await newTab()];
  const sent =
    "<script>document.title=1</script><img src=x onerror=document.title=1> [almanac sign=leo] &amp;lt;b>";
  const [shown = ""] = withoutMarkup([sent]); // the published form
  expect(shown).toContain("[almanac sign=leo]");
  await world.published.keep(`daily/${await dayIn(world, "ar")}/ar/daily-horoscope/leo`, sent);
  await world.night(new Date().toISOString());
  await wordpress.freshPlugin({ url: world.url });
  for (const content of [
    '[almanac sign="leo" language="ar" sections="personal"]',
    '<!-- wp:almanac/reading {"sign":"leo","language":"ar","sections":"personal"} /-->',
  ]) {
    await tab.goto(await postWith(content));
    const block = tab.locator(around);
    expect(await block.innerText()).toContain(shown);
    expect([await block.getAttribute("lang"), await styleOf(tab, "direction")]).toEqual(["ar", "rtl"]);
    expect(await block.locator("h2").innerText()).toBe(
      `${signNames.ar.leo}: ${labelsIn("ar").operations["daily-horoscope"]}`,
    );
    expect(await tab.title()).toMatch(/^Today/);
    expect(await block.locator("script, img, b").count()).toBe(0);
    expect(await violationsOn(tab, ".entry-content")).toEqual([]);
  }
});

test("titles and headings are the site's words in the text's language", async () => {
  const [world, tab] = [await worldOfToday(), await newTab()];
  await wordpress.freshPlugin({ url: world.url });
  for (const language of ["en", "ar"]) {
    const { signs, operations, sections, page, places } = await wordsOf(world, language);
    await tab.goto(await postWith(`[almanac sign="leo" language="${language}"]`));
    const title = `${signs.leo}: ${operations["daily-horoscope"]}`;
    const headings = [title, ...Object.values(sections), page.bringsLuck, page.scores];
    expect(await headingsOf(tab)).toEqual(headings);
    await tab.goto(
      await postWith(`[almanac operation="past-present-future-reading" language="${language}" title="no"]`),
    );
    const { past, present, future } = places;
    const begin = (place: string) => expect.stringMatching(`^${place}: .`);
    expect(await headingsOf(tab)).toEqual([begin(past), begin(present), begin(future)]);
    expect(await violationsOn(tab, ".entry-content")).toEqual([]);
  }
});

test("a title is left away where an author says so", async () => {
  const [world, tab] = [await worldOfToday(), await newTab()];
  await wordpress.freshPlugin({ url: world.url });
  for (const [title, sections] of [
    ["no", []],
    ["yes", ["Leo: Daily horoscope"]],
  ] as const) {
    await tab.goto(await postWith(`[almanac sign="leo" sections="travel" title="${title}"]`));
    expect(await headingsOf(tab)).toEqual([...sections, "Travel"]);
  }
});

test("words are asked for again when their hash has changed, and not before", async () => {
  const world = await worldOfToday();
  await wordpress.freshPlugin({ url: world.url });
  const address = await postWith('[almanac sign="leo"]');
  expect(await textOf(address)).toContain(">Travel</h3>");
  const first = await world.placeOf("v1/en/words.json");
  await world.published.keep(`daily/${await dayIn(world, "en")}/en/daily-horoscope/leo`, "Corrected.");
  await world.night(new Date().toISOString());
  wordpress.later(62);
  await until(async () => (await textOf(address)).includes("Corrected."), "the correction never came");
  expect(world.asked.filter((path) => path === first.object)).toHaveLength(1);

  await nightInWords(world, { sections: { travel: "On the road" } });
  wordpress.later(124);
  await until(async () => (await textOf(address)).includes(">On the road</h3>"), "the words never came");
  expect(await textOf(address)).not.toContain(">Travel</h3>");
  const second = await world.placeOf("v1/en/words.json");
  expect(world.asked.filter((path) => path === second.object)).toHaveLength(1);
  expect(wordpress.complaints()).toEqual([]);
});

test("a site without words has its texts shown without headings, and with them when it has words", async () => {
  const [world, tab] = [await worldOfToday(), await newTab()];
  await pointToStateWithoutWords(world, "ar");
  await wordpress.freshPlugin({ url: world.url, language: "ar" });
  const spread = "past-present-future-reading";
  const shown = [
    '[almanac sign="leo"]',
    '[almanac operation="love-compatibility" sign1="aries" sign2="leo"]',
    `[almanac operation="${spread}"]`,
    '[almanac operation="daily-tarot"]',
  ];
  const address = await postWith(shown.join("\n\n"));
  await tab.goto(address);
  const text = flat(await tab.locator(".entry-content").innerText());
  for (const [path, sign] of [
    ["v1/ar/daily/latest.json", "leo"],
    ["v1/ar/love-compatibility/aries-leo.json"],
    [`v1/ar/${spread}/latest.json`],
    ["v1/ar/daily-tarot/latest.json"],
  ] as const)
    for (const sentence of await sentencesOf(world, path, sign)) expect(text, path).toContain(flat(sentence));
  const drawn = await world.json(`v1/ar/${spread}/latest.json`);
  const { past, present, future } = threeCards.parse(drawn).reading;
  const tarot = threeCards.shape.reading.shape.past;
  const { name } = z
    .object({ reading: tarot })
    .parse(await world.json("v1/ar/daily-tarot/latest.json")).reading;
  expect(await headingsOf(tab), "the cards' own names").toEqual([past.name, present.name, future.name, name]);
  const block = tab.locator(around).first();
  expect([await block.getAttribute("lang"), await block.getAttribute("dir")]).toEqual(["ar", "auto"]);
  expect(await styleOf(tab, "direction")).toBe("rtl");
  expect(await violationsOn(tab, ".entry-content")).toEqual([]);
  expect(await wordpress.php("echo wp_json_encode(Almanac\\Site_Test::lines());")).toContain(
    String.raw`v1\/ar\/words.json: NotPublished`,
  );

  world.lies.clear();
  wordpress.later(62);
  await until(
    async () => (await textOf(address)).includes(`>${labelsIn("ar").sections.travel}</h3>`),
    "no words came",
  );
  expect(wordpress.complaints()).toEqual([]);
});

const card = z.object({ name: z.string() });
const threeCards = z.object({ reading: z.object({ past: card, present: card, future: card }) });

async function wordsOf(world: World, language: string) {
  return documents.words.parse(await world.json(`v1/${language}/words.json`));
}

function headingsOf(tab: Page): Promise<string[]> {
  return tab.locator(".almanac-reading").locator("h2, h3").allInnerTexts();
}

/** Another night of a site whose owner has changed labels in English. */
async function nightInWords(world: World, words: OwnWords): Promise<void> {
  const { publishing } = world.published;
  const theme = await themeOf({ words: { en: words } });
  const fingerprint = fingerprintOf(siteSettingsOf(publishing.configuration, theme));
  const night = {
    run: "nightly",
    asOf: new Date().toISOString(),
    languages: publishing.configuration.languages,
  };
  await publish(night, { ...publishing, theme, fingerprint, signer: owner.secret });
}

/** The current state as an Almanac would have published it that has no words of a language. */
async function pointToStateWithoutWords(world: World, language: string): Promise<void> {
  const path = `v1/${language}/words.json`;
  const { manifest } = await world.state();
  const group = groupOf(path);
  const { [path]: _words, ...files } = await createPartReader(world.site).files(manifest, group);
  const { parts, made } = withGroup(manifest.parts, group, files);
  const top = hashed(canonical({ ...manifest, parts }));
  for (const { hash, bytes } of [...made, top]) world.lies.set(manifestPath(hash), bytes);
  await pointTo(world, { manifest: top.hash }, owner.secret);
}

test("an author who looks while another page is being filled waits for it, and sees the text with its headings", async () => {
  const [world, tab] = [await worldOfToday(), await loggedIn()];
  const { object } = await world.placeOf("v1/en/words.json");
  await wordpress.freshPlugin({ url: world.url });
  const address = await postWith('[almanac sign="leo" language="en"]');
  world.before = (path) => new Promise((resolve) => void setTimeout(resolve, path === object ? 1_500 : 0));
  const first = textOf(await postWith('[almanac sign="aries" language="en"]'));
  await until(async () => world.asked.length > 0, "nobody asked");
  await tab.goto(address);
  expect(await headingsOf(tab)).toContain("Leo: Daily horoscope");
  expect(await first).toContain("Aries: Daily horoscope");
  expect(world.asked.filter((path) => path === object)).toHaveLength(1);
});

test("a page has its own language, and English where the site has not that", async () => {
  const [world, tab] = [await worldOfToday(), await newTab()];
  await wordpress.freshPlugin({ url: world.url });
  const address = await postWith('[almanac sign="leo"]');
  onTestFinished(() => wordpress.speak("").then(() => undefined));
  const look = async (locale: string): Promise<unknown> => {
    await wordpress.speak(locale);
    await tab.goto(address);
    const block = tab.locator(".almanac-reading");
    return [
      await block.getAttribute("lang"),
      await block.getAttribute("dir"),
      await block.locator("h2").innerText(),
    ];
  };
  expect(await look("ar")).toEqual([
    null,
    null,
    `${signNames.ar.leo}: ${labelsIn("ar").operations["daily-horoscope"]}`,
  ]);
  expect(await look("pl_PL")).toEqual(["en", "ltr", "Leo: Daily horoscope"]);
});

test("a text stays while the new one is tampered with, and while the site hangs or is away; a good one replaces it", async () => {
  const world = await worldOfToday();
  await wordpress.freshPlugin({ url: world.url, keys: owner.open });
  const address = await postWith('[almanac sign="leo"]');
  const first = await personalOf(world);
  expect(await textOf(address)).toContain(first);

  const reasonIs = (reason: RegExp): Promise<void> =>
    until(async () => {
      await textOf(address); // WordPress runs its tasks when somebody comes
      return reason.test(await wordpress.php("echo wp_json_encode(Almanac\\Site_Test::lines());"));
    }, `the test never said ${reason}`);
  await world.published.keep(`daily/${await dayIn(world, "en")}/en/daily-horoscope/leo`, "Corrected.");
  await world.night(new Date().toISOString());
  const { object } = await world.placeOf("v1/en/daily/latest.json");
  const sound = await world.site.read(object);
  world.lies.set(
    object,
    Buffer.from(new TextDecoder().decode(sound?.body).replace("Corrected.", "Tampered!!")),
  );
  wordpress.later(62);
  await reasonIs(/daily\\\/latest.json leo: Mixed/);
  expect(await textOf(address)).toContain(first);

  world.lies.clear();
  wordpress.later(80);
  await until(async () => (await textOf(address)).includes("Corrected."), "the correction never came");
  const corrected = await personalOf(world);

  const day = 24 * 60;
  const tomorrow = new Date(Date.now() + day * 60_000 + 3_600_000).toISOString();
  await world.night(tomorrow);
  const next = await personalOf(world);
  expect(next).not.toBe(corrected);
  wordpress.later(day + 60);
  expect(await textOf(address), "the first visitor of the new day").toContain(next);

  world.lies.set("v1/pointer.json", () => undefined);
  wordpress.later(3 * day);
  const began = performance.now();
  expect(await textOf(address)).toContain(next);
  expect(performance.now() - began).toBeLessThan(8_000);
  await until(async () => (await state()).failures > 0, "the failure was never noted");
  const asked = world.asked.length;
  for (let visit = 0; visit < 3; visit += 1) expect(await textOf(address)).toContain(next);
  expect(world.asked.length, "asked again at once after a failure").toBe(asked);

  await world.unplug();
  wordpress.later(4 * day);
  expect(await textOf(address)).toContain(next);
  expect(wordpress.complaints()).toEqual([]);
});

async function state(): Promise<{ failures: number; reason: string }> {
  const seen = await wordpress.php("echo wp_json_encode(Almanac\\Refresher::state());");
  return z.object({ failures: z.number(), reason: z.string() }).parse(JSON.parse(seen));
}

test("of many visitors who come at once, one asks the site", async () => {
  const world = await worldOfToday();
  await wordpress.freshPlugin({ url: world.url });
  const address = await postWith('[almanac sign="leo"]');
  let [now, most] = [0, 0];
  world.before = async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => void setTimeout(resolve, 50));
    now -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => textOf(address)));
  expect(most).toBe(1);
  expect(await textOf(address)).toContain(await personalOf(world));
});

test("the test says what is wrong with a site, and visitors see nothing of it", async () => {
  const world = await worldOfToday();
  const before = (await world.site.read("v1/pointer.json"))?.body ?? new Uint8Array();
  await world.published.keep(`daily/${await dayIn(world, "en")}/en/daily-horoscope/leo`, "New.");
  await world.night(new Date().toISOString());
  const said = async (): Promise<string> =>
    wordpress.php("echo wp_json_encode(Almanac\\Site_Test::lines());");
  const settings = { url: world.url, keys: owner.open };
  await wordpress.freshPlugin(settings);
  const address = await postWith('[almanac sign="leo"]');
  expect(await said()).not.toMatch(/"error"/);
  await textOf(address);
  world.lies.set("v1/pointer.json", before);
  expect(await said()).toMatch(/RolledBack/);
  world.lies.set("v1/pointer.json", Buffer.from("<html>sign in</html>"));
  expect(await said()).toMatch(/UnknownFormat/);
  world.lies.set(
    "v1/pointer.json",
    (response) => void response.writeHead(302, { location: "/elsewhere" }).end(),
  );
  expect(await said()).toMatch(/Unreachable.*HTTP 302/);
  await pointTo(world, { expires: "2026-01-01T00:00:00Z" }, owner.secret);
  expect(await said()).toMatch(/Frozen/);
  world.lies.clear();
  await wordpress.freshPlugin({ ...settings, keys: newKeys().open });
  expect(await said()).toMatch(/Forged/);
  expect(await textOf(address)).not.toMatch(/almanac-reading|almanac-note|Forged/);
  await wordpress.freshPlugin({ ...settings, language: "fr" });
  expect(await said()).toMatch(/no texts in fr, so pages show those in en/);
});

test("a text that was withdrawn goes", async () => {
  const world = await worldOfToday();
  await wordpress.freshPlugin({ url: world.url });
  const address = await postWith('[almanac sign="leo"]');
  const text = await personalOf(world);
  expect(await textOf(address)).toContain(text);
  const key: RequestKey = `daily/${await dayIn(world, "en")}/en/daily-horoscope/leo`;
  await withdraw(recordOf(key), requestAt(key), world.published.publishing);
  wordpress.later(62);
  await until(async () => !(await textOf(address)).includes("almanac-reading"), "the text stayed");
  expect(await textOf(address)).not.toContain(text);
});

test("only https is taken for an address, and http of this machine", async () => {
  await wordpress.freshPlugin({});
  const good = [
    "https://almanac.example",
    "https://almanac.example/site/",
    "http://localhost:80/",
    "http://[::1]/",
  ];
  const bad = [
    "http://almanac.example/",
    "http://localhost.almanac.example/",
    "https://name:word@almanac.example/",
    "https://almanac.example/?a",
    "//almanac.example/",
    "almanac.example",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://",
    'https://almanac.example/"onload=',
  ];
  const all = btoa(JSON.stringify([...good, ...bad]));
  const taken = await wordpress.php(
    `echo wp_json_encode(array_values(array_filter(json_decode(base64_decode('${all}')), [Almanac\\Settings::class, 'is_allowed'])));`,
  );
  expect(JSON.parse(taken)).toEqual(good);
  expect(wordpress.complaints()).toEqual([]);
});

test("deactivated it asks for nothing, and deleted it leaves nothing", async () => {
  const world = await worldOfToday();
  await wordpress.freshPlugin({ url: world.url });
  const tab = await loggedIn();
  expect(await textOf(await postWith('[almanac sign="leo"]'))).toContain(await personalOf(world));
  await wordpress.php("set_transient('almanac_test_1', [], 60);");
  const left = async (): Promise<string> =>
    wordpress.php(
      "global $wpdb; echo implode(' ', $wpdb->get_col(\"SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%almanac%' OR (option_name = 'cron' AND option_value LIKE '%almanac%')\"));",
    );
  expect(await left()).toMatch(/cron/);
  await tab.goto(`${wordpress.url}/wp-admin/plugins.php`);
  await tab.click("#deactivate-almanac");
  expect(await left()).toMatch(/almanac_settings/);
  expect(await left()).not.toMatch(/cron/);
  tab.on("dialog", (dialog) => void dialog.accept());
  await tab.click("#delete-almanac");
  await tab.getByText("was successfully deleted").waitFor();
  expect(await left()).toBe("");
  expect(wordpress.complaints()).toEqual([]);
});

test("its code is in the style of WordPress's, as far as Debian's PHP_CodeSniffer knows it", async () => {
  const rules = join(pluginFolder, "../phpcs.xml");
  await run("phpcs", ["-q", `--standard=${rules}`, pluginFolder]).catch((error: unknown) => {
    expect(z.object({ stdout: z.string() }).parse(error).stdout).toBe("");
  });
});

test("readme.txt and the plugin's head say the same", async () => {
  const words = async (file: string, names: readonly string[]): Promise<(string | undefined)[]> => {
    const text = await readFile(join(pluginFolder, file), "utf8");
    return names.map((name) => new RegExp(`^[ *]*${name}: +(.+)$`, "m").exec(text)?.[1]);
  };
  const shared = ["Requires at least", "Requires PHP", "License", "License URI"];
  const head = await words("almanac.php", ["Version", ...shared]);
  expect(await words("readme.txt", ["Stable tag", ...shared])).toEqual(head);
  expect(head).not.toContain(undefined);
});
