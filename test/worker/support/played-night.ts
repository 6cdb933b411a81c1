// A night in which many workers share a rate, in played time: stopped, killed, with clocks apart, over a store that is slow, loses
// answers, carries out what was given up long ago, and is away. Each call is counted at the moment at which it leaves.
import { layout } from "../../../vault/layout.ts";
import { parseJson } from "../../../vault/json.ts";
import { rateNote } from "../../../vault/rate-note.ts";
import { lookingFirst } from "../../../store/checked-writes.ts";
import { SharedPacer } from "../../../worker/rate-share.ts";
import { TurnOver } from "../../../worker/pacer.ts";
import { type Chance, chanceFrom, PlayedProcess, PlayedStore, PlayedTime } from "../../support/played-processes.ts";

const never = new AbortController().signal;

export interface PlayedWorker {
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
  /** Its calls are held up on their way out and leave together, once in so long. */
  bunchMs: number;
  /** The next call is stopped between its last look and its leaving. */
  isCaught: boolean;
}

export class PlayedNight {
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
      bunchMs: 0,
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
      const { bunchMs } = worker;
      if (bunchMs > 0) await this.#passed(process, bunchMs - (this.time.nowMs % bunchMs));
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

/** As a process ends: it begins nothing any more, gives back its share, and is gone. */
export async function closed(worker: PlayedWorker): Promise<void> {
  worker.inFlight = 0;
  await worker.pacer.close();
  worker.process.kill();
}
