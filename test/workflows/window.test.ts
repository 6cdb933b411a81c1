import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { openWindow } from "../../workflows/window.ts";

const always = () => true;

test("acts on every item in order, never on more than the width at once", async () => {
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const items = Array.from({ length: 50 }, (_, index) => index);
  const { ended } = openWindow(items, { width: 7, most: 200 }, always, async (item) => {
    begun.push(item);
    running += 1;
    most = Math.max(most, running);
    await setImmediate();
    running -= 1;
  });
  expect(await ended).toEqual([]);
  expect(begun).toEqual(items);
  expect(most).toBe(7);
});

test("what was not begun comes back, and what was begun has ended", async () => {
  let finished = 0;
  const mayStart = () => finished < 2;
  const { ended } = openWindow([1, 2, 3, 4, 5], { width: 2, most: 200 }, mayStart, async () => {
    await setImmediate();
    finished += 1;
  });
  const rest = await ended;
  expect(rest.length + finished).toBe(5);
  expect(rest.length).toBeGreaterThan(0);
});

test("without items it ends at once, and a failure of one ends it with that failure", async () => {
  const nothing = openWindow([], { width: 3, most: 200 }, always, () => Promise.resolve());
  expect(await nothing.ended).toEqual([]);
  const failing = openWindow([1, 2], { width: 1, most: 200 }, always, (item) =>
    item === 2 ? Promise.reject(new Error("a bug")) : Promise.resolve(),
  );
  await expect(failing.ended).rejects.toThrow("a bug");
});

/** Items that end when they are told to. */
function held(width: number, most: number, count = 9) {
  const begun: number[] = [];
  const release = new Map<number, () => void>();
  const items = Array.from({ length: count }, (_, index) => index);
  const window = openWindow(items, { width, most }, always, (item) => {
    begun.push(item);
    const { promise, resolve } = Promise.withResolvers<void>();
    release.set(item, resolve);
    return promise;
  });
  return { ...window, begun, finish: (item: number) => release.get(item)?.() };
}

test("an item that is out at two ticks gives up its place, and does not take it back when it ends", async () => {
  const { begun, tick, finish } = held(2, 200);
  tick();
  expect(begun).toEqual([0, 1]);
  tick();
  expect(begun).toEqual([0, 1, 2, 3]);
  finish(0);
  await setImmediate();
  expect(begun).toEqual([0, 1, 2, 3]); // two are out beside the late one, which is the width
  finish(2);
  await setImmediate();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test("however many items are late, no more than the most are out; it ends when all have ended", async () => {
  const { begun, tick, finish, ended } = held(2, 5);
  for (let at = 0; at < 10; at += 1) tick();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  for (let item = 0; item < 9; item += 1) {
    finish(item);
    await setImmediate();
  }
  expect(begun).toHaveLength(9);
  expect(await ended).toEqual([]);
});
