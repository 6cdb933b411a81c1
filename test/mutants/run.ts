// `npm run mutants`: plants each mistake of mutants.ts in a copy of this checkout, one at a time, and runs the ordinary
// tests of store and publishing on it; `-- folder` those with that word alone. A mistake that no test notices, or that can no longer be planted, fails the script.
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mutants, withMistake } from "./mutants.ts";

const checkout = fileURLToPath(new URL("../../", import.meta.url));
const suite = ["test/publish", "test/store"];
const longestMs = 20 * 60_000;

function copyOfCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), "almanac-mutants-"));
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: checkout });
  for (const path of new Set(listed.toString().split("\0"))) {
    if (path !== "") cpSync(join(checkout, path), join(copy, path));
  }
  symlinkSync(join(checkout, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** Only a test that failed has caught anything: a run that took too long, or that never came to a test, has not. */
interface Verdict {
  readonly kind: "caught" | "MISSED" | "UNDECIDED";
  readonly why: string;
}

function runSuite(copy: string): Promise<Verdict> {
  const vitest = join(checkout, "node_modules/vitest/vitest.mjs");
  const report = join(copy, "report.json");
  const args = [vitest, "run", ...suite, "--bail=1", "--reporter=json", `--outputFile=${report}`];
  rmSync(report, { force: true }); // of the one before
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: copy, timeout: longestMs, maxBuffer: 1 << 28 }, (error) => {
      const by = firstFailure(report);
      if (error === null) resolve({ kind: "MISSED", why: "no test failed" });
      else if (by !== undefined) resolve({ kind: "caught", why: by });
      else resolve({ kind: "UNDECIDED", why: error.killed ? "the tests took too long" : error.message });
    });
  });
}

function firstFailure(report: string): string | undefined {
  if (!existsSync(report)) return undefined;
  return /"fullName":"((?:[^"\\]|\\.)*)","status":"failed"/.exec(readFileSync(report, "utf8"))?.[1];
}

const words = process.argv.slice(2);
const wanted = mutants.filter(({ name }) => words.every((word) => name.includes(word)));
const copy = copyOfCheckout();
let caught = 0;
try {
  const sound = await runSuite(copy);
  if (sound.kind !== "MISSED") throw new Error(`the tests do not pass without any mistake: ${sound.why}`);
  for (const mutant of wanted) {
    const path = join(copy, mutant.file);
    const before = readFileSync(path, "utf8");
    writeFileSync(path, withMistake(mutant, before));
    const startedMs = performance.now();
    const { kind, why } = await runSuite(copy);
    writeFileSync(path, before);
    if (kind === "caught") caught += 1;
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    console.log(`${kind.padEnd(10)}${mutant.name} (${seconds} s): ${why}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${caught} of ${wanted.length}`);
process.exitCode = caught === wanted.length ? 0 : 1;
