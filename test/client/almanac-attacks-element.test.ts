// <almanac-reading> with a site without a key, with valid hashes and documents of any shape: the page runs no code of the site, has
// no errors, and keeps the last good text or the element's own content.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { deep } from "../support/deep.ts";
import { launchBrowser } from "../support/chromium.ts";
import { forge } from "./support/forgery.ts";
import { hostilePaths } from "./support/hostile-paths.ts";
import { atEachField, shapes } from "./support/shapes.ts";
import { newWorld, nights, type World } from "./support/world.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser("nothing.example");
});
afterAll(() => browser.close());

const latest = "v1/en/daily/latest.json";
const expires = "2099-01-01T00:00:00.000Z";

interface Visitor {
  readonly page: Page;
  /** Errors in the page. */
  readonly faults: string[];
  /** The text of a new element of Leo in the page, once it has asked the site. */
  readonly look: () => Promise<string>;
}

const element = `<almanac-reading sign="leo" lang="en" no-storage>The element's own content</almanac-reading>`;

async function newVisitor(world: World): Promise<Visitor> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => void faults.push(error.message));
  await page.clock.setFixedTime(nights[1]);
  const body = `<!doctype html><meta charset="utf-8"><title>A page</title>
    <script type="module" src="/assets/almanac-reading.js"></script><main></main>`;
  world.lies.set("page.html", new TextEncoder().encode(body));
  await page.goto(`${world.url}page.html`);
  return {
    page,
    faults,
    look: async () =>
      z.string().parse(
        await page.evaluate(`new Promise((resolve) => {
          const main = document.querySelector("main");
          const show = () => {
            const one = main.firstElementChild;
            resolve((one.shadowRoot?.querySelector("article") ?? one).textContent);
          };
          addEventListener("unhandledrejection", show);
          addEventListener("reading", show, true);
          main.innerHTML = ${JSON.stringify(element)};
        })`),
      ),
  };
}

async function leoOf(world: World) {
  const { readings, set: _none, ...rest } = Object(await world.json(latest));
  return { document: (leo: unknown) => ({ ...rest, readings: { leo } }), leo: readings.leo };
}

describe("the element", () => {
  test("shows the true text beside hostile paths", async () => {
    const world = await newWorld();
    const { leo } = await leoOf(world);
    await forge(world, { files: Object.fromEntries(hostilePaths.map((path) => [path, {}])), expires });
    const { faults, look } = await newVisitor(world);
    expect(await look()).toContain(leo.sections.personal[0]);
    expect(faults).toEqual([]);
  });

  test.each([
    "javascript:alert(1)//",
    "//other.example",
    "https://other.example/",
    "..",
    "\\\\other.example",
  ])("leads nowhere but to the site, whatever the reading's language is: %s", async (language) => {
    const world = await newWorld();
    const { document, leo } = await leoOf(world);
    for (const change of [{ language }, { operation: language }, { sign: language }]) {
      await forge(world, { files: { [latest]: document({ ...leo, ...change }) }, expires });
      const { page, faults, look } = await newVisitor(world);
      await look();
      const links = await page
        .locator("a")
        .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
      expect(links.filter((link) => !link.startsWith(world.url))).toEqual([]);
      expect(faults).toEqual([]);
    }
  });

  test("has no fault and shows a text or its own content, whatever a field of the reading or of the words is", async () => {
    const world = await newWorld();
    const { document, leo } = await leoOf(world);
    const words = "v1/en/words.json";
    const { faults, look } = await newVisitor(world);
    const ofWords = atEachField(Object(await world.json(words)), "words");
    const tried = [
      ...atEachField(leo, "reading").map(({ name, value }) => ({
        name,
        files: { [latest]: document(value) },
      })),
      ...ofWords
        .filter(({ name }) => deep || !/\..*\./.test(name))
        .map(({ name, value }) => ({ name, files: { [words]: value } })),
    ];
    expect(tried.length).toBeGreaterThan(shapes.length * 20);
    for (const { name, files } of deep ? tried : tried.filter((_, index) => index % 12 === 0)) {
      await forge(world, { files, expires });
      const text = await look();
      expect([name, faults]).toEqual([name, []]);
      expect([name, text.trim()]).not.toEqual([name, ""]);
    }
  });
});
