// Plans from the vault's contents, and the form in which they travel: pages in the vault, in batches.
import { describe, expect, test } from "vitest";
import { keepLatency } from "../../vault/site-notes.ts";
import type { Dependencies } from "../../activities/dependencies.ts";
import { plan } from "../../activities/plan.ts";
import { planFor, type RunPlanInput } from "../../insight/plan.ts";
import { readPlanPage } from "../../vault/runs.ts";
import { keepRefusals } from "../../vault/call-notes.ts";
import { createVault } from "../../vault/vault.ts";
import { type ConfigurationInput, configurationSchema } from "../../readings/configuration.schema.ts";
import { unpackKeys } from "../../readings/plan-order.ts";
import { requestOf, selectEndpoint } from "../../readings/request.ts";
import type { Batch, EditionPlan, RunPlan } from "../../readings/run-messages.ts";
import { siteLayout } from "../../vault/files.ts";
import { storedResponseOf } from "../support/stored-responses.ts";
import { composed } from "../support/composed.ts";
import { countsWith } from "../support/progress.ts";

const day = "2026-11-21";
const run = `almanac-nightly-${day}`;
const input: RunPlanInput = { run, start: "1", kind: "nightly", request: { asOf: `${day}T03:05:00Z` } };
const tarot = { operation: "daily-tarot", reason: "not subscribed", requested: 2, notRequested: 0 } as const;

function world(configuration: ConfigurationInput = {}) {
  return composed({ configuration: configurationSchema.parse(configuration) }).dependencies;
}

const small = {
  languages: ["en", "hi", "ja"],
  operations: ["daily-tarot", "wisdom-reading"],
} satisfies ConfigurationInput;

/** The pages of an edition's plan, as its workflow reads them. */
async function pagesOf({ plan: name, pages }: EditionPlan, dependencies: Dependencies): Promise<Batch[][]> {
  const all: Batch[][] = [];
  for (let page = 0; page < pages; page += 1) all.push(await readPlanPage(name, page, dependencies.vault));
  return all;
}

async function batchesIn({ editions }: RunPlan, dependencies: Dependencies): Promise<Batch[]> {
  const pages = await Promise.all(editions.map((edition) => pagesOf(edition, dependencies)));
  return pages.flat(2);
}

async function keysIn(made: RunPlan, dependencies: Dependencies): Promise<string[]> {
  return (await batchesIn(made, dependencies)).flatMap(({ keys }) => unpackKeys(keys));
}

function peopleOf(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    id: `reader-${at}`,
    fullName: "Given Family",
    birthDate: "1990-07-05",
  }));
}
const ofPeople = (count: number) =>
  world({ languages: ["en"], operations: ["which-animal-are-you-reading"], people: peopleOf(count) });

test("the plan of a whole first night fits Temporal's size limits, in its result and in each page", async () => {
  const dependencies = world();
  const made = await plan(input, dependencies);
  const keys = await keysIn(made, dependencies);
  expect(keys.length).toBeGreaterThan(5_000);
  expect(new Set(keys).size).toBe(keys.length);
  expect(JSON.stringify(made).length).toBeLessThan(64 * 1024);
  for (const edition of made.editions)
    for (const page of await pagesOf(edition, dependencies))
      expect(JSON.stringify(page).length).toBeLessThan(128 * 1024);
});

test("the plan of 5,000 people takes several pages of the same size, and its result is no larger than that of ten people", async () => {
  const [many, few] = [ofPeople(5_000), ofPeople(10)];
  const [made, little] = [await plan(input, many), await plan(input, few)];
  const [edition] = made.editions;
  expect(edition?.pages).toBeGreaterThan(2);
  expect(JSON.stringify(made).length).toBeLessThan(JSON.stringify(little).length + 20);
  const pages = edition === undefined ? [] : await pagesOf(edition, many);
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(64 * 1024);
  const { due } = await planFor(input, many);
  expect(await keysIn(made, many)).toEqual(due.map(({ key }) => key));
  expect(edition?.tally["which-animal-are-you-reading"]?.planned).toBe(5_000);
});

test("a batch has one group, language and endpoint, and no batch exceeds its window's limit", async () => {
  const dependencies = world({ people: peopleOf(30) });
  const made = await plan(input, dependencies);
  const groups = new Map((await planFor(input, dependencies)).due.map(({ key, group }) => [key, group]));
  for (const edition of made.editions) {
    for (const { keys } of (await pagesOf(edition, dependencies)).flat()) {
      const own = unpackKeys(keys);
      expect(own.length).toBeGreaterThan(0);
      expect(own.length).toBeLessThanOrEqual(edition.window.size);
      expect(new Set(own.map((key) => groups.get(key))).size).toBe(1);
      const requests = own.flatMap((key) => requestOf(key) ?? []);
      expect(new Set(requests.map(({ language }) => language))).toEqual(new Set([edition.language]));
      expect(new Set(requests.map(selectEndpoint)).size).toBe(1);
    }
  }
});

test("batches run the urgent lines of a language first, and have the priority of their first line, in fifths", async () => {
  const dependencies = world({ languages: ["en", "hi"], people: peopleOf(30) });
  const { due } = await planFor(input, dependencies);
  const made = await plan(input, dependencies);
  const fifths = new Map(due.map(({ key }, place) => [key, 1 + Math.floor((place * 5) / due.length)]));
  const seen = new Set<number>();
  for (const edition of made.editions) {
    const batches = (await pagesOf(edition, dependencies)).flat();
    const ofLanguage = due.filter(({ request }) => request.language === edition.language);
    expect(batches.flatMap(({ keys }) => unpackKeys(keys))).toEqual(ofLanguage.map(({ key }) => key));
    for (const { keys, priority } of batches) {
      const [first = 0, ...others] = unpackKeys(keys).map((key) => fifths.get(key) ?? 0);
      expect(priority).toBe(first);
      for (const other of others) expect(other).toBeGreaterThanOrEqual(first);
      seen.add(priority);
    }
  }
  expect(seen).toEqual(new Set([1, 2, 3, 4, 5]));
});

test("a batch with a quarantined response, or of a refused operation, is not fresh; all others are", async () => {
  const dependencies = world(small);
  const { vault } = dependencies;
  const key = `daily/${day}/ja/wisdom-reading/reading`;
  const refused = [{ ...tarot, languages: ["en", "hi", "ja"] as const }];
  await keepRefusals({ run: "last-night", day: "2026-11-20", refused }, vault);
  await vault.quarantine({
    format: 1,
    key,
    type: "Unfit",
    reason: "too short",
    at: `${day}T02:00:00Z`,
    tries: 3,
    address: "https://service.example/api/v2/wisdom-reading",
    run: "last-night",
  });
  const batches = await batchesIn(await plan(input, dependencies), dependencies);
  const isDoubted = (keys: readonly string[]) =>
    keys.some((one) => one === key || one.includes("daily-tarot"));
  for (const { keys, isFresh } of batches) expect(isFresh).toBe(!isDoubted(unpackKeys(keys)));
  expect(new Set(batches.map(({ isFresh }) => isFresh)).size).toBe(2);
});

test("a set is the first of its kind where the vault has nothing of the period before and none of it is asked", async () => {
  const dependencies = world({
    languages: ["en", "hi"],
    operations: ["daily-horoscope", "weekly-horoscope"],
  });
  const stored = storedResponseOf({
    operation: "daily-horoscope",
    language: "hi",
    period: "2026-11-20",
    sign: "leo",
  });
  await dependencies.vault.storeResponse(stored);
  const batches = await batchesIn(await plan(input, dependencies), dependencies);
  const setOf = ({ keys }: Batch) => unpackKeys(keys)[0]?.replace(/\/[^/]*$/, "") ?? "";
  const first = batches.filter(({ isFirst }) => isFirst).map(setOf);
  expect(first.toSorted()).toEqual([
    "daily/2026-11-20/en/daily-horoscope",
    "weekly/2026-11-15/en/weekly-horoscope",
    "weekly/2026-11-15/hi/weekly-horoscope",
  ]);
  expect(batches.map(setOf)).toEqual(
    expect.arrayContaining(["daily/2026-11-21/en/daily-horoscope", "daily/2026-11-21/hi/daily-horoscope"]),
  );
});

describe("an edition's date at a week's end, when next week's readings are due", () => {
  const configuration = {
    languages: ["en", "hi"],
    operations: ["daily-horoscope", "weekly-horoscope"],
    zones: {},
  } satisfies ConfigurationInput;
  const datesFor = async (kind: RunPlanInput["kind"], request: RunPlanInput["request"]) => {
    const dependencies = world(configuration);
    const made = await plan({ run: "a-run", start: "1", kind, request }, dependencies);
    const keys = await keysIn(made, dependencies);
    expect(keys).toContain("weekly/2026-11-22/hi/weekly-horoscope/leo");
    return Object.fromEntries(made.editions.map(({ language, date }) => [language, date]));
  };

  test.each([
    ["Friday's schedule", "2026-11-20T03:05:00Z", { en: "2026-11-20", hi: "2026-11-21" }],
    ["Saturday's schedule", "2026-11-21T03:05:00Z", { en: "2026-11-21", hi: "2026-11-22" }],
    ["Friday's evening in UTC", "2026-11-20T20:00:00Z", { en: "2026-11-21", hi: "2026-11-22" }],
    ["the last minute of Friday in India", "2026-11-20T18:29:00Z", { en: "2026-11-21", hi: "2026-11-21" }],
  ])("in a night is the date that begins at its language's next midnight: %s", async (_, asOf, dates) => {
    expect(await datesFor("nightly", { asOf })).toEqual(dates);
  });

  test.each([
    ["today without dates", {}, { en: "2026-11-19", hi: "2026-11-20" }],
    [
      "the first date that is named",
      { from: "2026-11-18", to: "2026-11-22" },
      { en: "2026-11-18", hi: "2026-11-18" },
    ],
    [
      "yesterday if only the last date is named",
      { to: "2026-11-22" },
      { en: "2026-11-18", hi: "2026-11-19" },
    ],
  ])("in a backfill is %s", async (_, dates, named) => {
    expect(await datesFor("backfill", { asOf: "2026-11-20T03:05:00Z", ...dates })).toEqual(named);
  });
});

test("a repeated plan, as after a lost response, replaces its own pages and no other run's", async () => {
  const dependencies = ofPeople(30);
  const once = await plan(input, dependencies);
  const again = await plan(input, dependencies);
  expect(again).toEqual(once);
  expect(await keysIn(again, dependencies)).toHaveLength(30);
  const rest = await plan({ ...input, start: "1-rest" }, dependencies);
  expect(rest.editions[0]?.plan).not.toBe(once.editions[0]?.plan);
});

test("a missing page is named, with the remedy", async () => {
  const dependencies = ofPeople(1);
  const [edition] = (await plan(input, dependencies)).editions;
  const name = edition?.plan ?? "";
  await dependencies.vault.own.remove([siteLayout.planPage(name, 0)]);
  await expect(readPlanPage(name, 0, dependencies.vault)).rejects.toThrow(/plans\/.*Start the run again/);
});

test("response times are estimated from earlier runs if these had enough responses", async () => {
  const dependencies = world(small);
  const latencies = async () => {
    const { endpoints } = (await planFor(input, dependencies)).forecast;
    return endpoints.map(({ endpoint, latencyMs }) => [endpoint, latencyMs]);
  };
  const counts = (stored: number, answerMs: number) => ({
    "daily-tarot": countsWith({ planned: stored, stored, answerMs }),
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

test("an operation that was refused earlier in the day is left out, in the refused languages, with the reason", async () => {
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
      requested: 0,
      notRequested: 4,
      probe: 0,
    },
  ]);
  const tarots = made.due.filter(({ request }) => request.operation === "daily-tarot");
  expect(tarots.map(({ request }) => request.language)).toEqual(["en", "en"]);
  expect(made.refused).toHaveLength(4);
  expect(new Set(made.refused.map(({ reason }) => reason))).toEqual(new Set(["refused"]));
  expect(made.due.filter(({ request }) => request.operation === "wisdom-reading")).toHaveLength(6);
});

test("on the next day, one set of a refused operation is requested, and the rest waits for it", async () => {
  const dependencies = world(small);
  const refused = [{ ...tarot, languages: ["en", "hi", "ja"] as const }];
  await keepRefusals({ run: "last-night", day: "2026-11-20", refused }, dependencies.vault);
  const made = await planFor(input, dependencies);
  expect(made.due.filter(({ request }) => request.operation === "daily-tarot")).toHaveLength(1);
  expect(made.refusals).toMatchObject([{ operation: "daily-tarot", probe: 1, notRequested: 5 }]);
});

test("an accepted response to any of its requests, or an operator's retry, ends a refusal at once", async () => {
  const dependencies = world(small);
  await keepRefusals({ run, day, refused: [{ ...tarot, languages: ["hi"] }] }, dependencies.vault);
  await dependencies.vault.release("daily/2026-11-21/hi/wisdom-reading/reading");
  expect((await planFor(input, dependencies)).refusals).toHaveLength(1);
  await dependencies.vault.release("daily/2026-11-21/hi/daily-tarot/reading");
  expect((await planFor(input, dependencies)).refusals).toEqual([]);
});

test("refusals of two runs of a day in different languages are both remembered", async () => {
  const { vault } = world();
  const refused = (language: "hi" | "ja") => [{ ...tarot, languages: [language] }];
  await Promise.all([
    keepRefusals({ run: "one", day, refused: refused("hi") }, vault),
    keepRefusals({ run: "other", day, refused: refused("ja") }, vault),
  ]);
  const [stored] = (await planFor(input, world(small))).refusals;
  expect(stored).toBeUndefined();
  const both = await planFor(input, { ...world(small), vault: createVault(vault.store, "almanac") });
  expect(both.refusals).toMatchObject([{ languages: ["hi", "ja"], notRequested: 4 }]);
});

test("only operations without any response in this run are remembered as refused", async () => {
  const dependencies = world(small);
  await keepRefusals(
    { run, day, refused: [{ ...tarot, languages: ["hi"], requested: 0 }] },
    dependencies.vault,
  );
  expect((await planFor(input, dependencies)).refusals).toEqual([]);
});

test("a night and a backfill that are planned at the same time stay under the daily ceiling together", async () => {
  const dependencies = world({ ...small, service: { callsPerDay: 5 } });
  const beside: RunPlanInput = { ...input, kind: "backfill", run: `almanac-backfill-${day}-all`, start: "2" };
  const plans = await Promise.all([plan(input, dependencies), plan(beside, dependencies)]);
  const keys = await Promise.all(plans.map((made) => keysIn(made, dependencies)));
  expect(keys.map(({ length }) => length).toSorted((one, other) => one - other)).toEqual([0, 5]);
  expect(plans.reduce((sum, { leftOut }) => sum + leftOut, 0)).toBe(12 + 7);
});
