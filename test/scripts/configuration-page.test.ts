import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configurationPath, renewedConfiguration } from "../../scripts/generate/configuration-page.ts";
import { variableNames } from "../../worker/settings/environment.ts";

const page = readFileSync(configurationPath, "utf8");

test("docs/configuration.md says what the schema says (else: npm run configuration)", () => {
  expect(renewedConfiguration(page)).toBe(page);
});

test("every setting but the plain ones by address and colour says what it is", () => {
  const silent = [...page.matchAll(/^\| `([\w.<>]+)` +\| +\|/gm)].map(([, name]) => name);
  const plain = /\.(?:english|translator|legacy|accent|paper|ink)$/;
  expect(silent.filter((name) => !plain.test(name ?? ""))).toEqual([]);
});

test("every variable of the environment is explained in the README or under docs/", () => {
  const docs = new URL("../../docs/", import.meta.url);
  const texts = readdirSync(docs)
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(new URL(name, docs), "utf8"));
  const all = [...texts, readFileSync(new URL("../README.md", docs), "utf8")].join("\n");
  const ofOthers = new Set(["PATH"]);
  const unexplained = variableNames.filter(
    (name) => !ofOthers.has(name) && !all.includes(name.toUpperCase()),
  );
  expect(unexplained.filter((name) => !name.startsWith("ALMANAC_TEST_"))).toEqual([]);
});
