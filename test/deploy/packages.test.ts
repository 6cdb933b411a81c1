// The packages that Almanac brings along: each of one version, with a hash, and under a licence that lets a product carry it.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };

const fileAt = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const locked = z.object({
  packages: z.record(
    z.string(),
    z.object({
      license: z.string().optional(),
      dev: z.boolean().default(false),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      hasInstallScript: z.boolean().default(false),
    }),
  ),
});
const { "": _own, ...packages } = locked.parse(JSON.parse(fileAt("package-lock.json"))).packages;

/** Single names, or names joined by AND, OR and brackets. A person has to review new ones first. */
const fine = new Set(
  "MIT ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 Unlicense BlueOak-1.0.0 CC0-1.0 CC-BY-4.0".split(" "),
);
/** Licenses that allow linking but not changes, which is enough for test tools. */
const fineInTests = new Set([...fine, "MPL-2.0"]);

/** Packages without a license in package.json, and the text of their LICENSE file. */
const read: Readonly<Record<string, string>> = { "node_modules/unionfs": "Unlicense" };

test("every package has a licence that a product may carry, and those of the tests one that tests may use", () => {
  const wrong = Object.entries(packages).flatMap(([path, entry]) => {
    const licence = entry.license ?? read[path] ?? "none named";
    const names = licence.split(/ AND | OR |[()]/).filter((name) => name !== "");
    const allowed = entry.dev ? fineInTests : fine;
    return names.every((name) => allowed.has(name)) ? [] : [`${path}: ${licence}`];
  });
  expect(wrong).toEqual([]);
  expect(Object.keys(packages).length).toBeGreaterThan(100);
});

test("every package is named by one exact version, and locked with a hash", () => {
  const { dependencies, devDependencies, optionalDependencies, overrides } = packageJson;
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides };
  const loose = Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
  expect(loose).toEqual([]);
  const unsure = Object.entries(packages).filter(
    ([, { integrity, resolved }]) =>
      !integrity?.startsWith("sha512-") || (resolved !== undefined && !resolved.startsWith("https://")),
  );
  expect(unsure).toEqual([]);
});

test("what runs in production may be installed without running anything of it", () => {
  // They look for a binary that is there already, and print a word about versions: the image leaves both out.
  const known = /(?:^|\/)node_modules\/(?:@swc\/core|protobufjs)$/;
  const scripted = Object.entries(packages).filter(
    ([, { dev, hasInstallScript }]) => hasInstallScript && !dev,
  );
  expect(scripted.map(([path]) => path).filter((path) => !known.test(path))).toEqual([]);
});

test("of each package that would run a script when it is installed it is said whether it may, by its name alone", () => {
  // npm 12 takes a version on trust only where the lock file has the address that a package came from, and this one has none.
  const scripted = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)] : [],
  );
  const said = Object.entries(packageJson.allowScripts);
  expect([...new Set(scripted)].sort()).toEqual(said.map(([name]) => name).sort());
  expect(said.filter(([, may]) => may)).toEqual([]);
});
