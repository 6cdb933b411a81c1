// The sets of a run that a set rule rejects although a person accepted a response of them.
import { expect, test } from "vitest";
import { exitCodeOf, endLines } from "../../scripts/terminal/run-words.ts";
import { inOrder } from "../../scripts/terminal/output.ts";
import { foundRejected } from "../../workflows/run.ts";
import { progressOf } from "../support/progress.ts";

const reason = "another-sign: aries and leo have the same text for 2026-11-21";
const rejected = (language: string) => ({ key: `daily/2026-11-21/${language}/daily-horoscope/leo`, reason });

test("the last publish of each language decides, and a run with such a set is incomplete and names it", () => {
  const progress = progressOf({ planned: 24, state: "done" });
  expect(exitCodeOf(progress)).toBe(0);
  foundRejected(progress, ["en", "hi"], [rejected("en"), rejected("hi")]);
  foundRejected(progress, ["en"], undefined);
  expect(progress.rejectedSets).toEqual([rejected("hi")]);
  expect(exitCodeOf(progress)).toBe(3);
  expect(inOrder(endLines(progress))).toEqual([
    `${progress.run}: done, but incomplete`,
    `  the set of ${rejected("hi").key} is not published, although the response was accepted: ${reason}`,
    expect.stringContaining(`  next: to request the text again, delete responses/${rejected("hi").key}.json`),
  ]);
  foundRejected(progress, ["hi"], undefined);
  expect(exitCodeOf(progress)).toBe(0);
});
