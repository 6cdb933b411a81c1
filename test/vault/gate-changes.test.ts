// Hours of outages, played by fifths of a second: workers on one address, whose clocks are apart, with many requests that wait. What
// they ask in vain is counted in the worst hour, wherever it begins.
import { expect, test } from "vitest";
import { CallsInVain } from "../../readings/calls-in-vain.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { type Random, seededRandom } from "../../sandbox/random.ts";
import { closedFor, isProbeDue, probeAnswered, probedInVain, probing } from "../../vault/gate-changes.ts";
import { type GateNote, scopeHolding } from "../../vault/gate-note.ts";
import { deep } from "../support/deep.ts";

const perSecond = 5;
const hours = deep ? 4 : 2;
const seeds = deep ? 50 : 1;
const told = { run: "a-night", key: "a-key", seen: "HTTP 503" };

type IsThere = (second: number, request: ReadingRequest, chance: Random) => boolean;

interface Call {
  readonly request: ReadingRequest;
  readonly isAnswered: boolean;
  readonly endStep: number;
}

interface Played {
  readonly inVain: CallsInVain;
  readonly clockMs: number;
  seen: GateNote | undefined;
  seenStep: number;
  calls: Call[];
  sheet: ReadingRequest[];
}

/** A bundle of requests alike is sent one after the other, unless the gate holds it. */
const ofSheet = 12;

function requestBy(chance: Random): ReadingRequest {
  const pick = <One>(all: readonly [One, ...One[]]) => all[Math.floor(chance() * all.length)] ?? all[0];
  return {
    operation: pick(["daily-tarot", "wisdom-reading", "divine-angel-reading"]),
    language: pick(["hi", "ja", "el", "ru"]),
    period: "2026-11-21",
  };
}

/** All workers together send five calls a second; an answer takes 0.4 s. A worker's look at the gate is good for a second. */
function play(seed: number, workers: number, isThere: IsThere, isLimit = false) {
  const chance = seededRandom(seed);
  const all = Array.from({ length: workers }, (_, place): Played => {
    return {
      inVain: new CallsInVain(),
      clockMs: place * 500,
      seen: undefined,
      seenStep: -9,
      calls: [],
      sheet: [],
    };
  });
  const stepsInVain: number[] = [];
  let calls = 0;
  let note: GateNote | undefined;
  let probe: Call | undefined;
  const sent = (request: ReadingRequest, step: number): Call => {
    calls += 1;
    const isAnswered = isThere(step / perSecond, request, chance);
    if (!isAnswered) stepsInVain.push(step);
    return { request, isAnswered, endStep: step + 2 };
  };
  for (let step = 0; step < hours * 3_600 * perSecond; step += 1) {
    const own = all[step % workers];
    if (own === undefined) throw new Error("no workers");
    const momentOf = ({ clockMs }: Played) => {
      const at = new Date(Date.UTC(2026, 10, 21) + (step * 1_000) / perSecond + clockMs);
      return { at, chance: chance() };
    };
    if (note !== undefined && probe?.endStep === step) {
      note = (probe.isAnswered ? probeAnswered : probedInVain)(probe.request, note, momentOf(own));
      probe = undefined;
    }
    for (const worker of all) {
      for (const { request, isAnswered } of worker.calls.filter(({ endStep }) => endStep === step)) {
        if (isAnswered) worker.inVain.answered(request);
        else if (scopeHolding(request, worker.seen, "") === undefined) {
          const scope = worker.inVain.failed(request, { known: worker.seen?.away, isLimit });
          if (scope === undefined) continue;
          note = closedFor(scope, "translator", note, told, momentOf(worker)) ?? note;
          [worker.seen, worker.seenStep] = [note, step];
        }
      }
      worker.calls = worker.calls.filter(({ endStep }) => endStep > step);
    }
    if (step - own.seenStep > perSecond || (own.seen?.away ?? []).length > 0)
      [own.seen, own.seenStep] = [note, step];
    if (own.sheet.length === 0) own.sheet = Array(ofSheet).fill(requestBy(chance));
    let request = own.sheet.pop() ?? requestBy(chance);
    let scope = scopeHolding(request, own.seen, "");
    for (let tries = 0; tries < 20 && scope !== undefined; tries += 1) {
      own.inVain.forget(request, scope);
      // One of what waits, whichever it is, is the probe.
      if (probe === undefined && note !== undefined && isProbeDue(note, momentOf(own).at)) {
        note = probing(note, 1_000, momentOf(own));
        probe = sent(request, step);
      }
      if ((scope.operation ?? scope.language) === undefined) break;
      own.sheet = [];
      request = requestBy(chance);
      scope = scopeHolding(request, own.seen, "");
    }
    if (scope === undefined) own.calls.push(sent(request, step));
  }
  let [worst, first] = [0, 0];
  for (const [place, step] of stepsInVain.entries()) {
    while (step - (stepsInVain[first] ?? step) > 3_600 * perSecond) first += 1;
    worst = Math.max(worst, place + 1 - first);
  }
  return { worst, share: calls / (hours * 3_600 * perSecond), answered: calls - stepsInVain.length };
}

const outages: Record<string, IsThere> = {
  "is away for hours": () => false,
  "goes away after an hour": (second) => second < 3_600,
  "is up for 10 s and down for 50": (second) => second % 60 < 10,
};

test.each(Object.entries(outages))(
  "a service that %s is asked in vain at most 60 times in any hour, by one worker or four",
  (_, isThere) => {
    for (const workers of [1, 2, 4])
      for (let seed = 1; seed <= seeds; seed += 1)
        expect(play(seed, workers, isThere).worst, `${workers} workers, seed ${seed}`).toBeLessThanOrEqual(
          60,
        );
  },
);

test("a service that says for hours that it is asked too often is asked in vain at most 60 times in any hour", () => {
  for (const workers of [1, 2, 4])
    for (let seed = 1; seed <= seeds; seed += 1)
      expect(
        play(seed, workers, () => false, true).worst,
        `${workers} workers, seed ${seed}`,
      ).toBeLessThanOrEqual(60);
});

test.each(["language", "operation"] as const)(
  "where one %s is away, the others are asked as ever, and it at most 60 times in any hour",
  (field) => {
    const isThere: IsThere = (_, request) => !["ja", "wisdom-reading"].includes(request[field]);
    for (const workers of [1, 2, 4])
      for (let seed = 1; seed <= seeds; seed += 1) {
        const { worst, share } = play(seed, workers, isThere);
        expect(worst, `${workers} workers, seed ${seed}`).toBeLessThanOrEqual(60);
        expect(share).toBeGreaterThan(0.99);
      }
  },
);

test.each([0.05, 0.1, 0.2])("a service that fails %d of its calls at random goes on being asked", (part) => {
  for (const workers of [1, 2, 4]) {
    const shares = Array.from(
      { length: seeds },
      (_, seed) => play(seed, workers, (__, ___, chance) => chance() >= part).share,
    );
    // Seldom a gate closes twice in a row for chance alone, and then for half an hour.
    expect(Math.min(...shares)).toBeGreaterThan(0.8);
    expect(shares.reduce((sum, share) => sum + share, 0) / seeds).toBeGreaterThan(0.98);
  }
});

test("a service that was away for ten seconds is asked by all within a minute, and one that was for an hour within five", () => {
  for (const [awaySeconds, withinSeconds] of [
    [10, 60],
    [3_600, 300],
  ] as const) {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const isThere: IsThere = (second) => second < 60 || second >= 60 + awaySeconds;
      const whole = (hours * 3_600 - awaySeconds - withinSeconds) * perSecond;
      expect(play(seed, 2, isThere).answered, `${awaySeconds} s, seed ${seed}`).toBeGreaterThan(whole);
    }
  }
});
