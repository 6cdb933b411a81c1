import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { readmePath, renewed } from "../../scripts/generate/readme.ts";

it("README.md shows the operations, the languages and a reading as they are: `npm run readme` renews it", async () => {
  const readme = await readFile(readmePath, "utf8");
  const anew = await renewed(readme);
  expect(readme).toBe(anew);
  expect(await renewed(anew)).toBe(anew);
});

it("README.md can't lose a part unseen", async () => {
  await expect(renewed("# Almanac\n")).rejects.toThrow(/README.md has no markers for "operations"/);
});
