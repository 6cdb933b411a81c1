// `npm run mutants`: plants each mistake of mutants.ts in a copy of this checkout, one at a time, and runs the ordinary
// tests of store and publishing on it; `-- folder` those with that word alone. A mistake that no test notices, or that can no longer be planted, fails the script.
import { execFile, execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Mutant, mutants, withMistake } from "./mutants.ts";

const checkout = fileURLToPath(new URL("../../", import.meta.url));
const suite = ["test/publish", "test/store"];
const longestMs = 20 * 60_000;

function copyOfCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), "almanac-mutants-"));
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: checkout });
  for (const path of new Set(listed.toString().split("\0"))) {
    if (path === "") continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    copyFileSync(join(checkout, path), join(copy, path));
  }
  symlinkSync(join(checkout, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** What stands before the mistake was planted, to put it back. */
function plant(copy: string, mutant: Mutant): string {
  const path = join(copy, mutant.file);
  const before = readFileSync(path, "utf8");
  writeFileSync(path, withMistake(mutant, before));
  return before;
}

/** Only a test that failed has caught anything: a run that took too long, or that never came to a test, has not. */
type Verdict =
  | { readonly kind: "caught"; readonly by: string }
  | { readonly kind: "MISSED" }
  | { readonly kind: "UNDECIDED"; readonly why: string };

function runSuite(copy: string): Promise<Verdict> {
  const vitest = join(checkout, "node_modules/vitest/vitest.mjs");
  const report = join(copy, "report.json");
  const args = [vitest, "run", ...suite, "--bail=1", "--reporter=json", `--outputFile=${report}`];
  rmSync(report, { force: true }); // of the one before
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: copy, timeout: longestMs, maxBuffer: 1 << 28 }, (error) => {
      const by = firstFailure(report);
      if (error === null) resolve({ kind: "MISSED" });
      else if (by !== undefined) resolve({ kind: "caught", by });
      else resolve({ kind: "UNDECIDED", why: error.killed ? "the tests took too long" : error.message });
    });
  });
}

function firstFailure(report: string): string | undefined {
  if (!existsSync(report)) return undefined;
  return /"fullName":"((?:[^"\\]|\\.)*)","status":"failed"/.exec(readFileSync(report, "utf8"))?.[1];
}

function told(verdict: Verdict): string {
  switch (verdict.kind) {
    case "caught":
      return verdict.by;
    case "MISSED":
      return "no test failed";
    case "UNDECIDED":
      return verdict.why;
  }
}

const words = process.argv.slice(2);
const wanted = mutants.filter(({ name }) => words.every((word) => name.includes(word)));
const copy = copyOfCheckout();
let caught = 0;
try {
  const sound = await runSuite(copy);
  if (sound.kind !== "MISSED") throw new Error(`the tests do not pass without any mistake: ${told(sound)}`);
  for (const mutant of wanted) {
    const before = plant(copy, mutant);
    const startedMs = performance.now();
    const verdict = await runSuite(copy);
    writeFileSync(join(copy, mutant.file), before);
    if (verdict.kind === "caught") caught += 1;
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    console.log(`${verdict.kind.padEnd(10)}${mutant.name} (${seconds} s): ${told(verdict)}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${caught} of ${wanted.length}`);
process.exitCode = caught === wanted.length ? 0 : 1;
