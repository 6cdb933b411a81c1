import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  catalogue,
  type PlanFilter,
  type WantedSet,
  type CatalogueSettings,
} from "../../readings/catalogue.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import {
  languageNames,
  languages,
  languagesOf,
  operationNames,
  operations,
  signs,
} from "../../readings/tables.ts";
import { allPairs, pairSeason, slotDays, slotOf } from "../../readings/pairs.ts";
import { addDays, seasonOf, localDate, startOfDay } from "../../readings/calendar.ts";
import { requestKey, requestOf } from "../../readings/request.ts";
import { anyText } from "../support/any-text.ts";
import { allRequests } from "../support/requests.ts";
import { deep } from "../support/deep.ts";

const people = [{ id: "reader-1" }, { id: "reader-2" }];
const everything: CatalogueSettings = { ...configurationSchema.parse({}), people };
const night = new Date("2026-11-21T03:05:00Z");

function keysOf(sets: readonly WantedSet[]): string[] {
  return sets.flatMap(({ requests }) => requests.map(requestKey));
}

function periodsOf(only: PlanFilter, instant = night, wishes = everything): string[] {
  return catalogue(wishes, instant, only).flatMap(({ requests }) => requests[0]?.period ?? []);
}

describe("the catalogue of a night", () => {
  it.each([
    ["en", ["2026-11-20", "2026-11-21"]],
    ["hi", ["2026-11-21", "2026-11-22"]],
    ["pt", ["2026-11-21", "2026-11-22"]],
  ] as const)(
    "wants horoscopes and cards for today and tomorrow as %s readers' calendars have them",
    (language, dates) => {
      for (const operation of ["daily-horoscope", "daily-tarot"] as const) {
        expect(periodsOf({ languages: [language], operations: [operation] })).toEqual(dates);
      }
    },
  );

  it.each([
    ["weekly-horoscope", "2026-11-19", ["2026-11-15"]],
    ["weekly-horoscope", "2026-11-20", ["2026-11-15", "2026-11-22"]],
    ["monthly-horoscope", "2026-11-26", ["2026-11"]],
    ["monthly-horoscope", "2026-11-27", ["2026-11", "2026-12"]],
    ["yearly-horoscope", "2026-12-21", ["2026"]],
    ["yearly-horoscope", "2026-12-22", ["2026", "2027"]],
  ] as const)("wants %s on %s for %j: the next one near the turn alone", (operation, date, periods) => {
    const noon = new Date(`${date}T12:00:00Z`);
    expect(periodsOf({ languages: ["es"], operations: [operation] }, noon)).toEqual(periods);
  });

  it("wants all twelve signs of a set, and every card reading as a set of its own", () => {
    const sets = catalogue(everything, night, { languages: ["es"] });
    for (const { operation, requests } of sets) {
      expect(requests).toHaveLength(operation.endsWith("-horoscope") ? 12 : 1);
    }
  });

  it("wants each combination of operation and language, and no other", () => {
    const wanted = new Set(catalogue(everything, night).map((one) => `${one.operation} ${one.language}`));
    expect([...wanted].toSorted()).toEqual(
      allRequests.map((request) => `${request.operation} ${request.language}`).toSorted(),
    );
  });

  it("wants a person's animal once, and contains only the person's id", () => {
    const sets = catalogue(everything, night, { operations: ["which-animal-are-you-reading"] });
    expect(sets).toHaveLength(2 * languagesOf("which-animal-are-you-reading").length);
    expect(keysOf(sets)).toContain("once/always/hi/which-animal-are-you-reading/reader-1");
  });

  it("follows the configured zone", () => {
    const wishes = { ...everything, zones: { en: "Pacific/Kiritimati" } };
    const only = { languages: ["en"], operations: ["daily-tarot"] } as const;
    expect(periodsOf(only, night, wishes)).toEqual(["2026-11-21", "2026-11-22"]);
  });

  it("restricts to the requested operations, and never adds unconfigured ones", () => {
    const wishes = { ...everything, languages: ["en" as const, "hi" as const] };
    const sets = catalogue(wishes, night, { languages: ["hi", "ja"], operations: ["daily-tarot"] });
    expect(new Set(sets.map(({ language }) => language))).toEqual(new Set(["hi"]));
  });
});

describe("any night of any configuration", () => {
  const wishes = fc.record({
    languages: fc.array(fc.constantFrom(...languageNames), { minLength: 1, maxLength: 4 }),
    operations: fc.array(fc.constantFrom(...operationNames), { minLength: 1, maxLength: 6 }),
    zones: fc.constant({}),
    pairs: fc.option(fc.array(fc.tuple(fc.constantFrom(...signs), fc.constantFrom(...signs))), {
      nil: undefined,
    }),
    people: fc.array(fc.constantFrom(...people)),
  });
  const instants = fc.date({ min: new Date("2026-01-01"), max: new Date("2036-12-31"), noInvalidDate: true });
  const seed = Date.now() % 2 ** 31;

  it("wants no reading twice, only readings in reach, with keys that parse back to their requests", () => {
    console.log(`catalogue seed ${seed}`);
    fc.assert(
      fc.property(wishes, instants, (wished, instant) => {
        const sets = catalogue(wished, instant);
        const keys = keysOf(sets);
        expect(new Set(keys).size).toBe(keys.length);
        for (const { requests, reach, dueAt, language } of sets) {
          const inReach = reach.from <= instant && instant < reach.until && dueAt < reach.until;
          const known = wished.languages.includes(language);
          if (!inReach || !known) throw new Error(`${String(keys)} at ${instant.toISOString()}`);
          expect(requests.map((request) => requestOf(requestKey(request)))).toEqual(requests);
        }
      }),
      { seed, numRuns: deep ? 2_000 : 400 },
    );
  });
});

describe("pairs of signs", () => {
  const withPairs = languagesOf("love-compatibility");
  const only = { languages: ["en"], operations: ["love-compatibility"] } as const;

  it("wants one text for each of the pairs at any time, of this season or the previous one", () => {
    const periods = periodsOf({ languages: ["en"], operations: ["love-compatibility"] });
    expect(periods).toHaveLength(allPairs.length);
    expect(new Set(periods)).toEqual(new Set(["2026-Q3", "2026-Q4"]));
  });

  it("gives each night of a language one or two pairs, and never more than necessary", () => {
    const nights = Array.from({ length: slotDays }, () => 0);
    for (const language of withPairs) {
      const own = Array.from({ length: slotDays }, () => 0);
      for (const pair of allPairs) {
        const slot = slotOf(pair, language);
        own[slot] = (own[slot] ?? Number.NaN) + 1;
        nights[slot] = (nights[slot] ?? Number.NaN) + 1;
      }
      expect(new Set(own)).toEqual(new Set([1, 2]));
    }
    const mean = (144 * withPairs.length) / slotDays;
    for (const calls of nights) expect(Math.abs(calls - mean)).toBeLessThan(4);
  });

  it("spreads one sign's twelve pairs over the season as well", () => {
    for (const sign of signs) {
      const slots = signs.map((other) => slotOf([sign, other], "hi")).toSorted((one, other) => one - other);
      const gaps = slots.slice(1).map((slot, place) => slot - (slots[place] ?? 0));
      expect(Math.max(...gaps)).toBeLessThanOrEqual(15);
    }
  });

  const years = deep ? 10 : 3;
  it(`moves each pair to the new season on its own day, once in each season of ${years} years`, () => {
    const before = new Map(allPairs.map((pair) => [pair, pairSeason(pair, "ja", "2026-12-31")]));
    let turns = 0;
    const wrong: string[] = [];
    for (let date = "2027-01-01"; date < `${2027 + years}-01-01`; date = addDays(date, 1)) {
      const firstMonth = (Number(seasonOf(date).slice(-1)) - 1) * 3 + 1;
      const start = `${date.slice(0, 4)}-${String(firstMonth).padStart(2, "0")}-01`;
      for (const pair of allPairs) {
        const now = pairSeason(pair, "ja", date);
        const last = before.get(pair);
        before.set(pair, now);
        if (now.season === last?.season) continue;
        turns++;
        const onItsDay = date === last?.untilDate && date === addDays(start, slotOf(pair, "ja"));
        const toThisSeason = now.season === seasonOf(date) && now.previous === last?.season;
        if (!onItsDay || !toThisSeason) wrong.push(`${pair.join("-")} on ${date}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(turns).toBe(144 * 4 * years);
  });

  it("computes the expiry of a pair's text to the millisecond", () => {
    const sets = catalogue(everything, night, only);
    for (const { requests, reach } of sets.slice(0, 30)) {
      const [key] = requests.map(requestKey);
      expect(keysOf(catalogue(everything, new Date(reach.until.getTime() - 1), only))).toContain(key);
      expect(keysOf(catalogue(everything, reach.until, only))).not.toContain(key);
    }
  });

  it("leaves a pair on its day if other pairs are configured", () => {
    const pairs: CatalogueSettings["pairs"] = [
      ["leo", "aries"],
      ["aries", "leo"],
      ["leo", "aries"],
    ];
    const all = keysOf(catalogue(everything, night, only));
    const some = keysOf(catalogue({ ...everything, pairs }, night, only));
    expect(some).toHaveLength(2);
    expect(all).toEqual(expect.arrayContaining(some));
  });
});

describe("a backfill's dates", () => {
  const only = { languages: ["gu"], operations: ["ex-flame-reading"] } as const;

  it("default to yesterday to tomorrow in each language's zone", () => {
    const sets = catalogue(everything, night, only, {});
    expect(keysOf(sets).map((key) => key.split("/")[1])).toEqual(["2026-11-20", "2026-11-21", "2026-11-22"]);
  });

  it("name every period that they touch, in reach or not", () => {
    const dates = { from: "2026-09-28", to: "2026-11-02" };
    const periods = (operation: "weekly-horoscope" | "monthly-horoscope" | "yearly-horoscope") =>
      catalogue(everything, night, { languages: ["de"], operations: [operation] }, dates).map(
        ({ requests }) => requests[0]?.period,
      );
    expect(periods("weekly-horoscope")).toEqual([
      "2026-09-27",
      "2026-10-04",
      "2026-10-11",
      "2026-10-18",
      "2026-10-25",
      "2026-11-01",
    ]);
    expect(periods("monthly-horoscope")).toEqual(["2026-09", "2026-10", "2026-11"]);
    expect(periods("yearly-horoscope")).toEqual(["2026"]);
  });

  it("leave pairs and people as they are wanted now, because those have no date", () => {
    const without = { operations: ["love-compatibility", "which-animal-are-you-reading"] } as const;
    expect(keysOf(catalogue(everything, night, without, { from: "2026-01-01", to: "2026-02-01" }))).toEqual(
      keysOf(catalogue(everything, night, without)),
    );
  });

  it("put a card out of reach after its date, because a card drawn today is not yesterday's", () => {
    const [yesterday, today, tomorrow] = catalogue(everything, night, only, {});
    const zone = languages.gu.zone;
    const date = localDate(zone, night);
    expect(yesterday?.reach.until).toEqual(startOfDay(zone, date));
    expect(today?.reach).toEqual({
      from: startOfDay(zone, addDays(date, -1)),
      until: startOfDay(zone, addDays(date, 1)),
    });
    expect(tomorrow?.reach.from).toEqual(startOfDay(zone, date));
  });

  it.each([
    [{ from: "2026-11-22", to: "2026-11-21" }, /in order/],
    [{ from: "2020-01-01" }, /at most 1098/],
    [{ from: "2026-02-30" }, /2026-02-30/],
  ])("are refused when they make no sense: %j", (dates, words) => {
    expect(() => catalogue(everything, night, only, dates)).toThrow(words);
  });
});

describe("a key read back", () => {
  it("is the request for each combination of operation and language", () => {
    for (const request of allRequests) expect(requestOf(requestKey(request))).toEqual(request);
  });

  it("omits the presentation of cards, which is not part of a key", () => {
    const card = { operation: "egyptian-prediction", language: "fr", period: "2026-11-21" } as const;
    expect(requestOf(requestKey({ ...card, cardsCount: 3, cardImage: 2 }))).toEqual(card);
  });

  it.each([
    "",
    "daily",
    "daily/2026-11-21/xx/daily-horoscope/aries",
    "daily/2026-11-21/gr/daily-horoscope/aries",
    "daily/2026-11-21/en/no-such-operation/aries",
    "daily/2026-11-21/en/toString/aries",
    "daily/2026-11-21/__proto__/daily-horoscope/aries",
    "weekly/2026-11-21/en/daily-horoscope/aries",
    "weekly/2026-11-21/en/weekly-horoscope/aries",
    "daily/2026-02-30/en/daily-horoscope/aries",
    "daily/2026-11-21/en/daily-horoscope/Aries",
    "daily/2026-11-21/en/daily-horoscope",
    "daily/2026-11-21/en/daily-horoscope/aries/",
    "daily/2026-11-21/gu/daily-horoscope/aries",
    "daily/2026-11-21/hi/daily-tarot-legacy/reading",
    "daily/2026-11-21/en/daily-tarot/aries",
    "seasonal/2026-Q5/en/love-compatibility/aries-leo",
    "seasonal/2026-Q4/en/love-compatibility/aries",
    "seasonal/2026-Q4/en/love-compatibility/aries-leo-virgo",
    "once/2026/en/which-animal-are-you-reading/reader-1",
    "once/always/en/which-animal-are-you-reading/Given Family",
    "once/always/en/which-animal-are-you-reading/..",
  ])("is nothing when it is no key: %j", (key) => {
    expect(requestOf(key)).toBeUndefined();
  });

  it("never throws, and each text that parses is exactly the key of its request", () => {
    const seed = Date.now() % 2 ** 31;
    console.log(`key seed ${seed}`);
    const part = fc.oneof(
      fc.constantFrom(...Object.values(operations).map(({ due }) => due)),
      fc.constantFrom(...languageNames),
      fc.constantFrom(...operationNames),
      fc.constantFrom(
        "2026-11-21",
        "2026-11-15",
        "2026-11",
        "2026",
        "2026-Q4",
        "always",
        "reading",
        "reader-1",
      ),
      fc.constantFrom("aries", "aries-leo", "-", "9999-12-31", "0000-01-01"),
      anyText({ maxLength: 12 }),
    );
    const fixed = fc.constantFrom(...allRequests).chain((request) => {
      const parts = requestKey(request).split("/");
      return fc.tuple(fc.nat(4), part).map(([place, other]) => parts.with(place, other));
    });
    const keys = fc.oneof(fixed, fc.array(part, { maxLength: 7 })).map((parts) => parts.join("/"));
    let readBack = 0;
    fc.assert(
      fc.property(keys, (key) => {
        const request = requestOf(key);
        if (request === undefined) return;
        readBack++;
        expect(requestKey(request)).toBe(key);
      }),
      { seed, numRuns: deep ? 20_000 : 3_000 },
    );
    // Some 143 are, give or take 12.
    expect(readBack).toBeGreaterThan(60);
  });
});
