import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  languageNames,
  languagesOf,
  type Operation,
  operationNames,
  operations,
  signs,
} from "../../readings/tables.ts";
import { type ReadingRequest, requestKey, setKey } from "../../readings/request.ts";
import { allRequests } from "../support/requests.ts";
import { deep } from "../support/deep.ts";

const number = (min: number, max: number, width: number) =>
  fc.integer({ min, max }).map((value) => String(value).padStart(width, "0"));
const year = number(2000, 2099, 4);
const month = fc.tuple(year, number(1, 12, 2)).map((parts) => parts.join("-"));
const date = fc.tuple(month, number(1, 28, 2)).map((parts) => parts.join("-"));
const season = fc.tuple(year, fc.constantFrom("Q1", "Q2", "Q3", "Q4")).map((parts) => parts.join("-"));
const person = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,8}$/);
const sign = fc.constantFrom(...signs);
const count = fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined });

const periods = {
  daily: date,
  weekly: date,
  monthly: month,
  yearly: year,
  seasonal: season,
  once: fc.constant("always"),
};

function requestOf(operation: Operation): fc.Arbitrary<ReadingRequest> {
  const language = fc.constantFrom(...languagesOf(operation));
  const period: fc.Arbitrary<string> = periods[operations[operation].due];
  switch (operation) {
    case "daily-horoscope":
    case "weekly-horoscope":
    case "monthly-horoscope":
    case "yearly-horoscope":
      return fc.record({ operation: fc.constant(operation), language, period, sign });
    case "love-compatibility":
      return fc.record({ operation: fc.constant(operation), language, period, sign1: sign, sign2: sign });
    case "which-animal-are-you-reading":
      return fc.record({ operation: fc.constant(operation), language, period, person });
    default:
      return fc.record({
        operation: fc.constant(operation),
        language,
        period,
        cardsCount: count,
        cardImage: count,
      });
  }
}

const anyRequest = fc.constantFrom(...operationNames).chain(requestOf);

/** Identity of a request: everything except the number and style of cards. */
function identity(request: ReadingRequest): string {
  return JSON.stringify({ ...request, cardsCount: undefined, cardImage: undefined });
}

describe("the key of a request", () => {
  it("is equal exactly for equal requests, regardless of number and style of cards", () => {
    fc.assert(
      fc.property(anyRequest, anyRequest, (one, other) => {
        expect(requestKey(one) === requestKey(other)).toBe(identity(one) === identity(other));
      }),
      { numRuns: deep ? 20_000 : 3_000 },
    );
  });

  it("is unique among thousands of requests", () => {
    fc.assert(
      fc.property(fc.array(anyRequest, { minLength: 500, maxLength: 1000 }), (requests) => {
        expect(new Set(requests.map(requestKey)).size).toBe(new Set(requests.map(identity)).size);
      }),
      { numRuns: 20 },
    );
    expect(new Set(allRequests.map(requestKey)).size).toBe(allRequests.length);
  });

  it("distinguishes the order of a pair's signs", () => {
    const pair = { operation: "love-compatibility", language: "en", period: "2026-Q4" } as const;
    const keys = signs.flatMap((sign1) => signs.map((sign2) => requestKey({ ...pair, sign1, sign2 })));
    expect(new Set(keys).size).toBe(144);
  });

  it("is a path of five plain parts, that of its set and one more", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const key = requestKey(request);
        expect(key).toMatch(/^[a-z]+\/[0-9A-Za-z-]+\/[a-z]{2,3}\/[a-z-]+\/[a-z0-9-]+$/);
        expect(key.slice(0, key.lastIndexOf("/"))).toBe(setKey(request));
      }),
      { numRuns: deep ? 5_000 : 1_000 },
    );
  });
});

describe("the key of a set", () => {
  it("begins the keys of its own requests and of no other's", () => {
    fc.assert(
      fc.property(anyRequest, anyRequest, (one, other) => {
        const isSameSet =
          one.operation === other.operation && one.language === other.language && one.period === other.period;
        expect(requestKey(other).startsWith(`${setKey(one)}/`)).toBe(isSameSet);
      }),
      { numRuns: deep ? 20_000 : 3_000 },
    );
  });

  it("begins with how long it holds, its period and its language, for a plan lists by these", () => {
    for (const request of allRequests) {
      const { due } = operations[request.operation];
      expect(setKey(request)).toBe(`${due}/${request.period}/${request.language}/${request.operation}`);
    }
    expect(languageNames.some((name) => name.includes("/"))).toBe(false);
  });
});
