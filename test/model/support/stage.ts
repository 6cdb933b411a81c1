// Scheduler: every call to a store or to the service waits until its task is resumed, so a seed decides the order of all calls of
// all machines, which of them fail, and which machine dies. Time passes with the calls.
import { setImmediate as everythingElse } from "node:timers/promises";
import type { Configuration } from "../../../readings/configuration.schema.ts";
import type { Language } from "../../../readings/tables.ts";
import { pick, type Random } from "../../../packages/sandbox/random.ts";
import type { PlayedWorker } from "./played-worker.ts";

/** Killed: the call and all later ones of its machine never return. Given up: the task's caller takes it for dead, but it continues. */
export const ways = ["refused", "answer lost", "killed before", "killed after", "given up"] as const;
export type Way = (typeof ways)[number];

/** A fault planned for a task: at its nth call, or at the first one of this kind. */
export interface Strike {
  readonly at: number | string;
  readonly way: Way;
}

/** The calls at which a fault costs most. */
const tender = [
  "write site v1/pointer.json",
  "write vault sites/almanac/record/1",
  "write vault sites/almanac/record/2",
  "write vault sites/almanac/manifests/",
  "write vault sites/almanac/decisions/",
  "write vault sites/almanac/journal/",
  "write vault responses/",
  "write vault calls/",
  "remove site ",
  "ask ",
] as const;

/** A computer with its own clock and its worker's memory. */
export class Machine {
  readonly name: string;
  /** Offset of its clock. */
  aheadMs = 0;
  worker: PlayedWorker | undefined;
  readonly tasks = new Set<Task>();
  /** Number of deaths. */
  deaths = 0;
  /** Number of clock changes. */
  jumps = 0;

  readonly isReader: boolean;

  constructor(name: string, isReader = false) {
    this.name = name;
    this.isReader = isReader;
  }

  /** Kills all of its tasks; it starts again at once. */
  kill(): void {
    for (const task of this.tasks) task.end("killed");
    this.tasks.clear();
    this.deaths += 1;
    if (this.worker !== undefined) this.worker.isDead = true;
    this.worker = undefined;
  }
}

export class Task {
  readonly name: string;
  readonly machine: Machine;
  readonly strike: Strike | undefined;
  /** From then on, its callers take it for dead. It continues only if others may share its calls. */
  readonly untilMs: number;
  isShared = false;
  /** Resolves when the task is dead, or presumed dead. */
  readonly death: Promise<"killed" | "given up">;
  readonly waiting: { readonly what: string; readonly go: () => void }[] = [];
  calls = 0;
  /** The activity of which it is an attempt, and its run. */
  activity = "";
  run = "";
  /** The worker in which it is at work. */
  worker: PlayedWorker | undefined;
  /** The configuration that it works with. */
  configuration: Configuration | undefined;
  /** Number of its beginning among the events of decisions. */
  begunAt = 0;
  /** The only languages that it renders. Default: all. */
  languages: readonly Language[] | undefined;
  /** The latest time that its clock has shown it. */
  latestMs = 0;
  /** Number of the call that wrote the pointer. */
  pointedAt: number | undefined;
  /** Whether the last record it wrote names a pending state. */
  isPending = false;
  /** The files that it has looked for in the vault in vain. */
  readonly missed = new Set<string>();
  /** Its listings of the vault: the files that exist under each prefix. */
  readonly listings: { readonly prefix: string; readonly keys: Set<string> }[] = [];
  isStruck = false;
  isDead = false;
  isGivenUp = false;
  isOver = false;
  /** Whether it failed, so that its run does not know its result. */
  hasFailed = false;
  /** Number of clock changes of its machine when it began. */
  readonly jumps: number;
  /** Calls left before another task is scheduled. */
  #credit = 0;
  readonly #die: (how: "killed" | "given up") => void;

  constructor(name: string, machine: Machine, strike: Strike | undefined, untilMs: number) {
    this.name = name;
    this.machine = machine;
    this.strike = strike;
    this.untilMs = untilMs;
    this.jumps = machine.jumps;
    const { promise, resolve } = Promise.withResolvers<"killed" | "given up">();
    this.death = promise;
    this.#die = resolve;
    machine.tasks.add(this);
  }

  /** The fault that strikes this task's next call. */
  struckBy(what: string): Way | undefined {
    this.calls += 1;
    if (this.strike === undefined || this.isStruck) return undefined;
    const { at, way } = this.strike;
    this.isStruck = typeof at === "number" ? at === this.calls : what.startsWith(at);
    return this.isStruck ? way : undefined;
  }

  turn(what: string): Promise<void> {
    if (this.#credit > 0) {
      this.#credit -= 1;
      return Promise.resolve();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.push({ what, go: resolve });
    return promise;
  }

  goOn(calls: number): string {
    const next = this.waiting.shift();
    for (let more = 1; more < calls && this.waiting.length > 0; more += 1) this.waiting.shift()?.go();
    this.#credit = Math.max(0, calls - 1);
    next?.go();
    return next?.what ?? "";
  }

  end(how: "killed" | "given up"): void {
    if (how === "killed") {
      this.isDead = true;
      this.waiting.length = 0;
    } else this.isGivenUp = true;
    this.#die(how);
  }
}

/** A call takes so long at most. */
const callMs = 400;
/** Time that passes at once while no task can run without it. */
const sleepMs = 500;
const mostRounds = 100_000;

export class Stage {
  readonly random: Random;
  readonly trace: string[] = [];
  atMs: number;
  steps = 0;
  /** Real calls that are under way: stores other than memory take their time. */
  inFlight = 0;
  readonly #tasks = new Set<Task>();
  readonly #sleepers = new Map<() => void, number>();
  readonly #passTime: (ms: number) => void;

  constructor(random: Random, atMs: number, passTime: (ms: number) => void) {
    this.random = random;
    this.atMs = atMs;
    this.#passTime = passTime;
  }

  /** Others go on meanwhile. */
  sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sleepers.set(resolve, this.atMs + ms);
    return promise;
  }

  #pass(ms: number): void {
    this.atMs += ms;
    this.#passTime(ms);
    for (const [wake, atMs] of this.#sleepers) {
      if (atMs > this.atMs) continue;
      this.#sleepers.delete(wake);
      wake();
    }
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  strike(): Strike {
    const way = pick(this.random, ways);
    if (this.chance(0.4)) return { at: pick(this.random, tender), way };
    return { at: 1 + this.upTo(this.chance(0.5) ? 8 : 150), way };
  }

  upTo(most: number): number {
    return Math.floor(this.random() * most);
  }

  now(machine: Machine): Date {
    return new Date(Math.floor(this.atMs + machine.aheadMs));
  }

  get names(): string[] {
    return [...this.#tasks].map(({ name }) => name);
  }

  begin(task: Task): void {
    this.#tasks.add(task);
  }

  end(task: Task): void {
    task.isOver = true;
    task.machine.tasks.delete(task);
    this.#tasks.delete(task);
  }

  /** Lets one task make its next calls; false where nobody has any left. */
  async step(): Promise<boolean> {
    await this.settle();
    if (this.#tasks.size === 0) return false;
    for (const task of this.#tasks) {
      if (!task.isDead && this.atMs > task.untilMs) {
        this.trace.push(`${task.name} takes too long`);
        task.end(task.isShared ? "given up" : "killed");
      }
      if (task.isDead) this.end(task);
    }
    const ready = this.#ready();
    if (ready.length === 0) return true; // the callers of dead tasks continue
    const task = pick(this.random, ready);
    const most = this.chance(0.3) ? 1 : 1 + this.upTo(24);
    this.steps += 1;
    this.#pass(this.upTo(callMs));
    this.trace.push(`${task.name} (${most}): ${task.goOn(most)}`);
    return true;
  }

  #ready(): Task[] {
    return [...this.#tasks].filter(({ waiting, isDead }) => waiting.length > 0 && !isDead);
  }

  /** Waits until each task waits for the scheduler, sleeps, or has ended. If all sleep, time passes. */
  async settle(): Promise<void> {
    for (let round = 0; round < mostRounds;) {
      await everythingElse();
      if (this.inFlight > 0) continue;
      const busy = [...this.#tasks].filter(({ waiting, isDead }) => waiting.length === 0 && !isDead);
      const isAnybodyReady = this.#ready().length > 0;
      if (busy.length === 0 && (isAnybodyReady || this.#sleepers.size === 0)) return;
      // A reader checks hashes and signatures meanwhile, which takes none of the played time.
      if (busy.some(({ machine }) => machine.isReader)) continue;
      round += 1;
      if (round <= 2) continue;
      if (isAnybodyReady) return;
      this.#pass(sleepMs);
    }
    throw new Error(`nobody goes on: ${[...this.#tasks].map(({ name }) => name).join(", ")}`);
  }
}
