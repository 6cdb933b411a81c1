// Each example of docs/theming.md is a complete theme in which `almanac check` finds no problem, and the tables of
// docs/theme-reference.md list the names of the code.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { inventedLanguage } from "../../scripts/preview/invented-language.ts";
import { rowNames } from "../../site/paths.ts";
import { pictureSize } from "../../site/pages/head.ts";
import { styleFor } from "../../site/style.ts";
import { hostUses, pageValues, themeSlots } from "../../site/theme/theme.ts";
import { checkTheme } from "../../worker/checks/theme/theme.ts";
import { loadConfiguration } from "../../worker/settings/configuration.ts";
import { templateParts } from "../../worker/theme/templates.ts";
import { isPageKind, themeSchema } from "../../worker/theme/theme.schema.ts";
import { folderWithFiles } from "../support/theme-folder.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const textOf = (name: string) => readFileSync(join(repository, "docs", name), "utf8");
const page = textOf("theming.md");
const sectionsOf = (text: string) =>
  text
    .split(/^##+ /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf("\n")), section] as const);
const reference = sectionsOf(textOf("theme-reference.md"));

/** The files of a section, by the name above each, with their imports from here. */
function filesIn(text: string): [name: string, content: string][] {
  const found = text.matchAll(/^`((?:theme\/[\w./-]+)|almanac\.config\.ts)`\n\n```\w+\n(.*?)^```$/gms);
  return Array.from(found, ([, name = "", content = ""]) => [
    name,
    content.replace(/"\.\.?\/worker\//, `"${repository}worker/`),
  ]);
}

function sharedPicture(): Uint8Array {
  const png = Buffer.alloc(32);
  png.write("89504e470d0a1a0a", "hex");
  png.writeUInt32BE(pictureSize.width, 16);
  png.writeUInt32BE(pictureSize.height, 20);
  return png;
}

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
/** Pictures that the examples name but don't include. */
const pictures = {
  "theme/logo.svg": drawing,
  "theme/icon.svg": drawing,
  "theme/signs/lion.svg": drawing,
  "theme/signs/fish.svg": drawing,
  "theme/cards/the-fool.webp": "RIFF",
  "theme/share.png": sharedPicture(),
  "theme/share-leo.png": sharedPicture(),
  "theme/fonts/sans.woff2": "wOF2",
  "theme/fonts/head.woff2": "wOF2",
};

const examples = sectionsOf(page).filter(([, text]) =>
  filesIn(text).some(([name]) => name.startsWith("theme/")),
);
const operations = ["daily-horoscope" as const, "daily-tarot" as const];
const configuration = configurationSchema.parse({ languages: ["en", "de", "hi"], operations, people: [] });

test("there is an example for each usual first change of a theme", () => {
  expect(examples.length).toBeGreaterThan(10);
});

test.each(examples)("%s: the example is whole, and nothing is to be fixed in it", async (_title, text) => {
  const folder = folderWithFiles({ ...pictures, ...Object.fromEntries(filesIn(text)) });
  const checks = await checkTheme(configuration, join(folder, "almanac.config.ts"), inventedLanguage);
  expect(checks.filter(({ remedy }) => remedy !== undefined)).toEqual([]);
  expect(checks.map(({ name }) => name)).toContain("theme: pages");
});

test("the example of a configuration can be loaded", async () => {
  const [content] = filesIn(page).flatMap(([name, text]) => (name === "almanac.config.ts" ? [text] : []));
  const folder = folderWithFiles({ "almanac.config.ts": content ?? "" });
  const { site } = await loadConfiguration(undefined, folder);
  expect(site).toMatchObject({ name: "Stars of Example", machineMade: true });
});

/** The first column of the tables under a heading. */
function rowsUnder(heading: string): string[] {
  const [, text = ""] = reference.find(([title]) => title === heading) ?? [];
  return Array.from(text.matchAll(/^\| `([^`]+)` +\|/gm), ([, name = ""]) => name);
}

/** Parts of the whole page; others are single drawings or rules. */
const custom = Array.from(
  styleFor("Latin", configuration.site).matchAll(/:root(?:,\.hue)?\{([^}]*)\}/g),
  ([, rules = ""]) => Array.from(rules.matchAll(/(--[a-z]+):/g), ([, name = ""]) => name),
).flat();
/** The accents of the signs are made of these. */
const inner = new Set(["--hue", "--light", "--strength"]);

test.each([
  ["Options in theme.ts", Object.keys(themeSchema.shape)],
  ["Slots", themeSlots],
  ["Placeholders", pageValues.map((value) => `{{${value}}}`)],
  ["Page types", rowNames.filter(isPageKind)],
  ["Hosts", Object.keys(hostUses)],
  ["Custom properties", [...new Set(custom)].filter((name) => !inner.has(name))],
])("the table %j has what the code has", (heading, names) => {
  expect(rowsUnder(heading).toSorted()).toEqual(names.toSorted());
});

test("the list of parts for templates is complete, and has no other names", () => {
  const [, text = ""] = reference.find(([title]) => title === "Template functions") ?? [];
  const named = Array.from(text.matchAll(/`(\w+)`/g), ([, name = ""]) => name);
  expect(named.toSorted()).toEqual(Object.keys(templateParts).toSorted());
});
