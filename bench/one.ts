// One measure in a separate process, started by bench/run.ts: sends its lines, or its failure. Its child processes end with it,
// even if it is stopped after a timeout.
import { parseArgs } from "node:util";
import { measures } from "./measures/index.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string" }, share: { type: "string", default: "1" } },
});
const measure = measures.find(({ name }) => name === positionals[0]);
const ends: (() => Promise<void>)[] = [];
const alive = setInterval(() => undefined, 1_000); // waiting for a server's end does not keep this process alive

process.once("SIGTERM", () => process.exit(1)); // children that exit with this process do exit
process.once("SIGINT", () => process.exit(1));
process.once("disconnect", () => process.exit(1));
try {
  if (measure === undefined) throw new Error(`there is no measure "${positionals[0]}"`);
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  const atEnd = (end: () => Promise<void>): void => void ends.unshift(end);
  const lines = await measure.run({ rounds, share: Number(values.share), atEnd });
  process.send?.({ lines });
} catch (error) {
  process.send?.({ failure: error instanceof Error ? error.message : String(error) });
} finally {
  for (const end of ends) await end().catch((error: unknown) => console.error(String(error)));
  clearInterval(alive);
  process.disconnect();
}
