// Each line of the table in SECURITY.md names a test that makes the attack, and that test exists.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const textOf = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

const [, section = ""] = /\n## Attacks covered by tests\n(.*?)\n## /s.exec(textOf("SECURITY.md")) ?? [];
const rows = section
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(2)
  .map((line) => line.split("|").map((cell) => cell.trim()));

test("every attack names its test, by words of the test's own title", () => {
  const named = rows.map(([, who, attack, seen, source]) => ({ attack: `${who}: ${attack}`, seen, source }));
  expect(named.length).toBeGreaterThan(25);
  const lost = named.filter(({ source = "" }) => {
    if (source === "none") return false;
    const [, file = "", title = ""] = /^`(test\/\S+\.test\.ts): (.{10,})`$/.exec(source) ?? [];
    return (
      file === "" || !existsSync(new URL(`../${file}`, import.meta.url)) || !textOf(file).includes(title)
    );
  });
  expect(lost).toEqual([]);
  expect(named.filter(({ seen }) => seen === undefined || seen === "")).toEqual([]);
});

test("only a stolen vault key has no defense, and the next steps are given", () => {
  const open = rows.filter((row) => row[4] === "none");
  expect(open.map((row) => row[1])).toEqual(["stolen vault key"]);
  expect(section).toContain("_Not protected_");
});
