import { expect, test } from "vitest";
import { AnswerTimes } from "../../store/s3-client.ts";

const limits = { attemptMs: 15_000, attempts: 5, hastyMs: 1_000 };

function timesAfter(answers: readonly number[]): AnswerTimes {
  const times = new AnswerTimes(limits);
  for (const afterMs of answers) times.answered(afterMs);
  return times;
}

test("waits a whole attempt without measurements, and in the last attempt", () => {
  expect(timesAfter([]).waitMs(1)).toBe(15_000);
  expect(timesAfter([50, 60]).waitMs(5)).toBe(15_000);
});

test("waits some seconds if responses are quick, longer from the third attempt on", () => {
  const times = timesAfter(Array.from({ length: 50 }, (_, at) => 80 + (at % 5) * 10));
  expect([1, 2, 3, 4].map((attempt) => times.waitMs(attempt))).toEqual([1_000, 1_000, 2_000, 4_000]);
});

test("adapts to a slow connection, so that it is not filled with repeated calls", () => {
  const quick = Array.from({ length: 50 }, () => 100);
  const times = timesAfter([...quick, ...Array.from({ length: 10 }, () => 3_000)]);
  expect(times.waitMs(1)).toBeGreaterThan(6_000);
  for (let answer = 0; answer < 60; answer += 1) times.answered(100);
  expect(times.waitMs(1)).toBeLessThan(2_000);
});
