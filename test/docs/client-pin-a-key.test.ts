// Readers copy recipes as they are: one without the public key shows whatever the network or the web server puts in the site's place.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { recipeKey, recipeKeyFile } from "../support/recipe-key.ts";

const cwd = fileURLToPath(new URL("../../", import.meta.url));
const manuals = globSync(
  ["docs/{embed,json-api,client,wordpress}.md", "packages/*/README.md", "packages/*/*/readme.txt"],
  { cwd },
);
const examples = globSync("packages/*/example/**/*.{astro,html,js,json,njk,toml,ts,tsx}", {
  cwd,
  exclude: (path) => /(?:^|\/)(?:node_modules|\.next|out|package-lock\.json)$/.test(path),
});
const textOf = (path: string): string => readFileSync(join(cwd, path), "utf8");

/** A program's call with its options, as `{ url, keys }`. */
const calls = /\b(?:createAlmanac|almanacLoader)\(\{.*?\}\)|\baddPlugin\(almanac, \{.*?\}\)/gs;
const pulls = /^.*(?:almanac-pull\.js|almanac pull) https?:.*$/gm;
const elements = /<almanac-reading [^>]*>/g;
/** A step or sentence that tells a WordPress administrator to enter the site's address. */
const steps =
  /^(?=.*Settings)(?:.*\n(?!\n|\d\.))*?.*(?:enter|type|give) the site's (?:URL|address).*(?:\n(?!\n|\d\.).*)*/gm;

interface Recipe {
  readonly path: string;
  readonly text: string;
  readonly pins: boolean;
}

/** Every place of a text where a published site is read. */
function recipesIn(path: string): Recipe[] {
  const text = textOf(path);
  const blocks = [...text.matchAll(/^```.*?^```$/gms)].map(([block]) => block);
  const found = (pattern: RegExp, pins: (one: string) => boolean): Recipe[] =>
    [...text.matchAll(pattern)].map(([one]) => ({ path, text: one, pins: pins(one) }));
  const pinsInCode = (one: string): boolean =>
    /\bkeys\b/.test(one) &&
    (blocks.find((block) => block.includes(one)) ?? text).includes(`["${recipeKey}"]`);
  return [
    ...found(calls, pinsInCode),
    ...found(pulls, (one) => one.includes(` --key ${recipeKeyFile}`)),
    ...found(elements, (one) => one.includes(` keys="${recipeKey}"`)),
    ...found(steps, (one) => /public\s+keys?/.test(one)),
  ];
}

const recipes = [...manuals, ...examples].flatMap(recipesIn);

test("every recipe that reads a published site pins the site's public key", () => {
  expect(recipes.filter(({ pins }) => !pins).map(({ path, text }) => `${path}: ${text}`)).toEqual([]);
});

test("recipes of every kind are found, in every manual and example that has one", () => {
  const counts = Object.groupBy(recipes, ({ path }) => path);
  expect(Object.fromEntries(Object.entries(counts).map(([path, found]) => [path, found?.length]))).toEqual({
    "docs/client.md": 7,
    "docs/embed.md": 2,
    "docs/json-api.md": 1,
    "docs/wordpress.md": 1,
    "packages/astro/README.md": 1,
    "packages/astro/example/src/content.config.ts": 1,
    "packages/eleventy/README.md": 1,
    "packages/eleventy/example/eleventy.config.js": 1,
    "packages/hugo/README.md": 1,
    "packages/next/README.md": 1,
    "packages/wordpress/almanac/readme.txt": 1,
  });
});

test("every manual with a recipe says where the key comes from, or links to the section that does", () => {
  const withRecipes = manuals.filter((path) => recipesIn(path).length > 0);
  const source = /publishing\.publicKeys|client\.md#pinning-keys/;
  expect(withRecipes.filter((path) => !source.test(textOf(path)))).toEqual([]);
  const [, section = ""] = /\n## Pinning keys\n(.*?)\n## /s.exec(textOf("docs/client.md")) ?? [];
  expect(section).toMatch(/`publishing\.publicKeys`/);
  expect(section).toMatch(/without a signing key/);
});
