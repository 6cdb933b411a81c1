// What a plan makes of the vault, and in what form it travels.
import { expect, test } from "vitest";
import { keepLatency } from "../../vault/latency.ts";
import { plan } from "../../activities/plan.ts";
import { planFor, type RunPlanInput } from "../../foresight/plan.ts";
import { keepRefusals } from "../../vault/refusals.ts";
import { createVault } from "../../vault/vault.ts";
import { type ConfigurationInput, configurationSchema } from "../../readings/configuration.schema.ts";
import { unpackKeys } from "../../readings/key-list.ts";
import { bandsLeft, prioritiesOf } from "../../readings/priorities.ts";
import { composed } from "../support/composed.ts";
import { countsWith } from "../support/progress.ts";

const day = "2026-11-21";
const run = `almanac-nightly-${day}`;
const input: RunPlanInput = { run, start: "1", kind: "nightly", request: { asOf: `${day}T03:05:00Z` } };
const tarot = { operation: "daily-tarot", reason: "not subscribed", asked: 2, notAsked: 0 } as const;

function world(configuration: ConfigurationInput = {}) {
  return composed({ configuration: configurationSchema.parse(configuration) }).dependencies;
}

const small = {
  languages: ["en", "hi", "ja"],
  operations: ["daily-tarot", "wisdom-reading"],
} satisfies ConfigurationInput;

test("the plan of a whole first night is small enough for Temporal", async () => {
  const made = await plan(input, world());
  const keys = made.editions.flatMap((edition) => unpackKeys(edition.keys));
  expect(keys.length).toBeGreaterThan(5_000);
  expect(new Set(keys).size).toBe(keys.length);
  expect(JSON.stringify(made).length).toBeLessThan(128 * 1024);
});

test("an edition's priorities are the plan's order in fifths, also of what is left of it", async () => {
  const dependencies = world({ languages: ["en", "hi"] });
  const { due } = await planFor(input, dependencies);
  const { editions } = await plan(input, dependencies);
  const priorities = new Map(
    editions.flatMap(({ keys, bands }) => {
      const all = unpackKeys(keys);
      const half = all.slice(all.length / 2);
      const [ofAll, ofHalf] = [prioritiesOf(all, bands), prioritiesOf(half, bandsLeft(bands, half.length))];
      for (const key of half) expect(ofHalf(key)).toBe(ofAll(key));
      return all.map((key) => [key, ofAll(key)] as const);
    }),
  );
  expect(due.map(({ key }) => priorities.get(key))).toEqual(
    due.map((_, place) => 1 + Math.floor((place * 5) / due.length)),
  );
});

test("answers are taken for as long as they took in the runs before, where there were enough of them", async () => {
  const dependencies = world(small);
  const latencies = async () => {
    const { addresses } = (await planFor(input, dependencies)).forecast;
    return addresses.map(({ address, latencyMs }) => [address, latencyMs]);
  };
  const counts = (kept: number, answerMs: number) => ({
    "daily-tarot": countsWith({ planned: kept, kept, answerMs }),
  });
  expect(await latencies()).toEqual([
    ["english", 1_000],
    ["translator", 27_000],
  ]);
  const languages = { en: counts(11, 22_000), hi: counts(6, 60_000), ja: counts(6, 120_003) };
  await keepLatency({ languages }, dependencies.vault);
  expect(await latencies()).toEqual([
    ["english", 1_000],
    ["translator", 15_001],
  ]);
  await keepLatency({ languages: { en: counts(12, 24_000), hi: counts(0, 0) } }, dependencies.vault);
  expect(await latencies()).toEqual([
    ["english", 2_000],
    ["translator", 15_001],
  ]);
});

test("what was refused alike earlier in the day is left out, in the languages that were refused, with the reason", async () => {
  const dependencies = world(small);
  await keepRefusals(
    { run: "an-earlier-run", day, refused: [{ ...tarot, languages: ["hi", "ja"] }] },
    dependencies.vault,
  );
  const made = await planFor(input, dependencies);
  expect(made.refusals).toEqual([
    {
      operation: "daily-tarot",
      reason: "not subscribed",
      languages: ["hi", "ja"],
      asked: 0,
      notAsked: 4,
      probe: 0,
    },
  ]);
  const tarots = made.due.filter(({ request }) => request.operation === "daily-tarot");
  expect(tarots.map(({ request }) => request.language)).toEqual(["en", "en"]);
  expect(made.refused).toHaveLength(4);
  expect(new Set(made.refused.map(({ reason }) => reason))).toEqual(new Set(["refused"]));
  expect(made.due.filter(({ request }) => request.operation === "wisdom-reading")).toHaveLength(6);
});

test("on the next day one sheet of it is asked, and the rest waits for that", async () => {
  const dependencies = world(small);
  const refused = [{ ...tarot, languages: ["en", "hi", "ja"] as const }];
  await keepRefusals({ run: "last-night", day: "2026-11-20", refused }, dependencies.vault);
  const made = await planFor(input, dependencies);
  expect(made.due.filter(({ request }) => request.operation === "daily-tarot")).toHaveLength(1);
  expect(made.refusals).toMatchObject([{ operation: "daily-tarot", probe: 1, notAsked: 5 }]);
});

test("an answer to any of its requests, or an operator who wants one asked again, ends a refusal at once", async () => {
  const dependencies = world(small);
  await keepRefusals({ run, day, refused: [{ ...tarot, languages: ["hi"] }] }, dependencies.vault);
  await dependencies.vault.release("daily/2026-11-21/hi/wisdom-reading/reading");
  expect((await planFor(input, dependencies)).refusals).toHaveLength(1);
  await dependencies.vault.release("daily/2026-11-21/hi/daily-tarot/reading");
  expect((await planFor(input, dependencies)).refusals).toEqual([]);
});

test("two runs of a day that are refused in different languages are both remembered", async () => {
  const { vault } = world();
  const refused = (language: "hi" | "ja") => [{ ...tarot, languages: [language] }];
  await Promise.all([
    keepRefusals({ run: "one", day, refused: refused("hi") }, vault),
    keepRefusals({ run: "other", day, refused: refused("ja") }, vault),
  ]);
  const [kept] = (await planFor(input, world(small))).refusals;
  expect(kept).toBeUndefined();
  const both = await planFor(input, { ...world(small), vault: createVault(vault.store) });
  expect(both.refusals).toMatchObject([{ languages: ["hi", "ja"], notAsked: 4 }]);
});

test("what was refused in this run for want of an answer, and nothing else, is remembered", async () => {
  const dependencies = world(small);
  await keepRefusals({ run, day, refused: [{ ...tarot, languages: ["hi"], asked: 0 }] }, dependencies.vault);
  expect((await planFor(input, dependencies)).refusals).toEqual([]);
});

test("a night and a backfill that are planned at once stay under the day's ceiling together", async () => {
  const dependencies = world({ ...small, service: { callsPerDay: 5 } });
  const beside: RunPlanInput = { ...input, kind: "backfill", run: `almanac-backfill-${day}-all`, start: "2" };
  const plans = await Promise.all([plan(input, dependencies), plan(beside, dependencies)]);
  const keys = plans.map(({ editions }) => editions.flatMap((edition) => unpackKeys(edition.keys)));
  expect(keys.map(({ length }) => length).toSorted((one, other) => one - other)).toEqual([0, 5]);
  expect(plans.reduce((sum, { leftOut }) => sum + leftOut, 0)).toBe(12 + 7);
});
