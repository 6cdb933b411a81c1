// An owner adapts the site's theme, in a real browser: the preview shows each saved change without publishing it
// (preview-speed.test.ts measures the delay), `render` publishes it, and the page's policy names exactly the sources that the theme
// declares.
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { addDays } from "../../readings/calendar.ts";
import { siteInFolder } from "../scripts/site-in-folder.ts";
import { launchBrowser } from "../support/chromium.ts";
import { almanac } from "../support/cli.ts";
import { testDate, testNow } from "../support/noon.ts";
import { startPreview } from "../support/preview.ts";
import { folderWithFiles, themeModule, writeInto } from "../support/theme-folder.ts";
import { violationsOn } from "./support/axe.ts";

const site = { name: "Stars", url: "https://stars.example" };

async function publishedSite() {
  const folder = folderWithFiles({});
  mkdirSync(join(folder, "theme"));
  const configuration = {
    site,
    languages: ["en" as const, "de" as const],
    operations: ["daily-horoscope" as const],
    people: [],
  };
  const { site: own, env } = await siteInFolder(folder, configuration);
  own.setClock(testNow().toISOString());
  await own.gather(addDays(testDate, -1), addDays(testDate, 1));
  await own.night();
  return {
    folder,
    own,
    env,
    save: (files: Record<string, string>) => writeInto(join(folder, "theme"), files),
  };
}

async function openedPreview(env: Readonly<Record<string, string>>): Promise<{ page: Page; url: string }> {
  const url = await startPreview(env);
  const browser = await launchBrowser("*.example");
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${url}en/daily/leo/`);
  return { page, url };
}

const script = 'document.documentElement.dataset.consent = "asked";';
const slots = {
  masthead: "masthead.html",
  consent: "consent.html",
  measuring: "measuring.html",
};
const masthead = `<header class="masthead"><img src="{{asset logo.svg}}" alt="{{name}}" width="40" height="40">
<nav aria-label="Ours"><a href="{{root}}{{language}}/">Today</a> <a href="{{root}}{{language}}/about/">About</a>
<a href="{{root}}status/">Status</a> <a href="{{root}}">Languages</a></nav></header>`;

test("what an owner saves is shown at once and published by `render`, with a policy of just what she declared", async () => {
  const { own, env, save } = await publishedSite();
  const before = await own.paths();
  const plain = await own.text("en/daily/leo/index.html");
  const { page } = await openedPreview(env);
  expect(await page.locator("#almanac-preview p").innerText()).toBe("Preview: nothing here is published.");
  const saved = async (files: Record<string, string>, selector: string) => {
    save(files);
    await page.waitForSelector(selector, { state: "attached" });
  };

  const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
  await saved(
    { "logo.svg": logo, "theme.ts": themeModule({ logo: { file: "logo.svg", width: 40, height: 40 } }) },
    "img.logo",
  );
  await saved(
    { "masthead.html": masthead, "theme.ts": themeModule({ slots: { masthead: "masthead.html" } }) },
    'nav[aria-label="Ours"]',
  );
  expect(await page.locator('nav[aria-label="Ours"] a').count()).toBe(4);
  await saved(
    {
      "consent.html": `<aside aria-label="Consent"><p>May we?</p></aside><script>${script}</script>`,
      "theme.ts": themeModule({ slots: { masthead: "masthead.html", consent: "consent.html" } }),
    },
    'html[data-consent="asked"]',
  );

  const measuring = '<script src="https://stats.example/s.js" async></script>';
  await saved(
    { "measuring.html": measuring, "theme.ts": themeModule({ slots }) },
    "h1:has-text('Fix these errors')",
  );
  expect(await page.content()).toContain("measuring.html:1: stats.example is not declared");
  expect(await own.text("en/daily/leo/index.html")).toBe(plain);
  const refused = await almanac(["render"], { env, ownProcess: true });
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("stats.example is not declared"),
  ]);

  const fonts = [{ family: "Ours", file: "ours.woff2" }];
  const hosts = { script: ["stats.example"] };
  await saved(
    { "ours.woff2": "no font", "theme.ts": themeModule({ slots, hosts, fonts }) },
    'script[src="https://stats.example/s.js"]',
  );
  await saved(
    { "pages/en/imprint.md": "# Imprint\n\nUs.", "pages/de/imprint.md": "# Impressum\n\nWir." },
    'footer a[href="/en/pages/imprint/"]',
  );
  expect(await violationsOn(page)).toEqual([]);
  expect(await own.paths()).toEqual(before);

  expect(await almanac(["render"], { env, ownProcess: true })).toMatchObject({ code: 0 });
  const page_ = await own.text("en/daily/leo/index.html");
  const policyOf = (text: string) =>
    /content-security-policy" content="([^"]*)"/.exec(text)?.[1]?.split(";") ?? [];
  const hash = createHash("sha256").update(script).digest("base64");
  const ownStyle = (one: string) => !one.startsWith("style-src ");
  expect(policyOf(page_).filter(ownStyle)).toEqual([
    ...policyOf(plain)
      .filter(ownStyle)
      .map((one) => one.replace("script-src", `script-src https://stats.example 'sha256-${hash}'`)),
    "font-src 'self'",
  ]);
  expect(await own.text("de/daily/leo/index.html")).toContain('<a href="/de/pages/imprint/">Impressum</a>');
  expect(await own.text("de/pages/imprint/index.html")).toContain("<p>Wir.</p>");
  const after = await own.paths();
  const changed = [...after].filter(([path, object]) => before.get(path) !== object).map(([path]) => path);
  expect(changed.some((path) => path.startsWith("assets/theme/"))).toBe(true);
  // Only each language's summary changes among the data, because it lists the translations.
  expect(changed.filter((path) => path.endsWith(".json") && !path.endsWith("/index.json"))).toEqual([]);
  expect(changed.filter((path) => path.includes("/newsletter/"))).toEqual([]);
});

test("a template that throws for one page is named with its line and the page, and the old pages stay", async () => {
  const { own, env, save } = await publishedSite();
  const before = await own.paths();
  const template = (word: string) => `export default ({ at, ours }, { html }) => {
  if (at.sign === "${word}") throw new Error("no lions here");
  return html\`<p class="own">Ours</p>\${ours}\`;
};
`;
  save({ "sign.ts": template("leo"), "theme.ts": themeModule({ templates: { signPage: "sign.ts" } }) });
  const { page, url } = await openedPreview(env);
  expect(await page.locator("li").innerText()).toMatch(
    /theme\/sign\.ts:2: the template failed on en\/daily\/leo\/index\.html: it threw Error: no lions here/,
  );
  await page.goto(`${url}en/daily/aries/`);
  expect(await page.locator("p.own").innerText()).toBe("Ours");
  const refused = await almanac(["render"], { env, ownProcess: true });
  expect([refused.code, refused.stderr.replaceAll(/\s+/g, " ")]).toEqual([
    2,
    expect.stringContaining("theme/sign.ts:2: the template failed on en/daily/leo/index.html"),
  ]);
  expect(await own.paths()).toEqual(before);
  save({ "sign.ts": template("none") });
  expect(await almanac(["render"], { env, ownProcess: true })).toMatchObject({ code: 0 });
  expect(await own.text("en/daily/leo/index.html")).toContain('<p class="own">Ours</p>');
});

test("an empty vault is shown with the sandbox's texts, plainly marked", async () => {
  const folder = folderWithFiles({ "almanac.config.ts": 'export default { languages: ["en", "ar"] };\n' });
  const { page, url } = await openedPreview({
    ALMANAC_CONFIG: join(folder, "almanac.config.ts"),
    ALMANAC_VAULT: `file://${folder}/vault`,
    ALMANAC_SITE: `file://${folder}/site`,
  });
  expect(await page.locator("#almanac-preview p").innerText()).toContain("invented texts");
  await page.goto(`${url}ar`); // a folder's address without its slash
  expect(new URL(page.url()).pathname).toBe("/ar/");
  expect(await page.locator("#almanac-preview p").isVisible()).toBe(true);
  expect(await page.locator("html").getAttribute("dir")).toBe("rtl");
  const missing = await page.goto(`${url}ar/nowhere/`);
  expect(missing?.status()).toBe(404);
  expect(await page.locator("html").getAttribute("lang")).toBe("ar");
  expect(await page.locator("#almanac-preview p").isVisible()).toBe(true);
});
