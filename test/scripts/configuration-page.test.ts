import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pageFile } from "../../scripts/generate/reference.ts";
import { variableNames } from "../../worker/settings/environment.ts";

const page = readFileSync(pageFile("configuration.md"), "utf8");

test("every setting but the plain ones by address and colour says what it is", () => {
  const silent = [...page.matchAll(/^\| `([\w.<>]+)` +\| +\|/gm)].map(([, name]) => name);
  const plain = /\.(?:english|translator|legacy|accent|paper|ink)$/;
  expect(silent.filter((name) => !plain.test(name ?? ""))).toEqual([]);
});

test("every variable of the environment has its row in docs/environment.md, and there is none besides", () => {
  const rows = [...readFileSync(pageFile("environment.md"), "utf8").matchAll(/^\| (`.*?) +\|/gm)];
  const explained = rows.flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
  );
  expect(new Set(explained).size).toBe(explained.length);
  const own = new Set(variableNames.map((name) => name.toUpperCase()).filter((name) => name !== "PATH"));
  expect([...own].filter((name) => !name.startsWith("ALMANAC_TEST_") && !explained.includes(name))).toEqual(
    [],
  );
  const ofOthers = /^(?:AWS|OTEL|TEMPORAL)_/;
  expect(explained.filter((name) => !own.has(name) && !ofOthers.test(name))).toEqual([]);
});
