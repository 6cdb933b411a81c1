import { expect, test } from "vitest";
import { z } from "zod";
import { always } from "../../store/store.ts";
import { pointerPath } from "../../publish/state/state.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { type Language, languageNames } from "../../readings/tables.ts";
import { almanac } from "../support/cli.ts";
import { deep } from "../support/deep.ts";
import { responsesIn, moveClock, pathsOn, quickService } from "../support/looks.ts";
import { countsIn, createWorld, type World } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";
import { fileEnd } from "../support/ends.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

const out: readonly Language[] = ["ru", "pt"];
const some: readonly Language[] = ["es", ...out];
const progress = z.object({
  state: z.string(),
  skipped: z.array(z.object({ key: z.string(), type: z.string(), reason: z.string() })),
  broken: z.record(z.string(), z.string()),
});

/** The first and the last call for a text of this sign, where there were two. */
async function askedTwice(world: World, language: Language, sign: string) {
  const { byRequest } = await world.sandbox.stats();
  const twice = Object.entries(byRequest).filter(
    ([key, { calls }]) => key.endsWith(`/${language}/daily-horoscope/${sign}`) && calls === 2,
  );
  expect(twice).toHaveLength(1);
  const [key = "", { firstMs, lastMs } = { firstMs: 0, lastMs: 0 }] = twice[0] ?? [];
  return { key, waitedMs: lastMs - firstMs };
}

test.concurrent("an outage of two languages leaves the others published at the run's deadline, with exit code 3; a 429 is waited out as long as told", async () => {
  const languages = deep ? languageNames : some;
  const configuration: ConfigurationInput = {
    languages: [...languages],
    operations: ["daily-horoscope", "ex-flame-reading"], // the latter for Gujarati, which has no horoscope
    service: quickService,
    schedule: { deadlineHours: deep ? 0.05 : 0.02 },
  };
  const world = await createWorld(temporal, configuration, atEnd);
  const until = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 15_000);
  const daily = { operation: "daily-horoscope" } as const;
  await world.sandbox.faults([
    ...out.map((language) => ({ match: { language }, fault: "http503" }) as const),
    { match: { ...daily, language: "es", sign: "leo" }, fault: "http429", times: 1, retryAfter: 4 },
    {
      match: { ...daily, language: "es", sign: "virgo" },
      fault: "http429",
      times: 1,
      retryAfter: until.toUTCString(),
    },
  ]);
  await world.sharedWorker();
  const ran = await almanac(["nightly", "--wait", "--json"], { env: world.env, cwd: world.folder });
  const { code, stderr } = ran;
  expect(code, stderr).toBe(3);
  const ended = progress.parse(JSON.parse(ran.stdout));
  expect(ended).toMatchObject({ state: "done", broken: {} });
  expect(ended.skipped).toHaveLength(2 * 2 * 13); // two languages, two days, twelve signs and a card
  expect(new Set(ended.skipped.map(({ type }) => type))).toEqual(new Set(["Deadline"]));
  expect(ended.skipped.every(({ key }) => out.some((language) => key.includes(`/${language}/`)))).toBe(true);
  // Readings gathered for those two change nothing, and cause no publish.
  const versions = JSON.parse(ran.stdout).published.map((one: { version: number }) => one.version);
  expect(versions).toEqual([...new Set(versions)]);
  const paths = await pathsOn(world.site);
  const published = languages.filter((language) => paths.has(`${language}/index.html`));
  expect(published).toEqual(languages.filter((language) => !out.includes(language)));

  const seconds = await askedTwice(world, "es", "leo");
  expect(seconds.waitedMs).toBeGreaterThanOrEqual(4_000);
  const dated = await askedTwice(world, "es", "virgo");
  const received = (await responsesIn(world)).get(dated.key)?.receivedAt ?? "";
  expect(received >= until.toISOString(), `${received}, told to wait until ${until.toISOString()}`).toBe(
    true,
  );
});

test.concurrent("a run in which half of the answers are missing takes no published path away", async () => {
  const world = await createWorld(
    temporal,
    {
      languages: ["en", "hi"],
      zones: {},
      operations: ["daily-horoscope", "daily-tarot", "wisdom-reading", "love-compatibility"],
      pairs: [["aries", "leo"]],
      service: quickService,
    },
    atEnd,
  );
  const dayMs = 24 * 60 * 60_000;
  const firstMs = Date.parse("2026-11-17T12:00:00Z");
  const nightOf = async (day: number) => {
    const now = new Date(firstMs + day * dayMs).toISOString();
    await moveClock(world, now);
    const worker = await world.sharedWorker();
    const ended = await (await world.nightly({ asOf: now })).result();
    await worker.stop();
    expect(ended).toMatchObject({ state: "done", broken: {} });
    return ended;
  };
  await nightOf(0);
  const first = await pathsOn(world.site);
  let before = first;
  for (let seed = 1; seed <= (deep ? 20 : 1); seed += 1) {
    await world.sandbox.options({ seed });
    await world.sandbox.clearFaults();
    // Each is asked three times: four in five bad answers leave some half of the requests without one, and chance now
    // and then a fifth, but never all of them with one.
    await world.sandbox.faults([
      { fault: "empty", probability: 0.4 },
      { fault: "http400", probability: 0.4 },
      { fault: "wrongSign", probability: 0.4 },
    ]);
    const { skipped, planned } = countsIn(await nightOf(seed));
    expect(skipped, `seed ${seed}: of ${planned}`).toBeGreaterThan(0);
    const after = await pathsOn(world.site);
    const gone = [...before.keys()].filter((path) => !after.has(path));
    expect(gone, `seed ${seed}`).toEqual([]);
    before = after;
  }
  expect(before.size).toBeGreaterThan(first.size); // complete sets were published
}, 900_000);

test.concurrent("an endpoint that is not configured costs its own requests, and a site that can't be read costs no answer", async () => {
  const world = await createWorld(
    temporal,
    {
      languages: ["en", "hi"],
      operations: ["daily-tarot", "daily-tarot-legacy", "wisdom-reading"],
      service: quickService,
    },
    atEnd,
  );
  delete world.env["READING_SERVICE_LEGACY_URL"];
  await world.sharedWorker();
  const first = await (
    await world.nightly({ operations: ["daily-tarot-legacy", "wisdom-reading"] })
  ).result();
  expect(first).toMatchObject({ state: "done", broken: {} });
  expect(first.skipped).toHaveLength(2);
  for (const { key, type, reason } of first.skipped) {
    expect(key).toContain("/en/daily-tarot-legacy/");
    expect(type).toBe("Fault");
    expect(reason).toContain("set READING_SERVICE_LEGACY_URL");
  }
  expect((await pathsOn(world.site)).has("en/wisdom-reading/index.html")).toBe(true);

  await world.site.write(pointerPath, Buffer.from("{}"), { type: "application/json" }, always);
  const second = await (await world.nightly()).result();
  expect(second).toMatchObject({
    state: "failed",
    broken: { en: expect.stringContaining(pointerPath), hi: expect.stringContaining(pointerPath) },
    published: [],
  });
  expect(second.skipped).toHaveLength(2); // the legacy card again
  expect(countsIn(second).stored).toBe(4);
});
