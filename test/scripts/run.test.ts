// A night that is followed: a summary that is true, and a watch that ends.
import { ServiceError } from "@temporalio/client";
import { expect, test } from "vitest";
import type { RunProgress } from "../../readings/run-messages.ts";
import { statusLines } from "../../scripts/status/print.ts";
import { followToEnd } from "../../scripts/terminal/run.ts";
import { summaryLine } from "../../scripts/terminal/run-words.ts";
import { createVault } from "../../vault/vault.ts";
import { openMemory } from "../support/memory.ts";
import { countsWith, progressOf } from "../support/progress.ts";

function nightThatStored(stored: number): RunProgress {
  const counts = countsWith({ planned: 2, stored, retried: 1 });
  return progressOf({ state: "gathering", planned: 2, languages: { en: { "daily-tarot": counts } } });
}

test("a night that has asked for everything says that it publishes, and no pace", () => {
  const pace = { ratePerSecond: 0.5, secondsLeft: 2 };
  expect(summaryLine(nightThatStored(1), pace)).toBe(
    "gathering: 1 of 2, 0.5 per second, about 2 s left, 1 retried",
  );
  expect(summaryLine(nightThatStored(2), pace)).toBe("publishing: 2 of 2, 1 retried");
});

test("a night that misses some of its further draws ends with as many as it counts", () => {
  const counts = countsWith({ planned: 8, stored: 8, unanswered: 6 });
  const ended = progressOf({ planned: 14, languages: { en: { "daily-tarot": counts } } });
  const status = { run: ended.run, state: "done", running: false, source: "vault", progress: ended } as const;
  expect(summaryLine(ended, { ratePerSecond: 1, secondsLeft: undefined })).toMatch(/^done: 8 of 8/);
  expect(JSON.stringify(statusLines({ ...status, earlier: [] }, { breakers: [], stopped: [] }))).toContain(
    '"8 of 8',
  );
});

test("a run that is seen far enough is left to itself", async () => {
  const seen: number[] = [];
  let stored = 0;
  const run = {
    id: "almanac-backfill-2026-11-21-de-en",
    attached: false,
    progress: async () => nightThatStored((stored += 1)),
    result: () => new Promise<RunProgress>(() => undefined),
    cancel: () => Promise.reject(new Error("nobody asked for that")),
  };
  const left = await followToEnd(
    run,
    createVault(openMemory(), "almanac"),
    (progress) => seen.push(progress.planned) === 2,
  );
  expect([seen, left]).toEqual([[2, 2], nightThatStored(2)]);
});

test("a run that Temporal does not answer about ends the command with the next step, and not with Temporal's bare error", async () => {
  const away = new ServiceError("Failed to get Workflow execution history");
  const run = {
    id: "almanac-nightly-2026-11-21",
    attached: true,
    progress: async (): Promise<RunProgress> => Promise.reject(away),
    result: async (): Promise<RunProgress> => Promise.reject(away),
    cancel: () => Promise.reject(new Error("nobody asked for that")),
  };
  await expect(followToEnd(run, createVault(openMemory(), "almanac"))).rejects.toMatchObject({
    name: "RunOutOfSight",
    message: expect.stringMatching(
      /^Temporal has not responded about almanac-nightly-2026-11-21 .*`almanac status almanac-nightly-2026-11-21 --watch`$/,
    ),
  });
});
