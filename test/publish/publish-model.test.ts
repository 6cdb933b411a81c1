// A model test: random publishes, rollbacks, repairs and clean-ups advance by a few store calls at a time, fail and are killed; the
// site's promises must hold after every step. Failing sequences are shrunk.
import { setImmediate as everythingElse } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { deep } from "../support/deep.ts";
import { Calls, type Outcome, Publisher, type Way, ways } from "./support/publisher.ts";
import { publishSketch, type Sketch, sketched } from "./support/sketch.ts";
import { chooseState, NoSuchState } from "../../publish/history/rollback-target.ts";
import { cleanUpSite, planCleanUp } from "../../publish/history/clean-up.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { repair } from "../../publish/repair/repair.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { pointerPath, readState } from "../../publish/state/state.ts";
import { Conductor } from "./support/conductor.ts";
import { brokenPromises, follow, wrongPaths, wholeState } from "./support/look.ts";
import { inMemory, type Stores } from "../support/stores.ts";
import { PlayedClock } from "./support/played-clock.ts";
import { finishOn } from "./support/commit-on.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const keepDays = 30;
/** Interval of calls between checks of the record's promises, which take longer than everything else. */
const promisesEvery = deep ? 4 : 12;

type Work =
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
  ended: Outcome | undefined;
  isUnexpected: boolean;
}

interface Known {
  readonly hash: string;
  supersededAt: number | undefined;
}

class Yard {
  readonly stores: Stores;
  readonly running: Running[] = [];
  calls = 0;
  /** Every state that the pointer has named, newest last. */
  readonly #states: Known[] = [];
  readonly #conductor = new Conductor();
  /** Clock of the leases. */
  readonly #clock = new PlayedClock();
  #at = Date.parse("2026-11-20T21:10:00.000Z");
  #begun = 0;
  #version = 0;
  #asOf = "";
  #pointer: Uint8Array | undefined;

  constructor() {
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
    const publisher = new Publisher(this.stores, calls, () => new Date(this.#at), gate, this.#clock);
    const running: Running = {
      name,
      work,
      publisher,
      calls,
      since: this.#at,
      ended: undefined,
      isUnexpected: false,
    };
    this.running.push(running);
    void publisher
      .run((place) => doing(work, place))
      .then(
        (outcome) => (running.ended = outcome),
        (error: unknown) => {
          running.ended = error instanceof Error ? error : new Error(String(error));
          running.isUnexpected = true;
        },
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
      if (one.ended instanceof Error && one.isUnexpected) throw one.ended;
      this.#conductor.drop(one.name);
      this.running.splice(this.running.indexOf(one), 1);
    }
  }

  /** Slow processes may lose the lease, and waiting ones may get it. */
  tick(seconds: number): void {
    this.#at += seconds * 1000;
    const untilMs = this.#clock.monotonicMs() + seconds * 1000;
    while (this.#clock.monotonicMs() < untilMs && this.#clock.next());
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
      if ((await this.#conductor.waiting()).length === 0) this.tick(2);
      if (round > 10_000) throw new Error("they never end");
    }
  }

  /** When all have ended, and leftovers of dead ones are completed, the public paths show the pointer's state. */
  async requireShown(): Promise<void> {
    await this.finish();
    await this.alone({ kind: "project" });
    const seen = await follow(this.stores.site);
    const wrong = seen === undefined ? [] : await wrongPaths(this.stores.site, seen);
    if (wrong.length > 0) throw new Error(wrong.join(", "));
  }

  /** Objects that were put. */
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
      this.#clock,
    );
    const run = { isOver: false };
    const outcome = publisher.run((place) => doing(work, place)).finally(() => (run.isOver = true));
    outcome.catch(() => undefined); // awaited below
    let waited = 0;
    for (;;) {
      await everythingElse();
      if (run.isOver) break;
      waited += 1;
      if (waited % 20 === 0) this.#clock.next(); // it waits until the lease of a dead process is over
    }
    await outcome;
    await this.#look(undefined, "", undefined);
    return puts;
  }

  async #settle(): Promise<void> {
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
    if (broken.length > 0) throw new Error(`the record does not know of: ${broken.join(", ")}`);
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
      await finishOn(place);
      return;
  }
}

/** Rolls back this many versions, or as many as there are. */
async function rolledBack(back: number, place: Publishing): Promise<void> {
  const current = await readState(place.site);
  if (current === undefined) return;
  try {
    const version = Math.max(1, current.pointer.version - back);
    const to = await chooseState(String(version), { site: place.site, now: place.now(), keepDays });
    await rollback({ to, evenMany: true, by: { by: "editor" } }, place);
  } catch (error) {
    if (!(error instanceof NoSuchState)) throw error;
  }
}

/** The model contains nothing except the promises of the real system. */
type Model = object;

const mostAtOnce = 4;
const mostCommands = 80;
let steps = 0;

function command(name: string, run: (yard: Yard) => Promise<void>): fc.AsyncCommand<Model, Yard> {
  return {
    check: () => true,
    async run(_model, yard) {
      steps += 1;
      await run(yard);
    },
    toString: () => name,
  };
}

const sketch: fc.Arbitrary<Sketch> = fc
  .tuple(
    fc.subarray([...sketched], { minLength: 1, maxLength: 2 }),
    fc.constantFrom("2026-11-20", "2026-11-21", "2026-11-22"),
    fc.constantFrom("", "b"),
  )
  .map(([languages, date, draw]) => ({ run: "nightly", languages, date, draw }));

const first: Sketch = { run: "first", languages: ["en", "de"], date: "2026-11-20", draw: "a" };

const work: fc.Arbitrary<Work> = fc.oneof(
  { weight: 5, arbitrary: sketch.map((one): Work => ({ kind: "publish", sketch: one })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }).map((back): Work => ({ kind: "rollback", back })) },
  { weight: 1, arbitrary: fc.constant<Work>({ kind: "repair" }) },
  { weight: 3, arbitrary: fc.constant<Work>({ kind: "gc" }) },
  { weight: 1, arbitrary: fc.constant<Work>({ kind: "project" }) },
);

const begin = work.map((one) =>
  command(`begin ${JSON.stringify(one)}`, async (yard) => {
    if (yard.running.length < mostAtOnce) yard.begin(one);
  }),
);
const who = fc.nat({ max: mostAtOnce - 1 });
const step = fc.tuple(who, fc.integer({ min: 1, max: 25 })).map(([index, count]) =>
  command(`${index} makes ${count} calls`, async (yard) => {
    const one = yard.running[index % Math.max(1, yard.running.length)];
    if (one !== undefined) await yard.step(one, count);
  }),
);
const strike = fc.tuple(who, fc.constantFrom(...ways)).map(([index, way]) =>
  command(`${index} is struck: ${way}`, async (yard) => {
    const one = yard.running[index % Math.max(1, yard.running.length)];
    if (one !== undefined) await yard.step(one, 1, way);
  }),
);
const tick = fc
  .integer({ min: 1, max: 100 })
  .map((seconds) => command(`${seconds} s pass`, async (yard) => yard.tick(seconds)));
const sleep = fc
  .constantFrom(0.05, 1, 16, 31)
  .map((days) => command(`all end, and ${days} days pass`, (yard) => yard.sleep(days)));
const end = fc.constant(command("all end, and the paths show it", (yard) => yard.requireShown()));
const rerun = sketch.map((one) =>
  command(`all end, then ${JSON.stringify(one)} twice`, async (yard) => {
    await yard.finish();
    await yard.alone({ kind: "publish", sketch: one });
    const { version } = yard;
    expect(await yard.alone({ kind: "publish", sketch: one })).toEqual([]);
    expect(yard.version).toBe(version);
  }),
);

const commands = fc.commands([begin, begin, begin, step, step, step, step, strike, tick, sleep, end, rerun], {
  maxCommands: mostCommands,
  size: "max",
});

test("concurrent writers keep the site's promises", { timeout: 1_800_000 }, async () => {
  const seed = Number(process.env["ALMANAC_TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(commands, async (chosen) => {
      const yard = new Yard();
      await yard.alone({ kind: "publish", sketch: first });
      await fc.asyncModelRun(() => ({ model: {}, real: yard }), chosen);
      await yard.requireShown();
      calls += yard.calls;
    }),
    { seed, numRuns: deep ? 2_000 : 45, endOnFailure: false },
  );
  console.log(`model test: seed ${seed}, ${steps} steps, ${calls} store calls let through one by one`);
  // Some 1,840, give or take 150; with test:deep 82,000.
  expect(steps).toBeGreaterThan(deep ? 50_000 : 900);
});

test("a repair between two publishes leaves the paths as the second one wrote them", async () => {
  const yard = new Yard();
  await yard.alone({ kind: "publish", sketch: first });
  const arabic: Sketch = { run: "nightly", languages: ["ar"], date: "2026-11-20", draw: "" };
  yard.begin({ kind: "publish", sketch: arabic });
  yard.begin({ kind: "repair" });
  yard.begin({ kind: "publish", sketch: { ...arabic, draw: "b" } });
  const [publish] = yard.running;
  if (publish !== undefined) await yard.step(publish, 8);
  await yard.requireShown();
});
