// Alerts about a growing quarantine: one at each step up, none if it shrinks or stays the same.
import { expect, test } from "vitest";
import type { Alert } from "../../activities/alert-kinds.ts";
import { alertAboutRun } from "../../activities/alerts.ts";
import { composed } from "../support/composed.ts";
import { progressOf } from "../support/progress.ts";

const night = progressOf({ planned: 24 });

test("alerts again each time the quarantine grows by the size of a set, and says what to do", async () => {
  const alerts: Alert[] = [];
  const { dependencies } = composed({ alert: async (alert) => void alerts.push(alert) });
  const toldAt: number[] = [];
  for (const [round, inQuarantine] of [11, 12, 13, 23, 24, 3, 14, 15].entries()) {
    await alertAboutRun(night, { inQuarantine, once: String(round) }, dependencies);
    if (alerts.length > toldAt.length) toldAt.push(inQuarantine);
  }
  expect(toldAt).toEqual([12, 24, 15]);
  expect(alerts[0]).toEqual({
    kind: "quarantine-grown",
    text: "The quarantine has grown to 12 responses after almanac-nightly-2026-11-21. Their sets keep the previous text. Next: run `almanac quarantine list`, which shows one remedy for all responses that were rejected alike.",
    once: "1",
  });
});
