// Hostile readings on whole pages in a real browser: whatever a text contains, the page has the same elements as with a harmless
// one, loads nothing, runs nothing, keeps its layout and lets no text reverse the direction of another.
import fc from "fast-check";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Reading } from "../../readings/reading.schema.ts";
import { renderShared } from "../../site/render.ts";
import type { LanguageEdition } from "../../site/edition.ts";
import { settings, summaryOf, wholeEdition, withReadings, renderLanguage } from "../site/editions.ts";
import { oneOfEachKind, type Site, textOfPage } from "../site/kinds.ts";
import { anyText } from "../support/any-text.ts";
import { deep } from "../support/deep.ts";
import { launchBrowser } from "../support/chromium.ts";
import { newReader, type Reader } from "./support/browser.ts";

/** The deep counts, on a busy machine. */
const longMs = 20 * 60_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Fields that decide a reading's place on the page; all others are text. */
const structure = new Set([
  "format",
  "family",
  "language",
  "period",
  "operation",
  "sign",
  "sign1",
  "sign2",
  "person",
  "kind",
  "scores",
  "birthNumber",
]);

/**
 * The value with every text in it, at any depth, replaced by the given one. Colors are removed, because their list follows their
 * names, and so is the meaning of a tarot card's category, so that the category is shown unchanged.
 */
function filled(value: unknown, text: string): unknown {
  if (typeof value === "string") return text;
  if (Array.isArray(value)) return value.map((one) => filled(one, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (key === "colors") return [key, []];
      if (key === "orientation") return [key, undefined];
      return [key, structure.has(key) ? one : filled(one, text)];
    }),
  );
}

/** Accepts any reading, as if there were no earlier rule. */
const unjudged = z.custom<Reading>((value) => typeof value === "object");

const whole = wholeEdition("en");
/** Signs on the checked pages; the other signs keep their texts, to save time. */
const filledSigns = new Set<unknown>(["aries", "aquarius"]);

/** The current set of each operation, and one pair, which shows as much as all. */
const edition: LanguageEdition = {
  ...whole,
  sets: whole.sets.filter(
    ({ operation, current }, index, all) =>
      current && all.findIndex((other) => other.operation === operation) === index,
  ),
};

function siteWith(text: string): Site {
  const hostile = withReadings(edition, (reading) =>
    reading.family === "horoscope" && !filledSigns.has(reading.sign)
      ? reading
      : unjudged.parse(filled(reading, text)),
  );
  const files = renderLanguage(hostile, settings);
  const shared = renderShared([summaryOf(files, "en")], settings);
  return new Map([...files, ...shared].map((file) => [file.path, file]));
}

/** Pages with a text of the service, one of each kind. */
const paths = oneOfEachKind(siteWith("harmless"), "en")
  .filter((page) => textOfPage(page).includes("harmless"))
  .map(({ path }) => path);

const call = "window.harmed=true";
/** Hostile texts, by the effect that they would have as markup. */
const attacks = [
  `<script>${call}</script>`,
  `"><img src=x onerror=${call}>`,
  `'><svg onload='${call}'>`,
  `</title></style></script><script>${call}</script>`,
  `</main></body></html><script>${call}</script>`,
  `<!--><script>${call}</script>-->`,
  `<iframe srcdoc="<script>parent.${call}</script>"></iframe>`,
  `<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">`,
  `<link rel="stylesheet" href="https://elsewhere.example/x.css"><style>@import "//elsewhere.example"</style>`,
  `<base href="https://elsewhere.example/"><form action="//elsewhere.example"><input autofocus onfocus=${call}>`,
  `&lt;script&gt;${call}&lt;/script&gt;&#60;b&#62;`,
  `javascript:${call}//`,
  `data:text/html,<script>${call}</script>`,
  'http://elsewhere.example/"onerror="x',
  "{{constructor.constructor('window.harmed=true')()}}${7*7}<%= 7*7 %>#{7*7}{% raw %}",
  "\u202Edrawkcab \u2066inner \u202Bmore",
  "\u2067\u202E\u200F".repeat(50),
  "nulls\u0000 and\u0001 \u0008bells\u0007 and \u007F\u0085\uFEFF\uFFFE",
  "\uD83D alone \uDE00",
  "👩‍👩‍👧‍👦🏳️‍🌈🇮🇳".repeat(200),
  "Z̶̢̛͎a̵l̸g̷o̸".repeat(300),
  "x".repeat(50_000),
  "क्ष".repeat(16_000),
  "漢".repeat(50_000),
  "\u00A0".repeat(5000) + "end",
] as const;

/** A browser lays such a word out for a second or more: in the ordinary tests one of them is enough. */
const isLong = (text: string): boolean => text.length >= 5000;
const tried = deep ? attacks : attacks.filter((text) => !isLong(text) || text.startsWith("x"));

const seen = z.object({
  skeleton: z.string(),
  harmed: z.boolean(),
  overflow: z.number(),
  turning: z.array(z.string()),
  text: z.string(),
});

/** Snapshot of the page: every element with its attribute names, and everything that a text could reverse. */
const look = `(() => {
  const skeleton = [...document.querySelectorAll("*")]
    .map((one) => one.localName + " " + one.getAttributeNames().join(" "))
    .join("\\n");
  const root = document.documentElement;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const turning = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!/[\\u202A-\\u202E\\u2066-\\u2069]/.test(node.data)) continue;
    let box = node.parentElement;
    while (getComputedStyle(box).display === "inline" && !/isolate/.test(getComputedStyle(box).unicodeBidi))
      box = box.parentElement;
    turning.push(box.textContent);
  }
  return {
    skeleton,
    harmed: "harmed" in window,
    overflow: root.scrollWidth - root.clientWidth,
    turning,
    text: document.body.innerText,
  };
})()`;

/** The text as a page shows it: without invisible characters and lone surrogates, and with plain spaces. */
function plain(text: string): string {
  return text.toWellFormed().replaceAll(/[\s\u0000-\u001F\u007F-\u009F\uFEFF\uFFFD\uFFFE]+/gu, "");
}

/** Perhaps its beginning only, perhaps several paragraphs of it in one, or a list, which has its language's separators. */
function isOnly(text: string, shown: string): boolean {
  const bare = (one: string): string => plain(one).replaceAll(/[,;]/g, "");
  return bare(text).repeat(3).includes(bare(shown).replace(/…$/, ""));
}

async function lookAt(reader: Reader, path: string) {
  await reader.open(path);
  return seen.parse(await reader.page.evaluate(look));
}

describe("a text that wants to do harm", () => {
  let watch: (text: string, path: string) => Promise<void>;
  beforeAll(async () => {
    watch = await newWatcher();
  });

  async function newWatcher() {
    let site = siteWith("harmless");
    const reader = await newReader(browser, () => site);
    const faults: string[] = [];
    reader.page.on("dialog", (dialog) => {
      faults.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    reader.page.on("console", (message) => faults.push(`the console: ${message.text()}`));
    reader.page.on("pageerror", (error) => faults.push(`an error: ${error.message}`));
    const harmless = new Map<string, string>();
    for (const path of paths) harmless.set(path, (await lookAt(reader, path)).skeleton);
    return async (text: string, path: string): Promise<void> => {
      site = siteWith(text);
      faults.length = 0;
      const { skeleton, text: shown, turning, ...harm } = await lookAt(reader, path);
      expect(harm).toEqual({ harmed: false, overflow: 0 });
      expect(turning.filter((turned) => !isOnly(text, turned))).toEqual([]);
      const own = new RegExp(`^${settings.url}/(?:.*/)?(?:assets/icon.svg)?$`);
      expect(reader.asked.filter((address) => !own.test(address))).toEqual([]);
      expect(faults).toEqual([]);
      expect(skeleton).toBe(harmless.get(path));
      if (text.isWellFormed()) expect(plain(shown)).toContain(plain(text).slice(0, 60));
    };
  }

  test(
    "stays text, whatever it is and wherever it stands",
    async () => {
      const texts = fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...tried.filter((text) => deep || !isLong(text))) },
        {
          weight: 1,
          // A text of only spaces is no text: the parser leaves it out.
          arbitrary: anyText({ minLength: 1, maxLength: 300 }).filter((text) => text.trim() !== ""),
        },
        {
          weight: 1,
          arbitrary: fc
            .array(fc.constantFrom(...attacks.filter(({ length }) => length < 200)), {
              minLength: 2,
              maxLength: 5,
            })
            .map((parts) => parts.join("")),
        },
      );
      await fc.assert(
        fc.asyncProperty(texts, fc.constantFrom(...paths), (text, path) => watch(text, path)),
        // A card of that name: every object has something of it.
        { numRuns: deep ? 400 : 6, examples: [["constructor", "en/cards/index.html"]] },
      );
    },
    longMs,
  );

  test(
    "of every sort does so on a page where it stands everywhere",
    async () => {
      for (const [index, text] of tried.entries())
        for (const path of deep ? paths : [paths[index % paths.length] ?? ""]) await watch(text, path);
    },
    longMs,
  );
});
