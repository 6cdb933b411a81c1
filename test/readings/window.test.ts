import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { openWindow } from "../../readings/gather-rules.ts";

const always = () => true;
/** A window as wide as the concurrent items if each weighs one. */
const bounds = (width: number, most = 200, weightOf: (item: number) => number = () => 1) => ({
  width,
  most,
  weightOf,
});

/** Items that come one by one, as the pages of a plan do, each after a moment. */
async function* coming<Item>(items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  for (const item of items) {
    await setImmediate();
    yield item;
  }
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
};

test("processes every item in order, never more than the width at once", async () => {
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const { ended } = openWindow(coming(upTo(50)), bounds(7), always, async (item) => {
    begun.push(item);
    running += 1;
    most = Math.max(most, running);
    await turns(20);
    running -= 1;
  });
  await ended;
  expect(begun).toEqual(upTo(50));
  expect(most).toBe(7);
});

test("items that were not begun remain, and begun items have ended", async () => {
  let begun = 0;
  let finished = 0;
  const mayStart = () => finished < 2;
  const items = coming(upTo(9));
  const { ended } = openWindow(items, bounds(2), mayStart, async () => {
    begun += 1;
    await setImmediate();
    finished += 1;
  });
  await ended;
  expect(finished).toBe(begun);
  const rest = await Array.fromAsync(items);
  expect(rest).toEqual(upTo(9).slice(begun));
  expect(rest.length).toBeGreaterThan(0);
});

test("ends at once without items, and fails with the first failure of an item or of the source", async () => {
  const nothing = openWindow(coming([]), bounds(3), always, () => Promise.resolve());
  await expect(nothing.ended).resolves.toBeUndefined();
  const failing = openWindow(coming([1, 2]), bounds(1), always, (item) =>
    item === 2 ? Promise.reject(new Error("a bug")) : Promise.resolve(),
  );
  await expect(failing.ended).rejects.toThrow("a bug");
  async function* broken(): AsyncGenerator<number, void, undefined> {
    yield 1;
    throw new Error("the page is gone");
  }
  const cut = openWindow(broken(), bounds(2), always, () => Promise.resolve());
  await expect(cut.ended).rejects.toThrow("the page is gone");
});

/** Items that end, or give up their place, on request. */
function held(width: number, most: number, weightOf?: (item: number) => number, count = 9) {
  const begun: number[] = [];
  const release = new Map<number, () => void>();
  const places = new Map<number, () => void>();
  const window = openWindow(coming(upTo(count)), bounds(width, most, weightOf), always, (item, giveUp) => {
    begun.push(item);
    const { promise, resolve } = Promise.withResolvers<void>();
    release.set(item, resolve);
    places.set(item, giveUp);
    return promise;
  });
  return {
    ...window,
    begun,
    finish: async (item: number) => {
      release.get(item)?.();
      await turns(20);
    },
    giveUp: async (item: number) => {
      places.get(item)?.();
      await turns(20);
    },
  };
}

test("continues while the running items weigh less than the width; a released item weighs nothing", async () => {
  const { begun, finish, giveUp } = held(20, 200, (item) => (item === 3 ? 1 : 12));
  await turns(20);
  expect(begun).toEqual([0, 1]);
  await finish(0);
  expect(begun).toEqual([0, 1, 2]);
  await giveUp(2);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  await finish(2);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  await finish(4);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
});

test("one item at a time runs if each weighs more than the width", async () => {
  const { begun, finish, ended } = held(1, 200, () => 12, 3);
  for (let item = 0; item < 3; item += 1) {
    await turns(20);
    expect(begun).toEqual(upTo(item + 1));
    await finish(item);
  }
  await ended;
});

test("an item that runs for two ticks releases its place, and does not take it back when it ends", async () => {
  const { begun, tick, finish } = held(2, 200);
  await turns(20);
  tick();
  await turns(20);
  expect(begun).toEqual([0, 1]);
  tick();
  await turns(20);
  expect(begun).toEqual([0, 1, 2, 3]);
  await finish(0);
  expect(begun).toEqual([0, 1, 2, 3]); // two others fill the width next to the late one
  await finish(2);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test("a released place lets one item start, however often or late it is released", async () => {
  const { begun, tick, giveUp, finish } = held(2, 200);
  await turns(20);
  await giveUp(1);
  await giveUp(1);
  expect(begun).toEqual([0, 1, 2]);
  await finish(1);
  expect(begun).toEqual([0, 1, 2]);
  tick();
  tick();
  await turns(20);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

async function expectAllToEnd({ begun, finish, ended }: ReturnType<typeof held>) {
  for (let item = 0; item < 9; item += 1) await finish(item);
  expect(begun).toHaveLength(9);
  await ended;
}

test("the maximum applies however many items are late, and the window ends when all have ended", async () => {
  const window = held(2, 5);
  const { begun, tick } = window;
  for (let at = 0; at < 10; at += 1) {
    tick();
    await turns(20);
  }
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  await expectAllToEnd(window);
});

test("the maximum applies even if many items release their places while the next ones are still loading", async () => {
  const window = held(4, 5);
  const { begun, tick } = window;
  await turns(20);
  tick();
  tick();
  await turns(20);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  await expectAllToEnd(window);
});
