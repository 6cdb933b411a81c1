// Equal requests of one process share one call, whatever comes first: responses, failures, and callers that give up.
import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type RequestKey, requestKey } from "../../readings/request.ts";
import { MergedCalls } from "../../service/merged-calls.ts";
import { deep } from "../support/deep.ts";

const keyOf = (language: "en" | "hi"): RequestKey =>
  requestKey({ operation: "daily-tarot", language, period: "2026-11-21" });

interface Started {
  readonly number: number;
  readonly signal: AbortSignal;
  readonly answer: (result: string) => void;
  readonly fail: (error: Error) => void;
  isOver: boolean;
}

/** Work that ends when the test says so, or when its signal aborts. */
function world() {
  const merged = new MergedCalls<string>();
  const started: Started[] = [];
  const start = (signal: AbortSignal): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const one: Started = { number: started.length, signal, answer: resolve, fail: reject, isOver: false };
    started.push(one);
    signal.addEventListener("abort", () => reject(signal.reason));
    const over = (): void => void (one.isOver = true);
    promise.then(over, over);
    return promise;
  };
  const call = (key = keyOf("en")) => {
    const controller = new AbortController();
    const result = merged.get(key, controller.signal, start).then(
      (value) => value,
      (error: unknown) => `failed: ${error instanceof Error ? error.message : "?"}`,
    );
    return { result, giveUp: (reason: string) => controller.abort(new Error(reason)) };
  };
  return { merged, started, call };
}

test("a second caller gets the first one's result, and a later third one starts again", async () => {
  const { started, call } = world();
  const [one, other] = [call(), call()];
  expect(started).toHaveLength(1);
  started[0]?.answer("a reading");
  expect(await Promise.all([one.result, other.result])).toEqual(["a reading", "a reading"]);
  void call();
  expect(started).toHaveLength(2);
  void call(keyOf("hi"));
  expect(started).toHaveLength(3);
});

test("a failure reaches every caller", async () => {
  const { started, call } = world();
  const [one, other] = [call(), call()];
  started[0]?.fail(new Error("no response"));
  expect(await Promise.all([one.result, other.result])).toEqual([
    "failed: no response",
    "failed: no response",
  ]);
});

test("a cancelled night leaves its call to the backfill, and the call is aborted when both have given up", async () => {
  const { started, call } = world();
  const [night, backfill] = [call(), call()];
  night.giveUp("cancelled");
  expect(await night.result).toBe("failed: cancelled");
  expect(started[0]?.signal.aborted).toBe(false);
  backfill.giveUp("also cancelled");
  expect(await backfill.result).toBe("failed: also cancelled");
  expect(started[0]?.signal.reason).toMatchObject({ message: "also cancelled" });
  const later = call();
  expect(started).toHaveLength(2);
  started[1]?.answer("a reading");
  expect(await later.result).toBe("a reading");
});

test("a caller that arrives just as the last one gives up joins its call", async () => {
  const { started, call } = world();
  const night = call();
  night.giveUp("cancelled");
  const backfill = call();
  expect(await night.result).toBe("failed: cancelled");
  started[0]?.answer("a reading");
  expect(await backfill.result).toBe("a reading");
  expect(started).toHaveLength(1);
});

test("a caller that arrives after the last one gave up does not join the ending work", async () => {
  const { merged } = world();
  const stored = Promise.withResolvers<string>();
  const cancelled = new AbortController();
  const first = merged.get(keyOf("en"), cancelled.signal, () => stored.promise); // it stores, even after an abort
  cancelled.abort(new Error("cancelled"));
  await expect(first).rejects.toThrow("cancelled");
  const second = merged.get(keyOf("en"), new AbortController().signal, async () => "a second reading");
  const soon = setImmediate("nothing yet");
  expect(await Promise.race([second, soon])).toBe("a second reading");
  stored.resolve("a first reading");
});

test("a caller that was already cancelled starts nothing", async () => {
  const { merged, started } = world();
  const signal = AbortSignal.abort(new Error("gone"));
  await expect(merged.get(keyOf("en"), signal, () => Promise.reject(new Error("started")))).rejects.toThrow(
    "gone",
  );
  expect(started).toEqual([]);
});

type Step = { readonly kind: "call" | "answer" | "fail" | "giveUp" | "wait"; readonly which: number };
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("call", "call", "answer", "fail", "giveUp", "giveUp", "wait"),
  which: fc.nat(20),
});

test("in any order, at most one call runs, no caller is left waiting, and no awaited call is aborted", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { started, call } = world();
      const callers: { readonly caller: ReturnType<typeof call>; isOver: boolean; hasGivenUp: boolean }[] =
        [];
      const waiting = () => callers.filter(({ isOver, hasGivenUp }) => !isOver && !hasGivenUp);
      for (const { kind, which } of steps) {
        const open = started.filter(({ isOver, signal }) => !isOver && !signal.aborted);
        expect(open.length).toBeLessThanOrEqual(1);
        if (kind === "call") {
          const one = { caller: call(), isOver: false, hasGivenUp: false };
          callers.push(one);
          void one.caller.result.then(() => (one.isOver = true));
        } else if (kind === "answer") open[0]?.answer("a reading");
        else if (kind === "fail") open[0]?.fail(new Error("no response"));
        else if (kind === "giveUp") {
          const all = waiting();
          const one = all[which % Math.max(1, all.length)];
          if (one !== undefined) one.hasGivenUp = true;
          one?.caller.giveUp("cancelled");
        }
        if (kind === "wait" || which % 2 === 0) {
          await setImmediate();
          for (const { signal, isOver } of started) if (!isOver) expect(signal.aborted).toBe(false);
          const isWaitedFor = waiting().length > 0;
          expect(started.some(({ isOver }) => !isOver)).toBe(isWaitedFor);
        }
      }
      for (const { answer } of started) answer("a reading");
      await setImmediate();
      expect(waiting()).toEqual([]);
    }),
    { numRuns: deep ? 20_000 : 1_000 },
  );
});
