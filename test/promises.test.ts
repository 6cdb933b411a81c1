// test/promises.md names a test for each promise, and each test is there under its title.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const page = textOf("promises.md");

/** The rows of all tables with a column of tests, as [promise, where, tests, plan]. */
const rows = page
  .split(/^## /m)
  .filter((section) => /^\| Promise\s+\| In\s/m.test(section))
  .flatMap((section) => section.split("\n").filter((line) => line.startsWith("|")))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .filter(([, promise = ""]) => promise !== "Promise" && !/^-+$/.test(promise));

/** The first words of every call and the names of rows: a title is one of them. */
function titlesIn(file: string): string[] {
  const found = textOf(file).matchAll(/(?:\(|name: )\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g);
  return [...found].map(([, quoted, raw]) => quoted?.replaceAll(String.raw`\"`, '"') ?? raw ?? "");
}

test("every promise has a test that is there, or says that it has none", () => {
  expect(rows.length).toBeGreaterThan(100);
  const lost = rows.flatMap(([, promise, , tests = ""]) => {
    if (tests === "none") return [];
    const named = [...tests.matchAll(/`([\w/.-]+\.test\.ts)`: "(.+?)"(?=, `|$)/g)];
    const rest = named.reduce((left, [whole]) => left.replace(whole, ""), tests).replaceAll(/[, ]/g, "");
    if (named.length === 0 || rest !== "") return [`${promise}: ${tests}`];
    return named
      .filter(
        ([, file = "", title = ""]) =>
          !existsSync(new URL(file, import.meta.url)) ||
          title.length < 10 ||
          !titlesIn(file).some((one) => one.includes(title)),
      )
      .map(([whole]) => whole);
  });
  expect(lost).toEqual([]);
});

test("every promise has a successor of its test", () => {
  const plan = /^(?:kept|adapted: .|replaced by .|dropped: .|changed: .|none today)/;
  expect(rows.filter(([, , , , after = ""]) => !plan.test(after))).toEqual([]);
});
