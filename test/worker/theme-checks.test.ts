// What `almanac check` says of a theme, measured without a browser: its contrast, what its pages are to a screen reader, and its weight.
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { inventedLanguage } from "../../scripts/preview/invented-language.ts";
import type { Check } from "../../worker/checks/check.ts";
import { colorIn, declarationsIn } from "../../worker/checks/theme/style-colors.ts";
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

/** What is not right, or worth a warning. */
const told = (checks: readonly Check[]): Check[] => checks.filter(({ remedy }) => remedy !== undefined);

test("an empty theme has nothing to fix, and costs nothing", async () => {
  const checks = await checksOf({});
  expect(told(checks)).toEqual([]);
  expect(checks.map(({ name, seen }) => [name, seen])).toEqual([
    ["theme", "pages make no requests to other hosts"],
    ["theme: contrast", "properties and stylesheets set no text or background colors"],
    ["theme: pages", expect.stringMatching(/^\d+ pages in en, one of each kind, have landmarks/)],
    ["theme: weight", expect.stringMatching(/ compressed, 0 more than without the theme; no other files$/)],
  ]);
});

test.each(["playful", "framed"])("the theme %s has nothing to fix", async (name) => {
  const config = fileURLToPath(new URL("../../examples/themes/almanac.config.ts", import.meta.url));
  const checks = await checkTheme({ ...small, theme: `./${name}` }, config, inventedLanguage);
  expect(told(checks)).toEqual([]);
  expect(checks).toHaveLength(4);
});

test("says what hosts pages may ask, or all that is wrong with a theme", async () => {
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
  .fine { background: #111 }
}
/* { } */
.pale,
.pale:hover { color: rgb(150 150 150); background: white }
.tag { background: hsl(0 0% 20%); }
.large { font-size: 2rem; color: #888; background: white }
.mixed { color: color-mix(in srgb, var(--ink) 30%, var(--paper)) }
.star::before { background: black }
@media print { .fine { color: white } }
`;

test("names each pair of text and ground that can't be read, with its line, by day and in the dark", async () => {
  const checks = await checksOf({ stylesheets: ["ours.css"] }, { "ours.css": css });
  const found = told(checks).map(({ ok, seen }) => [
    ok,
    seen.replace(/ has a contrast.*(?=, if)|:1, and .*/, ""),
  ]);
  expect(found).toEqual([
    [false, "ours.css:7: .pale in light and dark mode: #969696 on #ffffff has a contrast of 2.95"],
    [false, "ours.css:7: .pale:hover in light and dark mode: #969696 on #ffffff has a contrast of 2.95"],
    [true, "warning: ours.css:8: .tag in light mode: #2a1f19 on #333333, if it is directly on the page"],
    [true, "warning: ours.css:10: .mixed in light mode: #bcb5ad on #faf5ec, if it is directly on the page"],
    [false, "ours.css:3: .fine in dark mode: #222222 on #111111 has a contrast of 1.18"],
    [true, "warning: ours.css:10: .mixed in dark mode: #505156 on #10131f, if it is directly on the page"],
  ]);
  for (const { ok, remedy = "" } of told(checks))
    expect(remedy.endsWith("; or set `color` and `background` in that rule")).toBe(ok);
});

test("names a property that can't be read with ours, and colours in each way of writing", async () => {
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

const measured = "pairs of text and background are readable in light and dark mode";

test.each([
  ["colours that are not known", ".a { color: oklch(from red l c h); background: white }", ["2 pairs|"]],
  ["a gradient", ".a { color: #222; background: linear-gradient(white, ivory) }", ["2 pairs|"]],
  [
    "one of two",
    ".a { color: #222; background: white } .b { color: lab(from red l a b); background: white }",
    [`2 ${measured}`, "2 pairs|"],
  ],
  ["the page itself", "body { color: #222; background: white }", [`2 ${measured}`]],
  [
    "a gradient under the page",
    "body { background: linear-gradient(red, tan) } .a { color: #222; background: white }",
    [`2 ${measured}`, "2 pairs|"],
  ],
  [
    "rules within rules",
    ".a { .b & { color: #222; background: ivory } .c { color: #222; background: tan } }",
    [`4 ${measured}`],
  ],
  ["a page that may lie over anything", "body { background: #fff8 } .a { color: #222 }", ["4 pairs|"]],
])("says how many pairs it could not measure: %s", async (_what, text, seen) => {
  const checks = await checksOf({ stylesheets: ["a.css"] }, { "a.css": text });
  expect(told(checks)).toEqual([]);
  expect(checks.filter(({ name }) => name === "theme: contrast").map((one) => one.seen)).toEqual(
    seen.map((one) => one.replace("|", " of text and background could not be measured")),
  );
});

test("names a stylesheet that is not well formed, and measures the others", async () => {
  const checks = await checksOf(
    { stylesheets: ["a.css", "b.css"] },
    { "a.css": "a { color: white }\n.b {", "b.css": ".c { color: #222; background: white }" },
  );
  const contrast = checks.filter(({ name }) => name === "theme: contrast");
  expect(contrast.map(({ ok, seen }) => [ok, seen])).toEqual([
    [true, "warning: a.css:2: Unclosed block, so this stylesheet was not checked"],
    [true, `2 ${measured}`],
  ]);
  expect(contrast[0]?.remedy).toBe("fix it there: browsers skip rules that they cannot parse");
});

test("a page's own colours that can't be read are an error where one rule says both", async () => {
  const bad = "body { color: #999; background: white }";
  const apart = "body { color: #999; background: black } html { background: white }";
  for (const [text, ok] of [
    [bad, false],
    [apart, true],
  ] as const) {
    const checks = await checksOf({ stylesheets: ["a.css"] }, { "a.css": text });
    expect(told(checks)).toEqual([
      expect.objectContaining({
        ok,
        seen: expect.stringContaining(" in light and dark mode: #999999 on #ffffff"),
      }),
    ]);
  }
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
    "a.html:2: <nav> is one of 5 <nav> on a page, without a unique name (en/daily/aries/index.html)",
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
    'a.html:3: id="text" is on 2 elements of a page',
    "give each element a unique id",
  ],
  [
    "a link that has only an ornament in it",
    { slots: { footer: "a.html" } },
    { "a.html": '<footer><a href="/x"><img src="{{asset a.svg}}" alt="" /></a></footer>', "a.svg": "<svg/>" },
    'a.html:1: <a href="/x"> has no accessible name',
    "add text",
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
    'sign.ts: <img src="/x.png"> has no alt',
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

test("warns of pages that come in more than one round trip, and says by which file and what comes besides", async () => {
  const random = (index: number) => Math.abs(Math.sin(index)).toString(36).slice(2);
  const heavy = Array.from({ length: 1_500 }, (_, index) => `.${random(index)}{order:${index}}`).join("");
  const checks = await checksOf(
    {
      stylesheets: ["heavy.css"],
      slots: { footer: "footer.html", measuring: "measuring.html" },
      fonts: [{ family: "Ours", file: "ours.woff2" }],
      logo: { file: "logo.svg", width: 40, height: 40 },
    },
    {
      "heavy.css": heavy,
      "footer.html": "<footer>Ours</footer>",
      "measuring.html": '<script src="{{asset count.js}}" defer></script>',
      "count.js": "1",
      "ours.woff2": new Uint8Array(20_000),
      "logo.svg": "<svg/>",
    },
  );
  expect(told(checks)).toEqual([
    {
      name: "theme: weight",
      ok: true,
      seen: expect.stringMatching(
        /^warning: (?:[\w/.-]+ has 2\d,\d+ bytes compressed, 1\d,\d+ more than without the theme; )+1 script of 1 byte, 1 font of 20,000 bytes, 1 picture of 6 bytes$/,
      ),
      remedy: expect.stringMatching(
        /below 14,336 bytes, the size of one round trip; the largest part is \S+heavy\.css with 1\d,\d+ bytes$/,
      ),
    },
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
  const property = (name: string) => (name === "--accent" ? "#336699" : undefined);
  expect(colorIn(value, { scheme: "light", property })).toEqual(color);
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

test("whatever stands in a stylesheet is a colour or none, and no reason to fail", () => {
  fc.assert(
    fc.property(written, written, (value, other) => {
      const scope = {
        scheme: "dark",
        property: (name: string) => (name === "--a" ? other : undefined),
      } as const;
      const { color = "#000000", alpha = 1 } = colorIn(value, scope) ?? {};
      expect(color).toMatch(/^#[0-9a-f]{6}$/);
      expect(alpha >= 0 && alpha <= 1).toBe(true);
      declarationsIn(`a { color: ${value} } ${other}`, "a.css");
    }),
    { numRuns: deep ? 20_000 : 500 },
  );
});
