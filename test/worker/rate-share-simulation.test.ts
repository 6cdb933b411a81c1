// Many workers share a rate in played time: stopped, killed, with clocks apart, over a store that is slow, loses answers, carries
// out what was given up long ago, and is away. Each call is counted at the moment at which it leaves.
import { expect, test } from "vitest";
import { layout } from "../../vault/layout.ts";
import { parseJson } from "../../vault/json.ts";
import { rateNote } from "../../vault/rate-note.ts";
import { lookingFirst } from "../../store/checked-writes.ts";
import { SharedPacer } from "../../worker/rate-share.ts";
import { TurnOver } from "../../worker/pacer.ts";
import { deep } from "../support/deep.ts";
import {
  type Chance,
  chanceFrom,
  PlayedProcess,
  PlayedStore,
  PlayedTime,
} from "./support/played-processes.ts";

const never = new AbortController().signal;

interface PlayedWorker {
  readonly id: string;
  readonly process: PlayedProcess;
  readonly pacer: SharedPacer;
  readonly ratePerSecond: number;
  /** Calls that it has at once: none while it is idle. */
  inFlight: number;
  /** And over all. */
  left: number;
  calls: number;
  sent: number;
  /** The next call is stopped between its last look and its leaving. */
  isCaught: boolean;
}

class PlayedNight {
  readonly time = new PlayedTime();
  readonly chance: Chance;
  readonly store: PlayedStore;
  readonly workers: PlayedWorker[] = [];
  readonly sentMs: number[] = [];
  /** Of the calls that a stopped process sent late. */
  readonly lateMs: number[] = [];
  /** The least rate of the note's holders, and since when it was that. */
  readonly rates: { readonly sinceMs: number; readonly rate: number }[] = [];
  /** How long it may take until all keep to a lower rate. */
  heedMs = 9_000;
  /** The share of calls that wait for their connections. */
  heldUp = 0;
  readonly wrong: string[] = [];
  /** Of all shares in the note. */
  #sum = 0;

  readonly #isHeedless: boolean;

  constructor(seed: number, isHeedless = false) {
    this.#isHeedless = isHeedless;
    this.chance = chanceFrom(seed);
    this.store = new PlayedStore(this.time, this.chance, (key, body) => this.#noted(key, body));
  }

  worker(ratePerSecond: number, inFlight: number, left = Infinity): PlayedWorker {
    const speed = 1 + (this.chance() - 0.5) / 1000;
    const process = new PlayedProcess(this.time, speed, this.chance() * 1e6);
    const nothing = () => undefined;
    const store = this.store.seenBy(process);
    const id = `w${this.workers.length}-${Math.floor(this.chance() * 0xffff).toString(16)}`;
    const pacer = new SharedPacer({
      store: this.#isHeedless ? lookingFirst(store) : store,
      isHeedless: this.#isHeedless,
      address: "english",
      ratePerSecond,
      log: { info: nothing, warn: nothing },
      clock: process,
      id,
    });
    const worker = {
      id,
      process,
      pacer,
      ratePerSecond,
      inFlight: 0,
      left,
      calls: 0,
      sent: 0,
      isCaught: false,
    };
    this.workers.push(worker);
    this.busy(worker, inFlight);
    return worker;
  }

  busy(worker: PlayedWorker, inFlight: number): void {
    worker.inFlight = inFlight;
    while (worker.calls < inFlight && worker.left > 0 && worker.process.isUp) void this.#call(worker);
  }

  /** One after the other as long as the worker is busy. */
  async #call(worker: PlayedWorker): Promise<void> {
    worker.calls += 1;
    const { process, pacer } = worker;
    while (worker.calls <= worker.inFlight && worker.left > 0) {
      worker.left -= 1;
      const onSent = await pacer.turn(never);
      const isHeldUp = this.chance() < this.heldUp;
      await this.#passed(process, isHeldUp ? this.chance() * 7_000 : this.chance() * 4);
      try {
        onSent();
      } catch (error) {
        if (!(error instanceof TurnOver)) throw error;
        continue;
      }
      if (worker.isCaught) await this.#caught(worker);
      else this.#sent(worker);
      await this.#passed(process, 20 + this.chance() * 400);
    }
    worker.calls -= 1;
  }

  #passed(process: PlayedProcess, ms: number): Promise<void> {
    return new Promise((resolve) => void process.after(ms, resolve));
  }

  async #caught(worker: PlayedWorker): Promise<void> {
    worker.isCaught = false;
    worker.process.stop();
    this.time.at(this.time.nowMs + 1_000 + this.chance() * 60_000, () => worker.process.goOn());
    await this.#passed(worker.process, 0);
    this.lateMs.push(this.time.nowMs);
    this.#sent(worker);
  }

  #sent(worker: PlayedWorker): void {
    const { nowMs } = this.time;
    worker.sent += 1;
    this.sentMs.push(nowMs);
    const inSecond = this.sentIn(nowMs - 1000, nowMs);
    const late = this.lateMs.filter((atMs) => atMs > nowMs - 1000).length;
    const rate = this.rateWithin(nowMs - this.heedMs);
    if (inSecond > Math.ceil(rate) + late) {
      this.wrong.push(`${inSecond} in the second to ${nowMs.toFixed(0)} at ${rate} a second`);
    }
  }

  sentIn(afterMs: number, untilMs: number): number {
    const upTo = (ms: number) => this.sentMs.findLastIndex((atMs) => atMs <= ms);
    return upTo(untilMs) - upTo(afterMs);
  }

  /** The highest rate that was noted since then. */
  rateWithin(fromMs: number): number {
    const first = this.rates.findLastIndex(({ sinceMs }) => sinceMs <= fromMs);
    return Math.max(...this.rates.slice(Math.max(0, first)).map(({ rate }) => rate));
  }

  /** Of the note as it stands. */
  holders() {
    const key = layout.rate("english");
    return parseJson(key, this.store.held.get(key) ?? new Uint8Array(), rateNote("english").schema).holders;
  }

  #noted(key: string, body: Uint8Array): void {
    if (key !== layout.rate("english")) return;
    const { holders } = parseJson(key, body, rateNote("english").schema);
    const rate = Math.min(...holders.map((one) => one.ratePerSecond));
    if (holders.length === 0) this.#sum = 0;
    if (holders.length === 0) return;
    this.rates.push({ sinceMs: this.time.nowMs, rate });
    const shares = holders.map(({ share }) => share);
    const sum = shares.reduce((all, share) => all + share, 0);
    // With a lowered rate nothing grows until all fit.
    if (sum > Math.max(rate, this.#sum) + 1e-6)
      this.wrong.push(`shares of ${shares.join(" and ")} at ${rate} a second`);
    this.#sum = sum;
  }
}

test("one worker has the whole rate at once, and an idle one neither holds nor writes anything", async () => {
  const night = new PlayedNight(1);
  const worker = night.worker(20, 40);
  await night.time.runUntil(10_000);
  expect(night.sentIn(0, 1_000)).toBeGreaterThanOrEqual(17);
  expect(night.sentIn(1_000, 10_000)).toBeGreaterThanOrEqual(174);
  expect(night.store.writes).toBe(1);
  expect(night.store.reads).toBeLessThanOrEqual(8);
  night.busy(worker, 0);
  await night.time.runUntil(40_000);
  expect(night.store.writes).toBe(2);
  const { reads } = night.store;
  await night.time.runUntil(600_000);
  expect([night.store.writes, night.store.reads]).toEqual([2, reads]);
  expect(night.wrong).toEqual([]);
});

test("four workers come to equal shares within seconds, and a fifth that needs little gets that", async () => {
  const night = new PlayedNight(2);
  const four = [1, 2, 3, 4].map(() => night.worker(20, 20));
  await night.time.runUntil(20_000);
  const before = four.map(({ sent }) => sent);
  await night.time.runUntil(40_000);
  for (const [index, { sent }] of four.entries()) expect(sent - (before[index] ?? 0)).toBeGreaterThan(90);
  expect(night.sentIn(20_000, 40_000)).toBeGreaterThan(390);
  const little = night.worker(20, 1);
  await night.time.runUntil(50_000);
  expect(little.sent).toBeGreaterThan(2);
  const { writes } = night.store;
  await night.time.runUntil(110_000);
  // Of five workers each counts on every 5 s: 60 writes a minute, and few beside.
  expect(night.store.writes - writes).toBeLessThan(75);
  expect(night.sentIn(70_000, 110_000)).toBeGreaterThan(40 * 20 * 0.93);
  expect(night.wrong).toEqual([]);
});

test("what is left of a night's work is done at the whole rate, whoever has it", async () => {
  const night = new PlayedNight(11);
  for (const calls of [80, 64, 56, 40]) night.worker(20, 64, calls);
  await night.time.runUntil(60_000);
  expect(night.sentMs).toHaveLength(240);
  const tookMs = (night.sentMs.at(-1) ?? 0) - (night.sentMs[0] ?? 0);
  expect(tookMs / 11_950).toBeLessThan(1.2);
  expect(night.wrong).toEqual([]);
});

test("the share of a worker that died is taken after 25 s, and before half a minute is over all goes at the rate again", async () => {
  const night = new PlayedNight(3);
  const [dying] = [night.worker(20, 20), night.worker(20, 20), night.worker(20, 20)];
  await night.time.runUntil(30_000);
  dying?.process.kill();
  await night.time.runUntil(55_000);
  expect(night.sentIn(35_000, 54_000)).toBeLessThan(19 * 14.3);
  await night.time.runUntil(100_000);
  expect(night.sentIn(70_000, 100_000)).toBeGreaterThan(30 * 20 * 0.96);
  expect(night.wrong).toEqual([]);
});

test("a stopped worker that goes on sends nothing from the share that others have", async () => {
  const night = new PlayedNight(4);
  const [stopping] = [night.worker(10, 20), night.worker(10, 20)];
  await night.time.runUntil(30_000);
  stopping?.process.stop();
  await night.time.runUntil(80_000);
  expect(night.sentIn(65_000, 80_000)).toBeGreaterThan(140);
  stopping?.process.goOn();
  await night.time.runUntil(120_000);
  expect(night.sentIn(100_000, 120_000)).toBeGreaterThan(190);
  expect(night.wrong).toEqual([]);
});

test("the lowest configured rate counts: all keep to it within seconds, and to the old one after it has gone", async () => {
  const night = new PlayedNight(5);
  night.worker(20, 20);
  night.worker(20, 20);
  await night.time.runUntil(30_000);
  const slow = night.worker(4, 20);
  await night.time.runUntil(60_000);
  expect(night.sentIn(40_000, 60_000)).toBeGreaterThan(70);
  expect(night.sentIn(40_000, 60_000)).toBeLessThanOrEqual(81);
  night.busy(slow, 0);
  await night.time.runUntil(120_000);
  expect(night.sentIn(100_000, 120_000)).toBeGreaterThan(380);
  expect(night.wrong).toEqual([]);
});

test.each([
  { rate: 0.2, most: 1 },
  { rate: 1, most: 1 },
  { rate: 2.5, most: 3 },
])("with more workers than the $rate calls a second they take turns", async ({ rate }) => {
  const night = new PlayedNight(6);
  const workers = [1, 2, 3, 4].map(() => night.worker(rate, 12));
  await night.time.runUntil(300_000);
  expect(night.sentIn(0, 300_000)).toBeGreaterThan(300 * rate * 0.7);
  expect(night.sentIn(0, 300_000)).toBeLessThanOrEqual(300 * rate + 1);
  for (const { sent } of workers) expect(sent).toBeGreaterThan(300 * rate * 0.08);
  expect(night.wrong).toEqual([]);
});

test("a store that is away for a minute stops the calls, and nobody's share is lost over it", async () => {
  const night = new PlayedNight(7);
  night.worker(10, 20);
  night.worker(10, 20);
  await night.time.runUntil(30_000);
  night.store.trouble = { mostMs: 40, unsent: 1, lost: 0, late: 0 };
  await night.time.runUntil(90_000);
  expect(night.sentIn(51_000, 90_000)).toBe(0);
  night.store.trouble = { mostMs: 40, unsent: 0, lost: 0, late: 0 };
  await night.time.runUntil(110_000);
  expect(night.sentIn(95_000, 110_000)).toBeGreaterThan(15 * 10 * 0.95);
  expect(night.wrong).toEqual([]);
});

test("who comes back takes nothing from one that stayed alone meanwhile and had no need to count", async () => {
  const night = new PlayedNight(8);
  const little = night.worker(20, 1);
  const much = night.worker(20, 40);
  await night.time.runUntil(60_000);
  night.busy(much, 0);
  await night.time.runUntil(120_000);
  expect(night.holders().map(({ id }) => id)).toEqual([little.id]);
  const { writes } = night.store;
  night.busy(much, 40);
  await night.time.runUntil(140_000);
  expect(night.holders().map(({ id }) => id)).toEqual([little.id, much.id]);
  expect(night.store.writes - writes).toBeLessThan(20);
  expect(night.wrong).toEqual([]);
});

test("a worker that ends gives back its share at once, and others take it a second later", async () => {
  const night = new PlayedNight(9);
  const [ending] = [night.worker(20, 40), night.worker(20, 40)];
  await night.time.runUntil(30_000);
  if (ending !== undefined) await Promise.all([closed(ending), night.time.runUntil(31_000)]);
  await night.time.runUntil(60_000);
  expect(night.sentIn(40_000, 60_000)).toBeGreaterThan(20 * 20 * 0.96);
  expect(night.holders()).toHaveLength(1);
  expect(night.wrong).toEqual([]);
});

test("a note that can't be read stops the calls, and is made anew when all have stopped", async () => {
  const night = new PlayedNight(10);
  night.worker(20, 40);
  night.worker(20, 40);
  await night.time.runUntil(30_000);
  night.store.held.set(layout.rate("english"), new TextEncoder().encode("{"));
  await night.time.runUntil(57_000);
  expect(night.sentIn(51_000, 54_000)).toBe(0);
  await night.time.runUntil(90_000);
  expect(night.sentIn(70_000, 90_000)).toBeGreaterThan(20 * 20 * 0.95);
  expect(night.wrong).toEqual([]);
});

test.each([1, 2, 3, 4, 5])(
  "in a store that heeds no conditions the shares hold as well (%i)",
  async (seed) => {
    const night = new PlayedNight(seed, true);
    for (let count = 0; count < 4; count += 1) night.worker(20, 20);
    await night.time.runUntil(40_000);
    expect(night.sentIn(25_000, 40_000)).toBeGreaterThan(15 * 20 * 0.9);
    night.workers[0]?.process.kill();
    night.worker(20, 20);
    night.worker(20, 20);
    await night.time.runUntil(120_000);
    expect(night.sentIn(90_000, 120_000)).toBeGreaterThan(30 * 20 * 0.9);
    expect(night.wrong).toEqual([]);
  },
);

/** As a process ends: it begins nothing any more, gives back its share, and is gone. */
async function closed(worker: PlayedWorker): Promise<void> {
  worker.inFlight = 0;
  await worker.pacer.close();
  worker.process.kill();
}

/** A few minutes in which everything happens, and then the time in which all has to come right again. */
async function troubledNight(seed: number): Promise<PlayedNight> {
  const night = new PlayedNight(seed);
  const { chance, time, store } = night;
  const one = <Value>(values: readonly Value[]): Value | undefined =>
    values[Math.floor(chance() * values.length)];
  const rates = [20, 20, 20, 7, 2.5, 3, 1, 0.5];
  const rate = one(rates) ?? 1;
  night.heedMs = 32_000;
  night.heldUp = 0.02;
  store.isSlowToWrite = chance() < 0.5;
  for (let count = 1 + Math.floor(chance() * 5); count > 0; count -= 1)
    night.worker(rate, 4 + Math.floor(chance() * 30));
  for (let atMs = 5_000; atMs < 200_000; atMs += 500 + chance() * 15_000) {
    await time.runUntil(atMs);
    const worker = one(night.workers);
    const lot = chance();
    if (lot < 0.15) store.trouble = { mostMs: chance() * 8_000, unsent: 0, lost: 0, late: 0 };
    else if (lot < 0.3)
      store.trouble = { mostMs: 500, unsent: chance() * 0.5, lost: chance() * 0.3, late: chance() * 0.2 };
    else if (lot < 0.35) store.trouble = { mostMs: 100, unsent: 1, lost: 0, late: 0 };
    else if (lot < 0.55) store.trouble = { mostMs: 40, unsent: 0, lost: 0, late: 0 };
    else if (worker === undefined) continue;
    else if (lot < 0.7) {
      worker.process.stop();
      time.at(time.nowMs + chance() * 60_000, () => worker.process.goOn());
    } else if (lot < 0.75) worker.isCaught = true;
    else if (lot < 0.8) worker.process.kill();
    else if (lot < 0.85) void closed(worker);
    else if (lot < 0.9) night.busy(worker, Math.floor(chance() * 3) * 12);
    else if (night.workers.length < 9) night.worker(chance() < 0.7 ? rate : (one(rates) ?? 1), 12);
  }
  store.trouble = { mostMs: 40, unsent: 0, lost: 0, late: 0 };
  night.heldUp = 0;
  const last = night.worker(rate, 40);
  await time.runUntil(280_000);
  const before = night.sentMs.length;
  await time.runUntil(340_000);
  const least = Math.min(...night.workers.map(({ ratePerSecond }) => ratePerSecond));
  const isScarce = night.workers.filter(({ process }) => process.isUp).length > least;
  const whole = isScarce ? 0.6 : 0.85;
  if (night.sentMs.length - before < Math.floor(60 * least * whole)) {
    night.wrong.push(`only ${night.sentMs.length - before} in the last minute at ${least} a second`);
  }
  if (!isScarce && last.sent === 0) night.wrong.push("the last worker never sent anything");
  return night;
}

const nights = deep ? 300 : 20;
test(`in ${nights} nights of troubles no second sees more than the rate, and a minute after the last trouble all goes at it`, async () => {
  const only = Number(process.env["ALMANAC_TEST_SEED"]);
  for (let seed = only || 1; seed <= (only || nights); seed += 1) {
    const { wrong } = await troubledNight(seed);
    expect(wrong.slice(0, 3), `seed ${seed}`).toEqual([]);
  }
});
