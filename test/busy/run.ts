// `npm run test:busy`: runs the test files that wait, five times each, while four processes keep the processor busy. A file that
// fails here depends on the machine's speed. `-- nights/owner breaker` runs the files with one of these words in their path,
// `--rounds 20` runs them as often, and `--load 2` starts as many busy processes.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { findWaitingFiles } from "../support/waiting-files.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const vitest = join(root, "node_modules/vitest/vitest.mjs");

const count = z.coerce.number().int().min(0);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    load: { type: "string", default: "4" },
  },
});
const [rounds, load] = [count.parse(values.rounds), count.parse(values.load)];

const reportShape = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

interface Tally {
  runs: number;
  /** One message for each failed test. */
  readonly failures: string[];
}

/** Keeps one core busy until it is killed. */
function startBusyProcess(): ChildProcess {
  return spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
}

async function runRound(files: readonly string[], reportPath: string): Promise<void> {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
  const words = [vitest, "run", "--project", "!real", "--project", "!fleet", ...reporters, ...files];
  const child = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  await once(child, "exit");
}

function addReport(reportPath: string, tallies: ReadonlyMap<string, Tally>): void {
  const ran = new Set<string>();
  const results = existsSync(reportPath)
    ? reportShape.parse(JSON.parse(readFileSync(reportPath, "utf8"))).testResults
    : [];
  for (const { name, status, message, assertionResults } of results) {
    const file = relative(root, name);
    const tally = tallies.get(file);
    if (tally === undefined) continue;
    ran.add(file);
    tally.runs += 1;
    const failed = assertionResults.filter((one) => one.status === "failed");
    for (const { fullName, failureMessages } of failed)
      tally.failures.push(`${fullName}: ${failureMessages?.[0]?.split("\n")[0] ?? "no message"}`);
    if (status === "failed" && failed.length === 0)
      tally.failures.push(message || "failed outside of its tests");
  }
  for (const [file, tally] of tallies) if (!ran.has(file)) tally.failures.push("was not run to its end");
}

function printTable(tallies: ReadonlyMap<string, Tally>): void {
  const width = Math.max(...[...tallies.keys()].map((file) => file.length));
  const row = (name: string, runs: unknown, failures: unknown) =>
    console.log(`${name.padEnd(width)}  ${String(runs).padStart(5)}  ${String(failures).padStart(8)}`);
  row("file", "runs", "failures");
  for (const [file, { runs, failures }] of tallies) row(file, runs, failures.length);
  const all = [...tallies.values()];
  row("total", sum(all.map(({ runs }) => runs)), sum(all.map(({ failures }) => failures.length)));
  for (const [file, { failures }] of tallies)
    for (const failure of failures) console.log(`failed: ${file} > ${failure}`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

const files = findWaitingFiles().filter(
  (file) => positionals.length === 0 || positionals.some((word) => file.includes(word)),
);
if (files.length === 0) throw new Error(`no waiting test file has ${positionals.join(" or ")} in its path`);
const tallies = new Map<string, Tally>(files.map((file) => [file, { runs: 0, failures: [] }]));
const folder = mkdtempSync(join(tmpdir(), "almanac-busy-"));
const busy = Array.from({ length: load }, startBusyProcess);
const end = (): void => {
  for (const child of busy) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
};
process.once("exit", end);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
for (let round = 1; round <= rounds; round += 1) {
  console.log(`round ${round} of ${rounds}: ${files.length} files beside ${load} busy processes`);
  const reportPath = join(folder, `${round}.json`);
  await runRound(files, reportPath);
  addReport(reportPath, tallies);
}
printTable(tallies);
process.exitCode = [...tallies.values()].every(({ failures }) => failures.length === 0) ? 0 : 1;
