// `npm run mutants`: plants each error of mutants.ts in a copy of this checkout, one at a time, and runs the test that should
// notice it; `-- folder` selects the errors that contain that word. An error that its test does not notice, or that can no longer
// be planted, fails the script.
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Mutant, mutants, withPlantedError } from "./mutants.ts";

const checkout = fileURLToPath(new URL("../../", import.meta.url));
const longestMs = 5 * 60_000;

function copyOfCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), "almanac-mutants-"));
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: checkout });
  for (const path of new Set(listed.toString().split("\0"))) {
    if (path !== "" && existsSync(join(checkout, path))) cpSync(join(checkout, path), join(copy, path));
  }
  symlinkSync(join(checkout, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** Only a failed test counts as caught: a timeout, or a run that never reached the test, does not. */
interface Verdict {
  readonly kind: "caught" | "MISSED" | "UNDECIDED";
  readonly why: string;
}

function runTests(copy: string, { by: [file, title] }: Pick<Mutant, "by">): Promise<Verdict> {
  const vitest = join(checkout, "node_modules/vitest/vitest.mjs");
  const report = join(copy, "report.json");
  const named = title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const args = [vitest, "run", file, "-t", named, "--reporter=json", `--outputFile=${report}`];
  rmSync(report, { force: true }); // the previous run's report
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: copy, timeout: longestMs, maxBuffer: 1 << 28 }, (error) => {
      const told = existsSync(report) ? readFileSync(report, "utf8") : "";
      const failed = /"fullName":"((?:[^"\\]|\\.)*)","status":"failed"/.exec(told)?.[1];
      if (failed !== undefined) resolve({ kind: "caught", why: `${file}: ${failed}` });
      else if (error !== null)
        resolve({ kind: "UNDECIDED", why: error.killed ? "the test took too long" : error.message });
      else if (told.includes('"status":"passed"')) resolve({ kind: "MISSED", why: `${file} passes` });
      else resolve({ kind: "UNDECIDED", why: `${file} has no test "${title}"` });
    });
  });
}

const words = process.argv.slice(2);
const wanted = mutants.filter(({ name }) => words.every((word) => name.includes(word)));
const copy = copyOfCheckout();
const beganMs = performance.now();
let caught = 0;
try {
  const tests = new Map(wanted.map(({ by }) => [by.join(" "), by]));
  for (const by of tests.values()) {
    const { kind, why } = await runTests(copy, { by });
    if (kind !== "MISSED") throw new Error(`without any planted error: ${why}`);
  }
  for (const mutant of wanted) {
    const path = join(copy, mutant.file);
    const before = readFileSync(path, "utf8");
    writeFileSync(path, withPlantedError(mutant, before));
    const startedMs = performance.now();
    const { kind, why } = await runTests(copy, mutant);
    writeFileSync(path, before);
    if (kind === "caught") caught += 1;
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    console.log(`${kind.padEnd(10)}${mutant.name} (${seconds} s): ${why}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(
  `${caught} of ${wanted.length}, in ${((performance.now() - beganMs) / 60_000).toFixed(1)} minutes`,
);
process.exitCode = caught === wanted.length ? 0 : 1;
