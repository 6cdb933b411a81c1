// A newcomer's first wait: `almanac local --once` in an empty folder, from start to end, with its own Temporal server and sandbox,
// at the pace that it has there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { temporalExecutable } from "../../test/support/temporal.ts";
import { languageNames } from "../../readings/tables.ts";
import { ourName } from "../nights/contender.ts";
import { spreadOf } from "../rounds.ts";
import { withEnds } from "../../test/support/ends.ts";
import { atMost, type Line, type Measure, type Settings } from "./measure.ts";

const entry = fileURLToPath(new URL("../../scripts/almanac.js", import.meta.url));
const said = z.object({ state: z.string(), planned: z.number(), skipped: z.array(z.unknown()) });

export const localOnce: Measure = {
  name: "local-once",
  about: "`almanac local --once` in an empty folder, all languages and operations; seconds by the clock",
  boundSeconds: 300,
  async run({ rounds = 1, share }): Promise<Line[]> {
    const some = languageNames.slice(0, Math.max(1, Math.round(languageNames.length * share)));
    const figures: number[] = [];
    let planned = 0;
    for (let round = 0; round < rounds; round += 1) {
      const startedMs = performance.now();
      planned = await withEnds((end) => oneNight(some.join(","), end));
      figures.push((performance.now() - startedMs) / 1000);
    }
    const note = `${planned} requests in ${some.length} languages`;
    return [{ what: ourName, unit: "s", digits: 1, figures, note, aim: atMost(spreadOf(figures), 35, " s") }];
  },
};

async function oneNight(languages: string, atEnd: Settings["atEnd"]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-local-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const env = { PATH: process.env["PATH"], HOME: folder, TEMPORAL_CLI_PATH: await temporalExecutable() };
  const words = ["local", "--once", "--json", "--languages", languages];
  const child = spawn(process.execPath, [entry, ...words], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  const stop = () => child.kill("SIGTERM"); // ends the servers that it started too
  process.once("exit", stop);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  process.off("exit", stop);
  if (child.exitCode !== 0) throw new Error(`it ended with ${child.exitCode}: ${stderr.slice(-300)}`);
  const { state, planned, skipped } = said.parse(JSON.parse(stdout));
  if (state !== "done" || skipped.length > 0) throw new Error(`its night ended as ${state}`);
  return planned;
}
