import { describe, expect, test } from "vitest";
import { attemptPauseMs, pauseAfterNoAnswerMs } from "../../readings/gather-rules.ts";

describe("the pause after a call without a response", () => {
  test("spreads requests that failed at the same moment over a whole pause's length", () => {
    for (const attempt of [1, 2, 5, 12]) {
      const pauseAt = (chance: number) => pauseAfterNoAnswerMs(attempt, chance);
      const middle = pauseAt(0.5);
      expect([pauseAt(0), pauseAt(1)]).toEqual([middle * 0.5, middle * 1.5]);
    }
  });

  test("doubles from one second and never exceeds three minutes", () => {
    const pauses = Array.from({ length: 20 }, (_, index) => pauseAfterNoAnswerMs(index + 1, 0.5));
    expect(pauses.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(Math.max(...pauses)).toBe(120_000);
    expect(pauseAfterNoAnswerMs(1_000, 1)).toBe(180_000);
  });
});

test("a rejected request is tried again after one second, then after five", () => {
  expect([1, 2, 3].map(attemptPauseMs)).toEqual([1_000, 5_000, 5_000]);
});
