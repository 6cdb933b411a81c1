import { expect, test } from "vitest";
import { passing, processClock } from "../../worker/monotonic-clock.ts";
import { PacerInShare, TurnOver } from "../../worker/pacer.ts";
import { PlayedProcess, PlayedTime } from "../support/played-processes.ts";

const never = new AbortController().signal;

/** A pacer in a process whose time the test plays. */
function played(share: number) {
  const time = new PlayedTime();
  const process = new PlayedProcess(time);
  const pacer = new PacerInShare(undefined, process);
  pacer.allow(share, Infinity);
  const atMs: number[] = [];
  const call = async (heldUpMs = 0): Promise<void> => {
    const onSent = await pacer.turn(never);
    if (heldUpMs > 0) await passing(process, heldUpMs);
    onSent();
    atMs.push(time.nowMs);
  };
  return { time, process, pacer, atMs, call };
}

/** The process is held up for so long in each of these times. */
function holdUp({ time, process }: ReturnType<typeof played>, busyMs: number, ofMs: number, untilMs: number) {
  for (let fromMs = ofMs; fromMs < untilMs; fromMs += ofMs) {
    time.at(fromMs, () => process.stop());
    time.at(fromMs + busyMs, () => process.goOn());
  }
}

function mostInASecond(atMs: readonly number[]): number {
  return Math.max(...atMs.map((from) => atMs.filter((at) => at >= from && at < from + 1000).length));
}

function tookMs(atMs: readonly number[]): number {
  return (atMs.at(-1) ?? 0) - (atMs[0] ?? 0);
}

test.each([{ rate: 20 }, { rate: 100 }, { rate: 200 }])(
  "at $rate a second no sliding second sees more than the rate and one, and none is lost",
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

test("by the real clock no sliding second sees more than the rate and one", async () => {
  // As the pacer reads it: this process may be held up between that and a look of the test's own.
  let readMs: number[] = [];
  const nowMs = () => {
    const now = processClock.nowMs();
    readMs.push(now);
    return now;
  };
  const pacer = new PacerInShare(undefined, { ...processClock, nowMs });
  pacer.allow(100, Infinity);
  const atMs: number[] = [];
  const call = async (): Promise<void> => {
    const onSent = await pacer.turn(never);
    readMs = [];
    onSent();
    atMs.push(...readMs.slice(0, 1));
  };
  await Promise.all(Array.from({ length: 200 }, call));
  expect(atMs).toHaveLength(200);
  expect(mostInASecond(atMs)).toBeLessThanOrEqual(101);
});

test("time lost to a stalled event loop is made up for, within the rate and one", async () => {
  const { time, process, call, atMs } = played(100);
  for (let count = 0; count < 150; count += 1) void call();
  time.at(200, () => process.stop());
  time.at(300, () => process.goOn());
  await time.runUntil(10_000);
  expect(atMs).toHaveLength(150);
  expect(mostInASecond(atMs)).toBeLessThanOrEqual(101);
});

test("a share that became smaller goes out evenly from the next second on, and not in one bunch each second", async () => {
  const time = new PlayedTime();
  const pacer = new PacerInShare(undefined, new PlayedProcess(time));
  pacer.allow(20, Infinity);
  const atMs: number[] = [];
  const call = async (): Promise<void> => {
    const onSent = await pacer.turn(never);
    onSent();
    atMs.push(time.nowMs);
  };
  for (let count = 0; count < 40; count += 1) void call();
  await time.runUntil(220);
  expect(atMs).toHaveLength(5);
  pacer.allow(5, Infinity);
  await time.runUntil(5_500);
  const later = atMs.filter((at) => at > 1_000);
  expect(later.length).toBeGreaterThanOrEqual(22);
  for (const [index, at] of later.slice(1).entries()) expect(at - (later[index] ?? 0)).toBeGreaterThan(150);
});

test("a call that is held up on its way out counts from when it left", async () => {
  const { time, call, atMs } = played(20);
  // The first ones wait for their connections.
  for (const heldUpMs of [100, 60, 20, ...Array.from({ length: 22 }, () => 0)]) void call(heldUpMs);
  await time.runUntil(10_000);
  expect(atMs).toHaveLength(25);
  expect(mostInASecond(atMs.toSorted((one, other) => one - other))).toBeLessThanOrEqual(21);
});

test("a call that is held up until its worker's share is over does not leave", async () => {
  let nowMs = 0;
  const pacer = new PacerInShare(undefined, { nowMs: () => nowMs, after: () => () => undefined });
  pacer.allow(10, 1_000);
  const [inTime, late] = [await pacer.turn(never), pacer.turn(never)];
  nowMs = 999;
  inTime();
  pacer.allow(10, 1_000);
  const leave = await late;
  nowMs = 1_000;
  expect(leave).toThrow(TurnOver);
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

test("idle time is not saved up for a burst", async () => {
  const { time, call, atMs } = played(50);
  void call();
  await time.runUntil(300);
  for (let count = 0; count < 3; count += 1) void call();
  await time.runUntil(10_000);
  expect(atMs).toHaveLength(4);
  expect((atMs[3] ?? 0) - 300).toBeGreaterThan(36);
});

test("who gives up waiting leaves its place and rejects with the reason", async () => {
  const { time, pacer, call, atMs } = played(2);
  const giveUp = new AbortController();
  void call();
  await time.runUntil(0);
  const left = pacer.turn(giveUp.signal);
  void call();
  giveUp.abort(new Error("cancelled"));
  await expect(left).rejects.toThrow("cancelled");
  await time.runUntil(700); // with the place of the one that left it would be a second
  expect(atMs).toHaveLength(2);
});
