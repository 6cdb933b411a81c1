// One word means one thing: no two files of the product export a type or a function of one name, and the glossary explains
// each word once. client/ is left out, because it stands alone.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const cwd = fileURLToPath(new URL("../", import.meta.url));
const rooms = "readings,site,store,vault,service,publish,insight,activities,workflows,worker,scripts,sandbox";
const definition =
  /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum|(?:async )?function\*?) (\w+)/gm;

test("no two files of the product export a type or a function of one name", () => {
  const files = new Map<string, Set<string>>();
  for (const path of globSync(`{${rooms}}/**/*.ts`, { cwd })) {
    for (const [, name = ""] of readFileSync(`${cwd}${path}`, "utf8").matchAll(definition)) {
      files.set(name, new Set([...(files.get(name) ?? []), path]));
    }
  }
  expect(files.size).toBeGreaterThan(1000);
  expect([...files].filter(([, paths]) => paths.size > 1)).toEqual([]);
});

test("the glossary explains each word once", () => {
  const glossary = readFileSync(`${cwd}docs/glossary.md`, "utf8");
  const words = [...glossary.matchAll(/^\| ([^|]*[^| ]) +\| /gm)].map(([, word]) => word);
  const named = words.filter((word) => word !== "word");
  expect(named.length).toBeGreaterThan(60);
  expect(new Set(named).size).toBe(named.length);
});
