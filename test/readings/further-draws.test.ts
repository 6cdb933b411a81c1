import { describe, expect, test } from "vitest";
import { type ConfigurationInput, configurationSchema } from "../../readings/configuration.schema.ts";
import { decksOf, furtherDraws, type KnownDeck } from "../../readings/further-draws.ts";
import type { Language, CardOperation } from "../../readings/tables.ts";
import { makePlan } from "../../readings/plan.ts";
import { isFurtherDraw, requestKey, requestOf } from "../../readings/request.ts";

const night = new Date("2026-11-21T03:05:00Z");
const tarot = "daily-tarot";
const wisdom = "wisdom-reading";

function configured(callsPerNight: number, more: ConfigurationInput = {}) {
  const site = { languages: ["en", "hi"], operations: ["daily-horoscope", tarot, wisdom] } as const;
  return configurationSchema.parse({ ...site, decks: { callsPerNight }, ...more });
}

function deck(
  language: Language,
  operation: CardOperation,
  known: number,
  once: number,
  isRefused = false,
): KnownDeck {
  return { language, operation, known, once, isRefused };
}

/** Decks of which nothing is known. */
const unknown = (configuration = configured(0)): KnownDeck[] =>
  decksOf(configuration).map(({ language, operation }) => deck(language, operation, 0, 0));

function drawn(
  calls: number,
  known: readonly KnownDeck[] = unknown(),
  noted: readonly string[] = [],
): string[] {
  const sets = furtherDraws(configured(calls), night, known, noted);
  return sets.flatMap(({ requests }) => requests.map(requestKey));
}

/** Draws by language and operation. */
function shares(keys: readonly string[]): Record<string, number> {
  const of = Map.groupBy(keys, (key) => key.split("/").slice(2, 4).join(" "));
  return Object.fromEntries([...of].map(([name, own]) => [name, own.length]));
}

describe("further draws", () => {
  test("are disabled by default", () => {
    expect(drawn(0)).toEqual([]);
  });

  test("have numbers, and so separate keys that parse back", () => {
    const keys = drawn(5);
    expect(new Set(keys).size).toBe(5);
    for (const key of keys) {
      expect(key).toMatch(/^daily\/2026-11-2[01]\/(en|hi)\/(daily-tarot|wisdom-reading)\/draw-[12]$/);
      const request = requestOf(key);
      expect(request && isFurtherDraw(request) && requestKey(request)).toBe(key);
    }
    for (const wrong of ["draw-0", "draw-01", "draw-", "draw-1x", "draw-12345"])
      expect(requestOf(`daily/2026-11-21/en/${tarot}/${wrong}`)).toBeUndefined();
  });

  test("are shared among languages, and among decks in proportion to missing cards", () => {
    expect(shares(drawn(8))).toEqual({
      [`en ${tarot}`]: 2,
      [`en ${wisdom}`]: 2,
      [`hi ${tarot}`]: 2,
      [`hi ${wisdom}`]: 2,
    });
    const known = [
      deck("en", tarot, 40, 30),
      deck("en", wisdom, 20, 5),
      deck("hi", tarot, 40, 30),
      deck("hi", wisdom, 20, 0),
    ];
    expect(shares(drawn(7, known))).toEqual({ [`en ${tarot}`]: 3, [`en ${wisdom}`]: 1, [`hi ${tarot}`]: 3 });
  });

  test("stop once each card of a deck came up on two days, and a tarot has all 78 cards", () => {
    const full = [
      deck("en", tarot, 78, 9),
      deck("en", wisdom, 20, 0),
      deck("hi", tarot, 78, 1),
      deck("hi", wisdom, 12, 0),
    ];
    expect(drawn(9, full)).toEqual([]);
    expect(shares(drawn(9, [...full.slice(1), deck("en", tarot, 77, 1)]))).toEqual({ [`en ${tarot}`]: 9 });
  });

  test("exclude operations that the service refuses, whose decks are unknown", () => {
    const known = unknown().map((one) => ({ ...one, isRefused: one.operation === tarot }));
    expect(shares(drawn(6, known))).toEqual({ [`en ${wisdom}`]: 3, [`hi ${wisdom}`]: 3 });
  });

  test("of a day are counted once, whatever the decks show by then, and each is requested once", () => {
    const keys = drawn(6);
    const after = drawn(
      6,
      unknown().map((one) => ({ ...one, known: 9, once: 1 })),
      keys,
    );
    expect(after.toSorted()).toEqual(keys.toSorted());
    expect(drawn(7, unknown(), keys)).toHaveLength(7);
    expect(drawn(7, unknown(), keys)).toEqual(expect.arrayContaining(keys));
  });

  test("come last, and give way to the daily ceiling without counting as missing", () => {
    const people = [{ id: "reader-1", fullName: "Given Family", birthDate: "1990-07-05" }];
    const operations = [
      "which-animal-are-you-reading",
      "daily-horoscope",
      "love-compatibility",
      tarot,
    ] as const;
    const planned = (callsPerDay?: number, held: readonly string[] = []) => {
      const configuration = configured(10, { people, operations: [...operations], service: { callsPerDay } });
      const draws = furtherDraws(configuration, night, unknown(configuration), held);
      return makePlan({ configuration, instant: night, held: (key) => held.includes(key), draws });
    };
    const whole = planned();
    const isDraw = whole.due.map(({ request }) => isFurtherDraw(request));
    expect(isDraw.filter(Boolean)).toHaveLength(10);
    expect(isDraw.lastIndexOf(false)).toBe(whole.due.length - 11);
    expect(whole.forecast).toMatchObject({ calls: whole.due.length, fits: true });
    const some = planned(whole.due.length - 4);
    expect(some.due.map(({ key }) => key)).toEqual(whole.due.slice(0, -4).map(({ key }) => key));
    expect(some).toMatchObject({ leftOut: [], forecast: { leftOut: 0, fits: true } });
    expect(planned(whole.due.length - 12).leftOut).toHaveLength(2);
    const keys = whole.due.map(({ key }) => key);
    expect(planned(undefined, keys)).toMatchObject({ due: [], held: keys.length });
  });
});
