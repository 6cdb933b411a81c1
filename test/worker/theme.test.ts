// Valid themes, and error reports for invalid ones: all errors at once, each with its file, line and remedy.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadTheme } from "../../worker/theme/load-theme.ts";
import type { ThemeInput } from "../../worker/theme/theme.schema.ts";
import { WrongTheme } from "../../worker/theme/theme-files.ts";
import { type FolderFiles, folderWithFiles, themeOf } from "../support/theme-folder.ts";

async function problemsOf(theme: ThemeInput | object, files: FolderFiles = {}): Promise<string[]> {
  try {
    await themeOf(theme, files);
    return [];
  } catch (error) {
    if (!(error instanceof WrongTheme)) throw error;
    return error.problems.map((problem) => problem.replace(/^.*\/theme\//, ""));
  }
}

const footer = (text: string): Promise<string[]> =>
  problemsOf({ slots: { footer: "footer.html" } }, { "footer.html": text });

test("no folder, an empty one and one without theme.ts are no theme", async () => {
  const folder = folderWithFiles({ "almanac.config.ts": "export default {};\n" });
  expect(await loadTheme(undefined, join(folder, "almanac.config.ts"))).toBeUndefined();
  const other = folderWithFiles({ "theme/notes.txt": "soon" });
  expect(await loadTheme(undefined, join(other, "almanac.config.ts"))).toBeUndefined();
});

test("a configured folder or package must exist", async () => {
  const config = join(folderWithFiles({}), "almanac.config.ts");
  await expect(loadTheme("./ours", config)).rejects.toThrow("theme: ./ours has no theme.ts. Add one");
  await expect(loadTheme("our-theme", config)).rejects.toThrow("the package our-theme is not installed");
});

test("a theme may come as a package, as JavaScript", async () => {
  const folder = folderWithFiles({
    "node_modules/our-theme/package.json": '{ "name": "our-theme", "version": "1.0.0", "type": "module" }',
    "node_modules/our-theme/theme.js": 'export default { slots: { footer: "footer.html" } };',
    "node_modules/our-theme/footer.html": "<footer>Ours</footer>",
  });
  const theme = await loadTheme("our-theme", join(folder, "almanac.config.ts"));
  expect(theme?.slots).toMatchObject([{ slot: "footer", pieces: ["<footer>Ours</footer>"] }]);
});

test("reports every error of theme.ts at once, with its line and the expected value", async () => {
  const found = await problemsOf({
    slots: { mastheed: "a.html", footer: { file: "b.html", languages: ["gr"] } },
    colors: { light: { ink: "#aaaaaa" } },
    fonts: [{ family: "A", file: "a.ttf" }],
  });
  expect(found).toEqual([
    expect.stringMatching(/^theme\.ts:19: fonts\.0\.file: must be a file that ends in \.woff2/),
    expect.stringMatching(
      /^theme\.ts:6: slots\.footer\.0\.languages\.0: "gr" is not one of .*Did you mean "el"\?$/,
    ),
    'theme.ts:3: slots: "mastheed" is not a setting. Did you mean "masthead"?',
  ]);
  expect(await problemsOf({ colors: { light: { ink: "#aaaaaa" } } })).toEqual([
    expect.stringMatching(/^theme\.ts:2: colors\.light: ink #aaaaaa on paper #faf5ec has a contrast of/),
    expect.stringContaining("pair table"),
  ]);
});

test("reports every pair of colors with too little contrast, and no other pair", async () => {
  const found = await problemsOf({
    colors: {
      light: { paper: "#FFFFFF", ink: "#999999", accent: "#00ff00" },
      dark: { accent: "#a0c0ff" },
    },
  });
  expect(found).toContainEqual(
    expect.stringMatching(
      /^theme\.ts:\d+: colors\.light: ink #999999 on paper #FFFFFF has a contrast of 2\.84:1/,
    ),
  );
  expect(found).toContainEqual(
    expect.stringMatching(
      /^theme\.ts:\d+: colors\.light: accent #00ff00 on paper #FFFFFF has a contrast of 1\.37:1/,
    ),
  );
  expect(found.filter((one) => one.includes("colors.dark"))).toEqual([]);
});

test("names a color of another form, a link without https, and a misspelled color", async () => {
  expect(await problemsOf({ colors: { light: { ink: "black" } } })).toContainEqual(
    expect.stringContaining('colors.light.ink: must be a color such as #1a2b3c, not "black"'),
  );
  const line = { text: "Us", link: "http://press.example" };
  expect(await problemsOf({ newsletter: { footer: line } })).toContainEqual(
    expect.stringContaining(
      'newsletter.footer.link: must be an address that begins with https://, not "http://press.example"',
    ),
  );
  expect(await problemsOf({ colors: { light: { paperr: "#ffffff" } } })).toContainEqual(
    expect.stringContaining('Did you mean "paper"?'),
  );
});

test.each([
  ["h1{}</STYLE><script>", 'own.css:1: "</style" would end the page\'s own styles. Remove it'],
  [new Uint8Array([0xff, 0xfe, 0x00]), "own.css: it is not UTF-8. Save it as UTF-8"],
])("refuses a stylesheet that can't be part of a page", async (css, refusal) => {
  expect(await problemsOf({ stylesheets: ["own.css"] }, { "own.css": css })).toEqual([refusal]);
});

test("reports the file and the line of a theme that can't be loaded", async () => {
  const folder = folderWithFiles({ "theme/theme.ts": 'const a = 1;\nthrow new Error("no ground");\n' });
  await expect(loadTheme(undefined, join(folder, "almanac.config.ts"))).rejects.toThrow(
    /theme\.ts(?::2)?: cannot be loaded: Error: no ground/,
  );
});

test("names the import that leads nowhere, and the remedy", async () => {
  const folder = folderWithFiles({
    "theme/theme.ts": 'import "../nowhere/define.ts";\nexport default {};\n',
  });
  await expect(loadTheme(undefined, join(folder, "almanac.config.ts"))).rejects.toThrow(
    /theme\.ts: cannot be loaded: Cannot find module '\S+define\.ts' imported from \S+\. Correct the path in its import/,
  );
});

test("reports a file that is missing or outside of the theme, at its reference", async () => {
  const found = await problemsOf({ icon: "icon.svg", logo: { file: "../logo.svg", width: 10, height: 10 } });
  expect(found).toEqual([
    "theme.ts:4: ../logo.svg is outside the theme's folder. Copy it there",
    "theme.ts:2: cannot read icon.svg. Put it into the theme's folder, or remove its name",
  ]);
});

test.each([
  [
    '<footer>\n<script src="https://stats.example/s.js"></script></footer>',
    'footer.html:2: stats.example is not declared, so the policy would block it. Add `hosts: { script: ["stats.example"] }` to theme.ts',
  ],
  [
    '<footer><img src="//i.example/a.png" alt=""></footer>',
    'footer.html:1: i.example is not declared, so the policy would block it. Add `hosts: { image: ["i.example"] }` to theme.ts',
  ],
  [
    '<footer><form action="http://f.example"></form></footer>',
    "footer.html:1: http://f.example does not use https. Write https://",
  ],
  [
    "<footer>\n\n<script>fetch('https://c.example/x')</script></footer>",
    "footer.html:3: the script names c.example, which is not declared",
  ],
  ['<footer><a onclick="x()" href="/">a</a></footer>', 'footer.html:1: onclick="" never runs'],
  ['<footer style="color:red"></footer>', 'footer.html:1: style="" has no effect'],
  [
    "<footer>\n<div></footer>",
    "footer.html:2: <div> is not closed, so the rest of the page would be inside it",
  ],
  ["<footer>\n</div></footer>", "footer.html:2: </div> closes no element here"],
  ["<div>ours</div>", "footer.html:1: <div> is outside a landmark"],
  ["<footer>{{nmae}}</footer>", "footer.html:1: {{nmae}} is not a placeholder of slots. Use {{name}}, "],
  ["<footer>{{asset x.png}}</footer>", "footer.html:1: cannot read x.png"],
  ["<footer><script>a = '{{name}}'</script></footer>", "footer.html:1: a script cannot contain {{..}}"],
  ['<footer><img src="/a.png"></footer>', 'footer.html:1: <img> has no alt=""'],
])("a slot with %s is refused with its line and a remedy", async (text, problem) => {
  expect((await footer(text))[0]).toContain(problem);
});

test("links, comments, data and self-closing drawings are no errors", async () => {
  const fine = [
    '<footer><a href="https://elsewhere.example/">Elsewhere</a>{{ours}}</footer>',
    "<!-- </div> --><footer><svg viewBox='0 0 1 1'><path d='M0 0'/></svg><p>One<p>Two<br></footer>",
    '<footer><script type="application/ld+json">{"@id": "https://id.example/"}</script></footer>',
  ];
  expect(await footer(fine[0] ?? "")).toEqual([]);
  expect(await footer(fine[1] ?? "")).toEqual([]);
  expect(await footer(fine[2] ?? "")).toEqual([]);
});

test("a host may be declared with all below it, each for what it is asked for", async () => {
  const text = '<aside><img src="https://a.ads.example/x.png" alt="" /></aside>';
  const slots = { advertising: "ad.html" };
  expect(await problemsOf({ slots, hosts: { image: ["*.ads.example"] } }, { "ad.html": text })).toEqual([]);
  expect(await problemsOf({ slots, hosts: { script: ["*.ads.example"] } }, { "ad.html": text })).toHaveLength(
    1,
  );
});

test("a stylesheet may use no @import and no other host", async () => {
  const own = (css: string) => problemsOf({ stylesheets: ["own.css"] }, { "own.css": css });
  expect(await own('a{}\n@import "b.css";')).toEqual([
    expect.stringContaining("own.css:2: @import is not supported"),
  ]);
  expect(await own("a{background:url(https://x.example/a.png)}")).toEqual([
    expect.stringContaining("own.css:1: https://x.example/a.png is on another host. Copy the file"),
  ]);
  expect(await own("a{background:url(missing.png)}")).toEqual([
    expect.stringContaining("own.css:1: cannot read missing.png"),
  ]);
});

test("a picture to share is a PNG of the size that pages name", async () => {
  expect(await problemsOf({ sharing: { site: "share.png" } }, { "share.png": "GIF89a" })).toEqual([
    "theme.ts:3: share.png is not a PNG. A sharing picture must be a PNG of 1200 by 630 pixels",
  ]);
});

test("the hash of a theme changes with each of its modules and files", async () => {
  const folder = folderWithFiles({
    "theme/theme.ts": 'import { icon } from "./names.ts";\nexport default { icon };\n',
    "theme/names.ts": 'export const icon = "icon.svg";\n',
    "theme/icon.svg": "<svg/>",
    "theme/unused.txt": "x",
  });
  const hash = async () => (await loadTheme(undefined, join(folder, "almanac.config.ts")))?.hash;
  const first = await hash();
  writeFileSync(join(folder, "theme/unused.txt"), "y");
  expect(await hash()).toBe(first);
  writeFileSync(join(folder, "theme/icon.svg"), "<svg />");
  const second = await hash();
  expect(second).not.toBe(first);
  writeFileSync(join(folder, "theme/names.ts"), 'export const icon = "icon.svg"; // the same\n');
  expect(await hash()).not.toBe(second);
});

test("an invalid color hides no missing file", async () => {
  const found = await problemsOf({ colors: { light: { ink: "#aaaaaa" } }, icon: "icon.svg" });
  expect(found[0]).toMatch(/^theme\.ts:2: colors\.light: ink #aaaaaa on paper #faf5ec has a contrast of/);
  expect(found.at(-1)).toMatch(/^theme\.ts:\d+: cannot read icon\.svg\. Put it into the theme's folder/);
});

test("a template that is missing, is no function, or can't be loaded is reported", async () => {
  const templates = { signPage: "a.ts", cardPage: "b.ts", deckPage: "c.ts" };
  const found = await problemsOf(
    { templates },
    { "b.ts": "export default 3;", "c.ts": "\nthrow new Error('no');" },
  );
  expect(found).toEqual([
    "theme.ts:3: a.ts does not exist. Add it, or remove its name",
    "b.ts: its default export is not a function. Add `export default defineTemplate(..)`",
    expect.stringMatching(/^c\.ts(?::2)?: cannot be loaded: Error: no/),
  ]);
});

test("unknown words, words without their placeholders, and words of unknown languages are reported", async () => {
  const words = {
    en: { tagline: "", tagllne: "x", draw: { known: "Came" }, periods: "all", aboutText: "About" },
    gr: { tagline: "x" },
  };
  expect(await problemsOf({ words })).toEqual([
    'theme.ts:4: words.en.tagline: must be a text of at most 600 characters, not ""',
    'theme.ts:9: words.en.periods: must be an object with words for daily, weekly, monthly, yearly, not "all"',
    'theme.ts:7: words.en.draw.known: must be a text with {count}, not "Came"',
    'theme.ts:10: words.en.aboutText: must be a list of paragraphs, not "About"',
    'theme.ts:5: words.en: "tagllne" is not a setting. Did you mean "tagline"?',
    expect.stringMatching(/^theme\.ts:12: words: "gr" is not a setting/),
  ]);
});
