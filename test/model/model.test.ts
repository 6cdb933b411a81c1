// Randomized model: some days of a site with all kinds of faults, checked against the promises (support/reference.ts has the
// promises, support/days.ts the events). A failing seed is printed, and can be repeated. A run that misses one of the rare branches
// (support/marks.ts) fails.
import { afterEach, beforeEach, expect, test } from "vitest";
import { deep } from "../support/deep.ts";
import { branches, isBranch, Marks } from "./support/marks.ts";
import { holdTime, letTimeGo } from "./support/played-time.ts";
import { play } from "./support/play.ts";

/** One seed, or several: `1-500`. */
const given = process.env["ALMANAC_TEST_SEED"];
const count = deep ? 10_000 : 20;
const mostFailures = 5;

beforeEach(holdTime);
afterEach(letTimeGo);

/** Branches that the first twenty seeds reach. */
const often = new Set(Object.entries(branches).flatMap(([name, one]) => ("isOften" in one ? [name] : [])));

test(
  `whatever fails, what is promised holds, and the night ends: ${given === undefined ? `${count} seeds` : "the given seeds"}`,
  { timeout: 3_600_000 },
  async () => {
    const [from, to = from] = given?.split("-").map(Number) ?? [];
    const first = from ?? (deep ? Math.floor(Math.random() * 2 ** 31) : 1);
    const last = to === undefined ? first + count : to + 1;
    const reached = new Marks();
    const begunMs = Date.now();
    const failures: unknown[] = [];
    let steps = 0;
    for (let seed = first; seed < last; seed += 1) {
      try {
        const played = await play(seed);
        reached.add(played.marks);
        steps += played.steps;
      } catch (error) {
        failures.push(error);
        if (failures.length === mostFailures) break;
      }
    }
    const seconds = Math.round((Date.now() - begunMs) / 1000);
    const names = Object.keys(branches).filter(isBranch);
    console.log(`model: seeds ${first} to ${last - 1}, ${steps} steps, ${seconds} s`);
    if (last - first > 100)
      console.log(names.map((name) => `${String(reached.of(name)).padStart(8)} ${name}`).join("\n"));
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join("\n\n"));
    if (given !== undefined) return;
    const missed = names.filter((name) => reached.of(name) === 0 && (deep || often.has(name)));
    expect(missed).toEqual([]);
  },
);

test("a seed gives the same run each time, and different seeds give different runs", async () => {
  const [one, same, other] = [await play(1), await play(1), await play(2)];
  expect(linesOf(same)).toEqual(linesOf(one));
  expect(linesOf(other)).not.toEqual(linesOf(one));
});

/** Ids that are drawn, and hashes over them, left out. */
function linesOf({ trace }: { readonly trace: readonly string[] }): string[] {
  return trace.map((line) =>
    line.replaceAll(/[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f-]{27}|(?<=~)[0-9a-f]{16}/g, "id"),
  );
}
