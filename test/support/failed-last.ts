// The last words of a test run: each failed test by file and title, with the first line of its message. The details are above.
import { stripVTControlCharacters } from "node:util";
import type { Reporter, TestModule } from "vitest/node";

export class FailedLast implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) => [
      ...module.errors().map(({ message }) => `${module.relativeModuleId}: ${firstLine(message)}`),
      ...Array.from(
        module.children.allTests("failed"),
        (test) =>
          `${module.relativeModuleId} > ${test.fullName}: ${firstLine(test.result().errors?.[0]?.message ?? "")}`,
      ),
    ]);
    // In the next turn of the event loop: the default reporter prints its summary in this one.
    if (lines.length > 0) setImmediate(() => console.log(["Failed:", ...lines, ""].join("\n")));
  }
}

function firstLine(message: string): string {
  return stripVTControlCharacters(message).split("\n")[0] ?? "";
}
