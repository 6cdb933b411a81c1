import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Pacer } from "../../activities/dependencies.ts";
import { PacerInShare, TurnOver } from "../../worker/pacer.ts";
import { PlayedProcess, PlayedTime } from "./support/played-processes.ts";

const never = new AbortController().signal;
/** Where half a second matters: the machine holds a test up now and then, what is wrong in a pacer does so each time. */
const retry = 3;

function pacerAt(share: number): Pacer {
  const pacer = new PacerInShare();
  pacer.allow(share, Infinity);
  return pacer;
}

async function turns(ratePerSecond: number, count: number): Promise<number[]> {
  const pacer = pacerAt(ratePerSecond);
  const atMs: number[] = [];
  await Promise.all(Array.from({ length: count }, () => callIn(pacer, atMs)));
  return atMs;
}

async function callIn(pacer: Pacer, atMs: number[]): Promise<void> {
  const onSent = await pacer.turn(never);
  onSent();
  atMs.push(performance.now());
}

function mostInASecond(atMs: readonly number[]): number {
  return Math.max(...atMs.map((from) => atMs.filter((at) => at >= from && at < from + 1000).length));
}

// At once: three timers now and then do not hold each other up.
test.concurrent.each([{ rate: 20 }, { rate: 100 }, { rate: 200 }])(
  "at $rate a second no sliding second sees more than the rate and one",
  async ({ rate }) => {
    const atMs = await turns(rate, rate * 2);
    expect(mostInASecond(atMs)).toBeLessThanOrEqual(rate + 1);
    const idealMs = ((rate * 2 - 1) / rate) * 1000;
    const tookMs = (atMs.at(-1) ?? 0) - (atMs[0] ?? 0);
    expect(tookMs / idealMs).toBeGreaterThan(0.96);
    // Only that it does not crawl: how near to the ideal it comes is measured in test/nights/rate.test.ts.
    expect(tookMs / idealMs).toBeLessThan(3);
  },
);

test("time lost to a stalled event loop is made up for, within the rate and one", async () => {
  const pacer = pacerAt(100);
  const atMs: number[] = [];
  const all = Array.from({ length: 150 }, () => callIn(pacer, atMs));
  await delay(200);
  const stallUntilMs = performance.now() + 100;
  while (performance.now() < stallUntilMs);
  await Promise.all(all);
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
  const pacer = pacerAt(20);
  const leftMs: number[] = [];
  const call = async (heldUpMs: number): Promise<void> => {
    const onSent = await pacer.turn(never);
    await delay(heldUpMs);
    onSent();
    leftMs.push(performance.now());
  };
  // The first ones wait for their connections.
  await Promise.all([100, 60, 20, ...Array.from({ length: 22 }, () => 0)].map(call));
  expect(mostInASecond(leftMs.toSorted((one, other) => one - other))).toBeLessThanOrEqual(21);
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
])("a loop that $loop costs the rate nothing", { retry }, async ({ busyMs, ofMs }) => {
  const busy = setInterval(() => {
    const untilMs = performance.now() + busyMs;
    while (performance.now() < untilMs);
  }, ofMs);
  const atMs = await turns(100, 200);
  clearInterval(busy);
  expect(mostInASecond(atMs)).toBeLessThanOrEqual(101);
  // 1.00 on a machine with nothing else to do; 1.75 and more where each turn counts from the one before.
  expect(((atMs.at(-1) ?? 0) - (atMs[0] ?? 0)) / 1990).toBeLessThan(1.3);
});

test("idle time is not saved up for a burst", async () => {
  const pacer = pacerAt(50);
  await pacer.turn(never);
  await delay(300);
  const startMs = performance.now();
  await Promise.all([pacer.turn(never), pacer.turn(never), pacer.turn(never)]);
  expect(performance.now() - startMs).toBeGreaterThan(36);
});

test("who gives up waiting leaves its place and rejects with the reason", { retry }, async () => {
  const pacer = pacerAt(2);
  const giveUp = new AbortController();
  await pacer.turn(never);
  const left = pacer.turn(giveUp.signal);
  const next = pacer.turn(never);
  giveUp.abort(new Error("cancelled"));
  await expect(left).rejects.toThrow("cancelled");
  const startMs = performance.now();
  await next;
  expect(performance.now() - startMs).toBeLessThan(700);
});
