import { expect, test } from "vitest";
import { inWindow } from "../../workflows/window.ts";

test("acts on every item in order, never on more than the width at once", async () => {
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const items = Array.from({ length: 50 }, (_, index) => index);
  const rest = await inWindow(
    items,
    7,
    () => true,
    async (item) => {
      begun.push(item);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    },
  );
  expect(rest).toEqual([]);
  expect(begun).toEqual(items);
  expect(most).toBe(7);
});

test("what was not begun comes back, and what was begun has ended", async () => {
  let ended = 0;
  const rest = await inWindow(
    [1, 2, 3, 4, 5],
    2,
    () => ended < 2,
    async () => {
      await Promise.resolve();
      ended += 1;
    },
  );
  expect(rest.length + ended).toBe(5);
  expect(rest.length).toBeGreaterThan(0);
});
