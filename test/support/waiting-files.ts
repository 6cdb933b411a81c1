// The test files of `npm test` that wait for something or look at a clock. `npm run test:busy` runs them on a busy machine.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const otherSuites = ["test/real/**", "test/fleet/**"];
const waits =
  /\bsetTimeout\b|\b(?:AbortSignal\.timeout|performance\.now|expect\.poll|until|spawn|fork|startTemporal)\(/;

/** The files that wait themselves, or import a helper that does: a list by hand would lack the newest one. */
export function findWaitingFiles(): string[] {
  const files = globSync("test/**/*.test.ts", { cwd: root, exclude: otherSuites });
  return files
    .toSorted()
    .filter((file) => [file, ...importsOf(file)].some((path) => waits.test(textOf(path))));
}

function importsOf(path: string): string[] {
  const found = Array.from(textOf(path).matchAll(/ from "(\.[^"]+)"/g), ([, to = ""]) =>
    join(path, "..", to),
  );
  return found.filter((to) => to.startsWith("test/") && existsSync(join(root, to)));
}

function textOf(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
