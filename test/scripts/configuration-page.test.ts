import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pageFile } from "../../docs/reference/reference.ts";
import { variableNames } from "../../worker/settings/environment.ts";

/** The rows of the first table after a marker: a name and its description. */
function rowsAfter(file: string, marker: string) {
  const text = readFileSync(pageFile(file), "utf8");
  const part = text.slice(text.indexOf(`<!-- ${marker} -->`), text.indexOf(`<!-- /${marker} -->`));
  const rows = Array.from(part.matchAll(/^\| `([^`]+)` +\| (.*?) *\|/gm), ([, name = "", what = ""]) => ({
    name,
    what,
  }));
  expect(rows.length).toBeGreaterThan(50);
  return rows;
}

test.each([
  ["configuration.md", "settings"],
  ["published-tree.md", "paths"],
])("every row of docs/%s has a description of its own", (file, marker) => {
  const rows = rowsAfter(file, marker);
  const told = Map.groupBy(rows, ({ what }) => what.toLowerCase());
  const wrong = rows.filter(({ what }) => what === "" || told.get(what.toLowerCase())?.length !== 1);
  expect(wrong).toEqual([]);
});

test("docs/environment.md has a row for every variable, and no others", () => {
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
