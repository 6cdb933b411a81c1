import fc from "fast-check";
import { expect, test } from "vitest";
import { packKeys, unpackKeys } from "../../readings/plan-order.ts";

const key = fc
  .tuple(
    fc.constantFrom(
      "daily/2026-11-21/hi/daily-horoscope",
      "seasonal/2026-Q4/hi/love-compatibility",
      "once/always/en/x",
    ),
    fc.constantFrom("aries", "leo", "aries-leo", "reading", "reader-1"),
  )
  .map(([set, name]) => `${set}/${name}`);

test("packed keys unpack to the same keys in the same order", () => {
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      expect(unpackKeys(packKeys(keys))).toEqual(keys);
    }),
  );
});

test("consecutive keys of one set are packed into one word", () => {
  const set = "daily/2026-11-21/hi/daily-horoscope";
  expect(packKeys([`${set}/aries`, `${set}/leo`, "daily/2026-11-21/hi/daily-tarot/reading"])).toEqual([
    `${set}/aries,leo`,
    "daily/2026-11-21/hi/daily-tarot/reading",
  ]);
});
