// An owner's pages in the site: their frame, the footers that link to them, and languages that lack one.
import { expect, test } from "vitest";
import { publish } from "../../publish/publish.ts";
import { fingerprintOf } from "../../publish/render/fingerprint.ts";
import { siteSettingsOf } from "../../site/edition.ts";
import type { ThemeInput } from "../../worker/theme/theme.schema.ts";
import { newSite, type PublishedSite } from "../publish/support/published-site.ts";
import { type FolderFiles, themeOf } from "../support/theme-folder.ts";

const languages = ["en", "hi", "ar"] as const;
const pages = {
  "pages/en/imprint.md": "# Imprint\n\nUs.",
  "pages/hi/imprint.md": "# छाप\n\nहम।",
  "pages/en/terms.md": "# Terms",
};

async function siteOf(): Promise<PublishedSite> {
  const site = newSite({ languages: [...languages], operations: ["daily-horoscope"], people: [] });
  await site.gather("2026-11-21");
  return site;
}

async function nightWith(
  { publishing }: PublishedSite,
  theme: ThemeInput,
  files: FolderFiles,
): Promise<void> {
  const loaded = await themeOf(theme, files);
  const fingerprint = fingerprintOf(siteSettingsOf(publishing.configuration, loaded));
  const place = { ...publishing, theme: loaded, fingerprint };
  await publish({ run: "almanac-nightly", asOf: "2026-11-21T12:00:00Z", languages }, place);
}

const imprint = "hi/pages/imprint/index.html";

test("own pages are published in their languages, listed, translated, and linked from every footer", async () => {
  const site = await siteOf();
  await nightWith(site, { pages: { fallback: ["en"] } }, pages);
  const paths = [...(await site.paths()).keys()].filter((path) => path.includes("/pages/"));
  expect(paths.sort()).toEqual(["en/pages/imprint/index.html", "en/pages/terms/index.html", imprint]);
  const page = await site.text(imprint);
  expect(page).toMatch(/<h1>छाप<\/h1>[^]*<div class="prose own"><p>हम।<\/p><\/div>/);
  expect(page).toContain('hreflang="en" href="https://almanac.example/en/pages/imprint/"');
  expect(await site.text("hi/sitemap.xml")).toContain("https://almanac.example/hi/pages/imprint/");
  expect(await site.text("hi/daily/leo/index.html")).toContain('<a href="/hi/pages/imprint/">छाप</a>');
  expect(await site.text("ar/daily/leo/index.html")).toContain(
    '<a href="/en/pages/imprint/" hreflang="en" lang="en" dir="ltr">Imprint</a>',
  );
  expect(await site.text("index.html")).toContain('<a href="/en/pages/imprint/">Imprint</a>');
  expect(await site.deadLinks()).toEqual([]);
});

test("without a fallback, a language that lacks a page has no link", async () => {
  const site = await siteOf();
  await nightWith(site, { pages: { menu: ["imprint"] } }, pages);
  expect(await site.text("ar/daily/leo/index.html")).not.toContain("/pages/");
  expect(await site.text("en/daily/leo/index.html")).not.toContain("/pages/terms/");
});

test("a page removed from the folder leaves the site, and nothing links to it", async () => {
  const site = await siteOf();
  await nightWith(site, { pages: { fallback: ["en"] } }, pages);
  await nightWith(site, { pages: { fallback: ["en"] } }, { "pages/en/terms.md": "# Terms" });
  const paths = [...(await site.paths()).keys()].filter((path) => path.includes("/pages/"));
  expect(paths).toEqual(["en/pages/terms/index.html"]);
  expect(await site.deadLinks()).toEqual([]);
  expect(await site.text("hi/sitemap.xml")).not.toContain("imprint");
});
