import fc from "fast-check";
import { expect, test } from "vitest";
import type { RateNote } from "../../vault/rate-note.ts";
import { changedNote, fairShares, outlookFor } from "../../worker/fair-shares.ts";

test.each<[string, readonly number[], number, readonly number[]]>([
  ["one has what it wants of the rate", [20], 20, [20]],
  ["equal wants get equal shares, and the first what is over", [20, 20, 20], 20, [7, 7, 6]],
  ["what one does not need the others have", [2, 20, 20], 20, [2, 9, 9]],
  ["with enough for all each has what it wants", [2, 3, 4], 20, [2, 3, 4]],
  ["of a broken rate one has what is over", [5, 5], 2.5, [1.5, 1]],
  ["under one a second there is one holder", [1, 1, 1], 0.2, [0.2, 0, 0]],
  ["with fewer calls a second than workers some have none", [5, 5, 5, 5, 5], 3, [1, 1, 1, 0, 0]],
  ["who wants nothing has nothing", [0, 5], 3, [0, 3]],
])("%s", (_title, wants, rate, shares) => {
  expect(fairShares(wants, rate)).toEqual(shares);
});

const ids = ["a", "b", "c", "d", "e"];
const rates = fc.constantFrom(0.2, 1, 2.5, 3, 7, 20, 20.5);
/** One worker looks: what it wants, what it is configured with, and who it takes for dead. */
const look = fc.record({
  id: fc.constantFrom(...ids),
  ratePerSecond: rates,
  wants: fc.integer({ min: 0, max: 21 }),
  isSated: fc.boolean(),
  unheard: fc.subarray(ids, { maxLength: 2 }),
});

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

test("whoever changes the note, in whatever order: the shares and what they let out in a second fit, or none has grown", () => {
  fc.assert(
    fc.property(fc.array(look, { minLength: 1, maxLength: 60 }), (looks) => {
      let note: RateNote = { epoch: 0, holders: [] };
      for (const { unheard, ...wish } of looks) {
        const before = note;
        const obeying = { obeyed: Infinity, least: 0 };
        const outlook = outlookFor(before, wish, new Set(unheard.filter((id) => id !== wish.id)));
        note = changedNote(outlook, obeying) ?? before;
        const rate = Math.min(...note.holders.map(({ ratePerSecond }) => ratePerSecond));
        const shares = note.holders.map(({ share }) => share);
        const others = before.holders.filter(
          ({ id }) => id !== wish.id && note.holders.some((one) => one.id === id),
        );
        const shareIn = (one: RateNote, of: string) => one.holders.find(({ id }) => id === of)?.share ?? 0;
        if (ids.some((id) => shareIn(note, id) > shareIn(before, id))) {
          expect(sum(shares)).toBeLessThanOrEqual(rate + 1e-6);
          expect(sum(shares.map(Math.ceil))).toBeLessThanOrEqual(Math.ceil(rate));
        }
        // Nobody takes from another, and each place is one holder's.
        for (const { id, share } of others)
          expect(note.holders.find((one) => one.id === id)?.share).toBeGreaterThanOrEqual(share);
        expect(new Set(note.holders.map(({ place }) => place)).size).toBe(note.holders.length);
        if (note !== before) expect(note.epoch).toBe(before.epoch + 1);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("where all look in turn, each soon has its fair share", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 21 }), { minLength: 1, maxLength: 5 }),
      rates,
      (wants, rate) => {
        let note: RateNote = { epoch: 0, holders: [] };
        for (let round = 0; round < 4; round += 1) {
          for (const [index, id] of ids.slice(0, wants.length).entries()) {
            const wish = { id, ratePerSecond: rate, wants: wants[index] ?? 0, isSated: false };
            note = changedNote(outlookFor(note, wish, new Set()), { obeyed: Infinity, least: 0 }) ?? note;
          }
        }
        expect(note.holders.map(({ share }) => share)).toEqual(fairShares(wants, rate));
        const settled = note;
        const [first] = note.holders;
        if (first === undefined) return;
        expect(
          changedNote(outlookFor(note, { ...first, isSated: false }, new Set()), {
            obeyed: Infinity,
            least: 0,
          }),
        ).toBeUndefined();
        expect(note).toBe(settled);
      },
    ),
  );
});
