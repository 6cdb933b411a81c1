// Heartbeats of activities that are cancelled together, with a simulated clock.
import { beforeEach, afterEach, expect, test, vi } from "vitest";
import { beatEveryMs, Pulse, PulsesTogether } from "../../activities/heartbeat.ts";
import { heartbeatMs } from "../../service/limits.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts pulses some milliseconds apart, and records the times of their beats. */
function begun(count: number, apartMs = 0) {
  const startedMs = performance.now();
  const together = new PulsesTogether();
  const beats: number[][] = [];
  const pulses = Array.from({ length: count }, () => {
    const own: number[] = [];
    beats.push(own);
    const pulse = new Pulse(() => own.push(performance.now() - startedMs), heartbeatMs);
    together.add(pulse);
    vi.advanceTimersByTime(apartMs);
    return pulse;
  });
  return { together, pulses, beats };
}

/** The longest time without a beat, up to that moment. */
function longestPauseMs(beats: readonly number[], untilMs: number): number {
  const all = [0, ...beats.toSorted((one, other) => one - other), untilMs];
  return Math.max(...all.slice(1).map((atMs, index) => atMs - (all[index] ?? 0)));
}

test("a single activity heartbeats often enough to notice a cancellation in time", () => {
  const { beats } = begun(1);
  vi.advanceTimersByTime(4 * beatEveryMs + 10);
  expect(beats[0]).toHaveLength(4);
  expect(longestPauseMs(beats.flat(), 4 * beatEveryMs)).toBeLessThanOrEqual(beatEveryMs + 10);
});

test.for([
  [2, 0],
  [5, 0],
  [5, 900],
  [12, 2_300],
] as const)(
  "of %d together, %d ms apart, one beats so often, and each twice in its time-out",
  ([count, apartMs]) => {
    const { beats } = begun(count, apartMs);
    vi.advanceTimersByTime(120_000 - count * apartMs);
    expect(longestPauseMs(beats.flat(), 120_000)).toBeLessThanOrEqual(beatEveryMs + 10);
    for (const [index, own] of beats.entries()) {
      const since = [index * apartMs, ...own].map((atMs) => atMs - index * apartMs);
      expect(longestPauseMs(since, 120_000 - index * apartMs)).toBeLessThanOrEqual(heartbeatMs / 2 + 10);
    }
    const alone = (count * 120_000) / beatEveryMs;
    expect(beats.flat().length).toBeLessThan(count > 2 ? 0.75 * alone : alone);
  },
);

test("after one activity is cancelled, the others heartbeat at once, and only once", () => {
  const { together, pulses, beats } = begun(4);
  vi.advanceTimersByTime(1_000);
  for (const pulse of pulses) together.hurryOthers(pulse);
  expect(beats.map((own) => own.length)).toEqual([1, 1, 1, 1]);
});

test("an ended activity passes its heartbeat on to the others, because it may have missed the last response", () => {
  const { together, pulses, beats } = begun(2);
  vi.advanceTimersByTime(beatEveryMs + 10);
  const [first] = pulses;
  expect(beats.map((own) => own.length)).toEqual([1, 0]);
  if (first !== undefined) together.delete(first);
  vi.advanceTimersByTime(10);
  expect(beats.map((own) => own.length)).toEqual([1, 1]);
});

test("a new activity does not delay the next heartbeat of the others", () => {
  const { together, beats } = begun(1, 5_000);
  together.add(new Pulse(() => undefined, heartbeatMs));
  vi.advanceTimersByTime(beatEveryMs - 5_000 + 10);
  expect(beats[0]).toHaveLength(1);
});

test("a pulse that was late once counts as missed, and never beats again", () => {
  const { together, pulses, beats } = begun(2);
  const blocked = vi.spyOn(performance, "now").mockReturnValue(performance.now() + heartbeatMs + 1); // simulates a stopped process
  vi.advanceTimersByTime(beatEveryMs + 10);
  expect(pulses.map(({ isMissed }) => isMissed)).toEqual([true, true]);
  blocked.mockRestore();
  for (const pulse of pulses) together.hurryOthers(pulse);
  vi.advanceTimersByTime(4 * beatEveryMs);
  expect(pulses.map(({ isMissed }) => isMissed)).toEqual([true, true]);
  expect(beats.flat()).toEqual([]);
});
