import * as fc from "fast-check";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { CallWords } from "../../activities/dependencies.ts";
import { Turns } from "../../worker/turns.ts";
import { deep } from "../support/deep.ts";

interface Begun {
  readonly edition: string;
  readonly words: CallWords;
  readonly end: () => void;
}

/** Requests of editions that say what they are told to, and end when they are told to. */
function asking(turns: Turns) {
  const inFlight: Begun[] = [];
  const kept: Begun[] = [];
  const all: Promise<unknown>[] = [];
  return {
    inFlight,
    all,
    bundle: (edition: string, width: number, size: number): void => {
      const bundle = turns.within(edition, width, (inTurn) => {
        const ask = (words: CallWords): Promise<void> => {
          const { promise, resolve: end } = Promise.withResolvers<void>();
          inFlight.push({ edition, words, end });
          return promise;
        };
        return Promise.all(Array.from({ length: size }, () => inTurn(ask)));
      });
      all.push(bundle);
    },
    /** The answer of one of the calls in flight comes; it is kept by and by. */
    answer: async (which: number): Promise<void> => {
      const [begun] = inFlight.splice(which % Math.max(1, inFlight.length), 1);
      if (begun === undefined) return;
      kept.push(begun);
      begun.words.answered();
      begun.words.answered(); // once is enough
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
    of: (edition: string) => inFlight.filter((one) => one.edition === edition).length,
  };
}

const newTurns = (most: number) => new Turns(most, () => undefined);

test("while others wait, the bundles of an edition have no more calls in flight together than its width", async () => {
  const turns = newTurns(4);
  const { bundle, answer, keep, of } = asking(turns);
  for (const edition of ["hi", "hi", "ja", "ja"]) bundle(edition, 2, 6);
  await setImmediate();
  for (const _ of [1, 2]) await answer(0); // who came first had all, because nobody else was here
  for (let left = 16; left > 0; left -= 1) {
    expect([of("hi"), of("ja")]).toEqual([2, 2]);
    await answer(left % 2 === 0 ? 0 : 3);
    await keep();
  }
});

test("what nobody else waits for is any edition's, and the others come first to what is free next", async () => {
  const turns = newTurns(4);
  const { bundle, fail, of } = asking(turns);
  bundle("hi", 2, 8);
  await setImmediate();
  expect(of("hi")).toBe(4);
  bundle("ja", 2, 8);
  await fail(0);
  await fail(0);
  expect([of("hi"), of("ja")]).toEqual([2, 2]);
});

test("a slot is the next call's when its answer is here, until twice as many as there are slots are under way", async () => {
  const turns = newTurns(2);
  const { bundle, answer, keep, inFlight, keeping, all } = asking(turns);
  bundle("hi", 2, 7);
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

test("what is here and what has not gone out is counted, but not what waits for its own edition", async () => {
  const turns = newTurns(4);
  const { bundle, inFlight } = asking(turns);
  bundle("hi", 3, 3);
  bundle("ja", 3, 5);
  await setImmediate();
  expect([turns.here, turns.behind]).toEqual([6, 6]);
  for (const { words } of inFlight) words.went();
  expect([turns.here, turns.behind]).toEqual([6, 2]);
});

type Step =
  | { readonly kind: "bundle"; readonly edition: string; readonly size: number }
  | { readonly kind: "answer" | "fail"; readonly which: number }
  | { readonly kind: "keep" };

const editions = ["ar", "bn", "de", "hi", "ja"];
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("bundle" as const),
    edition: fc.constantFrom(...editions),
    size: fc.integer({ min: 1, max: 12 }),
  }),
  fc.record({ kind: fc.constantFrom("answer" as const, "fail" as const), which: fc.nat() }),
  fc.constant<Step>({ kind: "keep" }),
);

test("whatever comes and goes, slots are full while somebody waits, never more than full, and all ends", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(step, { maxLength: 50 }),
      async (most, width, steps) => {
        const turns = newTurns(most);
        const { bundle, answer, fail, keep, inFlight, keeping, all } = asking(turns);
        let [asked, ended] = [0, 0];
        for (const next of steps) {
          if (next.kind === "bundle") {
            bundle(next.edition, width, next.size);
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
        expect([turns.here, turns.behind]).toEqual([0, 0]);
      },
    ),
    { numRuns: deep ? 3_000 : 300 },
  );
});
