// Random sequences of an operator's commands: after each step its output is true. A failing sequence is shrunk, and printed with
// the seed that repeats it (ALMANAC_TEST_SEED).
import fc from "fast-check";
import { test } from "vitest";
import { deep } from "../support/deep.ts";
import { type Desk, openDesk } from "./support/desk.ts";
import { momentOf, playedWords, requireBack, requireToday, requireTrue, Untrue } from "./support/promises.ts";
import { openTypedDesk } from "./support/typed-desk.ts";
import { sequences, type Step, wordsOf } from "./support/steps.ts";

/** The 35 sequences of this seed have 117 ordered pairs of kinds of steps; 100 of seed 1 have 115. */
const usualSeed = 42_921;
const given = process.env["ALMANAC_TEST_SEED"];
const count = deep ? 2_000 : 35;

async function play(steps: readonly Step[], desk: Desk): Promise<void> {
  const played: string[] = [];
  try {
    let moment = await momentOf(desk);
    for (const step of steps) {
      const done = await desk.do(step);
      played.push(playedWords(step, done));
      moment = await requireTrue(step, done, moment, desk);
    }
    await requireThaw(desk, played);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Untrue(`${error.message}\n${played.join("\n")}`, { cause: error });
  }
}

/** In the end, the commands that status names restore all that rollbacks took back, and the next night publishes its date. */
async function requireThaw(desk: Desk, played: string[]): Promise<void> {
  for (const { pin } of await desk.status()) {
    const own = (await desk.status()).find((one) => one.pin.language === pin.language);
    if (own === undefined || !desk.languages.includes(pin.language)) continue;
    const [, from] =
      /`almanac render --languages \w+(?: --from (\S+))?` removes the pin and publishes the readings/.exec(
        own.remedy,
      ) ?? [];
    played.push(`> ${own.remedy}`, (await desk.render([pin.language], from)).text);
    await requireBack(own.pin, await momentOf(desk), desk);
  }
  let moment = await momentOf(desk);
  for (const step of [{ kind: "day" }, { kind: "night", brings: "nothing" }] as const) {
    const done = await desk.do(step);
    played.push(playedWords(step, done));
    moment = await requireTrue(step, done, moment, desk);
  }
  for (const language of desk.languages) await requireToday(language, true, moment, desk);
}

test(
  `whatever an operator types, what is printed is true: ${count} sequences`,
  { timeout: 3_600_000 },
  async () => {
    const seed = Number(given ?? (deep ? Math.floor(Math.random() * 2 ** 31) : usualSeed));
    const begun = process.cpuUsage();
    await fc.assert(
      fc.asyncProperty(sequences, async (steps) => play(steps, await openDesk())),
      { numRuns: count, seed, endOnFailure: false },
    );
    const { user, system } = process.cpuUsage(begun);
    console.log(
      `operator: seed ${seed}, ${count} sequences, ${Math.round((user + system) / 1e6)} s of processor time`,
    );
  },
);

/** Each is a separate test, whose folders are removed at its end. The four sequences of this seed contain all thirteen kinds of steps. */
const typed = fc.sample(sequences, { numRuns: 4, seed: 1291 });

test.each(typed.map((steps) => [steps.map(wordsOf).join(", "), steps] as const))(
  "typed: %s",
  { timeout: 600_000 },
  async (_, steps) => {
    await play(steps, await openTypedDesk());
  },
);
