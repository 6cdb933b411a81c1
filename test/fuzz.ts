// `npm run fuzz -- [--count 1000000] [--seed N]`: a million mutated answers, none of which may crash or mislead.
import { parseArgs } from "node:util";
import { fuzz, type FuzzCounts } from "./support/fuzz.ts";

const { values } = parseArgs({ options: { count: { type: "string" }, seed: { type: "string" } } });
const count = Number(values.count ?? 1_000_000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const batch = 20_000;

console.log(`seed ${seed}, ${count} mutations`);
const total: FuzzCounts = { runs: 0, readings: 0, failures: {} };
const startedAt = performance.now();
for (let done = 0; done < count; done += batch) {
  const counts = fuzz(Math.min(batch, count - done), seed + done / batch);
  total.runs += counts.runs;
  total.readings += counts.readings;
  for (const [type, number] of Object.entries(counts.failures)) {
    total.failures[type] = (total.failures[type] ?? 0) + number;
  }
  if (process.stderr.isTTY) process.stderr.write(`\r${total.runs} of ${count}`);
}
console.log(total, `${Math.round((performance.now() - startedAt) / 1000)} s`);
