// The plugin of integrations/wordpress in a real WordPress, used as its people use it: an administrator at the settings page, an
// author in the editor, visitors on their pages; and what they see when the site changes, lies or is away.
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { addDays } from "../../readings/periods.ts";
import { newKeys, newWorld, owner, type World } from "../client/support/world.ts";
import { violationsOn } from "../browser/support/axe.ts";
import { findBrowser } from "../support/chromium.ts";
import { fileEnd } from "../support/ends.ts";
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
  const operations = ["daily-horoscope", "weekly-horoscope", "love-compatibility", ...cards];
  const world = await newWorld(2, { languages: ["en", "ar"], operations });
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

async function loggedIn(): Promise<Page> {
  const tab = await newTab();
  await tab.goto(`${wordpress.url}/wp-login.php`);
  await tab.fill("#user_login", user.name);
  await tab.fill("#user_pass", user.password);
  await tab.click("#wp-submit");
  await tab.waitForURL(/wp-admin/);
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

const flat = (text: string): string => text.replaceAll(/\s+/g, " ");

async function textOf(address: string): Promise<string> {
  return flat(await (await fetch(address)).text());
}

async function personalOf(world: World): Promise<string> {
  const [first = "nothing"] = await sentencesOf(world, "v1/en/daily/latest.json", "leo");
  return flat(first);
}

test("an administrator sets it up at its page, an author chooses a sign in the editor, a visitor reads it", async () => {
  const [world, tab] = [await worldOfToday(), await loggedIn()];
  await wordpress.freshPlugin({});
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
  expect(await wordpress.php("echo wp_json_encode(get_option('almanac_settings'));")).not.toMatch(/other|red|AAAA/);
  expect(await save({ url: world.url, text: "#222222", background: "#ffffff", heading: "#003366", keys: owner.open })).toContain(
    "Settings saved.",
  );
  await tab.click("#almanac-test");
  const seen = await tab.locator("#wpbody-content").innerText();
  expect(seen).toMatch(/The site answers, with version 1.*It is signed by a key of yours.*Languages: en, ar\./s);
  expect(await violationsOn(tab, "#wpbody-content")).toEqual([]);

  const address = await writtenInEditor(tab);
  const visitor = await newTab();
  await visitor.goto(address);
  const block = visitor.locator(".wp-block-almanac-reading");
  expect(await block.locator("h2").innerText()).toBe("Leo: Daily horoscope");
  const text = flat(await block.innerText());
  for (const sentence of await sentencesOf(world, "v1/en/daily/latest.json", "leo"))
    expect(text).toContain(flat(sentence));
  expect(await block.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(34, 34, 34)");
  expect(await violationsOn(visitor)).toEqual([]);
  expect(wordpress.complaints()).toEqual([]);
});

/** A new post with the block, found by typing its name, with another sign; its address once it is published. */
async function writtenInEditor(tab: Page): Promise<string> {
  await tab.goto(`${wordpress.url}/wp-admin/post-new.php`);
  const welcome = tab.getByRole("button", { name: "Close dialog" }).or(tab.getByRole("button", { name: "Close", exact: true }));
  await welcome.first().click();
  await tab.getByRole("textbox", { name: "Add title" }).fill("From the editor");
  await tab.keyboard.press("Enter");
  await tab.keyboard.type("/almanac");
  await tab.getByRole("option", { name: "Almanac" }).click();
  await tab.getByLabel("Sign", { exact: true }).selectOption("leo");
  await tab.locator('[data-type="almanac/reading"] h2', { hasText: "Leo" }).waitFor();
  await tab.getByRole("button", { name: "Publish", exact: true }).click();
  await tab.getByRole("region", { name: "Editor publish" }).getByRole("button", { name: "Publish", exact: true }).click();
  const link = tab.getByRole("region", { name: "Editor publish" }).getByRole("link", { name: "View Post" });
  return (await link.getAttribute("href")) ?? "";
}
