// A run's view of its editions' refusals: one fact about an operation, or chance.
import { describe, expect, test } from "vitest";
import type { EditionResult, PlannedRefusal } from "../../readings/run-messages.ts";
import type { Language } from "../../readings/tables.ts";
import type { Outcome } from "../../workflows/gather.ts";
import {
  recordOutcome,
  type OperationOutcomes,
  isRefusedAlike,
  othersThan,
  refusedBy,
  refusedOperationsOf,
} from "../../readings/tally.ts";
import { countsWith } from "../support/progress.ts";

const operation = "daily-tarot";
const reason = "HTTP 400: not subscribed";
const key = "daily/2026-11-21/hi/daily-tarot/reading";

function rejected(said = reason): Outcome {
  return {
    kind: "skipped",
    attempts: 3,
    skipped: { key, type: "Rejected", reason: `asked for ${key}: ${said}`, said },
  };
}
const unfit: Outcome = { kind: "skipped", attempts: 3, skipped: { key, type: "Unfit", reason: "short" } };
const late: Outcome = {
  kind: "skipped",
  attempts: 1,
  skipped: { key, type: "Deadline", reason: "too late" },
};
const gathered: Outcome = { kind: "gathered", attempts: 1, gathered: { kind: "stored", tries: 1 } };

function recorded(...outcomes: readonly Outcome[]): OperationOutcomes {
  const so: OperationOutcomes = {};
  for (const outcome of outcomes) recordOutcome(so, operation, outcome);
  return so;
}

function edition(language: Language, refused: EditionResult["refused"], answered = 0): EditionResult {
  const counts = countsWith({ planned: 9, stored: answered });
  return { language, tally: { [operation]: counts }, skipped: [], refused };
}
const times = (requested: number, notRequested = 0) => [
  { operation, reason, requested, notRequested } as const,
];
const planned = (probe: number): PlannedRefusal => ({
  operation,
  reason,
  languages: ["hi", "ja"],
  requested: 0,
  notRequested: 4,
  probe,
});

describe("an edition", () => {
  const twelve = Array.from({ length: 12 }, () => rejected());

  test("stops after twelve equal refusals, and not before", () => {
    expect(isRefusedAlike(recorded(...twelve), operation)).toBe(true);
    expect(isRefusedAlike(recorded(...twelve.slice(1)), operation)).toBe(false);
    expect(isRefusedAlike(recorded(...twelve), "wisdom-reading")).toBe(false);
  });

  test.each([
    ["an answer", gathered],
    ["an answer that is not fit", unfit],
    ["a refusal in other words", rejected("HTTP 400: not today")],
  ])("goes on where there was %s, however many refusals there are", (_, other) => {
    expect(isRefusedAlike(recorded(other, ...twelve), operation)).toBe(false);
    expect(refusedBy(recorded(...twelve, other, ...twelve))).toEqual([]);
  });

  test("concludes nothing about an operation without any response", () => {
    expect(refusedBy(recorded(late, rejected(), late))).toEqual(times(1));
  });
});

describe("a run", () => {
  test("reports an operation once for all its languages", () => {
    expect(refusedOperationsOf([], [edition("hi", times(2)), edition("ja", times(12, 30))])).toEqual([
      { operation, reason, languages: ["hi", "ja"], requested: 14, notRequested: 30 },
    ]);
  });

  test("treats one refusal, or a few next to good responses in another language, as chance", () => {
    expect(refusedOperationsOf([], [edition("hi", times(1))])).toEqual([]);
    expect(refusedOperationsOf([], [edition("hi", times(2)), edition("en", [], 2)])).toEqual([]);
    expect(refusedOperationsOf([], [edition("hi", times(12)), edition("en", [], 2)])).toMatchObject([
      { languages: ["hi"] },
    ]);
  });

  test("reports again what an earlier run of the day found", () => {
    const { probe: _, ...said } = planned(0);
    expect(refusedOperationsOf([planned(0)], [])).toEqual([said]);
  });

  test("keeps an operation refused if the probe is refused, and lifts that if it succeeds; no response changes nothing", () => {
    expect(refusedOperationsOf([planned(1)], [edition("hi", times(1))])).toEqual([
      { operation, reason, languages: ["hi", "ja"], requested: 1, notRequested: 4 },
    ]);
    expect(refusedOperationsOf([planned(1)], [edition("hi", [], 1)])).toEqual([]);
    expect(refusedOperationsOf([planned(1)], [edition("hi", []), edition("en", [], 2)])).toMatchObject([
      { requested: 0 },
    ]);
  });

  test("lists all skipped requests except those of the operation", () => {
    const refused = refusedOperationsOf([], [edition("hi", times(2))]);
    const skippedFor = (of: string, type: "Rejected" | "Unfit") => ({ key: of, type, reason: "" });
    const others = [skippedFor(key, "Unfit"), skippedFor(key.replace("/hi/", "/ja/"), "Rejected")];
    expect(othersThan(refused, [skippedFor(key, "Rejected"), ...others])).toEqual(others);
  });
});
