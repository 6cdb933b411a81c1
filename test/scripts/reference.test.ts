import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { commands } from "../../scripts/commands.ts";
import { madePages, pageFile, renewed } from "../../docs/reference/reference.ts";

it.each(madePages)("docs/%s shows what the code says: `npm run reference` renews it", async (name) => {
  const page = await readFile(pageFile(name), "utf8");
  const regenerated = await renewed(name, page);
  expect(page).toBe(regenerated);
  expect(await renewed(name, regenerated)).toBe(regenerated);
});

it("a page can't lose a part unnoticed", async () => {
  await expect(renewed("operations.md", "# Operations\n")).rejects.toThrow(
    /docs\/operations.md has no markers for "operations"/,
  );
});

it("every command is on the page of the command line, with its arguments", async () => {
  const page = await readFile(pageFile("command-line.md"), "utf8");
  const heads = [...page.matchAll(/^### `almanac (\w+)`$/gm)].map(([, name]) => name);
  expect(heads).toEqual(Object.keys(commands));
  expect(page).toContain("- `--languages <codes>`: Limit to these languages, such as en,hi");
  expect(page).toContain(
    "- `--languages <codes>`: Limit the first run to these languages, such as en,hi. Later nightly runs request all configured languages",
  );
  expect(page).toContain("#### `almanac quarantine accept`");
});
