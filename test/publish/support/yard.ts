// Several writers at work on one site, each going on call by call: what the model test moves, and what must hold at
// every moment.
import { setImmediate as everythingElse } from "node:timers/promises";
import { vi } from "vitest";
import { chooseState, NoSuchState } from "../../../publish/history/rollback-target.ts";
import { cleanUpSite, planCleanUp } from "../../../publish/history/clean-up.ts";
import type { Publishing } from "../../../publish/state/publishing-place.ts";
import { project } from "../../../publish/step/projection.ts";
import { repair } from "../../../publish/mend/repair.ts";
import { rollback } from "../../../publish/history/rollback.ts";
import { pointerPath, readState } from "../../../publish/state/state.ts";
import { deep } from "../../support/deep.ts";
import { Conductor } from "./conductor.ts";
import { brokenPromises, follow, strayPaths, wholeState } from "./look.ts";
import { Calls, Publisher, type Way } from "./publisher.ts";
import { publishSketch, type Sketch } from "./sketch.ts";
import { inMemory, type Stores } from "../../support/stores.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const keepDays = 30;
/** At so many-th calls the journal's promises are looked at: that takes longer than all else. */
const promisesEvery = deep ? 4 : 12;
/** Whoever is alone need not be stepped through its waiting. */
const lookAgainMs = 10_000;

export type Work =
  | { readonly kind: "publish"; readonly sketch: Sketch }
  | { readonly kind: "rollback"; readonly back: number }
  | { readonly kind: "repair" }
  | { readonly kind: "gc" }
  | { readonly kind: "project" };

interface Running {
  readonly name: string;
  readonly work: Work;
  readonly publisher: Publisher;
  readonly calls: Calls;
  readonly since: number;
  ended: "done" | "killed" | Error | undefined;
}

interface Known {
  readonly hash: string;
  supersededAt: number | undefined;
}

export class Yard {
  readonly stores: Stores;
  readonly running: Running[] = [];
  calls = 0;
  /** What every state that was ever pointed to is, newest last. */
  readonly #states: Known[] = [];
  readonly #conductor = new Conductor();
  readonly #timePasses: () => void;
  #at = Date.parse("2026-11-20T21:10:00.000Z");
  #begun = 0;
  #version = 0;
  #asOf = "";
  #pointer: Uint8Array | undefined;

  /** Who waits for a clean-up to end sleeps: `timePasses` wakes it. */
  constructor(timePasses: () => void) {
    this.#timePasses = timePasses;
    const now = () => new Date(this.#at);
    this.stores = inMemory(now);
  }

  get version(): number {
    return this.#version;
  }

  begin(work: Work): void {
    const name = `${work.kind} ${(this.#begun += 1)}`;
    const calls = new Calls();
    const gate = this.#conductor.gateFor(name);
    const publisher = new Publisher(this.stores, calls, () => new Date(this.#at), gate);
    const running: Running = { name, work, publisher, calls, since: this.#at, ended: undefined };
    this.running.push(running);
    void publisher
      .run((place) => doing(work, place))
      .then(
        (outcome) => (running.ended = outcome),
        (error: unknown) => (running.ended = error instanceof Error ? error : new Error(String(error))),
      );
  }

  /** Lets one make its next calls, fewer where it comes to its end. */
  async step(running: Running, count: number, way?: Way): Promise<void> {
    for (let step = 0; step < count; step += 1) {
      await this.#settle();
      const what = this.#conductor.next(running.name);
      if (what === undefined) break;
      if (way !== undefined && step === 0) running.calls.strikeNext(way);
      this.#conductor.step(running.name);
      this.calls += 1;
      await this.#settle();
      await this.#look(running, what, way);
    }
    await this.#settle();
    for (const one of this.running.filter(({ ended }) => ended !== undefined)) {
      if (one.ended instanceof Error && one.ended.name !== "StoreFailure") throw one.ended;
      this.#conductor.drop(one.name);
      this.running.splice(this.running.indexOf(one), 1);
    }
  }

  /** Nobody is let wait longer than a real store would make it wait. */
  tick(seconds: number): void {
    const ages = this.running.map(({ work, since }) => (work.kind === "gc" ? 10 : 1) * (this.#at - since));
    if (Math.max(0, ...ages) + seconds * 10_000 < 45 * minuteMs) this.#at += seconds * 1000;
  }

  /** Days go by only while nobody is at work. */
  async sleep(days: number): Promise<void> {
    await this.finish();
    this.#at += days * dayMs;
  }

  async finish(): Promise<void> {
    for (let round = 0; this.running.length > 0; round += 1) {
      const one = this.running[round % this.running.length];
      if (one !== undefined) await this.step(one, 3);
      this.tick(2);
      if (round > 10_000) throw new Error("they never end");
    }
  }

  /** When everybody has ended, and whatever the dead left is finished, the stable paths show the pointer's state. */
  async requireShown(): Promise<void> {
    await this.finish();
    await this.alone({ kind: "project" });
    const seen = await follow(this.stores.site);
    const stray = seen === undefined ? [] : await strayPaths(this.stores.site, seen);
    if (stray.length > 0) throw new Error(stray.join(", "));
  }

  /** What was put under objects/. */
  async alone(work: Work): Promise<string[]> {
    const puts: string[] = [];
    const calls = new Calls();
    const publisher = new Publisher(
      this.stores,
      calls,
      () => new Date(this.#at),
      (what) => {
        if (what.startsWith("write site v1/objects/")) puts.push(what);
        return Promise.resolve();
      },
    );
    const run = { isOver: false };
    const outcome = publisher.run((place) => doing(work, place)).finally(() => (run.isOver = true));
    outcome.catch(() => undefined); // awaited below
    for (;;) {
      await everythingElse();
      if (run.isOver) break;
      if (vi.getTimerCount() === 0) continue;
      this.#at += lookAgainMs; // it sleeps until a clean-up that was killed counts as dead
      this.#timePasses();
    }
    await outcome;
    await this.#look(undefined, "", undefined);
    return puts;
  }

  async #settle(): Promise<void> {
    this.#timePasses();
    await this.#conductor.waiting();
  }

  async #look(by: Running | undefined, what: string, way: Way | undefined): Promise<void> {
    const { site } = this.stores;
    const bytes = (await site.read(pointerPath))?.body;
    const changed = Buffer.compare(bytes ?? new Uint8Array(), this.#pointer ?? new Uint8Array()) !== 0;
    if (changed && by !== undefined && (!what.startsWith(`write site ${pointerPath}`) || way === "refused")) {
      throw new Error(`the pointer changed at: ${what}`);
    }
    this.#pointer = bytes;
    if (changed || what.startsWith("remove site")) await this.#requireKept();
    if (!isWriteOfPath.test(what) || this.calls % promisesEvery > 0) return;
    const broken = await brokenPromises(this.stores);
    if (broken.length > 0) throw new Error(`the journal does not know of: ${broken.join(", ")}`);
  }

  /** The pointer's state and all that are kept are whole; versions and asOf only grow. */
  async #requireKept(): Promise<void> {
    const seen = await follow(this.stores.site);
    if (seen === undefined) throw new Error("the pointer is gone");
    if (seen.pointer.version < this.#version) throw new Error("the version goes back");
    if (seen.manifest.asOf < this.#asOf) throw new Error("asOf goes back");
    [this.#version, this.#asOf] = [seen.pointer.version, seen.manifest.asOf];
    const last = this.#states.at(-1);
    if (last?.hash !== seen.hash) {
      if (last !== undefined) last.supersededAt = this.#at;
      this.#states.push({ hash: seen.hash, supersededAt: undefined });
    }
    for (const { hash, supersededAt } of this.#states) {
      if (supersededAt !== undefined && this.#at - supersededAt > keepDays * dayMs) continue;
      await wholeState(this.stores.site, hash);
    }
  }
}

const isWriteOfPath = /^write site (?!v1\/(?:objects|manifests|pointer))/;

async function doing(work: Work, place: Publishing): Promise<void> {
  switch (work.kind) {
    case "publish":
      await publishSketch(place, work.sketch);
      return;
    case "rollback":
      return rolledBack(work.back, place);
    case "repair":
      await repair(place, true);
      return;
    case "gc":
      await cleanUpSite(place, await planCleanUp(place, { keepDays, graceMs: 60 * minuteMs }));
      return;
    case "project":
      return project(place);
  }
}

/** So many versions back, where there are so many. */
async function rolledBack(back: number, place: Publishing): Promise<void> {
  const current = await readState(place.site);
  if (current === undefined) return;
  try {
    const version = Math.max(1, current.pointer.version - back);
    const to = await chooseState(String(version), { site: place.site, now: place.now(), keepDays });
    await rollback({ to, evenMany: true }, place);
  } catch (error) {
    if (!(error instanceof NoSuchState)) throw error;
  }
}
