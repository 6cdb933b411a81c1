// An operation outside the subscription: tried a few times, reported once, left out for the day, and tried again the next day.
import { expect, test } from "vitest";
import { always } from "../../store/store.ts";
import { catalogue } from "../../readings/catalogue.ts";
import { type ConfigurationInput, configurationSchema } from "../../readings/configuration.schema.ts";
import { addDays } from "../../readings/calendar.ts";
import { signs } from "../../readings/tables.ts";
import { almanac } from "../support/cli.ts";
import { quickService, slots } from "../support/looks.ts";
import { createWorld, type World } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";
import { fileEnd } from "../support/ends.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

const pairs = signs
  .slice(0, 6)
  .flatMap((one) => signs.map((other): [typeof one, typeof other] => [one, other]));
const configuration: ConfigurationInput = {
  languages: ["hi"],
  operations: ["daily-tarot", "wisdom-reading", "love-compatibility"],
  pairs,
  // A set at a time and slowly, so that the run has the first set's answers before all others have begun.
  service: {
    ...quickService,
    ratePerSecond: { english: 100, translator: 10, legacy: 100 },
    concurrency: { ...slots, translator: 4 },
  },
};
const refused = ["love-compatibility", "wisdom-reading"] as const;

/** Since the counts were cleared last. */
async function callsOf(world: World, operation: string): Promise<number> {
  const { byRequest } = await world.sandbox.stats();
  return Object.entries(byRequest)
    .filter(([key]) => key.includes(`/${operation}/`))
    .reduce((sum, [, { calls }]) => sum + calls, 0);
}

/** Dates the vault's record of refusals to the day before. */
async function aDayPasses({ vault: { store } }: World): Promise<void> {
  for (const operation of refused) {
    const path = `refusals/${operation}.json`;
    const stored = await store.read(path);
    const text = new TextDecoder().decode(stored?.body);
    const day = /"day": "([^"]*)"/.exec(text)?.[1] ?? "";
    const body = new TextEncoder().encode(text.replace(day, addDays(day, -1)));
    await store.write(path, body, { type: "application/json" }, always);
  }
}

/** Pairs are requested in sets of at most twelve; those whose season turns later are a set of their own. */
function setSizes(id: string): number[] {
  const wanted = catalogue(configurationSchema.parse({ site: { id }, ...configuration }), new Date());
  const ofPairs = wanted.filter(({ operation }) => operation === "love-compatibility");
  const seasons = Map.groupBy(ofPairs, ({ requests: [first] }) => first?.period);
  return [...seasons.values()].map((own) => Math.min(12, own.length));
}

async function at(world: World, words: string) {
  return almanac(words.split(" "), { env: world.env, cwd: world.folder });
}

test("an operation that refuses every request is tried a few times, reported once, left out for the day, and tried with one set the next day", async () => {
  const world = await createWorld(temporal, configuration, atEnd);
  const { sandbox } = world;
  await sandbox.faults(refused.map((operation) => ({ match: { operation }, fault: "success2" }) as const));
  await world.sharedWorker();

  const first = await (await world.nightly()).result();
  const reason = '"success" is 2, a message: 38 characters';
  expect(first).toMatchObject({ state: "done", broken: {}, skipped: [] });
  const [pairsRefused, cardsRefused] = (first.refused ?? []).toSorted((one, other) =>
    one.operation.localeCompare(other.operation),
  );
  expect(pairsRefused).toMatchObject({ operation: "love-compatibility", languages: ["hi"], reason });
  expect(cardsRefused).toMatchObject({
    operation: "wisdom-reading",
    languages: ["hi"],
    requested: 2,
    notRequested: 0,
  });
  expect((pairsRefused?.requested ?? 0) + (pairsRefused?.notRequested ?? 0)).toBe(pairs.length);
  // However busy the machine is, some sets of pairs are not begun when the first one's answers are in.
  expect(pairsRefused?.requested).toBeLessThan(pairs.length - 12);
  expect(await callsOf(world, "love-compatibility")).toBeLessThan(3 * (pairs.length - 12));
  const status = await at(world, "status --watch");
  expect(status.code).toBe(3);
  expect(status.stdout.match(/not in your subscription/g)).toHaveLength(2);
  expect(status.stdout).not.toContain("/love-compatibility/");

  await sandbox.clearStats();
  const again = await (await world.nightly()).result();
  expect(again).toMatchObject({ state: "done", planned: 0 });
  expect(again.refused).toContainEqual(
    expect.objectContaining({
      operation: "love-compatibility",
      requested: 0,
      notRequested: pairs.length,
      reason,
    }),
  );
  expect((await sandbox.stats()).calls).toBe(0);
  const planned = await at(world, "plan");
  expect(planned.stdout).toMatch(/love-compatibility.*not in your subscription.*72/);

  await aDayPasses(world);
  const next = await (await world.backfill({ languages: ["hi"] })).result();
  const one = next.planned - 1; // without the card
  expect(setSizes(world.id)).toContain(one);
  expect(await callsOf(world, "love-compatibility")).toBe(3 * one);
  expect(next.refused).toContainEqual(
    expect.objectContaining({
      operation: "love-compatibility",
      requested: one,
      notRequested: pairs.length - one,
    }),
  );

  await aDayPasses(world);
  await sandbox.clearFaults();
  await sandbox.clearStats();
  const fixed = await (await world.nightly()).result();
  // Items that this same run skipped earlier wait for a later run, as always.
  expect(fixed).toMatchObject({ state: "done", broken: {}, skipped: [], refused: [] });
  const stored = (await world.held()).filter((key) => key.includes("/love-compatibility/"));
  expect(stored.length).toBeGreaterThan(one);
  expect(await callsOf(world, "love-compatibility")).toBe(stored.length);
});
