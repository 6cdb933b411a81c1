// Tests are in the folder of the code that they test, or in a suite that tests the product as a whole.
import { existsSync, globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const cwd = fileURLToPath(new URL("../", import.meta.url));
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

test("every folder of tests is named after a folder of the product, or is a suite", () => {
  const rooms = new Set(globSync("test/*/**/*.test.ts", { cwd }).map((path) => path.split("/")[1] ?? ""));
  const lost = [...rooms.difference(suites)].filter(
    (room) => !existsSync(`${cwd}${room}`) && !existsSync(`${cwd}packages/${room}`),
  );
  expect(lost).toEqual([]);
  expect(rooms.size).toBeGreaterThan(15);
});
