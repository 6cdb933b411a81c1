import { expect, test } from "vitest";
import { HeldUp, RateLimiter } from "../../service/rate-limiter.ts";
import { clockDelay, processClock } from "../../store/clock.ts";
import { PlayedProcess, PlayedTime } from "../support/played-processes.ts";
import { mostInASecond } from "../support/sends.ts";

const never = new AbortController().signal;

/** A rate limiter in a process whose time the test plays. */
function played(rate: number) {
  const time = new PlayedTime();
  const process = new PlayedProcess(time);
  const limiter = new RateLimiter(rate, process);
  const atMs: number[] = [];
  const call = async (heldUpMs = 0): Promise<void> => {
    const leave = await limiter.acquire(never);
    if (heldUpMs > 0) await clockDelay(process, heldUpMs);
    leave();
    atMs.push(time.nowMs);
  };
  return { time, process, limiter, atMs, call };
}

/** The process is held up for so long in each of these times. */
function holdUp({ time, process }: ReturnType<typeof played>, busyMs: number, ofMs: number, untilMs: number) {
  for (let fromMs = ofMs; fromMs < untilMs; fromMs += ofMs) {
    time.at(fromMs, () => process.stop());
    time.at(fromMs + busyMs, () => process.goOn());
  }
}

function tookMs(atMs: readonly number[]): number {
  return (atMs.at(-1) ?? 0) - (atMs[0] ?? 0);
}

test.each([{ rate: 20 }, { rate: 100 }, { rate: 200 }])(
  "at $rate per second, no sliding second exceeds the rate by more than one call, and no call is lost",
  async ({ rate }) => {
    const { time, call, atMs } = played(rate);
    for (let count = 0; count < rate * 2; count += 1) void call();
    await time.runUntil(10_000);
    expect(atMs).toHaveLength(rate * 2);
    expect(mostInASecond(atMs)).toBeLessThanOrEqual(rate + 1);
    const idealMs = ((rate * 2 - 1) / rate) * 1000;
    expect(tookMs(atMs) / idealMs).toBeGreaterThan(0.96);
    expect(tookMs(atMs) / idealMs).toBeLessThan(1.03);
  },
);

test("with the real clock, no sliding second exceeds the rate by more than one call", async () => {
  // The limiter's own clock readings: this process may be delayed before the test reads the clock itself.
  let readMs: number[] = [];
  const monotonicMs = () => {
    const now = processClock.monotonicMs();
    readMs.push(now);
    return now;
  };
  const limiter = new RateLimiter(100, { ...processClock, monotonicMs });
  const atMs: number[] = [];
  const call = async (): Promise<void> => {
    const leave = await limiter.acquire(never);
    readMs = [];
    leave();
    atMs.push(...readMs.slice(0, 1));
  };
  await Promise.all(Array.from({ length: 200 }, call));
  expect(atMs).toHaveLength(200);
  expect(mostInASecond(atMs)).toBeLessThanOrEqual(101);
});

test("time lost to a stalled event loop is made up for, within the limit", async () => {
  const { time, process, call, atMs } = played(100);
  for (let count = 0; count < 150; count += 1) void call();
  time.at(200, () => process.stop());
  time.at(300, () => process.goOn());
  await time.runUntil(10_000);
  expect(atMs).toHaveLength(150);
  expect(mostInASecond(atMs)).toBeLessThanOrEqual(101);
});

test("a rate below one per second lets one call out in its time", async () => {
  const { time, call, atMs } = played(0.2);
  for (let count = 0; count < 5; count += 1) void call();
  await time.runUntil(24_000);
  expect(atMs).toHaveLength(5);
  for (const [index, at] of atMs.slice(1).entries())
    expect(at - (atMs[index] ?? 0)).toBeGreaterThanOrEqual(5_000);
});

test("after a stall that filled a second, calls continue evenly instead of in bursts", async () => {
  const { time, process, call, atMs } = played(20);
  for (let count = 0; count < 80; count += 1) void call();
  time.at(200, () => process.stop());
  time.at(1_200, () => process.goOn());
  await time.runUntil(4_000);
  const later = atMs.filter((at) => at > 2_300);
  expect(later.length).toBeGreaterThan(25);
  for (const [index, at] of later.slice(1).entries()) expect(at - (later[index] ?? 0)).toBeGreaterThan(40);
});

test("nothing is sent during a silence, and that time is not made up for", async () => {
  const { time, call, atMs, limiter, process } = played(20);
  limiter.quietUntil(process.monotonicMs() + 2_000);
  for (let count = 0; count < 20; count += 1) void call();
  await time.runUntil(1_900);
  expect([atMs.length, limiter.isQuiet()]).toEqual([0, false]);
  await time.runUntil(2_499);
  expect(atMs.length).toBeLessThanOrEqual(11);
  await time.runUntil(3_100);
  expect(atMs).toHaveLength(20);
  expect(limiter.isQuiet()).toBe(false);
  await time.runUntil(4_200);
  expect(limiter.isQuiet()).toBe(true);
});

test("a call that is refused as it leaves gives up its place, and the next one leaves at the rate", async () => {
  const { time, limiter, call, atMs } = played(1);
  const refuse = async (): Promise<void> => {
    const leave = await limiter.acquire(never);
    leave(() => {
      throw new Error("not now");
    });
  };
  const refused = refuse().catch(String);
  void call();
  await time.runUntil(1_100); // it would keep its place for 5 s
  expect([await refused, atMs.length]).toEqual(["Error: not now", 1]);
});

test("a stop rejects all waiting calls, and later calls obey the rate", async () => {
  const { time, limiter, call, atMs } = played(1);
  const ends = [call(), call(), call()].map((one) => one.catch(String));
  await time.runUntil(100);
  limiter.stop(new Error("another owner"));
  expect((await Promise.all(ends)).slice(1)).toEqual(["Error: another owner", "Error: another owner"]);
  void call();
  await time.runUntil(2_100);
  expect(atMs).toHaveLength(2);
  expect((atMs[1] ?? 0) - (atMs[0] ?? 0)).toBeGreaterThan(1_000);
});

test("a delayed call counts from its actual send time", async () => {
  const { time, call, atMs } = played(20);
  // The first ones wait for their connections.
  for (const heldUpMs of [100, 60, 20, ...Array.from({ length: 22 }, () => 0)]) void call(heldUpMs);
  await time.runUntil(10_000);
  expect(atMs).toHaveLength(25);
  expect(mostInASecond(atMs.toSorted((one, other) => one - other))).toBeLessThanOrEqual(21);
});

test("a call delayed for 5 s is not sent, and nobody else gets its place until then", async () => {
  const { time, limiter, call, atMs } = played(1);
  const leave = await limiter.acquire(never);
  void call();
  await time.runUntil(4_900);
  expect(atMs).toEqual([]);
  await time.runUntil(5_100);
  expect(atMs).toHaveLength(1);
  expect(leave).toThrow(HeldUp);
});

test.each([
  { busyMs: 15, ofMs: 30, loop: "is busy half of the time, for longer than a turn each" },
  { busyMs: 20, ofMs: 21, loop: "comes to its timers but every other turn" },
])("a loop that $loop costs the rate nothing", async ({ busyMs, ofMs }) => {
  const world = played(100);
  holdUp(world, busyMs, ofMs, 10_000);
  for (let count = 0; count < 200; count += 1) void world.call();
  await world.time.runUntil(10_000);
  expect(world.atMs).toHaveLength(200);
  expect(mostInASecond(world.atMs)).toBeLessThanOrEqual(101);
  // 1.75 and more where each turn counts from the one before.
  expect(tookMs(world.atMs) / 1990).toBeLessThan(1.05);
});

test("idle time allows no burst", async () => {
  const { time, call, atMs } = played(50);
  void call();
  await time.runUntil(300);
  for (let count = 0; count < 3; count += 1) void call();
  await time.runUntil(10_000);
  expect(atMs).toHaveLength(4);
  expect((atMs[3] ?? 0) - 300).toBeGreaterThan(36);
});

test("a cancelled wait gives up its place and rejects with the reason", async () => {
  const { time, limiter, call, atMs } = played(2);
  const giveUp = new AbortController();
  void call();
  await time.runUntil(0);
  const left = limiter.acquire(giveUp.signal);
  void call();
  giveUp.abort(new Error("cancelled"));
  await expect(left).rejects.toThrow("cancelled");
  await time.runUntil(700); // with the place of the one that left it would be a second
  expect(atMs).toHaveLength(2);
});
