// One worker's share of an address' rate. The rate holds over all workers in every second, with clocks apart, in a store that
// takes one write a second to a key, because all of this needs durations only:
//
// - What each may send stands in one note (vault/rate-note.ts), which is swapped. A worker writes its own entry alone; the
//   shares never sum to more than the rate.
// - A share shrinks when its holder has kept to less for a second, and then writes so. In the same write what is free goes to
//   whom it is owed.
// - A holder looks at the note every 5 s or sooner, and beside others it counts on in a file of its own. If it has not done so for 20 s,
//   it sends nothing until it has written its entry anew. The look at that is the last thing before a call leaves.
// - An entry and a counter that another has seen unmoved for 25 s are those of a worker that sends nothing: they are taken away.
//   One that ends says so in its entry, and its share is taken a second later.
// - A holder gives back what it does not need. An idle worker is not in the note, and neither reads nor writes.
//
// A process that is stopped between the last look and the sending may send that one call late.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import type { Store } from "../store/store.ts";
import { randomBytes } from "node:crypto";
import type { Pacer } from "../activities/dependencies.ts";
import type { Log } from "../vault/log.ts";
import { lookAt, swapNote } from "../vault/note.ts";
import { countOn, type RateNote, rateNote, type ShareHolder } from "../vault/rate-note.ts";
import { changedNote, outlookFor, type ShareOutlook, type ShareWish } from "./fair-shares.ts";
import { lookEveryMs, LookTimes } from "./look-times.ts";
import { type MonotonicClock, passing, processClock } from "./monotonic-clock.ts";
import { NoteCertainty } from "./note-certainty.ts";
import { PacerInShare, secondOf } from "./pacer.ts";
import { ShareNeed } from "./share-need.ts";
import { UnheardHolders } from "./unheard-holders.ts";

/** Without a look that went well a share holds no longer than this, counted from before the look. */
const holdsForMs = 20_000;
/** A holder that has had its share for so long makes way, where there are more workers than calls a second. */
const satedMs = 15_000;
/** The time after which a look that failed is tried again. */
const awayEveryMs = 1_000;
const quietEveryMs = 25;
const pauseEveryMs = 100;

export interface RateShareSettings {
  readonly store: Store;
  readonly address: ServiceAddress;
  readonly ratePerSecond: number;
  /** Where the store heeds no conditions, a write counts when it is still there a second later. */
  readonly isHeedless?: boolean;
  /** Calls a second that it can use at most. */
  readonly most?: number;
  readonly log: Pick<Log, "info" | "warn">;
  /** Told of each change of the share. */
  readonly onShare?: (share: number) => void;
  readonly clock?: MonotonicClock;
  /** Names the worker in the note; a new one for each process. */
  readonly id?: string;
}

/** Spaces the calls of this process within its share. */
export class SharedPacer implements Pacer {
  readonly #settings: RateShareSettings;
  readonly #clock: MonotonicClock;
  readonly #id: string;
  readonly #pacer: PacerInShare;
  readonly #need: ShareNeed;
  readonly #others: UnheardHolders;
  readonly #times: LookTimes;
  readonly #certainty: NoteCertainty;
  /** What is kept to, at most the share in the note; it holds until then. */
  #obeyed = 0;
  #untilMs = -Infinity;
  #sinceMs = 0;
  /** Where the store heeds no conditions: the epoch of a write of its own that does not count yet. */
  #unproven: number | undefined;
  #count = 0;
  #provenMs = -Infinity;
  #running: Promise<void> | undefined;
  #isClosed = false;
  #isAway = false;

  constructor(settings: RateShareSettings) {
    this.#settings = settings;
    this.#clock = settings.clock ?? processClock;
    this.#id = settings.id ?? randomBytes(6).toString("hex");
    this.#pacer = new PacerInShare(() => this.#begin(), this.#clock);
    const most = Math.min(Math.ceil(settings.ratePerSecond), settings.most ?? Infinity);
    this.#need = new ShareNeed(this.#pacer, this.#clock, most);
    this.#times = new LookTimes(this.#id);
    this.#certainty = new NoteCertainty(this.#clock, settings.isHeedless ?? false);
    this.#others = new UnheardHolders({ ...settings, clock: this.#clock });
  }

  turn(signal: AbortSignal): Promise<() => void> {
    return this.#pacer.turn(signal);
  }

  /** Gives the share back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#untilMs = -Infinity; // what is still on its way out does not leave any more
    this.#pacer.allow(0, this.#untilMs);
    await this.#running;
  }

  #begin(): void {
    if (!this.#isClosed) this.#running ??= this.#hold();
  }

  async #hold(): Promise<void> {
    this.#need.beginAnew();
    for (;;) {
      const pauseMs = await this.#look();
      if (pauseMs === undefined && (this.#pacer.waitedMs() === undefined || this.#isClosed)) break;
      await this.#pause(pauseMs ?? 0);
    }
    this.#running = undefined;
  }

  /** Ends early where the share has become too small, or the process is to end. */
  async #pause(pauseMs: number): Promise<void> {
    const endMs = this.#clock.nowMs() + pauseMs;
    for (;;) {
      const leftMs = endMs - this.#clock.nowMs();
      if (leftMs <= 0) return;
      await passing(this.#clock, Math.min(leftMs, pauseEveryMs));
      if (this.#isClosed || (pauseMs > awayEveryMs && this.#need.isOther)) return;
    }
  }

  /** One look at the note, and what it leads to; returns the time until the next, undefined where nothing is held any more. */
  async #look(): Promise<number | undefined> {
    const beganMs = this.#clock.nowMs();
    try {
      if (this.#isClosed) this.#untilMs = -Infinity;
      if (beganMs >= this.#untilMs) this.#obey(0);
      const pauseMs = await this.#lookSince(beganMs);
      this.#isAway = false;
      return pauseMs;
    } catch (error) {
      const { log, address } = this.#settings;
      if (!this.#isAway)
        log.warn({ address }, `the share of the rate could not be looked at: ${String(error)}`);
      this.#isAway = true;
      if (this.#isClosed) return undefined; // the others take the share away
      return awayEveryMs;
    }
  }

  async #lookSince(beganMs: number): Promise<number | undefined> {
    const { store, address, log } = this.#settings;
    const { value: note, version, damage } = await lookAt(store, rateNote(address));
    // Who kept to a note that is damaged has stopped by the time that this takes.
    if (damage !== undefined && !this.#others.isUnmoved("note", version ?? "", beganMs)) throw damage;
    const own = note.holders.find(({ id }) => id === this.#id);
    this.#takeIn(own, this.#certainty.isCertain(version), beganMs);
    const wish = this.#wishFor(note);
    const isLacking = own !== undefined && own.share < wish.wants;
    const unheard = own && (await this.#others.among(note, this.#id, isLacking));
    const outlook = outlookFor(note, wish, unheard ?? new Set());
    const { target } = outlook;
    const wasClosed = this.#isClosed;
    const least =
      own !== undefined && target < own.share && !wasClosed ? await this.#lowered(target, own.share) : 0;
    if (this.#isClosed !== wasClosed) return 0;
    const obeyed = this.#unproven === undefined ? this.#obeyed : Infinity;
    const changed = changedNote(outlook, { obeyed, least });
    if (changed === undefined) return this.#keepOn(outlook, beganMs);
    this.#certainty.writing(version);
    const swapped = await swapNote(store, rateNote(address), changed, version);
    this.#certainty.answered(swapped.kind === "written" ? swapped.version : undefined);
    if (swapped.kind === "refused") return this.#times.afterRefusalMs();
    if ((unheard?.size ?? 0) > 0) log.info({ address }, "the share of a worker that ended is free again");
    return this.#written(changed, target, beganMs);
  }

  /** What the note says of this worker. Another may have given it more, or taken all away. */
  #takeIn(own: ShareHolder | undefined, isCertain: boolean, beganMs: number): void {
    if (own === undefined) {
      this.#others.clear();
      this.#untilMs = -Infinity;
      this.#obey(0);
      return;
    }
    if (isCertain && own.epoch === this.#unproven) this.#untilMs = beganMs + holdsForMs;
    if (isCertain || own.epoch !== this.#unproven) this.#unproven = undefined;
    const hasLapsed = beganMs >= this.#untilMs;
    this.#obey(isCertain && !hasLapsed ? own.share : Math.min(this.#obeyed, own.share));
  }

  #written({ epoch, holders }: RateNote, target: number, beganMs: number): number | undefined {
    const own = holders.find(({ id }) => id === this.#id);
    if (own === undefined || own.isGone) {
      this.#untilMs = -Infinity;
      this.#need.beginAnew();
      return undefined;
    }
    this.#times.written();
    this.#provenMs = beganMs;
    if (this.#settings.isHeedless) {
      this.#unproven = epoch;
      return awayEveryMs;
    }
    this.#untilMs = beganMs + holdsForMs;
    this.#obey(own.share);
    return this.#times.afterLookMs(own, target);
  }

  /** Shows the others that this worker lives. What comes too late for that makes it write its entry anew, as any lapse does. */
  async #keepOn({ own, holders, target, isNew }: ShareOutlook, beganMs: number): Promise<number | undefined> {
    if (isNew) return undefined;
    if (this.#unproven !== undefined) return awayEveryMs;
    const { store, address } = this.#settings;
    if (holders.length > 1) {
      if (beganMs - this.#provenMs < lookEveryMs - pauseEveryMs) return this.#times.afterLookMs(own, target);
      await countOn(store, address, own, (this.#count += 1));
    }
    this.#provenMs = beganMs;
    if (this.#clock.nowMs() >= this.#untilMs) return 0;
    this.#untilMs = beganMs + holdsForMs;
    this.#obey(this.#obeyed);
    return this.#times.afterLookMs(own, target);
  }

  #obey(share: number): void {
    const before = this.#obeyed;
    this.#obeyed = share;
    if (before === 0 && share > 0) this.#sinceMs = this.#clock.nowMs();
    this.#pacer.allow(share, this.#untilMs);
    if (before !== share) this.#settings.onShare?.(share);
  }

  #wishFor({ holders }: RateNote): ShareWish {
    const isSated = this.#obeyed > 0 && this.#clock.nowMs() - this.#sinceMs > satedMs;
    const others = holders.filter(({ id }) => id !== this.#id);
    const wants = this.#isClosed ? 0 : this.#need.now(others, this.#obeyed);
    const isGone = this.#isClosed && this.#pacer.sentWithin(secondOf(1)) > 0 ? true : undefined;
    return { id: this.#id, ratePerSecond: this.#settings.ratePerSecond, wants, isSated, isGone };
  }

  /**
   * Keeps to a smaller share from now on, and returns what it may be called yet: no more calls than that are out, or left within
   * the last second. It waits for that where less than half of what is to be given up is free at once.
   */
  async #lowered(target: number, before: number): Promise<number> {
    this.#obey(Math.min(this.#obeyed, target));
    const sent = () => this.#pacer.sentWithin(secondOf(before));
    const soon = Math.max(Math.ceil(target), sent());
    if (before < 1 || target < 1 || before - soon < (before - target) / 2) {
      while (!this.#isClosed && sent() > Math.ceil(target)) await passing(this.#clock, quietEveryMs);
      return target;
    }
    return soon === Math.ceil(target) ? target : soon;
  }
}
