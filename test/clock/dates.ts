// `npm run test:dates`: the tests, except those in a browser, on a machine whose clock is at each of nine instants.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { findProgram } from "../support/s3-server.ts";
import { temporalExecutable } from "../support/temporal.ts";
import { allInstants, type Instant, instantOf } from "./instants.ts";

const usage = `usage: npm run test:dates -- [--at NAME]... [--of-commit] [--reports FOLDER] [FILTER]...
  --at         only at this instant: ${allInstants.map(([name]) => name).join(", ")}
  --of-commit  only at the one that the commit determines
  --reports    the folder for the output and the results of each instant
  FILTER       only test files whose path contains this, such as test/nights`;

const root = fileURLToPath(new URL("../../", import.meta.url));
const runAt = join(root, "test/clock/run-at");
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", "!real", "--project", "!fleet"];

const results = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(""),
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

interface Failure {
  readonly name: string;
  readonly message: string;
}

interface Row {
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly seconds: number;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const wish = wished();
  if (typeof wish === "string") {
    console.error(`${wish}\n${usage}`);
    return 2;
  }
  const possible = spawnSync(runAt, ["now", "true"], { stdio: "inherit" });
  if (possible.status !== 0) return possible.status ?? 1;
  // With another date, only this machine's network is available.
  await temporalExecutable();
  await findProgram();
  mkdirSync(wish.reports, { recursive: true });
  let failed = 0;
  for (const instant of wish.instants) {
    const row = await rowOf(instant, wish);
    failed += row.failures.length;
    printRow(instant, row);
  }
  console.log(`output and results: ${wish.reports}`);
  return failed === 0 ? 0 : 1;
}

function wished() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        at: { type: "string", multiple: true },
        "of-commit": { type: "boolean", default: false },
        reports: { type: "string" },
      },
    });
    const { at = [], "of-commit": ofCommit, reports } = values;
    const unknown = at.find((one) => allInstants.every(([name]) => name !== one));
    if (unknown !== undefined) return `there is no instant ${JSON.stringify(unknown)}`;
    const instants = ofCommit ? [instantOf(commit())] : allInstants.filter(([name]) => at.includes(name));
    return {
      instants: instants.length === 0 ? allInstants : instants,
      reports: reports ?? mkdtempSync(join(tmpdir(), "almanac-dates-")),
      filters: positionals,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function commit(): string {
  return execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
}

async function rowOf(
  [name, instant]: Instant,
  { reports, filters }: { readonly reports: string; readonly filters: readonly string[] },
): Promise<Row> {
  const file = join(reports, `${name}.json`);
  const log = openSync(join(reports, `${name}.log`), "w");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const words = [
    instant,
    process.execPath,
    ...vitest,
    "--exclude",
    "test/browser/**",
    ...reporters,
    ...filters,
  ];
  const startedMs = performance.now();
  const child = spawn(runAt, words, { cwd: root, stdio: ["ignore", log, log] });
  const [code]: unknown[] = await once(child, "exit");
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  if (!existsSync(file)) {
    const message = `vitest ended with ${String(code)} before it had a result: see ${name}.log`;
    return { passed: 0, failures: [{ name: "the whole run", message }], seconds };
  }
  const { numPassedTests: passed, testResults } = results.parse(JSON.parse(readFileSync(file, "utf8")));
  const failures = testResults.flatMap(failuresIn);
  if (failures.length === 0 && code !== 0) {
    failures.push({ name: "the whole run", message: `vitest ended with ${String(code)}: see ${name}.log` });
  }
  return { passed, failures, seconds };
}

/** A file that fails before its first test is one failure. */
function failuresIn(file: z.infer<typeof results>["testResults"][number]): Failure[] {
  const failed = file.assertionResults.filter(({ status }) => status === "failed");
  const path = file.name.replace(root, "");
  if (failed.length === 0) return file.status === "failed" ? [{ name: path, message: file.message }] : [];
  return failed.map(({ fullName, failureMessages }) => ({
    name: `${path}: ${fullName}`,
    message: failureMessages?.[0] ?? "",
  }));
}

function printRow([name, instant]: Instant, { passed, failures, seconds }: Row): void {
  const counts = `${passed} passed, ${failures.length} failed, ${seconds} s`;
  console.log(`${name.padEnd(15)}  ${instant}  ${counts}`);
  for (const { name: failure, message } of failures) {
    console.log(`  ${failure}\n    ${message.slice(0, 600).replaceAll("\n", "\n    ")}`);
  }
}
