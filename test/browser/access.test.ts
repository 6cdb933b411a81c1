// Pages as everyone meets them, in a real browser: axe finds nothing to object to, by day and in the dark, on a phone and
// on a desk; nothing moves once it stands, nothing is wider than the screen, and nothing needs a script.
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Language } from "../../readings/languages.ts";
import { tree } from "../../site/tree.ts";
import { kindOf, oneOfEachKind, pagesIn, siteIn } from "../site/kinds.ts";
import { deep } from "../support/deep.ts";
import { desktop, launchBrowser, newReader, phone, type Reader } from "./support/browser.ts";

const languages = ["en", "hi", "ar", "zh", "ta"] as const;
const devices = [
  { name: "a phone by day", viewport: phone, colorScheme: "light" },
  { name: "a desk in the dark", viewport: desktop, colorScheme: "dark" },
  { name: "a phone in the dark", viewport: phone, colorScheme: "dark" },
  { name: "a desk by day", viewport: desktop, colorScheme: "light" },
] as const;

const site = siteIn(languages);
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const found = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
    }),
  ),
});

/** With the size of targets, which axe leaves out unless asked. */
const look = `axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } })`;

async function violationsOn({ page }: Reader): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = found.parse(await page.evaluate(look));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** By how much the page is wider than the screen. */
async function overflowOf({ page }: Reader): Promise<number> {
  return z
    .number()
    .parse(
      await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
    );
}

async function faultsOf(reader: Reader, path: string): Promise<string[]> {
  await reader.open(path);
  const overflow = await overflowOf(reader);
  const wide = overflow > 0 ? [`${overflow} px wider than the screen`] : [];
  return [...wide, ...(await violationsOn(reader))].map((fault) => `${path} ${fault}`);
}

/** What a language's page of a kind is; pages of no language are looked at once. */
function pagesOf(language: Language) {
  return oneOfEachKind(site, language).map(({ path }) => ({ path, kind: kindOf(path) }));
}

describe("axe has nothing to object to", () => {
  const everywhere = new Set([tree.frontPage.path, tree.signPage.path]);

  test("on a page of each kind, each in another language and on another device, two kinds in all five", async () => {
    const readers = await Promise.all(devices.map((device) => newReader(browser, () => site, device)));
    const kinds = new Set<string>();
    const faults: string[] = [];
    for (const [turn, language] of languages.entries()) {
      for (const [index, { path, kind }] of pagesOf(language).entries()) {
        if (index % languages.length !== turn && !everywhere.has(kind)) continue;
        kinds.add(kind);
        const reader = readers[(index + turn) % readers.length];
        if (reader !== undefined) faults.push(...(await faultsOf(reader, path)));
      }
    }
    expect(faults).toEqual([]);
    expect(kinds).toEqual(new Set(pagesIn(site).map(({ path }) => kindOf(path))));
  });

  test.runIf(deep).each(devices)(
    "on a page of each kind in five languages, on $name",
    async (device) => {
      const reader = await newReader(browser, () => site, device);
      const faults: string[] = [];
      for (const language of languages)
        for (const { path } of pagesOf(language)) faults.push(...(await faultsOf(reader, path)));
      expect(faults).toEqual([]);
    },
    600_000,
  );

  test("and would object to pale text, to a small target and to a role that is none", async () => {
    const reader = await newReader(browser, () => site);
    await reader.open("en/daily/leo/index.html");
    await reader.page.evaluate(`
      document.querySelector("main p").style.color = "#ccc";
      document.querySelector("footer").setAttribute("role", "bottom");
      document.querySelector("main").insertAdjacentHTML("beforeend", "<button>.</button><button>.</button>");
      for (const button of document.querySelectorAll("button")) button.style = "width: 9px; height: 9px; padding: 0";
    `);
    const ids = (await violationsOn(reader)).map((fault) => fault.slice(0, fault.indexOf(":")));
    expect(new Set(ids)).toEqual(new Set(["aria-roles", "color-contrast", "target-size"]));
  });
});

/** What moved from `fromMs` on, with its score: a frame that opens only when its picture comes scores 0.39. */
const moved = (fromMs: number) => `new Promise((resolve) => {
  const moved = [];
  new PerformanceObserver((list) => {
    for (const { value, startTime, sources } of list.getEntries()) {
      if (startTime < ${fromMs} || value < 0.015) continue;
      moved.push(value + " " + sources.map(({ node }) => node?.nodeName + "." + node?.className));
    }
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(moved), 50)));
})`;

test("nothing moves on a page, although its pictures come late", async () => {
  for (const viewport of [phone, desktop]) {
    const reader = await newReader(browser, () => site, { viewport }, { pictureDelayMs: 100 });
    for (const { path } of pagesOf("en").filter(({ kind }) => deep || /wisdom|cards|spread/.test(kind))) {
      await reader.open(path);
      expect([path, await reader.page.evaluate(moved(0))]).toEqual([path, []]);
    }
  }
});

/** Reads a page again, piece by piece, with a look at each. */
const inPieces = (page: string, pieces: number) => `(async () => {
  const fromMs = performance.now();
  const page = ${JSON.stringify(page)};
  const body = page.indexOf("<body");
  document.open();
  document.write(page.slice(0, body));
  const length = Math.ceil((page.length - body) / ${pieces});
  for (let at = body; at < page.length; at += length) {
    document.write(page.slice(at, at + length));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }
  document.close();
  return fromMs;
})()`;

test("what was read of a page stays where it is while the rest comes", async () => {
  const ways = deep ? [2, 3, 5] : [3];
  for (const viewport of [phone, desktop]) {
    const reader = await newReader(browser, () => site, { viewport });
    for (const { path } of pagesOf("en").filter(
      ({ kind }) => deep || kind === tree.deckPage.path.replace("{operation}", "spread"),
    )) {
      for (const pieces of ways) {
        await reader.open(path);
        const page = Buffer.from(site.get(path)?.bytes ?? []).toString();
        const fromMs = z.number().parse(await reader.page.evaluate(inPieces(page, pieces)));
        expect([path, pieces, await reader.page.evaluate(moved(fromMs))]).toEqual([path, pieces, []]);
      }
    }
  }
});

test("a reader without scripts comes from the choice of a language to yesterday's text, and asks for nothing else", async () => {
  const reader = await newReader(browser, () => site, { javaScriptEnabled: false });
  await reader.open("index.html");
  const { page, asked } = reader;
  await page.click('a[hreflang="ta"]');
  await page.click('.twelve a[href="/ta/daily/leo/"]');
  await page.click('a[rel="prev"]');
  expect(new URL(page.url()).pathname).toBe("/ta/daily/leo/2026-11-20/");
  expect(await page.textContent("main")).toContain("சிம்மம்");
  const other = asked.filter(
    (address) => !/^https:\/\/almanac\.example\/(?:.*\/)?$|icon\.svg$/.test(address),
  );
  expect(other).toEqual([]);
});
