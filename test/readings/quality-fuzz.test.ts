import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeAnswer } from "../../readings/quality.ts";
import { readingSchema } from "../../readings/reading.schema.ts";
import { answerOf, fuzz } from "../support/fuzz.ts";
import { goodBody } from "../support/grammar.ts";
import { allRequests } from "../support/requests.ts";
import { deep } from "../support/deep.ts";

test("any body of the interface's grammar, in any of its forms, gives a reading", () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`grammar seed ${seed}`);
  const good = fc
    .constantFrom(...allRequests)
    .chain((request) => fc.tuple(fc.constant(request), goodBody(request)));
  fc.assert(
    fc.property(good, ([request, body]) => {
      const { reading } = judgeAnswer(request, answerOf(JSON.stringify(body)));
      readingSchema.parse(reading);
      expect(reading).toMatchObject({
        operation: request.operation,
        language: request.language,
        period: request.period,
      });
    }),
    { numRuns: deep ? 3_000 : 300, seed },
  );
});

const mutants = deep ? 10_000 : 2_000;

test(`any of ${mutants} mutated bodies gives the requested reading or a named failure`, () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`fuzz seed ${seed}`);
  const counts = fuzz(mutants, seed);
  console.log(counts);
  expect(counts.runs).toBe(mutants);
  expect(Object.keys(counts.failures).toSorted()).toEqual([
    "CredentialsRefused",
    "Rejected",
    "Unavailable",
    "Unfit",
  ]);
  expect(counts.readings).toBeGreaterThan(mutants / 20);
});
