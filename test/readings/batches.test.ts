// Batches over plans as random as configurations are: nothing is lost or moved, and what goes together belongs together.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { languageNames, operationNames, signs } from "../../readings/tables.ts";
import {
  type PlanLine,
  createBatches,
  mostTogether,
  prioritiesOf,
  unpackKeys,
} from "../../readings/plan-order.ts";
import { makePlan } from "../../readings/plan.ts";
import { requestBefore, setKey } from "../../readings/request.ts";

const people = Array.from({ length: 40 }, (_, at) => ({
  id: `reader-${at}`,
  fullName: "Given Family",
  birthDate: "1990-07-05",
}));
const plans = fc
  .record({
    languages: fc.uniqueArray(fc.constantFrom(...languageNames), { minLength: 1, maxLength: 3 }),
    operations: fc.uniqueArray(fc.constantFrom(...operationNames), { minLength: 1, maxLength: 6 }),
    pairs: fc.option(
      fc.array(fc.tuple(fc.constantFrom(...signs), fc.constantFrom(...signs)), { maxLength: 40 }),
      {
        nil: undefined,
      },
    ),
    people: fc.constantFrom([], people),
    atMs: fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2027-12-31") }),
    heldShare: fc.constantFrom(0, 0.3, 0.9),
    salt: fc.nat(),
  })
  .map(({ atMs, heldShare, salt, ...configuration }) =>
    makePlan({
      configuration: configurationSchema.parse(configuration),
      instant: new Date(atMs),
      held: (key) => share(`${salt} ${key}`) < heldShare,
      quarantined: (key) => (share(`${key} ${salt}`) < 0.1 ? "due" : undefined),
    }),
  );
const size = fc.oneof(fc.constant(mostTogether), fc.integer({ min: 1, max: mostTogether }));

/** A number from 0 to 1 that depends only on the text. */
function share(text: string): number {
  let value = 2_166_136_261;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return ((value ^ (value >>> 13)) >>> 0) / 2 ** 32;
}

const isProbe = ({ request }: PlanLine) => request.operation === "daily-tarot";
const follows = ({ request }: PlanLine) => "sign" in request && request.operation === "weekly-horoscope";

function groupOf(lines: readonly PlanLine[], keys: readonly string[]): string | undefined {
  const [first] = unpackKeys(keys);
  return lines.find(({ key }) => key === first)?.group;
}

test("the batches of a language are its lines in the plan's order, each batch of one group, language and endpoint", () => {
  const seen = { batches: 0, whole: 0, retried: 0, first: 0, second: 0 };
  fc.assert(
    fc.property(plans, size, ({ due }, most) => {
      const priorities = prioritiesOf(due);
      for (const [language, lines] of Map.groupBy(due, ({ request }) => request.language)) {
        const batches = createBatches(lines, { priorities, size: most, isProbe, follows });
        expect(batches.flatMap(({ keys }) => unpackKeys(keys))).toEqual(lines.map(({ key }) => key));
        let from = 0;
        for (const { keys, priority, isFresh, isFirst } of batches) {
          const own = lines.slice(from, (from += unpackKeys(keys).length));
          expect(own.length).toBeGreaterThan(0);
          expect(own.length).toBeLessThanOrEqual(most);
          expect(new Set(own.map((line) => line.group)).size).toBe(1);
          expect(new Set(own.map((line) => `${line.request.language} ${line.endpoint}`)).size).toBe(1);
          expect(own[0]?.request.language).toBe(language);
          // It is sent when its most urgent line is due, and no line is delayed.
          expect(priority).toBe(Math.min(...own.map((line) => priorities.get(line) ?? 0)));
          expect(isFresh).toBe(!own.some((line) => line.reason === "retried" || isProbe(line)));
          // It is known to be the first only if nobody has or requests the previous period.
          const before = own.flatMap(({ request }) =>
            "sign" in request ? [setKey(requestBefore(request))] : [],
          );
          const isBeforeAsked = lines.some(({ request }) => before.includes(setKey(request)));
          expect(isFirst).toBe(before.length > 0 && !own.some(follows) && !isBeforeAsked);
          if (isFirst) seen.first += 1;
          if (isBeforeAsked) seen.second += 1;
          seen.batches += 1;
          if (own.length === mostTogether) seen.whole += 1;
          if (!isFresh) seen.retried += 1;
        }
        // If two consecutive batches could be merged, the first one is full.
        for (const [at, batch] of batches.entries()) {
          const [group, next] = [batch, batches[at + 1]].map((one) => one && groupOf(lines, one.keys));
          if (group === next) expect(unpackKeys(batch.keys)).toHaveLength(most);
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
});

test("priorities divide all due requests into five equal parts, in order", () => {
  fc.assert(
    fc.property(plans, ({ due }) => {
      const priorities = prioritiesOf(due);
      const inOrder = due.map((line) => priorities.get(line) ?? 0);
      expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other));
      for (const [at, priority] of inOrder.entries())
        expect(priority).toBe(1 + Math.floor((at * 5) / due.length));
    }),
    { numRuns: 50 },
  );
});

test("a first night of one language has a batch for each set of signs, and dozens of pairs, cards and people", () => {
  const { due } = makePlan({
    configuration: configurationSchema.parse({ languages: ["hi"], people }),
    instant: new Date("2026-11-21T03:05:00Z"),
    held: () => false,
  });
  const nothing = () => false;
  const settings = { priorities: prioritiesOf(due), size: mostTogether, isProbe: nothing, follows: nothing };
  const batches = createBatches(due, settings);
  const sizesOf = (part: string) =>
    batches
      .filter(({ keys }) => groupOf(due, keys)?.includes(part))
      .map(({ keys }) => unpackKeys(keys).length);
  expect(new Set(sizesOf("horoscope"))).toEqual(new Set([12]));
  expect(sizesOf("which-animal")).toEqual([12, 12, 12, 4]);
  expect(sizesOf("love-compatibility").length).toBeLessThanOrEqual(18); // twelve groups, one cut by the turn of season, and what is as urgent comes between
  expect(batches.length).toBeLessThan(due.length / 6);
});
