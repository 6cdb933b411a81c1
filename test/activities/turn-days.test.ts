// A call of an attempt that died is drawn from the day's ceiling once, and once more where its next attempt makes it on another day.
import { expect, test } from "vitest";
import { type BundleTurn, waitForTurn } from "../../activities/turn.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { callsTakenOn } from "../../vault/day-calls.ts";
import { composed } from "../support/composed.ts";

test("a call that was drawn on one day and is made on the next one is drawn there, or not made where that day has no room", async () => {
  let now = new Date("2026-11-21T23:59:00Z");
  const { dependencies, close } = composed({ now: () => now });
  const configuration = configurationSchema.parse({ service: { callsPerDay: 1 } });
  const at = { ...dependencies, configuration };
  const words = new Set<string>();
  const note: BundleTurn["note"] = {
    say: () => undefined,
    has: (word) => words.has(word),
    add: (word) => void words.add(word),
  };
  const { signal } = new AbortController();
  const turn = { run: "night", tries: 1, isExtra: true, signal, isMissed: () => false, note, look: false };
  const request = { operation: "daily-tarot", language: "en", period: "2026-11-22" } as const;
  const key = "daily/2026-11-22/en/daily-tarot/reading";
  const taken = () =>
    Promise.all(["2026-11-21", "2026-11-22"].map((day) => callsTakenOn(dependencies.vault, day)));
  await waitForTurn(key, request, turn, at);
  await waitForTurn(key, request, turn, at);
  expect(await taken()).toEqual([1, 0]);
  now = new Date("2026-11-22T00:01:00Z");
  await waitForTurn(key, request, turn, at);
  expect(await taken()).toEqual([1, 1]);
  words.clear();
  await expect(waitForTurn(key, request, turn, at)).rejects.toThrow(/ceiling of 1 call/);
  await close();
});
