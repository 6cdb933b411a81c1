// `almanac check`: tests settings, service, clock, Temporal and the stores with real requests, and reports a remedy for each failure.
import { resolve } from "node:path";
import { type Check, runChecks } from "../worker/checks/checks.ts";
import type { Define } from "./terminal/command.ts";
import { exitCodes } from "./terminal/errors.ts";
import { inventedLanguage } from "./preview/invented-language.ts";
import { type Lines, printAs, sentence, styled } from "./terminal/output.ts";

export const define: Define = (command) => {
  command
    .addHelpText(
      "after",
      `
It requests one reading from each endpoint of the service, which the service counts as a call, and discards it. It writes a small
file to each store and deletes it again. Exit codes: 0 if everything works, 1 if something fails, 2 if a setting is wrong.

Example: check the installation before the first run:
  almanac check`,
    )
    .action(async ({ json }) => {
      const checks = await runChecks(process.cwd(), resolve(".almanac"), inventedLanguage);
      const code = exitCodeOf(checks);
      printAs(
        json,
        {
          ok: code === exitCodes.done,
          checks: checks.map(({ name, ok, seen, remedy }) => ({ name, ok, seen, remedy })),
        },
        checkLines(checks),
      );
      process.exitCode = code;
    });
};

function exitCodeOf(checks: readonly Check[]) {
  const wrong = checks.filter(({ ok }) => !ok);
  if (wrong.length === 0) return exitCodes.done;
  return wrong.some(({ isSetting }) => isSetting === true) ? exitCodes.wrong : exitCodes.failed;
}

function checkLines(checks: readonly Check[]): Lines {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const indent = " ".repeat("wrong  ".length + width + 2);
  return checks.map(({ name, ok, seen, remedy }) => {
    const verdict = ok ? styled("green", "ok   ") : styled("red", "wrong");
    const [first = "", ...more] = sentence(seen, indent);
    return [
      `${verdict}  ${name.padEnd(width)}  ${first.trimStart()}`.trimEnd(),
      more,
      remedy !== undefined && sentence(`next: ${remedy}`, indent),
    ];
  });
}
