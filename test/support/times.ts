// The processor time of each test file with its child processes. `npm run test:times` prints it as a table; Linux only.
import { appendFileSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, expect } from "vitest";
import type { Reporter } from "vitest/node";
import { z } from "zod";

/** Set by `npm run test:times`. */
export const measuresTimes = process.env["ALMANAC_TEST_TIMES"] !== undefined;
const ticksPerSecond = 100;
const measured = z.object({ file: z.string(), processor: z.number(), wall: z.number() });
const timesIn = (runFolder: string): string => join(runFolder, "times.jsonl");

/** Call it before each test file. Processes that several files share count for the file that is running. */
export function measureFile(runFolder: string): void {
  const before = { processor: processorSeconds(), wall: performance.now() / 1000 };
  afterAll(() => {
    const line: z.infer<typeof measured> = {
      file: relative(process.cwd(), expect.getState().testPath ?? ""),
      processor: processorSeconds() - before.processor,
      wall: performance.now() / 1000 - before.wall,
    };
    mkdirSync(runFolder, { recursive: true });
    appendFileSync(timesIn(runFolder), `${JSON.stringify(line)}\n`);
  });
}

/** Prints the table after the run, with the most processor time first. */
export class Times implements Reporter {
  readonly #runFolder: string;

  constructor(runFolder: string) {
    this.#runFolder = runFolder;
  }

  onTestRunEnd(): void {
    const lines = textOf(timesIn(this.#runFolder)).trim().split("\n");
    const files = lines.map((line) => measured.parse(JSON.parse(line)));
    files.sort((one, other) => other.processor - one.processor);
    const all = { file: "all files", processor: 0, wall: 0 };
    for (const { processor, wall } of files) {
      all.processor += processor;
      all.wall += wall;
    }
    const rows = [...files, all].map(
      ({ file, processor, wall }) => `${shown(processor)} ${shown(wall)}  ${file}`,
    );
    // On the next turn of the event loop, because the default reporter prints its summary in this one.
    setImmediate(() => console.log(["seconds of processor, wall time", ...rows, ""].join("\n")));
  }
}

/** The time of this process and of its descendants, including those that have ended. */
function processorSeconds(): number {
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const path of globSync("/proc/[0-9]*/stat")) {
    const text = textOf(path);
    const pid = Number(path.split("/")[2]);
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    parents.set(pid, Number(fields[1]));
    ticks.set(
      pid,
      fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
    );
  }
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isOurs(parents.get(pid)));
  let own = 0;
  for (const [pid, count] of ticks) if (isOurs(pid)) own += count;
  return own / ticksPerSecond;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // the process has just ended
  }
}

function shown(seconds: number): string {
  return seconds.toFixed(1).padStart(7);
}
