// The last words of a test run: each failed test by file and title, the first line of its message, and the line of code that
// expected something else. The details are above.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

export class FailedLast implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) => [
      ...module.errors().map((error) => `${module.relativeModuleId}: ${wordsOf(error)}`),
      ...Array.from(module.children.allTests("failed"), (test) =>
        [`${module.relativeModuleId} > ${test.fullName}`, ...(test.result().errors ?? []).map(wordsOf)].join(
          "\n  ",
        ),
      ),
    ]);
    // On the next turn of the event loop, because the default reporter prints its summary in this one.
    if (lines.length > 0) setImmediate(() => console.log(["Failed:", ...lines, ""].join("\n")));
  }
}

function wordsOf({ message, stacks = [] }: Pick<SerializedError, "message" | "stacks">): string {
  const [said] = stripVTControlCharacters(message).split("\n");
  // For a helper that waits, the test's own line says more.
  const place = stacks.find(({ file }) => file.endsWith(".test.ts")) ?? stacks[0];
  if (place === undefined || !existsSync(place.file)) return said ?? "";
  const code = readFileSync(place.file, "utf8").split("\n")[place.line - 1]?.trim() ?? "";
  return `${said} at ${relative(process.cwd(), place.file)}:${place.line}: ${code}`;
}
