// Effects of a theme on pages, and none for omitted settings.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Language } from "../../readings/tables.ts";
import { renderShared } from "../../site/render.ts";
import type { LanguageEdition } from "../../site/edition.ts";
import { TemplateFault } from "../../site/theme/filled.ts";
import type { Theme } from "../../site/theme/theme.ts";
import type { ThemeInput } from "../../worker/theme/theme.schema.ts";
import { type FolderFiles, themeOf } from "../support/theme-folder.ts";
import { renderedIn, settings, summaryOf, textOf, wholeEdition, renderLanguage } from "./editions.ts";

const editions = new Map<Language, LanguageEdition>();
function edition(language: Language): LanguageEdition {
  const made = editions.get(language) ?? wholeEdition(language, ["daily-horoscope", "daily-tarot"]);
  editions.set(language, made);
  return made;
}

function renderedWith(theme: Theme | undefined, language: Language = "en") {
  const files = renderLanguage(edition(language), { ...settings, theme });
  return [...files, ...renderShared([summaryOf(files, language)], { ...settings, theme })];
}

async function renderedAs(theme: ThemeInput, files: FolderFiles = {}, language: Language = "en") {
  return renderedWith(await themeOf(theme, files), language);
}

function policyIn(text: string): string[] {
  return (/http-equiv="content-security-policy" content="([^"]*)"/.exec(text)?.[1] ?? "").split(";");
}

const leo = "en/daily/leo/index.html";

test("an empty theme changes no byte of any file", async () => {
  const themed = renderedWith(await themeOf({}));
  const plain = renderedWith(undefined);
  expect(themed.map(({ path }) => path)).toEqual(plain.map(({ path }) => path));
  const differ = themed.filter(
    ({ bytes }, index) => Buffer.compare(bytes, plain[index]?.bytes ?? bytes) !== 0,
  );
  expect(differ.map(({ path }) => path)).toEqual([]);
});

test("each slot appears in its position, on its pages and in its languages", async () => {
  const slots: ThemeInput["slots"] = {
    head: "head.html",
    consent: "c.html",
    masthead: "m.html",
    navigation: { file: "n.html", pages: ["signPage"] },
    beforeText: { file: "b.html", languages: ["de"] },
    afterText: ["a.html", "b.html"],
    advertising: "ad.html",
    sidebar: "s.html",
    footer: "f.html",
    measuring: "x.html",
  };
  const files = {
    "head.html": '<meta name="author" content="{{name}} {{language}} {{direction}}">',
    "c.html": "<aside>consent</aside>",
    "m.html": '<header>mast <a href="{{root}}{{language}}/">home</a></header>',
    "n.html": "<nav>ours {{title}}</nav>",
    "b.html": "<p>before</p>",
    "a.html": "<p>after</p>",
    "ad.html": "<p>advert</p>",
    "s.html": "<aside>side</aside>",
    "f.html": "{{ours}}<footer>foot {{address}}</footer>",
    "x.html": '<script src="{{root}}m.js"></script>',
  };
  const files2 = await renderedAs({ slots }, files);
  const page = textOf(files2, leo);
  const order = [
    'content="Almanac en ltr"></head>'.replace("</head>", ""),
    "</style></head>",
    '<aside>consent</aside><header>mast <a href="/en/">home</a></header><nav>ours ',
    '<main id="text">',
    "<p>after</p><p>before</p><p>advert</p></main><aside>side</aside>",
    '<footer class="small">',
    `</footer><footer>foot https://almanac.example/en/daily/leo/</footer><script src="/m.js"></script>`,
  ];
  const places = order.map((text) => page.indexOf(text));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
  expect(page).not.toContain('class="masthead"');
  expect(textOf(files2, "en/index.html")).not.toContain("<nav>ours");
  expect(textOf(files2, "en/embed/leo/index.html")).not.toContain("consent");
  const german = await renderedAs({ slots }, files, "de");
  expect(textOf(german, "de/daily/leo/index.html")).toMatch(
    /<main id="text">\s*<div class="where">.*?<\/div>\s*<p>before<\/p>/s,
  );
});

test("the policy allows exactly the declared hosts and the hashes of the page's scripts", async () => {
  const script = "document.title += '.'";
  const hosts = { script: ["stats.example"], connect: ["stats.example"], frame: ["*.ads.example"] };
  const slots = { measuring: { file: "x.html", pages: ["signPage" as const] } };
  const files = await renderedAs({ hosts, slots }, { "x.html": `<script>${script}</script>` });
  const plain = policyIn(textOf(renderedIn("en"), leo));
  const hash = createHash("sha256").update(script).digest("base64");
  const with_ = policyIn(textOf(files, leo));
  const [, ours = ""] =
    /script-src (.+)$/.exec(plain.find((one) => one.startsWith("script-src")) ?? "") ?? [];
  expect(ours).toMatch(/^'sha256-/);
  expect(with_.filter((one) => !plain.includes(one))).toEqual([
    "connect-src 'self' https://stats.example",
    `script-src https://stats.example 'sha256-${hash}' ${ours}`,
    "frame-src https://*.ads.example",
  ]);
  expect(policyIn(textOf(files, "en/about/index.html"))).toContain("script-src https://stats.example");
  expect(policyIn(textOf(files, "en/embed/leo/index.html")).join()).not.toContain("stats.example");
});

test("a tagline of the owner's own is beside a picture that says no other", async () => {
  const files = await renderedAs({ words: { en: { tagline: "Ours" } } });
  expect(textOf(files, "en/index.html")).toContain('"https://almanac.example/assets/pictures/site.png"');
  expect(textOf(files, leo)).toContain('"https://almanac.example/en/pictures/leo.png"');
});

test("a newsletter shows the logo, and the name in place of an SVG, which mail programs do not show", async () => {
  const newsletter = "en/newsletter/2026-11-21.html";
  const logo = { width: 120, height: 40 };
  const files = await renderedAs({ logo: { file: "logo.png", ...logo } }, { "logo.png": "png" });
  const hash = createHash("sha256").update("png").digest("hex");
  const address = `https://almanac.example/assets/theme/${hash}.png`;
  expect(textOf(files, newsletter)).toContain(`<img src="${address}" alt="Almanac" width="120" height="40"`);
  const drawn = await renderedAs({ logo: { file: "logo.svg", ...logo } }, { "logo.svg": "<svg/>" });
  expect(textOf(drawn, newsletter)).not.toContain("<img");
});

test("logo, icon, font, stylesheet and pictures are published under their hashes, and pages name them there", async () => {
  const share = readFileSync(new URL("../../site/pictures/leo.png", import.meta.url));
  const theme: ThemeInput = {
    logo: { file: "logo.svg", width: 120, height: 40 },
    icon: "icon.png",
    fonts: [{ family: "Ours", file: "fonts/ours.woff2" }],
    properties: { "--line": "#cccccc" },
    stylesheets: ["css/own.css"],
    sharing: { signs: { leo: "leo.png" } },
    signs: { leo: "lion.webp" },
    cards: { use: "replacement" },
  };
  const files = await renderedAs(theme, {
    "logo.svg": "<svg/>",
    "icon.png": "icon",
    "fonts/ours.woff2": "font",
    "css/own.css": "body{background:url('paper.png')}",
    "css/paper.png": "paper",
    "leo.png": share,
    "lion.webp": "lion",
    "cards/the-fool.webp": "fool",
  });
  const at = (text: string | Uint8Array, ending: string) =>
    `assets/theme/${createHash("sha256").update(text).digest("hex")}.${ending}`;
  const page = textOf(files, leo);
  expect(page).toContain(
    `<img class="logo" src="/${at("<svg/>", "svg")}" alt="Almanac" width="120" height="40" />`,
  );
  expect(page).toContain(`<link rel="icon" type="image/png" href="/${at("icon", "png")}" />`);
  expect(page).toContain(`@font-face{font-family:"Ours";src:url(/${at("font", "woff2")}) format("woff2")`);
  expect(page).toMatch(/:root\{--face:"Ours","Iowan Old Style",[^}]*;--line:#cccccc\}/);
  expect(page).toContain(`body{background:url(/${at("paper", "png")})}`);
  expect(page).toContain(
    `<meta property="og:image" content="https://almanac.example/${at(share, "png")}" />`,
  );
  expect(page).toContain(
    `<img class="medal" src="/${at("lion", "webp")}" alt="" width="100" height="100" />`,
  );
  expect(policyIn(page)).toContain("font-src 'self'");
  const paths = new Set(files.map(({ path }) => path));
  expect(paths).toContain(at("fool", "webp"));
  expect(paths).toContain(at("font", "woff2"));
  const tamil = textOf(
    await renderedAs(
      theme,
      {
        "logo.svg": "<svg/>",
        "icon.png": "icon",
        "fonts/ours.woff2": "font",
        "css/own.css": "",
        "leo.png": share,
        "lion.webp": "lion",
        "cards/the-fool.webp": "fool",
      },
      "ta",
    ),
    "ta/daily/leo/index.html",
  );
  expect(tamil).not.toContain("@font-face");
});

const faultOf = async (template: string): Promise<string> => {
  const files = { "t/sign.ts": template };
  const theme = await themeOf({ templates: { signPage: "t/sign.ts" } }, files);
  try {
    renderedWith(theme);
    return "";
  } catch (error) {
    if (error instanceof TemplateFault) return error.message.replace(/^.*\/theme\//, "");
    throw error;
  }
};

test("a template replaces ours on pages of its kind, and gets the readings and our parts", async () => {
  const template = `export default ({ at, texts: [reading], ours, context }, { html, signHero, section }) =>
    html\`<article class="own">\${signHero(context, at.sign, reading.period)}
      \${section("<Own>", reading.sections.personal)}</article>\${at.sign === "leo" && ours}\`;
`;
  const files = await renderedAs({ templates: { signPage: "sign.ts" } }, { "sign.ts": template });
  const aries = textOf(files, "en/daily/aries/index.html");
  expect(aries).toMatch(/<article class="own">[^]*<h1>Aries<\/h1>[^]*<h2>&lt;Own&gt;<\/h2>/);
  expect(aries).not.toContain('class="text columns"');
  expect(textOf(files, leo)).toMatch(/<article class="own">[^]*class="text columns"/);
  expect(textOf(files, "en/daily/leo/2026-11-21/index.html")).toBe(
    textOf(renderedWith(undefined), "en/daily/leo/2026-11-21/index.html"),
  );
});

test("a template that fails on a page is reported with its line and the page", async () => {
  expect(
    await faultOf(`export default ({ at }, { html }) => {
  if (at.sign === "leo") throw new Error("no lions");
  return html\`<p>fine</p>\`;
};
`),
  ).toMatch(
    /^t\/sign\.ts:2: the template failed on en\/daily\/leo\/index\.html: it threw Error: no lions; fix/,
  );
});

test.each([
  [
    "let count = 0;\nexport default (page, { html }) => html`<p>${count++}</p>`;",
    "its output differs on a second call",
  ],
  ['export default () => "<p>text</p>";', "it returned no markup"],
  ["export default async (page, { html }) => html`<p></p>`;", "it returned no markup"],
  [
    "export default (page, { html }) => html`<script>go()</script>`;",
    "it contains a <script>. Put it into a slot",
  ],
  ['export default (page, { html }) => html`<p style="color:red">a</p>`;', 'style="" has no effect'],
  [
    'export default (page, { html }) => html`<img src="https://i.example/a.png" alt="">`;',
    'Add `hosts: { image: ["i.example"] }`',
  ],
])("a template such as %s is refused", async (template, why) => {
  expect(await faultOf(template)).toContain(why);
});

test("words are given for each language: the site's name in its own script, the subtitle, any label", async () => {
  const words = {
    hi: { name: "तारे", tagline: "हर दिन", operations: { "daily-horoscope": "आज का फल" } },
    en: { about: "Who we are" },
  };
  const hindi = await renderedAs({ words }, {}, "hi");
  const page = textOf(hindi, "hi/index.html");
  expect(page).toMatch(/<h1>तारे<\/h1>[^]*हर दिन/);
  expect(page).not.toContain("Almanac");
  expect(textOf(hindi, "hi/newsletter/2026-11-21.txt")).toContain("तारे");
  expect(textOf(hindi, "hi/daily/leo/index.html")).toContain("आज का फल");
  expect(textOf(await renderedAs({ words }), "en/about/index.html")).toContain("<h1>Who we are</h1>");
});
