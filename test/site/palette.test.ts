// A site in colours, words and a style of its own: on pages and in letters, and only where they are configured.
import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contrast, mixed } from "../../site/color-contrast.ts";
import { contrastProblems, palettesOf } from "../../site/palette.ts";
import { pressLanguage, pressShared, type SiteSettings } from "../../site/press.ts";
import { settings, summaryOf, textOf, wholeEdition } from "./editions.ts";

const whole = wholeEdition("en", ["daily-horoscope"]);
const edition = { ...whole, sheets: whole.sheets.filter(({ current }) => current) };

function pressed(more: Partial<SiteSettings>) {
  const site = { ...settings, ...more };
  const files = pressLanguage(edition, site);
  return [...files, ...pressShared([summaryOf(files, "en")], site)];
}

const page = "en/daily/leo/index.html";
const letter = "en/newsletter/2026-11-21/leo.html";

describe("colours", () => {
  test("stand after our stylesheet, by day and in the dark, and in every letter", () => {
    const colors = { light: { accent: "#a00040", paper: "#ffffff" }, dark: { accent: "#ff90b0" } };
    const files = pressed({ colors });
    const style = /<style>(.*?)<\/style>/s.exec(textOf(files, page))?.[1] ?? "";
    expect(style).toMatch(/@media screen\{:root\{--paper:#ffffff;.*?\}:root,\.hue\{--accent:#a00040\}\}/);
    expect(style).toContain("@media screen and (prefers-color-scheme:dark){:root,.hue{--accent:#ff90b0}}");
    expect(style.indexOf("@media print")).toBeLessThan(style.indexOf("--accent:#a00040"));
    const mail = textOf(files, letter);
    expect(mail).toContain('bgcolor="#ffffff"');
    expect(mail).toContain('<span class="leo" style="color:#a00040">');
    expect(mail).toContain(".leo{color:#ff90b0!important}");
    expect(mail).not.toMatch(/#faf5ec|#7f3f00|#ecaf79/);
  });

  test("that can't be read are named with their pair and its ratio", () => {
    expect(contrastProblems({ light: { ink: "#777777", paper: "#ffffff", accent: "#000000" } })[0]).toBe(
      "site.colors.light: ink #777777 on paper #ffffff has a contrast of 4.47:1, and text needs 4.5:1 or more",
    );
    expect(contrastProblems({ dark: { accent: "#444444" } })[0]).toMatch(
      /^site\.colors\.dark: accent #444444 on paper #10131f has a contrast of 1\.\d\d:1/,
    );
    expect(contrastProblems({ light: { paper: "#aaaaaa", ink: "#000000" } })[0]).toMatch(
      /^site\.colors\.light: a sign's accent #[0-9a-f]{6} on paper #aaaaaa/,
    );
    expect(contrastProblems({ light: {}, dark: {} })).toEqual([]);
    expect(contrastProblems()).toEqual([]);
  });

  test("that pass make all that follows from them readable too", () => {
    const color = fc
      .integer({ min: 0, max: 0xff_ff_ff })
      .map((number) => `#${number.toString(16).padStart(6, "0")}`);
    const own = fc.record({ accent: color, paper: color, ink: color }, { requiredKeys: [] });
    let passed = 0;
    fc.assert(
      fc.property(own, (light) => {
        if (contrastProblems({ light }).length > 0) return;
        passed += 1;
        const { paper, panel, ink, soft, accents } = palettesOf({ light }).light;
        for (const ground of [paper, panel]) {
          for (const text of [ink, soft, ...Object.values(accents)])
            expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
        }
        expect(contrast(ink, mixed(accents.leo, paper, 0.43))).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 2_000 },
    );
    expect(passed).toBeGreaterThan(20);
  });

  test("have the contrast that the recommendation says", () => {
    expect(contrast("#ffffff", "#000000")).toBeCloseTo(21);
    expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
    expect(contrast("#FFFFFF", "#ffffff")).toBe(1);
    expect(() => contrast("red", "#ffffff")).toThrow(/no colour/);
  });
});

describe("a footer of one's own", () => {
  test("stands on every page and in every letter, as text, with its link", () => {
    const footer = { text: "© Example <Press>", link: "https://press.example/?a=1&b=2" };
    const files = pressed({ footer });
    const pages = files.filter(
      ({ type, path }) => type.startsWith("text/html") && !/newsletter|\/embed\//.test(path),
    );
    for (const { path } of pages)
      expect(textOf(files, path)).toContain(
        '<p dir="auto"><a href="https://press.example/?a=1&amp;b=2">© Example &lt;Press&gt;</a></p>',
      );
    expect(textOf(files, letter)).toMatch(
      /<a href="https:\/\/press\.example\/\?a=1&amp;b=2" style="[^"]+">.*© Example &lt;Press&gt;/,
    );
    expect(textOf(files, letter.replace("html", "txt"))).toContain(
      "© Example <Press>\nhttps://press.example/?a=1&b=2\n",
    );
  });

  test("may be words alone", () => {
    const files = pressed({ footer: { text: "© Example Press" } });
    expect(textOf(files, page)).toContain('<p dir="auto">© Example Press</p>');
    expect(textOf(files, letter)).toContain("© Example Press</span>");
  });
});

describe("a stylesheet of one's own", () => {
  const css = 'body::before{content:"/* ; } */"}\nh1{color:teal}';
  const files = pressed({ stylesheet: { path: "own.css", css }, colors: { light: { accent: "#a00040" } } });

  test("replaces ours, is let in by its hash, and keeps the script's setting before and the colours after it", () => {
    const html = textOf(files, page);
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";
    expect(style).toMatch(/^:root\{--face:/);
    expect(style).toContain(`}${css}@media screen{:root,.hue{--accent:#a00040}}`);
    expect(style).not.toContain(".masthead");
    const hash = createHash("sha256").update(style).digest("base64");
    expect(html).toContain(`style-src 'sha256-${hash}'`);
  });

  test("is nowhere in the data", () => {
    const index: unknown = JSON.parse(textOf(files, "v1/index.json"));
    expect(index).toMatchObject({ site: settings });
    expect(Object.keys(Object(Object(index).site))).toEqual(["id", "name", "url"]);
  });
});

test("two sites pressed in one process keep their own styles", () => {
  const own = textOf(pressed({ stylesheet: { path: "a.css", css: "h1{color:red}" } }), page);
  expect(textOf(pressed({}), page)).not.toContain("h1{color:red}");
  expect(own).toContain("h1{color:red}");
});
