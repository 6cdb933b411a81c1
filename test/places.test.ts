// Tests lie where the code lies, as CONTRIBUTING.md says it.
import { globSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const cwd = fileURLToPath(new URL("../", import.meta.url));
/** Each tries the product as a whole, in one way. */
const suites = new Set([
  "browser",
  "deploy",
  "fleet",
  "lighthouse",
  "model",
  "mutants",
  "nights",
  "operator",
  "prose",
  "real",
  "soak",
]);
const tests = globSync("test/*/**/*.test.ts", { cwd });

/** `publish-crash` may be of `publish-crash` or `publish`. */
function namedBy(path: string): string[] {
  const words = basename(path, ".test.ts").split("-");
  return words.map((_, last) => words.slice(0, last + 1).join("-"));
}

test("every test is named after a file or folder of its room, or lies in a suite of the whole product", () => {
  const lost = tests.filter((path) => {
    const [, room = ""] = path.split("/");
    const names = globSync([`${room}/**/*`, `packages/${room}/**/*`], { cwd }).map((one) =>
      basename(one).replace(/\..*$/, ""),
    );
    return !suites.has(room) && new Set(names).isDisjointFrom(new Set(namedBy(path)));
  });
  expect(lost).toEqual([]);
  expect(tests.length).toBeGreaterThan(100);
});
