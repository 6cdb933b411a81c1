// The shell commands with curl on the pages for web developers and newsletter editors, with the URL and the key of a test site and
// the curl and jq of this machine.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { addDays } from "../../readings/calendar.ts";
import { signs } from "../../readings/tables.ts";
import { startPublishedServer } from "../../worker/site-server.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { owner, publishAt } from "../client/support/world.ts";
import { newSite } from "../publish/support/published-site.ts";
import { settings } from "../site/editions.ts";
import { findBrowser } from "../support/chromium.ts";
import { fileEnd, listen } from "../support/ends.ts";
import { recipeKey, recipeKeyFile } from "../support/recipe-key.ts";

const run = promisify(execFile);
const atEnd = fileEnd();
const manuals = ["embed", "json-api", "newsletters", "feeds"].map((name) =>
  readFile(fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url)), "utf8"),
);
const page = (await Promise.all(manuals)).join("\n");

/** Each shell script, found by a unique word, and its output for a site of today in English and Hindi. */
const recipes: Readonly<Record<string, RegExp>> = {
  "v1/status.json": /^$/,
  ".readings.leo": /^\d{4}-\d\d-\d\d\n\S.+\n/,
  "words.json": /^Leo, \S+, \S+ \d+, \d{4}\n$/,
  "almanac-pull.js": /^data\/almanac has version 1: \d+ files/,
  to_entries: new RegExp(`^${signs.map((sign) => `${sign}\\t\\S.*\\n`).join("")}$`),
  "v1/index.json |\n": /^en\tEnglish\t\d{4}-\d\d-\d\d\nhi\tहिन्दी\t\d{4}-\d\d-\d\d\n$/,
  "aries-leo": /^[A-Z ]+\n(upright|reversed)\n(\S.+\n)+$/,
  shuf: /^[A-Z ]+\n$/,
  sha256sum: /^latest\.json: OK\n$/,
  "feed.json": /^.*Leo.*\nhttp:\/\/\S+\n$/,
  "newsletter.html": /^\S.+\n$/,
};
const texts = [...page.matchAll(/^```sh\n(.*?)^```$/gms)]
  .map(([, text = ""]) => text)
  .filter((text) => text.includes("curl"));
const set = z.object({
  readings: z.object({ leo: z.object({ sections: z.object({ personal: z.array(z.string()) }) }) }),
});
let url = "";

/** A recipe, with this site and its key in place of those that it names. */
const ourOwn = (text: string): string =>
  text.replaceAll("https://almanac.example", url).replaceAll(recipeKey, owner.open);

beforeAll(async () => {
  const [port = 0] = await freePorts([undefined]);
  url = `http://127.0.0.1:${port}`;
  const published = newSite({ site: { ...settings, url } });
  const now = new Date().toISOString();
  const today = now.slice(0, 10);
  published.setClock(now);
  await published.gather(addDays(today, -2), addDays(today, 1));
  await publishAt(published, now, owner.secret);
  const server = await startPublishedServer(published.site, port);
  atEnd(() => server.close());
});

test.each(Object.entries(recipes))("the recipe with %j does what is said", async (word, said) => {
  const [text, ...others] = texts.filter((one) => one.includes(word));
  expect(others).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), "almanac-recipe-"));
  atEnd(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, recipeKeyFile), owner.open);
  const ours = ourOwn(text ?? "exit 1");
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", ours], { cwd: folder });
  expect(stdout).toMatch(said);
});

test("every command of the pages that uses curl is among them", () => {
  const words = Object.keys(recipes);
  expect(texts.filter((text) => !words.some((word) => text.includes(word)))).toEqual([]);
});

test.each([
  ["<iframe", "iframe"],
  ["createAlmanac", "#leo"],
  ["almanac-reading.js", "almanac-reading article"],
])("the page with %s shows today's text on a page of another origin", async (word, place) => {
  const pages = [...page.matchAll(/^```html\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  const text = pages.find((one) => one.includes(word)) ?? "";
  const body = `<!doctype html><title>Another site</title>${ourOwn(text)}`;
  const server = createServer(
    (_, response) => void response.setHeader("content-type", "text/html").end(body),
  );
  const port = await listen(server);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${port}/`);
    const shown =
      place === "iframe" ? tab.frameLocator(place).locator("main, article, body") : tab.locator(place);
    const { readings } = set.parse(await (await fetch(`${url}/v1/en/daily/latest.json`)).json());
    const [beginning = ""] = readings.leo.sections.personal;
    await expect.poll(async () => shown.first().innerText()).toContain(beginning.slice(0, 40));
  } finally {
    await browser.close();
  }
});
