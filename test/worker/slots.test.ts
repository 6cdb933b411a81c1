import * as fc from "fast-check";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { CallWords, Slots } from "../../activities/dependencies.ts";
import { mostTogether } from "../../readings/claim-names.ts";
import { createSlots } from "../../worker/slots.ts";
import { deep } from "../support/deep.ts";

const { signal: never } = new AbortController();

/** A request of an edition of its own. */
function alone<One>(slots: Slots, ask: (words: CallWords) => Promise<One>): Promise<One> {
  return slots.within(crypto.randomUUID(), 1, (inTurn) => inTurn(ask));
}

/** Calls that end when they are told to. */
function calls(slots: Slots) {
  const begun: number[] = [];
  const out = new Map<number, (fails: boolean) => void>();
  let asked = 0;
  return {
    begun,
    out,
    use: () => {
      const call = asked;
      asked += 1;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const done = alone(slots, async () => {
        begun.push(call);
        out.set(call, (fails) => (fails ? reject(new Error("no answer")) : resolve()));
        await promise;
      });
      return done.catch(() => undefined);
    },
    end: async (call: number, fails = false) => {
      const finish = out.get(call);
      out.delete(call);
      finish?.(fails);
      await setImmediate();
    },
  };
}

/** Whether another bundle would be taken on; nothing is taken on by the question. */
function hasRoom(slots: Slots): boolean {
  if (!slots.tryReserve()) return false;
  slots.release();
  return true;
}

test("calls begin in the order of the asking, as many as there are slots, also after some that failed", async () => {
  const slots = createSlots(3);
  const { use, end, begun } = calls(slots);
  const all = Array.from({ length: 9 }, use);
  await setImmediate();
  expect(begun).toEqual([0, 1, 2]);
  await end(1, true);
  await end(0);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  for (const call of [4, 2, 3, 5, 6, 7, 8]) await end(call, call % 2 === 0);
  await Promise.all(all);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test("what a call gives back, or throws, comes to who asked for it", async () => {
  const slots = createSlots(1);
  expect(await alone(slots, async () => "a reading")).toBe("a reading");
  await expect(alone(slots, () => Promise.reject(new Error("no answer")))).rejects.toThrow("no answer");
});

test.each([
  [1, 2],
  [2, 3],
  [8, 3],
  [32, 4],
  [200, 18],
])("of %d slots so many bundles wait to arrive at once: %d", (most, bundles) => {
  const slots = createSlots(most);
  let reserved = 0;
  while (slots.tryReserve()) reserved += 1;
  expect(reserved).toBe(bundles);
  expect(reserved * mostTogether).toBeGreaterThanOrEqual(Math.min(most, mostTogether));
});

test("whoever waits to take on a bundle goes on when fewer calls wait than half of the slots, and not before", async () => {
  const slots = createSlots(4);
  const { use, end } = calls(slots);
  for (let call = 0; call < 8; call += 1) void use();
  let taken = false;
  const waiting = slots.reserve(never).then(() => (taken = true));
  await setImmediate();
  for (const call of [0, 1]) await end(call);
  expect(taken).toBe(false); // four are in flight, and two wait
  await end(2);
  expect(taken).toBe(true);
  await waiting;
});

test("a reservation that brings no activity frees its place for the next", async () => {
  const slots = createSlots(4);
  for (let bundle = 0; bundle < 3; bundle += 1) await slots.reserve(never);
  expect(slots.tryReserve()).toBe(false);
  let taken = false;
  const waiting = slots.reserve(never).then(() => (taken = true));
  await setImmediate();
  expect(taken).toBe(false);
  slots.release();
  await waiting;
  expect(slots.tryReserve()).toBe(false);
});

test("who waits longest takes on the next bundle", async () => {
  const slots = createSlots(1);
  await slots.reserve(never);
  await slots.reserve(never);
  const taken: string[] = [];
  const waiting = ["first", "second", "third"].map((who) => slots.reserve(never).then(() => taken.push(who)));
  for (const so of [["first"], ["first", "second"], ["first", "second", "third"]]) {
    slots.release();
    await setImmediate();
    expect(taken).toEqual(so);
  }
  await Promise.all(waiting);
});

test("who is told to wait no longer leaves at once and takes nobody's place", async () => {
  const slots = createSlots(1);
  await slots.reserve(never);
  await slots.reserve(never);
  const leaving = new AbortController();
  const first = slots.reserve(leaving.signal);
  const second = slots.reserve(never);
  leaving.abort();
  await expect(first).rejects.toBe(leaving.signal.reason);
  slots.release();
  await second;
  expect(slots.tryReserve()).toBe(false);
  slots.release();
  expect(hasRoom(slots)).toBe(true);
});

test("who is told to wait no longer before the asking takes nothing on, although there is room", async () => {
  const slots = createSlots(1);
  await expect(slots.reserve(AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  expect(hasRoom(slots)).toBe(true);
});

test("a worker takes on what its share lets out within two seconds, and one bundle before it has a share", async () => {
  const slots = createSlots(64, 0);
  const reserved = () => {
    let count = 0;
    while (slots.tryReserve()) count += 1;
    for (let left = count; left > 0; left -= 1) slots.release();
    return count;
  };
  expect(reserved()).toBe(1);
  slots.keepTo(5);
  expect(reserved()).toBe(1);
  slots.keepTo(20);
  expect(reserved()).toBe(4);
  const { promise, resolve } = Promise.withResolvers<void>();
  const goings: (() => void)[] = [];
  for (let call = 0; call < 40; call += 1) {
    void alone(slots, ({ went }) => {
      goings.push(went);
      return promise;
    });
  }
  await setImmediate();
  expect(reserved()).toBe(0);
  let taken = false;
  const waiting = slots.reserve(never).then(() => (taken = true));
  await setImmediate();
  expect(taken).toBe(false);
  goings[0]?.();
  goings[0]?.(); // once is enough
  await waiting;
  expect(reserved()).toBe(0);
  slots.release();
  expect(reserved()).toBe(1); // 39 have not gone out
  resolve();
});

test("a bundle that waits for another's claim keeps nobody from taking on the next, as long as there are slots", async () => {
  const slots = createSlots(64, 2);
  const ends: (() => void)[] = [];
  for (const bundles of [1, 2, 3, 4, 5, 6, 7]) {
    expect(slots.tryReserve(), `${bundles}`).toBe(true);
    expect(slots.tryReserve()).toBe(false);
    const { promise, resolve } = Promise.withResolvers<void>();
    void slots.whileHeldUp(promise);
    ends.push(resolve);
  }
  expect(slots.tryReserve()).toBe(false);
  for (const end of ends) end();
});

interface Bundle {
  readonly calls: number;
  readonly width: number;
}
type Step =
  | { readonly kind: "reserve" }
  | { readonly kind: "arrives"; readonly bundle: Bundle }
  | { readonly kind: "brings nothing" }
  | { readonly kind: "ends"; readonly which: number; readonly fails: boolean }
  | { readonly kind: "aborts"; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ kind: "reserve" }),
  fc.record({
    kind: fc.constant("arrives" as const),
    bundle: fc.record({ calls: fc.integer({ min: 0, max: 12 }), width: fc.integer({ min: 1, max: 12 }) }),
  }),
  fc.constant<Step>({ kind: "brings nothing" }),
  fc.record({ kind: fc.constant("ends" as const), which: fc.nat(), fails: fc.boolean() }),
  fc.record({ kind: fc.constant("ends" as const), which: fc.nat(), fails: fc.boolean() }),
  fc.record({ kind: fc.constant("aborts" as const), which: fc.nat() }),
);

/** A worker that takes on bundles as Temporal's core does. */
function workerWith(slots: Slots) {
  const { use, end, out } = calls(slots);
  const waiting: AbortController[] = [];
  let reserved = 0;
  return {
    out,
    waiting,
    reserved: () => reserved,
    act: async (next: Step): Promise<void> => {
      if (next.kind === "reserve") {
        const controller = new AbortController();
        waiting.push(controller);
        slots
          .reserve(controller.signal)
          .then(() => (reserved += 1))
          .catch(() => undefined)
          .finally(() => waiting.splice(waiting.indexOf(controller), 1));
      } else if (next.kind === "arrives" && reserved > 0) {
        reserved -= 1;
        let left = next.bundle.calls;
        const lane = async (): Promise<void> => {
          while (left > 0) {
            left -= 1;
            await use();
          }
        };
        const lanes = Array.from({ length: next.bundle.width }, lane);
        void slots.whileAsking(Promise.all(lanes)).then(() => slots.release());
      } else if (next.kind === "brings nothing" && reserved > 0) {
        reserved -= 1;
        slots.release();
      } else if (next.kind === "ends" && out.size > 0) {
        await end([...out.keys()][next.which % out.size] ?? 0, next.fails);
      } else if (next.kind === "aborts" && waiting.length > 0) waiting[next.which % waiting.length]?.abort();
      await setImmediate();
      await setImmediate();
    },
  };
}

test("whatever comes and goes, no more calls are in flight than slots, nobody waits while calls are free, and nothing is lost", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constantFrom(32, 100)),
      fc.array(step, { maxLength: 60 }),
      async (most, steps) => {
        const slots = createSlots(most);
        const worker = workerWith(slots);
        for (const next of steps) {
          await worker.act(next);
          expect(worker.out.size).toBeLessThanOrEqual(most);
          // Nobody waits for a place where there is one, and none is there for the asking that should be waited for.
          if (worker.waiting.length > 0) expect(hasRoom(slots)).toBe(false);
        }
        for (const controller of worker.waiting) controller.abort();
        await setImmediate();
        while (worker.reserved() > 0) await worker.act({ kind: "brings nothing" });
        while (worker.out.size > 0) await worker.act({ kind: "ends", which: 0, fails: false });
        // All is as at the beginning: no place was lost.
        const fresh = createSlots(most);
        while (fresh.tryReserve()) expect(slots.tryReserve()).toBe(true);
        expect(slots.tryReserve()).toBe(false);
      },
    ),
    { numRuns: deep ? 3_000 : 300 },
  );
});
