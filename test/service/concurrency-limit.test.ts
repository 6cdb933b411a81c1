import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ConcurrencyLimit } from "../../service/concurrency-limit.ts";
import { deep } from "../support/deep.ts";

const never = new AbortController().signal;

interface Begun {
  readonly language: string;
  readonly free: () => void;
  readonly end: () => void;
}

/** Requests of languages that end on request. */
function asking(limit: ConcurrencyLimit) {
  const inFlight: Begun[] = [];
  const kept: Begun[] = [];
  const all: Promise<unknown>[] = [];
  const one = (language: string, width: number, signal = never): Promise<void> =>
    limit.run({ language, width }, signal, (free) => {
      const { promise, resolve: end } = Promise.withResolvers<void>();
      inFlight.push({ language, free, end });
      return promise;
    });
  return {
    inFlight,
    all,
    one,
    batch: (language: string, width: number, size: number): void => {
      for (let count = 0; count < size; count += 1) all.push(one(language, width));
    },
    /** The answer of one of the calls in flight comes; it is kept by and by. */
    answer: async (which: number): Promise<void> => {
      const [begun] = inFlight.splice(which % Math.max(1, inFlight.length), 1);
      if (begun === undefined) return;
      kept.push(begun);
      begun.free();
      begun.free(); // once is enough
      await setImmediate();
    },
    keep: async (): Promise<void> => {
      kept.shift()?.end();
      await setImmediate();
    },
    /** A call ends without an answer. */
    fail: async (which: number): Promise<void> => {
      inFlight.splice(which % Math.max(1, inFlight.length), 1)[0]?.end();
      await setImmediate();
    },
    keeping: () => kept.length,
    of: (language: string) => inFlight.filter((begun) => begun.language === language).length,
  };
}

const newLimit = (most: number) => new ConcurrencyLimit(most);

test("while others wait, a language has no more calls in flight than its width", async () => {
  const limit = newLimit(4);
  const { batch, answer, keep, of } = asking(limit);
  for (const language of ["hi", "hi", "ja", "ja"]) batch(language, 2, 6);
  await setImmediate();
  for (const _ of [1, 2]) await answer(0); // the first one had all places, because there were no others
  for (let left = 16; left > 0; left -= 1) {
    expect([of("hi"), of("ja")]).toEqual([2, 2]);
    await answer(left % 2 === 0 ? 0 : 3);
    await keep();
  }
});

test("unclaimed places go to any language, and waiting languages get the next free one first", async () => {
  const limit = newLimit(4);
  const { batch, fail, of } = asking(limit);
  batch("hi", 2, 8);
  await setImmediate();
  expect(of("hi")).toBe(4);
  batch("ja", 2, 8);
  await fail(0);
  await fail(0);
  expect([of("hi"), of("ja")]).toEqual([2, 2]);
});

test("a response frees its slot for the next call, until twice as many calls as slots are in progress", async () => {
  const limit = newLimit(2);
  const { batch, answer, keep, inFlight, keeping, all } = asking(limit);
  batch("hi", 2, 7);
  await setImmediate();
  expect(inFlight).toHaveLength(2);
  for (const [flying, held] of [
    [2, 1],
    [2, 2],
    [1, 3],
    [0, 4],
  ]) {
    await answer(0);
    expect([inFlight.length, keeping()]).toEqual([flying, held]);
  }
  await keep();
  expect(inFlight).toHaveLength(1);
  while (keeping() + inFlight.length > 0) await (inFlight.length > 0 ? answer(0) : keep());
  await Promise.all(all);
});

test("counts running calls and possible ones, but not those that wait for their own language", async () => {
  const limit = newLimit(4);
  const { batch } = asking(limit);
  batch("hi", 3, 3);
  batch("ja", 3, 5);
  await setImmediate();
  expect([limit.here, limit.underWay]).toEqual([6, 4]);
});

test("a cancelled call leaves the queue, and a stop rejects all waiting calls", async () => {
  const limit = newLimit(1);
  const { one, inFlight, answer, keep } = asking(limit);
  const cancelled = new AbortController();
  const [first, second, third, last] = [
    one("hi", 1),
    one("hi", 1, cancelled.signal).catch(String),
    one("hi", 1),
    one("ja", 1).catch(String),
  ];
  cancelled.abort(new Error("cancelled"));
  expect(await second).toBe("Error: cancelled");
  await answer(0);
  await keep();
  await first;
  expect(inFlight).toHaveLength(1);
  limit.stop(new Error("another owner"));
  expect(await last).toBe("Error: another owner");
  await answer(0);
  await keep();
  await third;
  expect([limit.here, limit.underWay]).toEqual([0, 0]);
});

type Step =
  | { readonly kind: "batch"; readonly language: string; readonly size: number }
  | { readonly kind: "answer" | "fail"; readonly which: number }
  | { readonly kind: "keep" };

const languages = ["ar", "bn", "de", "hi", "ja"];
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("batch" as const),
    language: fc.constantFrom(...languages),
    size: fc.integer({ min: 1, max: 12 }),
  }),
  fc.record({ kind: fc.constantFrom("answer" as const, "fail" as const), which: fc.nat() }),
  fc.constant<Step>({ kind: "keep" }),
);

test("slow storing of a response blocks no call of its language forever", async () => {
  const limit = newLimit(1);
  const { batch, answer, keep, fail, inFlight, all } = asking(limit);
  batch("hi", 1, 1);
  await setImmediate();
  await answer(0); // its response is being stored
  batch("hi", 1, 1);
  await setImmediate();
  await fail(0); // now no call of the language is in flight or waits
  batch("hi", 1, 2);
  await setImmediate();
  await keep();
  await fail(0);
  expect(inFlight).toHaveLength(1);
  await fail(0);
  await Promise.all(all);
});

test("in any sequence, slots are full while a call waits, never exceeded, and all calls end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(step, { maxLength: 50 }),
      async (most, width, steps) => {
        const limit = newLimit(most);
        const { batch, answer, fail, keep, inFlight, keeping, all } = asking(limit);
        let [asked, ended] = [0, 0];
        for (const next of steps) {
          if (next.kind === "batch") {
            batch(next.language, width, next.size);
            asked += next.size;
            await setImmediate();
          } else if (next.kind === "answer") await answer(next.which);
          else if (next.kind === "fail") {
            ended += Math.min(1, inFlight.length);
            await fail(next.which);
          } else {
            ended += Math.min(1, keeping());
            await keep();
          }
          const open = asked - ended - keeping();
          expect(inFlight).toHaveLength(Math.min(open, most, 2 * most - keeping()));
        }
        while (inFlight.length + keeping() > 0) await (keeping() > 0 ? keep() : answer(0));
        await Promise.all(all);
        expect([limit.here, limit.underWay]).toEqual([0, 0]);
      },
    ),
    { numRuns: deep ? 3_000 : 300 },
  );
});
