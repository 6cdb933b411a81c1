// `npm run mutants` takes an hour; that each of its mistakes can still be planted is seen at once.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mutants, withMistake } from "./mutants.ts";

const checkout = join(import.meta.dirname, "../..");

test.each(mutants)("can be planted: $name", (mutant) => {
  const source = readFileSync(join(checkout, mutant.file), "utf8");
  expect(withMistake(mutant, source)).not.toBe(source);
});
