// Runs one seed and, on failure, prints the command that repeats it.
import { seededRandom } from "../../../packages/sandbox/random.ts";
import { fill } from "../../support/stores.ts";
import { Days, type DaysInput } from "./days.ts";
import { foundationFor, themeOf } from "./foundation.ts";
import type { Marks } from "./marks.ts";

export interface Played {
  readonly steps: number;
  readonly marks: Marks;
  /** Trace of the scheduled tasks, their actions, and the faults that struck them. */
  readonly trace: readonly string[];
}

const lastLines = Number(process.env["ALMANAC_TEST_TRACE"] ?? 30);

export async function play(seed: number, { open }: Pick<DaysInput, "open"> = {}): Promise<Played> {
  const theme = themeOf(seed);
  const { snapshot, texts } = await foundationFor(theme);
  const days = new Days({ theme, random: seededRandom(seed), texts: new Map(texts), open });
  const { stage, marks } = days.world;
  await fill(days.stores, snapshot);
  try {
    await days.play();
  } catch (error) {
    const seen = error instanceof Error ? error.stack : String(error);
    const last = stage.trace.slice(-lastLines).join("\n");
    throw new Error(
      `ALMANAC_TEST_SEED=${seed} plays it again (${days.about}; ALMANAC_TEST_TRACE=500 shows more): ${seen}\n${last}`,
      { cause: error },
    );
  }
  return { steps: stage.steps, marks, trace: stage.trace };
}
