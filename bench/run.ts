// `npm run bench [-- names] [--rounds N] [--share 0.1] [--json file] [--picture file]`: measures Almanac against its alternatives,
// prints one table, and writes it as JSON and as a picture. `npm run bench:long` measures growth too. A measurement: a failed
// measure is printed as failed, the rest continues, and it exits 0, whether targets are met or not.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { measures } from "./measures/index.ts";
import { lineSchema, type Measure, type Outcome } from "./measures/measure.ts";
import { picture } from "./picture.ts";
import { head, type Results, tableOf, verdictOn } from "./table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: "boolean", default: false },
    rounds: { type: "string" },
    share: { type: "string", default: "1" },
    json: { type: "string", default: ".almanac/bench.json" },
    picture: { type: "string", default: ".almanac/bench.svg" },
  },
});

const answer = z.union([z.object({ lines: z.array(lineSchema) }), z.object({ failure: z.string() })]);
/** Time for a measure's child processes to end before they are killed. */
const endingMs = 15_000;

async function outcomeOf({ name, about, boundSeconds }: Measure): Promise<Outcome> {
  const startedMs = performance.now();
  const flags = [
    "--share",
    values.share,
    ...(values.rounds === undefined ? [] : ["--rounds", values.rounds]),
  ];
  const child = fork(fileURLToPath(new URL("one.ts", import.meta.url)), [name, ...flags]);
  const exited = once(child, "exit");
  let said: z.infer<typeof answer> | undefined;
  let isLate = false;
  child.on("message", (message) => {
    const { success, data, error } = answer.safeParse(message);
    said = success ? data : { failure: z.prettifyError(error) }; // an invalid figure must not end other measures
  });
  const end = (): void => {
    isLate = said === undefined;
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), endingMs).unref();
  };
  const timer = setTimeout(end, boundSeconds * 1000);
  const [code] = await exited;
  clearTimeout(timer);
  const base = { name, about, seconds: (performance.now() - startedMs) / 1000 };
  if (said !== undefined && "lines" in said) return { ...base, state: "measured", lines: said.lines };
  const failure =
    said?.failure ?? (isLate ? `not done after ${boundSeconds} s` : `it ended with ${String(code)}`);
  return { ...base, state: isLate ? "out of time" : "failed", lines: [], failure };
}

function wanted(): Measure[] {
  const unknown = positionals.find((word) => !measures.some(({ name }) => name.startsWith(word)));
  if (unknown !== undefined) {
    const names = measures.map(({ name }) => name).join(", ");
    throw new Error(`there is no measure "${unknown}": there are ${names}`);
  }
  if (positionals.length === 0)
    return measures.filter(({ long, named }) => named !== true && (values.long || long !== true));
  return measures.filter(({ name }) => positionals.some((word) => name.startsWith(word)));
}

function results(outcomes: readonly Outcome[]): Results {
  return {
    format: 1,
    measuredAt: new Date().toISOString(),
    node: process.version,
    machine: {
      cores: availableParallelism(),
      model: cpus()[0]?.model ?? "",
      memoryGb: Math.round(totalmem() / 1e9),
    },
    share: Number(values.share),
    outcomes: [...outcomes],
  };
}

function keep(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

process.once("SIGINT", () => process.exit(130));
const outcomes: Outcome[] = [];
console.log(head(results([])));
for (const measure of wanted()) {
  const outcome = await outcomeOf(measure);
  outcomes.push(outcome);
  console.log(tableOf(outcome)); // prints each outcome at once: the whole run takes minutes
}
const all = results(outcomes);
keep(values.json, `${JSON.stringify(all, null, 1)}\n`);
keep(values.picture, picture(all));
const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0);
console.log(`\n${verdictOn(outcomes)}`);
console.log(`\n${(seconds / 60).toFixed(1)} minutes in all; kept in ${values.json} and ${values.picture}`);
