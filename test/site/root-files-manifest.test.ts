import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { renderShared } from "../../site/render.ts";
import { themeOf } from "../support/theme-folder.ts";
import { renderedIn, settings, summaryOf, textOf, wholeEdition, renderLanguage } from "./editions.ts";

const schema = z.strictObject({
  name: z.string(),
  description: z.string(),
  lang: z.string(),
  dir: z.enum(["ltr", "rtl"]),
  start_url: z.string(),
  scope: z.string(),
  display: z.literal("minimal-ui"),
  background_color: z.string().regex(/^#[0-9a-f]{6}$/),
  theme_color: z.string().regex(/^#[0-9a-f]{6}$/),
  icons: z.array(z.strictObject({ src: z.string(), type: z.string(), sizes: z.string().optional() })),
});

const sharedOf = (...languages: readonly ("en" | "ar")[]) =>
  renderShared(
    languages.map((language) => summaryOf(renderedIn(language), language)),
    settings,
  );
const manifestIn = (text: string) => schema.parse(JSON.parse(text));

test("a language's manifest opens its front page, with its words and direction", () => {
  const manifest = manifestIn(textOf(renderedIn("ar"), "ar/manifest.webmanifest"));
  expect(manifest).toMatchObject({ lang: "ar", dir: "rtl", start_url: "/ar/", scope: "/" });
  expect(manifest.icons).toEqual([{ src: "/assets/icon.svg", type: "image/svg+xml", sizes: "any" }]);
});

test("the site's manifest opens the choice of a language, or a single language", () => {
  const first = (files: ReturnType<typeof sharedOf>) =>
    manifestIn(textOf(files, "manifest.webmanifest")).start_url;
  expect(first(sharedOf("en", "ar"))).toBe("/");
  expect(first(sharedOf("ar"))).toBe("/ar/");
});

test("it is linked, and allowed by the policy, on the pages that it opens and no others", () => {
  const files = [...renderedIn("en"), ...sharedOf("en", "ar")].filter(({ path }) => path.endsWith(".html"));
  const text = (path: string) => textOf(files, path);
  const naming = files.filter(({ path }) => text(path).includes('rel="manifest"')).map(({ path }) => path);
  expect(naming.sort()).toEqual(["en/index.html", "index.html"]);
  expect(text("en/index.html")).toContain('<link rel="manifest" href="/en/manifest.webmanifest" />');
  expect(text("en/index.html")).toContain(";manifest-src 'self'");
  expect(text("en/daily/leo/index.html")).not.toContain("manifest-src");
});

test("it has the theme's colors and icon, and the addresses of a site in a folder", async () => {
  const picture = readFileSync(new URL("../../site/pictures/leo.png", import.meta.url));
  const theme = await themeOf(
    { icon: "icon.png", colors: { light: { paper: "#ffffff" } } },
    { "icon.png": picture },
  );
  const own = { ...settings, url: "https://almanac.example/stars", theme };
  const files = renderLanguage(wholeEdition("en", ["daily-horoscope"]), own);
  const manifest = manifestIn(textOf(files, "en/manifest.webmanifest"));
  expect(manifest).toMatchObject({ start_url: "/stars/en/", scope: "/stars/", background_color: "#ffffff" });
  expect(manifest.icons).toEqual([
    {
      src: expect.stringMatching(/^\/stars\/assets\/theme\/[0-9a-f]{64}\.png$/),
      type: "image/png",
      sizes: "1200x630",
    },
  ]);
});
