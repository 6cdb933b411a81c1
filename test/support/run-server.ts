// Servers that all processes of a test run share: the first process that needs one starts it, and it ends with the run.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { holdLock } from "../../store/lock.ts";

const startMs = 120_000;

/** Id of the run's own process, with which its servers end; undefined in a script. */
export function runProcess(): number | undefined {
  const pid = process.env["ALMANAC_TEST_PID"];
  return pid === undefined ? undefined : Number(pid);
}

/** Returns the value of the process that started the server of this name. */
export async function startedOnce<Place>(
  name: string,
  schema: z.ZodType<Place>,
  start: () => Promise<Place>,
): Promise<Place> {
  const folder = process.env["ALMANAC_TEST_RUN"];
  if (folder === undefined) throw new Error("no test run is under way: ALMANAC_TEST_RUN is not set");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.json`);
  using _held = await holdLock(join(folder, `${name}.lock`), startMs);
  if (existsSync(path)) return schema.parse(JSON.parse(readFileSync(path, "utf8")));
  const place = await start();
  writeFileSync(path, JSON.stringify(place));
  return place;
}
