// <almanac-reading> in a page of another origin, in a real browser: it shows each kind of reading with its language's labels,
// follows its visitor on request, and shows the last good text if the site is down or forged.
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Language,
  languageNames,
  isOfCards,
  languagesOf,
  operationNames,
} from "../../readings/tables.ts";
import { periodKinds } from "../../readings/calendar.ts";
import { signNames } from "../../readings/sign-names.ts";
import { labelsIn } from "../../site/labels.ts";
import { documents } from "../../site/data.schema.ts";
import { builtElement, builtElementPath } from "../client/built-element.ts";
import { launchBrowser } from "../support/chromium.ts";
import { deep } from "../support/deep.ts";
import { fileEnd } from "../support/ends.ts";
import { violationsOn } from "./support/axe.ts";
import { type Embedding, newEmbedding, nights } from "./support/embedding.ts";

const languages: readonly Language[] = deep ? languageNames : ["en", "ar"];
/** One reading of each family, or all. */
const cards = operationNames.filter(
  (name) =>
    isOfCards(name) && (deep || /^(?:power|past-present|love-triangle|wisdom|daily-tarot$)/.test(name)),
);
const horoscopes = periodKinds.map((kind) => `${kind}-horoscope` as const);

let site: Embedding;
let browser: Browser;
const atEnd = fileEnd();
beforeAll(async () => {
  const operations = [...horoscopes, "love-compatibility" as const, ...cards];
  [site, browser] = await Promise.all([
    newEmbedding({ languages: [...languages], operations, pairs: [["aries", "leo"]] }, atEnd),
    launchBrowser("nothing.example"),
  ]);
});
afterAll(() => browser.close());
afterEach(() => site.restore());

const leo = `<almanac-reading sign="leo"></almanac-reading>`;
const textOn = (page: Page): Promise<string> => page.locator("article").first().innerText();
const dayIn = async (path: string, sign: "leo" | "aries" = "leo") => {
  const { readings } = documents.signs.parse(await site.first.json(path));
  return readings[sign]?.sections.personal[0] ?? "";
};

/** All texts of a reading, without addresses, color codes and metadata. */
function textsOf(value: unknown): string[] {
  const told = z.record(z.string(), z.unknown()).safeParse(value);
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  const passed =
    /^(?:format|language|period|family|operation|sign[12]?|images|colors|kind|label|category|orientation)$/;
  return Object.entries(told.data ?? {}).flatMap(([name, inner]) =>
    passed.test(name) ? [] : textsOf(inner),
  );
}

const withReadings = z.object({
  reading: z.unknown().optional(),
  readings: z.object({ leo: z.unknown() }).optional(),
});

describe("the element shows", () => {
  test.each(languages)("every kind of reading in %s, all of it", async (language) => {
    const own = cards.filter((operation) => languagesOf(operation).includes(language));
    const kinds = periodKinds.filter((kind) => languagesOf(`${kind}-horoscope`).includes(language));
    const asked: [attributes: string, path: string][] = [
      ...kinds.map((kind): [string, string] => [
        `period="${kind}" sign="leo"`,
        `v1/${language}/${kind}/latest.json`,
      ]),
      ...own.map((name): [string, string] => [`operation="${name}"`, `v1/${language}/${name}/latest.json`]),
    ];
    if (languagesOf("love-compatibility").includes(language))
      asked.push([`sign="aries" with="leo"`, `v1/${language}/love-compatibility/aries-leo.json`]);
    const { page, visit } = await site.visitor(browser);
    const told = await visit(
      asked
        .map(([attributes]) => `<almanac-reading lang="${language}" ${attributes}></almanac-reading>`)
        .join(""),
    );
    expect(told).toEqual(asked.map(() => ({ stale: false })));
    for (const [index, [attributes, path]] of asked.entries()) {
      const data = await site.first.json(path);
      const { readings, reading = readings?.leo } = withReadings.parse(data);
      const shown = (await page.locator("article").nth(index).innerText()).replaceAll(/\s+/g, " ");
      for (const text of textsOf(reading))
        expect([attributes, shown]).toEqual([
          attributes,
          expect.stringContaining(text.replaceAll(/\s+/g, " ")),
        ]);
      expect(shown).not.toMatch(/undefined|null|\[object|NaN/);
    }
    const looks = page.locator("article").first();
    expect(await looks.getAttribute("dir")).toBe(language === "ar" ? "rtl" : "ltr");
    if (kinds.length > 0) {
      expect(await looks.locator("h2").innerText()).toBe(signNames[language].leo);
      expect(await looks.locator("h3").first().innerText()).toBe(labelsIn(language).sections.personal);
    }
    await page.context().close();
  });

  test("in the language of the page around, a date's text, under headings that fit the page", async () => {
    const { page, visit } = await site.visitor(browser);
    await visit(`<div lang="ar-EG">${leo}</div><almanac-reading lang="xx" sign="leo"></almanac-reading>
      <almanac-reading sign="leo" date="2026-11-21" level="4"></almanac-reading>`);
    const [arabic, dated] = [page.locator("article").first(), page.locator("article").last()];
    expect(await arabic.innerText()).toContain(await dayIn("v1/ar/daily/latest.json"));
    expect(await page.locator("article").count()).toBe(2);
    expect(await dated.locator("h4").innerText()).toBe("Leo");
    expect(await dated.locator("h5").first().innerText()).toBe("Personal life");
    expect(await dated.innerText()).toContain("Daily horoscope · Saturday, November 21, 2026");
    const link = arabic.locator("a");
    expect(await link.getAttribute("href")).toBe(`${site.url}ar/daily/leo/`);
  });

  test("what is within it, where the site has no such text", async () => {
    const fallback = `<almanac-reading sign="ophiuchus"><a href="${site.url}">Today</a></almanac-reading>`;
    const { page, visit } = await site.visitor(browser);
    expect(await visit(fallback)).toEqual([{ reason: "NotPublished" }]);
    expect(await page.locator("a").isVisible()).toBe(true);
    expect(await page.locator("article").count()).toBe(0);
  });

  test("another text when an attribute changes, as a text and never as markup", async () => {
    const { page, visit, settled } = await site.visitor(browser);
    await visit(leo);
    await page.evaluate(`document.querySelector("almanac-reading").setAttribute("sign", "aries")`);
    await settled();
    expect(await textOn(page)).toContain(await dayIn("v1/en/daily/latest.json", "aries"));
    expect(await page.locator("article").count()).toBe(1);
  });

  test("itself in the page's own colours and font, in the height that it needs, and lets its parts be dressed", async () => {
    const { page, visit } = await site.visitor(browser, { viewport: { width: 390, height: 800 } });
    await visit(
      `<div style="color: rgb(1, 2, 3); font-family: monospace">${leo}</div>`,
      "<style>almanac-reading { --almanac-accent: rgb(4, 5, 6) } almanac-reading::part(date) { display: none }</style>",
    );
    const look = (selector: string, property: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector("almanac-reading").shadowRoot.querySelector("${selector}")).${property}`,
      );
    expect(await look("article p", "color")).toBe("rgb(1, 2, 3)");
    expect(await look("article p", "fontFamily")).toBe("monospace");
    expect(await look("article h2", "color")).toBe("rgb(4, 5, 6)");
    expect(await page.locator("[part=date]").isVisible()).toBe(false);
    expect(await page.evaluate(overflow)).toBe(0);
  });
});

const overflow = `(() => {
  const element = document.querySelector("almanac-reading");
  const { scrollWidth, clientWidth } = document.documentElement;
  const inner = element.shadowRoot.querySelector("article").getBoundingClientRect();
  return Math.max(0, scrollWidth - clientWidth, inner.bottom - element.getBoundingClientRect().bottom);
})()`;

describe("the element follows its visitor where it was told to,", () => {
  test("in the first of her languages in which the site has the reading", async () => {
    const { page, visit } = await site.visitor(browser, { locale: "ar-EG" });
    await visit(`<almanac-reading sign="leo" follow="language"></almanac-reading>${leo}`);
    expect(await textOn(page)).toContain(await dayIn("v1/ar/daily/latest.json"));
    expect(await page.locator("article").last().innerText()).toContain(
      await dayIn("v1/en/daily/latest.json"),
    );
    const other = await site.visitor(browser, { locale: "is-IS" });
    await other.visit(`<almanac-reading sign="leo" follow="language"></almanac-reading>`);
    expect(await textOn(other.page)).toContain(await dayIn("v1/en/daily/latest.json"));
  });

  test("in her sign, which she chooses once for all elements and visits", async () => {
    const { page, visit, again } = await site.visitor(browser);
    const follows = `<almanac-reading follow="sign"></almanac-reading>`;
    await visit(`${follows}${follows}${leo}`);
    expect(await page.locator("article").count()).toBe(1);
    await page.getByLabel("My sign").first().selectOption("aries");
    await page.waitForFunction("seen.length >= 2");
    expect(await textOn(page)).toContain(await dayIn("v1/en/daily/latest.json", "aries"));
    expect(await page.locator("article h2").allInnerTexts()).toEqual(["Aries", "Aries", "Leo"]);
    await page.evaluate("seen.length = 0");
    await again(nights[0]);
    expect(await page.locator("article h2").allInnerTexts()).toEqual(["Aries", "Aries", "Leo"]);
    expect(await page.getByLabel("My sign").first().inputValue()).toBe("aries");
    await visit(leo);
    expect(await page.locator("select").count()).toBe(0);
  });

  test("and keeps nothing on her device where it was told not to", async () => {
    const { page, visit } = await site.visitor(browser);
    await visit(`<almanac-reading follow="sign" sign="leo" no-storage></almanac-reading>`);
    await page.getByLabel("My sign").selectOption("aries");
    await page.waitForFunction("seen.length >= 1");
    expect(await page.evaluate("localStorage.length")).toBe(0);
  });
});

describe("the last good text is shown", () => {
  test("at once where it is of today, and marked where it is of yesterday, when the site is away", async () => {
    const { page, visit, again, unplug } = await site.visitor(browser);
    await visit(leo);
    await unplug();
    expect(await again("2026-11-21T18:00:00Z")).toEqual([{ stale: true, reason: "Unreachable" }]);
    const text = await dayIn("v1/en/daily/latest.json");
    expect(await textOn(page)).toContain(text);
    expect(await page.locator("[part=old]").count()).toBe(0);
    await again("2026-11-22T18:00:00Z");
    expect(await textOn(page)).toContain(text);
    expect(await page.locator("[part=old]").innerText()).toMatch(/^yesterday$/i);
    await again("2026-11-24T18:00:00Z");
    expect(await page.locator("[part=old]").innerText()).toBe("3 days ago");
  });

  test("where the site serves other bytes for the new one, which comes as soon as it is there", async () => {
    const { page, visit, again } = await site.visitor(browser);
    await visit(leo);
    const before = await dayIn("v1/en/daily/latest.json");
    const second = await site.secondNight();
    const object = (await second.paths()).get("v1/en/daily/latest.json") ?? "";
    const path = `v1/objects/${object}.json`;
    const good = await second.site.read(path);
    const forged = Buffer.from(good?.body ?? [])
      .toString()
      .replace(/"personal":\["./, '"personal":["X');
    site.lies.set(path, Buffer.from(forged));
    expect(await again(nights[1])).toEqual([{ stale: true, reason: "Mixed" }]);
    expect(await textOn(page)).toContain(before);
    expect(await page.locator("[part=old]").innerText()).toMatch(/^yesterday$/i);
    site.lies.clear();
    expect(await again(nights[1])).toEqual([{ stale: false }]);
    expect(await textOn(page)).not.toContain(before);
    expect(await page.locator("[part=old]").count()).toBe(0);
  });

  test("and a site without objects is read by its public paths, with the same hashes", async () => {
    const objects = [...(await site.first.paths()).values()].map((object) => `v1/objects/${object}.json`);
    for (const path of objects) site.lies.set(path, undefined);
    const { page, visit, again } = await site.visitor(browser);
    expect(await visit(leo)).toEqual([{ stale: false }]);
    const text = await dayIn("v1/en/daily/latest.json");
    expect(await textOn(page)).toContain(text);
    const path = "v1/en/daily/latest.json";
    const stable = Buffer.from((await site.first.site.read(path))?.body ?? []).toString();
    site.lies.set(path, Buffer.from(stable.replace(/"personal":\["./, '"personal":["X')));
    expect(await again(nights[0])).toEqual([{ stale: true, reason: "Mixed" }]);
    expect(await textOn(page)).toContain(text);
  });
});

const devices = [
  { viewport: { width: 390, height: 844 }, colorScheme: "light" },
  { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
] as const;

test.each(devices)("axe has nothing to object to: $viewport.width px, $colorScheme", async (device) => {
  const { page, visit } = await site.visitor(browser, device);
  const each = (language: Language) => `<section lang="${language}">
    <almanac-reading sign="leo" follow="sign"></almanac-reading>
    <almanac-reading sign="aries" with="leo"></almanac-reading>
    ${cards.map((name) => `<almanac-reading operation="${name}"></almanac-reading>`).join("")}</section>`;
  await visit(languages.slice(0, 3).map(each).join(""));
  expect(await violationsOn(page)).toEqual([]);
  expect(await page.evaluate(overflow)).toBe(0);
});

test("what is published is made of what stands in packages/client/, and has less than 6,000 bytes by gzip with the client inside", async () => {
  const published = readFileSync(builtElementPath, "utf8");
  expect(published, "run npm run element").toBe(await builtElement());
  expect(gzipSync(published, { level: 9 }).length).toBeLessThan(6_000);
  expect(published).not.toMatch(/\bimport\b(?!\.meta)|\brequire\(/);
});
