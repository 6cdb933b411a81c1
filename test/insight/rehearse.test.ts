// Simulated nights against figures that were worked out by hand, with one call a second.
import { describe, expect, test } from "vitest";
import { rehearsalFiguresOf, startsFor } from "../../insight/rehearsal-figures.ts";
import { rehearse } from "../../insight/rehearse.ts";
import type { Assumptions, Outage } from "../../insight/simulated-night.ts";
import { type ConfigurationInput, configurationSchema } from "../../readings/configuration.schema.ts";
import { spacingMsFor, startMs } from "../../readings/plan-order.ts";
import { seededRandom } from "../../packages/sandbox/random.ts";

/** The pacer is a little slower than its rate. */
const oneASecond = spacingMsFor(1) / 1000;
const none = { languages: [], operations: [] } as const;

/** English at home in UTC, answers of a second, nights at 18:00, the first on 21 November; no chance in any pause. */
function wish(configuration: ConfigurationInput, more: Partial<Assumptions> = {}): Assumptions {
  return {
    configuration: configurationSchema.parse({
      languages: ["en"],
      operations: ["daily-tarot-legacy"],
      zones: { en: "UTC" },
      ...configuration,
      service: {
        ratePerSecond: { english: oneASecond, translator: oneASecond, legacy: oneASecond },
        ...configuration.service,
      },
      schedule: { nightly: "18:00", ...configuration.schedule },
    }),
    from: new Date("2026-11-21T12:00:00Z"),
    days: 2,
    outages: [],
    refused: none,
    newChance: () => () => 0.5,
    ...more,
  };
}

const secondEvening = (from: string, until: string): Outage => ({
  kind: "once",
  from: new Date(`2026-11-22T${from}:00Z`),
  until: new Date(`2026-11-22T${until}:00Z`),
});

interface Case {
  readonly what: string;
  readonly wish: Assumptions;
  readonly nights: object[];
  readonly language: object;
  readonly rest?: object;
}

const sixHours = 6 * 3600;
const cases: Case[] = [
  {
    // 12 signs of today and 12 of tomorrow, a call a second, the last one answered after 24 s; then 12 a night.
    what: "a calm month begins with two days' texts and has each day's six hours ahead",
    wish: wish({ operations: ["daily-horoscope"] }),
    nights: [
      { asOf: "2026-11-21T18:00:00.000Z", planned: 24, calls: 24, unanswered: 0, seconds: 24 },
      { planned: 12, calls: 12, seconds: 12 },
    ],
    language: {
      days: 2,
      late: 0,
      leadSeconds: { usual: sixHours - 12, least: sixHours - 24, leastOn: "2026-11-22" },
      ageSeconds: { usual: 86_400, worst: 86_400 },
      lost: 0,
    },
    rest: { lost: 0, changes: [], calls: { total: 36, usual: 24, most: 24 } },
  },
  {
    // Asked at 0, 1, 3 ... 31 s, six times; then probes: after 4 s, 8 ... up to 180. The 31st in vain, the 32nd answered.
    what: "an outage is waited out with the pauses of a real night",
    wish: wish({}, { outages: [secondEvening("17:30", "19:00")] }),
    nights: [
      { calls: 2, unanswered: 0, seconds: 2 },
      { planned: 1, calls: 32, unanswered: 31, seconds: 3632 },
    ],
    language: {
      late: 0,
      leadSeconds: { usual: sixHours - 2, least: sixHours - 3632, leastOn: "2026-11-23" },
    },
    rest: { lost: 0, unanswered: 31 },
  },
  {
    // The answered probe still goes out half a minute after midnight.
    what: "an outage over midnight costs the readers what it lasts beyond it",
    wish: wish(
      { schedule: { deadlineHours: 7 } },
      {
        outages: [
          { kind: "once", from: new Date("2026-11-21T23:59:00Z"), until: new Date("2026-11-22T23:59:30Z") },
        ],
      },
    ),
    nights: [{ calls: 2 }, { planned: 1, seconds: sixHours + 32 }],
    language: { late: 1, missed: 0, pastMorning: 0, overdueSeconds: 32 },
    rest: { lost: 0 },
  },
  {
    // One call after another at 0, 2 and 8 s, the other's at 1, 3 and 9 s; known then, one of two is tried on the next day.
    what: "what is refused alike is asked three times, and then one set a day",
    wish: wish({}, { refused: { ...none, languages: ["en"] } }),
    nights: [
      { planned: 2, calls: 6, refused: 2, seconds: 10 },
      { planned: 1, calls: 3, refused: 1, seconds: 9 },
    ],
    language: { days: 2, late: 2, missed: 2, leadSeconds: null, ageSeconds: null, lost: 2 },
    rest: { lost: 2 },
  },
  {
    // At 0, 101, ... 808 s: nine of 24 before the deadline after 900 s. Of the first day three are out of reach at the end.
    what: "too low a rate keeps nine of twelve signs a night, and the plan says what would do",
    wish: wish({
      operations: ["daily-horoscope"],
      service: { ratePerSecond: { english: 0.01 } },
      schedule: { deadlineHours: 0.25 },
    }),
    nights: [
      { planned: 24, calls: 9, unfinished: 15, seconds: 900 },
      { planned: 24, calls: 9, unfinished: 15, seconds: 900 },
    ],
    language: { late: 2, missed: 2, ageSeconds: null, lost: 3 },
    rest: { lost: 3, changes: [{ setting: "schedule.deadlineHours", from: 0.25, to: 0.7 }] },
  },
  {
    // 12 of the first day and 8 of the second; on the second day its other 4, which come 18 hours late, and the next one's 12.
    what: "a ceiling leaves the rest for the next day, and says what it has left",
    wish: wish({ operations: ["daily-horoscope"], service: { callsPerDay: 20 } }),
    nights: [
      { planned: 20, calls: 20, leftOut: 4, budgetLeft: 0 },
      { planned: 16, calls: 16, leftOut: 0, budgetLeft: 4 },
    ],
    language: { late: 1, missed: 0, overdueSeconds: 18 * 3600 + 4 },
    rest: { lost: 0, budgetLeft: 0 },
  },
  {
    // One at 0 and 2 s, the other at 1 and 3 s: the ceiling has no room for a third time.
    what: "a ceiling has room for so many calls that are made again",
    wish: wish({ service: { callsPerDay: 4 } }, { refused: { ...none, languages: ["en"] } }),
    nights: [
      { planned: 2, calls: 4, refused: 2, budgetLeft: 0, seconds: 4 },
      { planned: 1, calls: 3, refused: 1, budgetLeft: 1, seconds: 9 },
    ],
    language: { days: 2, lost: 2 },
    rest: { lost: 2, budgetLeft: 0 },
  },
];

describe("a rehearsal calculated by hand", () => {
  test.for(cases)("$what", async ({ wish: wished, nights, language, rest }) => {
    const figures = rehearsalFiguresOf(await rehearse(wished), wished.configuration);
    expect(figures.nights).toMatchObject(nights);
    expect(figures.languages).toMatchObject([language]);
    expect(figures).toMatchObject(rest ?? {});
  });

  test("the latest start leaves a night exactly enough time, and the safest start a whole day", async () => {
    const wished = wish({ operations: ["daily-horoscope"] });
    const rehearsed = await rehearse(wished);
    const starts = await startsFor(wished, rehearsed, rehearsed);
    // Twelve seconds before midnight would do; nights start at whole minutes.
    expect(starts.latest).toBe("23:59");
    expect(starts.safest?.at).toBe("00:05");
    expect(starts.safest?.least.seconds).toBe(86_400 - 300 - 12);
  });

  test("a night does not begin while the one before still runs", async () => {
    const wished = wish({
      operations: ["love-compatibility"],
      pairs: [["leo", "aries"]],
      schedule: { deadlineHours: 30 },
    });
    const away: Outage = {
      kind: "once",
      from: new Date("2026-11-21T17:00:00Z"),
      until: new Date("2026-11-23T17:00:00Z"),
    };
    const figures = rehearsalFiguresOf(await rehearse({ ...wished, outages: [away] }), wished.configuration);
    expect(figures.nights).toHaveLength(1);
    expect(figures.skipped).toEqual(["2026-11-22T18:00:00.000Z"]);
  });
});

test.for([
  { rate: 5, inFlight: 32 },
  { rate: 5, inFlight: 3 },
  { rate: 40, inFlight: 7 },
])(
  "the calls of a calm night start when the plan says, at $rate a second with $inFlight in flight",
  async (pace) => {
    const service = { ratePerSecond: { english: pace.rate }, concurrency: { english: pace.inFlight } };
    const { nights } = await rehearse(wish({ operations: ["daily-horoscope"], service }, { days: 1 }));
    const [night] = nights;
    const starts = night?.calls.map(({ firstMs = Number.NaN }) => firstMs).sort((one, other) => one - other);
    const planned = starts?.map((_, index) => {
      return startMs(index, { ratePerSecond: pace.rate, concurrency: pace.inFlight, latencyMs: 1000 });
    });
    expect(starts).toHaveLength(24);
    for (const [index, start] of starts?.entries() ?? []) expect(start).toBeCloseTo(planned?.[index] ?? 0, 3);
  },
);

test("each night requests its further draws last, and never exceeds their number", async () => {
  const site = { operations: ["daily-tarot", "wisdom-reading"] } satisfies ConfigurationInput;
  const { nights: without } = await rehearse(wish(site, { days: 3 }));
  const { nights, lost } = await rehearse(wish({ ...site, decks: { callsPerNight: 5 } }, { days: 3 }));
  expect(nights.map(({ calls }) => calls.length - 5)).toEqual(without.map(({ calls }) => calls.length));
  for (const { calls } of nights)
    expect(calls.slice(-5).every(({ line }) => line.key.includes("/draw-"))).toBe(true);
  expect(lost).toEqual([]);
});

test("thirty nights of every language take some seconds of a processor", async () => {
  const configuration = configurationSchema.parse({});
  const before = process.cpuUsage();
  const { nights, lost } = await rehearse({
    configuration,
    from: new Date("2026-11-21T00:00:00Z"),
    days: 30,
    outages: [],
    refused: none,
    newChance: () => seededRandom(1),
  });
  const { user, system } = process.cpuUsage(before);
  console.log(`30 nights in ${((user + system) / 1e6).toFixed(1)} s of a processor`);
  expect(nights).toHaveLength(30);
  expect(lost).toEqual([]);
  expect((user + system) / 1e6).toBeLessThan(10);
});
