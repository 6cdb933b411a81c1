import { describe, expect, test } from "vitest";
import { growthOf } from "./memory.ts";
import { nights, startOf, publishTimesOf } from "./nights.ts";
import { planTroubles } from "./plan.ts";

describe("the soak's plan", () => {
  test("is the same from the same seed, another from another, and meets every trouble in thirty nights", () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const troubles = planTroubles(seed, nights.length, ["en", "de"]);
      expect(planTroubles(seed, nights.length, ["en", "de"])).toEqual(troubles);
      expect(planTroubles(seed + 1, nights.length, ["en", "de"])).not.toEqual(troubles);
      const met = new Set<string>(
        troubles.flatMap(({ service, worker, store, clock, attack }) => [
          service,
          worker,
          store,
          clock,
          attack,
        ]),
      );
      for (const kind of [
        "flaky",
        "slow",
        "rude",
        "outage",
        "rotation",
        "killed",
        "frozen",
        "stopped",
        "ahead",
        "step",
        "back",
        "part",
        "state",
        "old state",
        "manifest",
      ])
        expect(met, `seed ${seed}`).toContain(kind);
      expect(met, `seed ${seed}`).toContain("vault");
      expect(met, `seed ${seed}`).toContain("site");
    }
  });

  test("goes forward in time, thirty times", () => {
    const moments = nights
      .flatMap((date) => [startOf(date), ...publishTimesOf(date)])
      .map((at) => at.getTime());
    expect(nights).toHaveLength(30);
    expect(moments).toEqual(moments.toSorted((one, other) => one - other));
    expect(new Set(moments).size).toBe(moments.length);
  });

  test("tells a growing memory from a still one by medians, so that one restless night says nothing", () => {
    const still = [100, 110, 104, 300, 105, 101, 103, 104, 106];
    expect(growthOf(still)).toBeLessThan(1.05);
    expect(growthOf(still.map((value, night) => value + 10 * night))).toBeGreaterThan(1.15);
  });
});
