// What the configuration takes for a site's colours, footer and stylesheet, and how it says what is wrong with them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fingerprintOf } from "../../publish/press/fingerprint.ts";
import {
  loadConfiguration,
  parseConfiguration,
  WrongConfiguration,
} from "../../worker/settings/configuration.ts";
import { inventedLanguage } from "../../scripts/preview/invented-language.ts";
import { runChecks } from "../../worker/checks/checks.ts";
import { styleCost } from "../../worker/settings/stylesheet.ts";

function wrongIn(site: object): string {
  try {
    parseConfiguration({ site }, "almanac.config.ts");
    return "";
  } catch (error) {
    if (error instanceof WrongConfiguration) return error.message;
    throw error;
  }
}

function folderWith(css: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "almanac-style-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "own.css"), css);
  writeFileSync(join(folder, "almanac.config.ts"), 'export default { site: { stylesheet: "./own.css" } };\n');
  return folder;
}

test("nothing of it is on by default", () => {
  expect(parseConfiguration({}, "x").site).toEqual({
    id: "almanac",
    name: "Almanac",
    url: "http://127.0.0.1:8420",
    tomorrow: false,
  });
});

test("refuses colours in which text can't be read, and names every pair", () => {
  const colors = {
    light: { paper: "#FFFFFF", ink: "#999999", accent: "#00ff00" },
    dark: { accent: "#a0c0ff" },
  };
  const message = wrongIn({ colors });
  expect(message).toContain("site.colors.light: ink #999999 on paper #FFFFFF has a contrast of 2.84:1");
  expect(message).toContain("site.colors.light: accent #00ff00 on paper #FFFFFF has a contrast of 1.37:1");
  expect(message).not.toContain("dark");
});

test("names a colour that is none, a link that is not https, and a misspelt setting", () => {
  expect(wrongIn({ colors: { light: { ink: "black" } } })).toContain(
    'site.colors.light.ink: a colour such as #1a2b3c, not "black"',
  );
  expect(wrongIn({ footer: { text: "Us", link: "http://press.example" } })).toContain(
    'site.footer.link: an address that begins with https://, not "http://press.example"',
  );
  expect(wrongIn({ color: {} })).toContain('site: "color" is no setting; did you mean "colors"?');
  expect(wrongIn({ colors: { light: { paperr: "#ffffff" } } })).toContain('did you mean "paper"?');
});

test("reads the stylesheet beside the configuration, and its bytes are in the fingerprint", async () => {
  const folder = folderWith("h1{color:teal}");
  const { site } = await loadConfiguration(undefined, folder);
  expect(site.stylesheet).toEqual({ path: "./own.css", css: "h1{color:teal}" });
  writeFileSync(join(folder, "own.css"), "h1{color:navy}");
  const later = await loadConfiguration(undefined, folder);
  expect(fingerprintOf(later.site)).not.toBe(fingerprintOf(site));
});

test.each([
  ["h1{}</STYLE><script>", "would end the page's own style"],
  [new Uint8Array([0xff, 0xfe, 0x00]), "it is not UTF-8"],
])("refuses a stylesheet that can't stand in a page", async (css, why) => {
  await expect(loadConfiguration(undefined, folderWith(css))).rejects.toThrow(why);
});

test("refuses a stylesheet that is not there", async () => {
  const folder = folderWith("");
  rmSync(join(folder, "own.css"));
  await expect(loadConfiguration(undefined, folder)).rejects.toThrow(
    /site\.stylesheet: .*own\.css can't be read/,
  );
});

test("`almanac check` warns of a stylesheet that makes pages heavier than one round trip", async () => {
  const random = (index: number) => Math.abs(Math.sin(index)).toString(36).slice(2);
  const heavy = Array.from({ length: 1_500 }, (_, index) => `.${random(index)}{order:${index}}`).join("");
  const seen = async (css: string) => {
    const folder = folderWith(css);
    const checks = await runChecks(folder, join(folder, ".almanac"), inventedLanguage);
    return checks.find(({ name }) => name === "stylesheet");
  };
  expect(await seen("h1{color:teal}")).toEqual({
    name: "stylesheet",
    ok: true,
    seen: expect.stringMatching(/^\.\/own\.css has \d+ bytes compressed, and stands in every page$/),
  });
  expect(await seen(heavy)).toMatchObject({
    ok: true,
    seen: expect.stringMatching(/^warning: \.\/own\.css has \d+ bytes compressed/),
    remedy: expect.stringContaining("14,336"),
  });
});

test("our own stylesheet is within what is asked of others", () => {
  const { sizeBytes, mostBytes } = styleCost(parseConfiguration({}, "x"));
  expect(sizeBytes).toBeLessThan(mostBytes);
});
