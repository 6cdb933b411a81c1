// `almanac check` for a theme, without a browser: its contrast, and its pages for a screen reader.
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { inventedLanguage } from "../../scripts/preview/invented-language.ts";
import type { Check } from "../../worker/checks/check.ts";
import { colorIn } from "../../worker/checks/theme/contrast.ts";
import { checkTheme } from "../../worker/checks/theme/theme.ts";
import type { ThemeInput } from "../../worker/theme/theme.schema.ts";
import { deep } from "../support/deep.ts";
import { type FolderFiles, folderWithFiles, themeModule } from "../support/theme-folder.ts";

const operations = ["daily-horoscope" as const, "daily-tarot" as const];
const small = configurationSchema.parse({ languages: ["en", "de"], operations, people: [] });

async function checksOf(theme: ThemeInput, files: FolderFiles = {}): Promise<Check[]> {
  const inTheme = Object.entries(files).map(([name, content]) => [`theme/${name}`, content]);
  const folder = folderWithFiles({ "theme/theme.ts": themeModule(theme), ...Object.fromEntries(inTheme) });
  const checks = await checkTheme(small, join(folder, "almanac.config.ts"), inventedLanguage);
  return checks.map((check) => ({ ...check, seen: check.seen.replaceAll(/\S*\/theme\//g, "") }));
}

/** Failed checks and warnings. */
const told = (checks: readonly Check[]): Check[] => checks.filter(({ remedy }) => remedy !== undefined);

test("an empty theme has nothing to fix", async () => {
  const checks = await checksOf({});
  expect(told(checks)).toEqual([]);
  expect(checks.map(({ name, seen }) => [name, seen])).toEqual([
    ["theme", "pages make no requests to other hosts"],
    ["theme: contrast", "properties and rules set no pair of text and background colors"],
    ["theme: pages", expect.stringMatching(/^\d+ pages in en, one of each kind, have landmarks/)],
  ]);
});

test.each(["playful", "framed"])("the theme %s has nothing to fix", async (name) => {
  const config = fileURLToPath(new URL("../../examples/themes/almanac.config.ts", import.meta.url));
  const checks = await checkTheme({ ...small, theme: `./${name}` }, config, inventedLanguage);
  expect(told(checks)).toEqual([]);
  expect(checks).toHaveLength(3);
});

test("lists the hosts that pages may use, or all errors of a theme", async () => {
  const slots = { footer: "footer.html" };
  const fine = await checksOf(
    { slots, hosts: { script: ["stats.example"] } },
    { "footer.html": "<footer>Ours</footer>" },
  );
  expect(fine[0]).toEqual({ name: "theme", ok: true, seen: "pages may make requests to stats.example" });
  const wrong = { name: "theme", ok: false, isSetting: true, remedy: "fix it there" };
  expect(await checksOf({ slots }, { "footer.html": "<div>" })).toEqual([
    { ...wrong, seen: expect.stringContaining("footer.html:1: <div> is outside a landmark") },
    { ...wrong, seen: expect.stringContaining("footer.html:1: <div> is not closed") },
  ]);
});

const css = `.fine { color: #222; background: #fff }
@media (prefers-color-scheme: dark) {
  .fine { color: #222; background-color: #111 }
}
/* { } */
.pale,
.pale:hover { color: rgb(150 150 150); background: white }
.large { font-size: 2rem; color: #888; background: white }
.star::before { background: black }
@media print { .fine { color: white; background: white } }
`;

test("lists each rule with too little contrast, with its line, in light and dark schemes", async () => {
  const checks = await checksOf({ stylesheets: ["ours.css"] }, { "ours.css": css });
  const found = told(checks).map(({ ok, seen }) => [ok, seen.replace(/:1, and .*/, "")]);
  expect(found).toEqual([
    [
      false,
      "ours.css:7: .pale, .pale:hover in light and dark mode: #969696 on #ffffff has a contrast of 2.95",
    ],
    [false, "ours.css:3: .fine in dark mode: #222222 on #111111 has a contrast of 1.18"],
  ]);
});

test("lists a property with too little contrast against ours, and colors in each notation", async () => {
  const dark = "@media (prefers-color-scheme: dark) { :root { --paper: oklch(95% 0.02 85) } }";
  const checks = await checksOf(
    { properties: { "--soft": "light-dark(#ccc, #ddd8)" }, stylesheets: ["a.css"] },
    { "a.css": `.a { color: lightgrey; background: ivory }\n${dark}` },
  );
  expect(told(checks).map(({ seen, remedy }) => [seen.replace(/ has a contrast.*/, ""), remedy])).toEqual(
    [
      "theme.ts:3: --soft on --paper in light mode: #cccccc on #faf5ec",
      "theme.ts:3: --soft on --panel in light mode: #cccccc on #f4eee1",
      "a.css:1: .a in light and dark mode: #d3d3d3 on #fffff0",
      expect.stringMatching(/^a\.css:2: --ink on --paper in dark mode: #e6e1d6 on #f\w+$/),
      "theme.ts:3: --soft on --paper in dark mode: #e8e5de on #f5eee0",
      "theme.ts:3: --soft on --panel in dark mode: #82848a on #1a1e2c",
      expect.stringMatching(/^a\.css:2: --accent on --paper in dark mode: #\w+ on #f\w+$/),
    ].map((seen) => [seen, expect.stringContaining("make one of the two lighter or darker")]),
  );
});

const readable = (count: number, all = count) =>
  `${count} of ${all} pairs of text and background are readable in light and dark mode`;

test.each([
  [
    "colours that are not known",
    ".a { color: oklch(from red l c h); background: white }",
    `${readable(0, 2)}; 2 could not be measured`,
  ],
  [
    "a gradient",
    ".a { color: #222; background: linear-gradient(white, ivory) }",
    `${readable(0, 2)}; 2 could not be measured`,
  ],
  [
    "one of two",
    ".a { color: #222; background: white } .b { color: lab(from red l a b); background: white }",
    `${readable(2, 4)}; 2 could not be measured`,
  ],
  ["the page itself", "body { color: #222; background: white }", readable(2)],
  [
    "rules within rules",
    ".a { .b & { color: #222; background: ivory } .c { color: #222; background: tan } }",
    readable(4),
  ],
  [
    "a page that may lie over anything",
    "body { color: #222; background: #fff8 }",
    `${readable(0, 2)}; 2 could not be measured`,
  ],
])("says how many pairs it could not measure: %s", async (_what, text, seen) => {
  const checks = await checksOf({ stylesheets: ["a.css"] }, { "a.css": text });
  expect(told(checks)).toEqual([]);
  expect(checks.filter(({ name }) => name === "theme: contrast").map((one) => one.seen)).toEqual([seen]);
});

test("lists a malformed stylesheet, and measures the others", async () => {
  const checks = await checksOf(
    { stylesheets: ["a.css", "b.css"] },
    { "a.css": "a { color: white }\n.b {", "b.css": ".c { color: #ddd; background: white }" },
  );
  expect(told(checks).map(({ ok, seen, remedy }) => [ok, seen, remedy])).toEqual([
    [
      false,
      expect.stringContaining("b.css:1: .c in light and dark mode: #dddddd on #ffffff"),
      expect.anything(),
    ],
    [
      true,
      "warning: a.css:2: Unclosed block, so this stylesheet was not checked",
      "fix it there: browsers skip rules that they cannot parse",
    ],
  ]);
});

const template = (body: string): string => `export default ({ at, ours }, { html }) => html\`${body}\`;\n`;

const pages: readonly [string, ThemeInput, FolderFiles, string, string][] = [
  [
    "a second heading of the page",
    { slots: { masthead: "a.html" } },
    { "a.html": "<header>\n  <h1>Ours</h1>\n</header>" },
    "a.html:2: <h1> is one of 2 on a page",
    "make it an <h2>. The page's heading is its only <h1>",
  ],
  [
    "a page that has lost its heading",
    { templates: { signPage: "sign.ts" } },
    { "sign.ts": template("<p>Ours</p>") },
    "the page has no <h1> (en/daily/aries/index.html)",
    "add one to the template",
  ],
  [
    "a menu without a name beside ours",
    { slots: { navigation: { file: "a.html", pages: ["signPage"] } } },
    { "a.html": '<!-- ours -->\n<nav><a href="/a">A</a></nav>' },
    "a.html:2: <nav> is one of 6 <nav> on a page, without a unique name (en/daily/aries/index.html)",
    'give it a unique aria-label=""',
  ],
  [
    "a second footer",
    { slots: { footer: "a.html" } },
    { "a.html": "{{ours}}\n<footer>Ours</footer>" },
    "a.html:2: <footer> is one of 2 <footer> on a page",
    'give it a unique aria-label=""',
  ],
  [
    "an id that is there already",
    { slots: { footer: "a.html" } },
    { "a.html": '<footer>\n\n<p id="text">Ours</p></footer>' },
    'a.html:3: <p id="text"> has the id of 2 elements of a page',
    "give each element a unique id",
  ],
  [
    "a link that has only an ornament in it",
    { slots: { footer: "a.html" } },
    { "a.html": '<footer><a href="/x"><img src="{{asset a.svg}}" alt="" /></a></footer>', "a.svg": "<svg/>" },
    'a.html:1: <a href="/x"> has no accessible name',
    "add text, an alt attribute for its picture, or an aria-label",
  ],
  [
    "a button without words",
    { slots: { beforeText: "a.html" } },
    { "a.html": '<button class="x" type="button"></button>' },
    'a.html:1: <button class="x"> has no accessible name',
    "add text",
  ],
  [
    "a frame without a name",
    { slots: { advertising: "a.html" }, hosts: { frame: ["ads.example"] } },
    { "a.html": '<iframe src="https://ads.example/"></iframe>' },
    'a.html:1: <iframe src="https://ads.example/"> has no name',
    'describe its content in title=""',
  ],
  [
    "a picture without a text, in a template",
    { templates: { signPage: "sign.ts" } },
    { "sign.ts": template('\n${ours}<img src="/x.png">') },
    'sign.ts:2: <img src="/x.png"> has no alt',
    'describe it in alt=""',
  ],
  [
    "a template that fails",
    { templates: { signPage: "sign.ts" } },
    { "sign.ts": template("${nothing}") },
    "sign.ts:1: the template failed on en/daily/aries/index.html: it threw ReferenceError",
    "fix the template",
  ],
];

test.each(pages)("names %s", async (_what, theme, files, seen, remedy) => {
  expect(told(await checksOf(theme, files))).toEqual([
    expect.objectContaining({
      ok: false,
      seen: expect.stringContaining(seen),
      remedy: expect.stringContaining(remedy),
    }),
  ]);
});

test.each([
  ["rgb(255 0 none / 50%)", { color: "#ff0000", alpha: 0.5 }],
  ["hsl(120deg 100% 25%)", { color: "#008000", alpha: 1 }],
  ["hsl(120 100 25)", { color: "#008000", alpha: 1 }],
  ["oklch(from var(--accent) calc(l - .1) c h)", undefined],
  ["oklch(from var(--accent) l c h / .5)", undefined],
  ["rgb(from red r g b)", undefined],
  ["rgb(calc(1 + 2) 0 0)", undefined],
  ["rgb(0 0 0 / calc(1 / 2))", undefined],
  ["hsl(0.5turn 50% 50%)", { color: "#40bfbf", alpha: 1 }],
  ["lab(9 0 0)", { color: "#191919", alpha: 1 }],
  ["bad", undefined],
  ["transparent", undefined],
  ["rgb(0 0)", undefined],
  ["rgb(1e999 0 0)", undefined],
  ["color-mix(in srgb, rgb(from red r g b), blue)", undefined],
])("takes %s for what it is, or for not known", (value, color) => {
  const values = new Map([["--accent", "#336699"]]);
  expect(colorIn(value, { scheme: "light", values })).toEqual(color);
});

const written = fc.oneof(
  fc.string(),
  fc
    .tuple(
      fc.constantFrom("rgb", "hsl", "oklch", "color-mix", "light-dark", "var", "x"),
      fc.array(
        fc.constantFrom("in srgb", "1e999", "-7", "300%", "red", "#fff8", "var(--a)", ",", "/", "(", ")"),
      ),
    )
    .map(([name, parts]) => `${name}(${parts.join(" ")})`),
);

test("any value in a stylesheet is parsed as a color or ignored, and never throws", () => {
  fc.assert(
    fc.property(written, written, (value, other) => {
      const scope = { scheme: "dark", values: new Map([["--a", other]]) } as const;
      const { color = "#000000", alpha = 1 } = colorIn(value, scope) ?? {};
      expect(color).toMatch(/^#[0-9a-f]{6}$/);
      expect(alpha >= 0 && alpha <= 1).toBe(true);
    }),
    { numRuns: deep ? 20_000 : 500 },
  );
});
