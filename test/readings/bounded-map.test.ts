import { expect, test } from "vitest";
import { setBounded } from "../../readings/bounded-map.ts";

test("a bounded map keeps the newest entries, and no more of them than it may", () => {
  const map = new Map<string, number>();
  for (const [value, key] of ["a", "b", "c", "a", "d"].entries()) setBounded(map, key, value, 3);
  expect([...map]).toEqual([
    ["c", 2],
    ["a", 3],
    ["d", 4],
  ]);
});
