// The name of a request's group follows from the request and the configuration: every run that wants the request comes to the
// same group, whatever else it plans, and no other language or endpoint shares it.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  catalogue,
  type CatalogueSettings,
  type PlanFilter,
  type WantedSet,
} from "../../readings/catalogue.ts";
import { mostTogether } from "../../readings/plan-order.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { languageNames, operationNames, operations, signs } from "../../readings/tables.ts";
import { addDays } from "../../readings/calendar.ts";
import { requestKey, selectEndpoint } from "../../readings/request.ts";

const settings = fc
  .record({
    pairs: fc.option(
      fc.array(fc.tuple(fc.constantFrom(...signs), fc.constantFrom(...signs)), { maxLength: 60 }),
      {
        nil: undefined,
      },
    ),
    people: fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 40 }),
  })
  .map(({ pairs, people }): CatalogueSettings => {
    return { ...configurationSchema.parse({ pairs }), people: people.map((id) => ({ id: `reader-${id}` })) };
  });
const some = <Name extends string>(names: readonly Name[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }), { nil: undefined });
const filter: fc.Arbitrary<PlanFilter> = fc.record({
  languages: fc.uniqueArray(fc.constantFrom(...languageNames), { minLength: 1, maxLength: 3 }),
  operations: some(operationNames),
});
const instant = fc
  .integer({ min: Date.parse("2026-01-01"), max: Date.parse("2027-12-31") })
  .map((atMs) => new Date(atMs));

function groupsIn(sets: readonly WantedSet[]): Map<string, string> {
  return new Map(
    sets.flatMap(({ requests, group }) => requests.map((request) => [requestKey(request), group] as const)),
  );
}

test("two runs that want the same request compute the same group name, whatever their languages, operations, dates and times", () => {
  let met = 0;
  fc.assert(
    fc.property(
      settings,
      fc.tuple(filter, filter),
      instant,
      fc.integer({ min: -40 * 3_600_000, max: 40 * 3_600_000 }),
      fc.boolean(),
      (site, [one, other], at, apartMs, isBackfill) => {
        const night = groupsIn(catalogue(site, at, one));
        const day = at.toISOString().slice(0, 10);
        const dates = isBackfill ? { from: addDays(day, -3), to: addDays(day, 1) } : undefined;
        const beside = { ...other, languages: [...(one.languages ?? []), ...(other.languages ?? [])] };
        for (const [key, group] of groupsIn(
          catalogue(site, new Date(at.getTime() + apartMs), beside, dates),
        )) {
          if (!night.has(key)) continue;
          expect(group).toBe(night.get(key));
          met += 1;
        }
      },
    ),
    { numRuns: 200 },
  );
  expect(met).toBeGreaterThan(500);
});

test("a group has one language, endpoint and period; one of pairs or of people has at most twelve requests", () => {
  fc.assert(
    fc.property(settings, instant, (site, at) => {
      const sets = catalogue(site, at);
      for (const own of Map.groupBy(sets, (set) => set.group).values()) {
        const requests = own.flatMap((set) => set.requests);
        const of = requests.map((request) =>
          [request.language, selectEndpoint(request), request.period, operations[request.operation].due].join(
            " ",
          ),
        );
        expect(new Set(of).size).toBe(1);
        const families = new Set(requests.map(({ operation }) => operations[operation].family));
        if (families.has("horoscope") || families.has("pair") || families.has("animal")) {
          expect(families.size).toBe(1);
          expect(requests.length).toBeLessThanOrEqual(mostTogether);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test("group names match the names that an operator sees in the vault", () => {
  const site = { ...configurationSchema.parse({}), people: [{ id: "reader-1" }] };
  const groups = groupsIn(catalogue(site, new Date("2026-11-21T03:05:00Z"), { languages: ["en", "hi"] }));
  expect(groups.get("daily/2026-11-21/hi/daily-horoscope/leo")).toBe("daily/2026-11-21/hi/daily-horoscope");
  expect(groups.get("daily/2026-11-21/hi/wisdom-reading/reading")).toBe(
    "daily/2026-11-21/hi/cards-translator",
  );
  expect(groups.get("daily/2026-11-21/hi/daily-tarot/reading")).toBe("daily/2026-11-21/hi/cards-translator");
  expect(groups.get("daily/2026-11-21/en/wisdom-reading/reading")).toBe("daily/2026-11-21/en/cards-english");
  expect(groups.get("daily/2026-11-21/en/daily-tarot-legacy/reading")).toBe(
    "daily/2026-11-21/en/cards-legacy",
  );
  expect(groups.get("once/always/hi/which-animal-are-you-reading/reader-1")).toBe(
    "once/always/hi/which-animal-are-you-reading/0",
  );
  expect(groups.get("seasonal/2026-Q4/hi/love-compatibility/aries-aries")).toBe(
    "seasonal/2026-Q4/hi/love-compatibility/0",
  );
});
