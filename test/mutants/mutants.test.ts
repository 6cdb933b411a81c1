// `npm run mutants` takes minutes; that each of its errors can still be planted, and that the test is there which notices it, is
// seen at once.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mutants, withPlantedError } from "./mutants.ts";

const checkout = join(import.meta.dirname, "../..");
const textOf = (path: string) => readFileSync(join(checkout, path), "utf8");

test("there are seventy-seven mutants", () => {
  expect(mutants).toHaveLength(77);
});

test.each(mutants)("can be planted, and has its test: $name", (mutant) => {
  const source = textOf(mutant.file);
  expect(withPlantedError(mutant, source)).not.toBe(source);
  const [file, title] = mutant.by;
  expect(textOf(file)).toContain(title);
});
