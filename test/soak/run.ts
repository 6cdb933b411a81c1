// `npm run soak`: thirty nights on a real Temporal server with real workers, over every turn of the calendar, with random faults of
// service, stores and workers. Prints a line per night, then its figures; fails if a check failed. `--nights 3` runs only the first
// ones, `--seed N` repeats the same faults.
import { copyFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { createWorld } from "../support/night.ts";
import { temporalForTests } from "../support/temporal.ts";
import { originOf } from "./calls.ts";
import { Crew } from "./crew.ts";
import { headLine, nightLine, summary, verdictOf } from "./figures.ts";
import { liveThrough, type NightFigures, onceMore } from "./night.ts";
import { nights as allNights, startOf } from "./nights.ts";
import { planTroubles } from "./plan.ts";
import { rehearse } from "./rehearsal.ts";
import { signingKey, siteInput } from "./site.ts";
import { sizesOf } from "./sizes.ts";
import { type AtEnd, withEnds } from "../support/ends.ts";

/** The workers are there before the first night begins, by their own clock. */
const beforeFirstMs = 3_600_000;
const usage = "usage: npm run soak -- [--nights 1..30] [--seed N]";

function wishes(): { readonly dates: readonly string[]; readonly seed: number } {
  const { values } = parseArgs({ options: { nights: { type: "string" }, seed: { type: "string" } } });
  const count = Number(values.nights ?? allNights.length);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const isRight = Number.isInteger(count) && count >= 1 && count <= allNights.length;
  if (!isRight || !Number.isInteger(seed) || seed < 0) throw new Error(usage);
  return { dates: allNights.slice(0, count), seed };
}

async function soak(atEnd: AtEnd): Promise<boolean> {
  const { dates, seed } = wishes();
  const [first = ""] = dates;
  const beganMs = performance.now();
  const world = await createWorld(await temporalForTests({}, atEnd), siteInput, atEnd);
  const configuration = configurationSchema.parse({ ...siteInput, site: { id: world.id } });
  console.log(`seed ${seed}, ${dates.length} nights; the workers log to ${world.folder}/worker.log`);
  const prediction = await rehearse(configuration, dates);

  const tokenFile = join(world.folder, "token");
  await writeFile(tokenFile, world.sandbox.token);
  delete world.env["READING_SERVICE_TOKEN"];
  world.env["READING_SERVICE_TOKEN_FILE"] = tokenFile;
  world.env["ALMANAC_SIGNING_KEY"] = signingKey;
  await world.sandbox.options({ seed });
  const latency = { fixedMs: 60, jitterMs: 120 };
  await world.sandbox.latency({ english: latency, translator: latency, legacy: latency });
  const originMs = await originOf(world);
  const crew = await Crew.start(world, new Date(startOf(first).getTime() - beforeFirstMs));
  atEnd(() => crew.end());
  const stage = { world, crew, configuration, tokenFile, originMs };

  const problems: string[] = [];
  const lived: NightFigures[] = [];
  try {
    console.log(headLine);
    const troubles = planTroubles(seed, dates.length, configuration.languages);
    const sayOf = (date: string) => (problem: string) => {
      problems.push(`${date}: ${problem}`);
      console.log(`  ${problem}`);
    };
    for (const [index, date] of dates.entries()) {
      const trouble = troubles[index];
      if (trouble === undefined) continue;
      const say = sayOf(date);
      const before = lived.at(-1)?.left ?? { paths: new Set<string>(), lacking: [] };
      const expected = prediction.requests[index] ?? 0;
      const figures = await liveThrough(date, dates[index + 1], trouble, expected, before, stage, say);
      lived.push(figures);
      console.log(nightLine(date, figures));
    }
    const last = dates.at(-1) ?? first;
    await onceMore(last, stage, sayOf(last));
    const sizes = await sizesOf(world.vault.store, world.site);
    problems.push(...(await verdictOf(world, lived, prediction, sizes)));
    console.log(summary(seed, lived, prediction, sizes, performance.now() - beganMs));
  } catch (error) {
    problems.push(`it broke off: ${String(error)}`);
  }
  return tell(problems, seed, world.folder);
}

async function tell(problems: readonly string[], seed: number, folder: string): Promise<boolean> {
  if (problems.length === 0) {
    console.log("everything held");
    return true;
  }
  const log = join(tmpdir(), `almanac-soak-${seed}.log`);
  await copyFile(join(folder, "worker.log"), log).catch(() => undefined);
  console.log(`\n${problems.length} did not hold (--seed ${seed} plays the plan again; the log is ${log}):`);
  for (const problem of problems.slice(0, 50)) console.log(`  ${problem}`);
  return false;
}

process.once("SIGINT", () => process.exit(130)); // children that exit with this process do exit
try {
  if (!(await withEnds(soak))) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
