// The simulated calls of one night on one address, one by one, by a clock of their own: when each goes out, what comes back,
// and when a failed one is made again. Where every answer is fit and takes the same time, readings/call-pace.ts gives the same
// times without a clock.
import { SimulatedGate } from "./simulated-gate.ts";
import { CallWindow, type WindowPlace, type WindowRules } from "./simulated-window.ts";
import { attemptPauseMs, mostAttempts, pauseAfterNoAnswerMs } from "./retry-rules.ts";

/** All times are in milliseconds after the night's start. */
export interface Askable {
  /** The calls of one edition share its window. */
  readonly edition: string;
  /** From this moment on the reading can no longer be asked for. */
  readonly lastMs: number;
}

export interface SimulatedAnswer {
  /** After `none` the call is made again until the deadline, after `refused` a few times only. */
  readonly kind: "fit" | "refused" | "none";
  readonly atMs: number;
}

export interface CallRules<Item> {
  readonly spacingMs: number;
  /** Calls in flight. */
  readonly slots: number;
  readonly untilMs: number;
  readonly answer: (item: Item, atMs: number) => SimulatedAnswer;
  /** A number from 0 to 1, which sets the length of a pause. */
  readonly chance: () => number;
  /** How many calls of one edition are out at once, with those that wait for another try. */
  readonly windows: WindowRules;
  /** Whether the day's ceiling has room for one more call than is planned. */
  readonly mayAskAgain: () => boolean;
  /** Whether every call of the item's operation was refused so far. */
  readonly isInVain: (item: Item) => boolean;
  readonly onEnd: (item: Item, ending: CallEnding) => void;
}

/** A call is `left out` when it would be in vain, and `unfinished` when the deadline came before its answer or its turn. */
export type CallEnding = "kept" | "refused" | "left out" | "out of reach" | "unfinished";

export interface SimulatedCall<Item> {
  readonly item: Item;
  ending: CallEnding;
  /** When the reading was kept or given up; the deadline for an unfinished call. */
  endMs: number;
  /** When the first call went out; undefined where none did. */
  firstMs: number | undefined;
  calls: number;
  unanswered: number;
}

interface CallUnderWay<Item> extends SimulatedCall<Item> {
  readonly index: number;
  readonly edition: CallWindow<CallUnderWay<Item>>;
  readonly place: WindowPlace;
  attempt: number;
  /** Calls without an answer in this attempt. */
  tries: number;
  /** When the answer of the call in flight comes, or when the next call may go out. */
  nextMs: number;
  answer: SimulatedAnswer["kind"] | undefined;
  isProbe: boolean;
}

export function simulateCalls<Item extends Askable>(
  items: readonly Item[],
  terms: CallRules<Item>,
): readonly SimulatedCall<Item>[] {
  return new AddressNight(items, terms).run();
}

class AddressNight<Item extends Askable> {
  readonly #terms: CallRules<Item>;
  readonly #all: CallUnderWay<Item>[] = [];
  readonly #editions: CallWindow<CallUnderWay<Item>>[];
  /** In flight, sorted by the moment of their answer, or in a pause, by its end. */
  readonly #later: CallUnderWay<Item>[] = [];
  /** Sorted by their place in the plan. */
  readonly #ready: CallUnderWay<Item>[] = [];
  readonly #gate: SimulatedGate;
  #left: number;
  #inFlight = 0;
  #nowMs = 0;
  #turnMs = 0;
  #tickMs: number;

  constructor(items: readonly Item[], terms: CallRules<Item>) {
    this.#terms = terms;
    this.#left = items.length;
    this.#gate = new SimulatedGate(terms.chance);
    this.#tickMs = terms.windows.tickMs;
    const editions = new Map<string, CallWindow<CallUnderWay<Item>>>();
    for (const [index, item] of items.entries()) {
      const edition = editions.get(item.edition) ?? new CallWindow(item.edition, terms.windows);
      editions.set(item.edition, edition);
      const out: CallUnderWay<Item> = {
        item,
        index,
        edition,
        ending: "unfinished",
        endMs: terms.untilMs,
        firstMs: undefined,
        calls: 0,
        unanswered: 0,
        place: { ticks: 0, givenUp: false },
        attempt: 1,
        tries: 0,
        nextMs: 0,
        answer: undefined,
        isProbe: false,
      };
      edition.add(out);
      this.#all.push(out);
    }
    this.#editions = [...editions.values()];
  }

  run() {
    while (this.#left > 0 && this.#nowMs <= this.#terms.untilMs) {
      this.#catchUp();
      const isFree = this.#inFlight < this.#terms.slots && this.#turnMs <= this.#nowMs;
      const mayCall = isFree && this.#gate.mayCall(this.#nowMs);
      const next = mayCall ? this.#next() : undefined;
      if (next !== undefined) this.#call(next);
      else this.#nowMs = this.#nextMoment();
    }
    return this.#all;
  }

  #catchUp() {
    for (let [out] = this.#later; out !== undefined && out.nextMs <= this.#nowMs; [out] = this.#later) {
      this.#later.shift();
      if (out.answer === undefined) insert(this.#ready, out, "index");
      else {
        this.#inFlight -= 1;
        this.#answered(out);
      }
    }
    for (; this.#tickMs <= this.#nowMs; this.#tickMs += this.#terms.windows.tickMs)
      for (const edition of this.#editions) edition.tick();
  }

  /** The first call that may go out now: a repeated one, or a new one whose edition has room. */
  #next() {
    for (;;) {
      const [again] = this.#ready;
      let first = again;
      for (const edition of this.#editions) {
        const fresh = edition.next();
        if (fresh !== undefined && (first === undefined || fresh.index < first.index)) first = fresh;
      }
      if (first === undefined) return undefined;
      if (first === again) {
        this.#ready.shift();
        return first;
      }
      first.edition.begin(first);
      if (!this.#terms.isInVain(first.item)) return first;
      this.#end(first, "left out");
    }
  }

  #call(out: CallUnderWay<Item>) {
    this.#turnMs = this.#nowMs + this.#terms.spacingMs;
    if (this.#nowMs >= out.item.lastMs) return this.#end(out, "out of reach");
    const { kind, atMs } = this.#terms.answer(out.item, this.#nowMs);
    out.firstMs ??= this.#nowMs;
    out.calls += 1;
    out.isProbe = this.#gate.called();
    out.answer = kind;
    if (atMs <= this.#nowMs) return this.#answered(out);
    out.nextMs = atMs;
    this.#inFlight += 1;
    insert(this.#later, out, "nextMs");
  }

  #answered(out: CallUnderWay<Item>) {
    if (out.answer === "none") {
      out.unanswered += 1;
      this.#gate.failed(this.#nowMs, out.isProbe);
      if (out.isProbe) return this.#pause(out, 0);
      out.tries += 1;
      return this.#pause(out, pauseAfterNoAnswerMs(out.tries, this.#terms.chance()));
    }
    this.#gate.answered(this.#nowMs, out.isProbe);
    if (out.answer === "fit") return this.#end(out, "kept");
    if (out.attempt >= mostAttempts || !this.#terms.mayAskAgain()) return this.#end(out, "refused");
    this.#pause(out, attemptPauseMs(out.attempt));
    out.attempt += 1;
    out.tries = 0;
  }

  #pause(out: CallUnderWay<Item>, pauseMs: number) {
    out.answer = undefined;
    out.nextMs = this.#nowMs + pauseMs;
    insert(this.#later, out, "nextMs");
  }

  #end(out: CallUnderWay<Item>, ending: CallEnding) {
    out.ending = ending;
    out.endMs = this.#nowMs;
    out.edition.end(out);
    this.#left -= 1;
    this.#terms.onEnd(out.item, ending);
  }

  #nextMoment() {
    const turnMs = this.#turnMs > this.#nowMs ? this.#turnMs : Infinity;
    const laterMs = this.#later[0]?.nextMs ?? Infinity;
    return Math.min(turnMs, laterMs, this.#tickMs, this.#gate.nextMs(this.#nowMs));
  }
}

/** Puts an entry behind those of the same rank. */
function insert<Rank extends string, Entry extends Readonly<Record<Rank, number>>>(
  list: Entry[],
  entry: Entry,
  rank: Rank,
) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = list[middle];
    if (other !== undefined && other[rank] <= entry[rank]) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, entry);
}
