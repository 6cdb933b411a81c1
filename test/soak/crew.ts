// The two workers of the soak: one runs through all nights, so that its memory can be measured; the other is killed, frozen and
// stopped, and another replaces it.
import { setTimeout as delay } from "node:timers/promises";
import { changeNote } from "../../vault/note.ts";
import { timeNote } from "../../vault/time-source.ts";
import type { World } from "../support/night.ts";
import { clockMovedBy } from "../support/noon.ts";
import { SoakWorker } from "./workers.ts";

/** A stopped process takes a moment to freeze. */
const standStillMs = 30;

export class Crew {
  readonly steady: SoakWorker;
  mortal: SoakWorker;
  readonly #world: World;
  /** Offset from this machine's clock. */
  offsetMs: number;

  private constructor(world: World, steady: SoakWorker, mortal: SoakWorker, offsetMs: number) {
    this.#world = world;
    this.steady = steady;
    this.mortal = mortal;
    this.offsetMs = offsetMs;
  }

  static async start(world: World, at: Date): Promise<Crew> {
    const offsetMs = at.getTime() - Date.now();
    await world.sandbox.clock({ offsetMs });
    await tellTime(world, at);
    return new Crew(world, await workerIn(world, offsetMs), await workerIn(world, offsetMs), offsetMs);
  }

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  /** The clock of the workers and of the service; Temporal's stays. */
  async moveClock(to: Date): Promise<void> {
    if (to < this.now()) throw new Error(`${to.toISOString()}: time only goes forward`);
    this.offsetMs = to.getTime() - Date.now();
    await this.#world.sandbox.clock({ offsetMs: this.offsetMs });
    for (const worker of this.#workers) worker.moveClock(this.offsetMs);
    await tellTime(this.#world, to);
  }

  /** Shifts only the workers' clocks by this much; 0 corrects them. */
  jump(byMs: number): void {
    for (const worker of this.#workers) worker.moveClock(this.offsetMs + byMs);
  }

  async replaceMortal(): Promise<void> {
    this.mortal = await workerIn(this.#world, this.offsetMs);
  }

  /** Nobody reads or writes meanwhile. */
  async whileStill<Result>(work: () => Promise<Result>): Promise<Result> {
    for (const worker of this.#workers) worker.freeze();
    try {
      await delay(standStillMs);
      return await work();
    } finally {
      for (const worker of this.#workers) worker.thaw();
    }
  }

  async end(): Promise<void> {
    for (const worker of this.#workers) await worker.kill();
  }

  get #workers(): SoakWorker[] {
    return [this.steady, this.mortal].filter((worker) => worker.isAlive);
  }
}

/** In the place of a server elsewhere: all that the soak calls runs on this machine, whose word for the time does not count. */
async function tellTime({ vault }: World, to: Date): Promise<void> {
  const told = { at: to.toISOString(), of: "time.example" };
  await changeNote(vault.store, timeNote, () => told);
}

function workerIn({ env, folder }: World, offsetMs: number): Promise<SoakWorker> {
  return SoakWorker.start({ ...env, ...clockMovedBy(offsetMs) }, folder);
}
