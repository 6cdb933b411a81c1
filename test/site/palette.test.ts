// A site in the colors of its theme, on pages and in newsletters, and the newsletter's own line.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contrast, contrastProblems, mixed, palettesOf } from "../../site/palette.ts";
import { renderShared } from "../../site/render.ts";
import type { ThemeInput } from "../../worker/theme/theme.schema.ts";
import { themeOf } from "../support/theme-folder.ts";
import { settings, summaryOf, textOf, wholeEdition, renderLanguage } from "./editions.ts";

const whole = wholeEdition("en", ["daily-horoscope"]);
const edition = { ...whole, sets: whole.sets.filter(({ current }) => current) };

async function rendered(theme: ThemeInput) {
  const site = { ...settings, theme: await themeOf(theme) };
  const files = renderLanguage(edition, site);
  return [...files, ...renderShared([summaryOf(files, "en")], site)];
}

const page = "en/daily/leo/index.html";
const newsletter = "en/newsletter/2026-11-21/leo.html";

describe("colours", () => {
  test("come after our stylesheet, in light and dark schemes, and are in every newsletter", async () => {
    const colors = { light: { accent: "#a00040", paper: "#ffffff" }, dark: { accent: "#ff90b0" } };
    const files = await rendered({ colors });
    const style = /<style>(.*?)<\/style>/s.exec(textOf(files, page))?.[1] ?? "";
    expect(style).toMatch(/@media screen\{:root\{--paper:#ffffff;.*?\}:root,\.hue\{--accent:#a00040\}\}/);
    expect(style).toContain("@media screen and (prefers-color-scheme:dark){:root,.hue{--accent:#ff90b0}}");
    expect(style.indexOf("@media print")).toBeLessThan(style.indexOf("--accent:#a00040"));
    const mail = textOf(files, newsletter);
    expect(mail).toContain('bgcolor="#ffffff"');
    expect(mail).toContain('<span class="leo" style="color:#a00040">');
    expect(mail).toContain(".leo{color:#ff90b0!important}");
    expect(mail).not.toMatch(/#faf5ec|#7f3f00|#ecaf79/);
  });

  test("that are unreadable are reported with their pair and its ratio", () => {
    expect(contrastProblems({ light: { ink: "#777777", paper: "#ffffff", accent: "#000000" } })[0]).toBe(
      "colors.light: ink #777777 on paper #ffffff has a contrast of 4.47:1, and text needs 4.5:1 or more",
    );
    expect(contrastProblems({ dark: { accent: "#444444" } })[0]).toMatch(
      /^colors\.dark: accent #444444 on paper #10131f has a contrast of 1\.\d\d:1/,
    );
    expect(contrastProblems({ light: { paper: "#aaaaaa", ink: "#000000" } })[0]).toMatch(
      /^colors\.light: a sign's accent #[0-9a-f]{6} on paper #aaaaaa/,
    );
    expect(contrastProblems({ light: {}, dark: {} })).toEqual([]);
    expect(contrastProblems()).toEqual([]);
  });

  test("that pass make all derived colors readable too", () => {
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

  test("have the contrast that WCAG requires", () => {
    expect(contrast("#ffffff", "#000000")).toBeCloseTo(21);
    expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
    expect(contrast("#FFFFFF", "#ffffff")).toBe(1);
    expect(() => contrast("red", "#ffffff")).toThrow(/not a color/);
  });
});

describe("a newsletter's own line", () => {
  test("is in every newsletter, as text, with its link", async () => {
    const footer = { text: "© Example <Press>", link: "https://press.example/?a=1&b=2" };
    const files = await rendered({ newsletter: { footer } });
    expect(textOf(files, newsletter)).toMatch(
      /<a href="https:\/\/press\.example\/\?a=1&amp;b=2" style="[^"]+">.*© Example &lt;Press&gt;/,
    );
    expect(textOf(files, newsletter.replace("html", "txt"))).toContain(
      "© Example <Press>\nhttps://press.example/?a=1&b=2\n",
    );
    expect(textOf(files, page)).not.toContain("Example &lt;Press&gt;");
  });

  test("may have no link", async () => {
    const files = await rendered({ newsletter: { footer: { text: "© Example Press" } } });
    expect(textOf(files, newsletter)).toContain("© Example Press</span>");
  });
});

test("a theme is nowhere in the data", async () => {
  const files = await rendered({ colors: { light: { accent: "#a00040" } } });
  const index: unknown = JSON.parse(textOf(files, "v1/index.json"));
  expect(index).toMatchObject({ site: settings });
  expect(Object.keys(Object(Object(index).site))).toEqual(["id", "name", "url"]);
});

test("two sites rendered in one process keep their own styles", async () => {
  const own = textOf(await rendered({ properties: { "--leading": "1.7" } }), page);
  expect(textOf(await rendered({}), page)).not.toContain("--leading:1.7}");
  expect(own).toContain("--leading:1.7}");
});
