// One word means one thing: the glossary explains each word once.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const cwd = fileURLToPath(new URL("../", import.meta.url));

test("the glossary explains each word once", () => {
  const glossary = readFileSync(`${cwd}docs/glossary.md`, "utf8");
  const words = [...glossary.matchAll(/^\| ([^|]*[^| ]) +\| /gm)].map(([, word]) => word);
  const named = words.filter((word) => word !== "word");
  expect(named.length).toBeGreaterThan(60);
  expect(new Set(named).size).toBe(named.length);
});
