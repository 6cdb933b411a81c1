// Claims under every order that a scheduler finds: editions with several bundles each of one claim, attempts that die or are
// given up for dead, time-outs, damaged files. No two editions ask at once, and what is kept is asked by nobody again, although
// no plan knew of it.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Store } from "../../store/store.ts";
import { absent } from "../../store/store.ts";
import { claimNote } from "../../vault/claim-files.ts";
import { ClaimedElsewhere, underClaim } from "../../vault/claims.ts";
import { readNote } from "../../vault/note.ts";
import { SeenHolds } from "../../vault/seen-holds.ts";
import { createVault } from "../../vault/vault.ts";
import { deep } from "../support/deep.ts";
import { openMemory } from "../support/memory.ts";

const name = "once/always/hi/which-animal-are-you-reading/0";
const attemptMs = 60_000;
/** How much time passes while somebody waits for a claim once. */
const waitMs = 15_000;
const mostAttempts = 120;
const { signal } = new AbortController();

/** How an attempt goes: `lost` is a process that ends, `held up` one that Temporal gives up for dead and that goes on. */
type Fate = "fine" | "lost" | "held up" | "fails";
interface Bundle {
  readonly keys: readonly string[];
  readonly fates: readonly Fate[];
}
const fate = fc.constantFrom<Fate>("fine", "fine", "fine", "lost", "held up", "fails");
/** The bundles of one edition share no key, and each edition comes to the same keys in bundles of its own. */
const edition = fc
  .record({
    cut: fc.integer({ min: 0, max: 4 }),
    fates: fc.array(fc.array(fate, { maxLength: 3 }), { minLength: 2, maxLength: 2 }),
  })
  .map(({ cut, fates }): Bundle[] => {
    const keys = ["one", "two", "three", "four"];
    return [keys.slice(0, cut), keys.slice(cut)].flatMap((own, at) =>
      own.length === 0 ? [] : [{ keys: own, fates: fates[at] ?? [] }],
    );
  });

const seen = { asked: 0, found: 0, waited: 0, together: 0, late: 0 };

interface Asking {
  readonly edition: string;
  readonly key: string;
  /** A call of an attempt that is over is cut off. */
  readonly isStopped: () => boolean;
}

class World {
  readonly faults: string[] = [];
  readonly store: Store;
  #atMs = 0;
  readonly #holds = new SeenHolds(() => this.#atMs);
  readonly #asking = new Set<Asking>();
  readonly #kept = new Map<string, string>();
  readonly #attempts = new Set<{ readonly untilMs: number; readonly stop: () => void }>();
  readonly #scheduler: fc.Scheduler;

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler;
    const memory = openMemory();
    this.store = {
      ...memory,
      read: async (key) => {
        await this.step(`read ${key}`);
        const found = await memory.read(key);
        await this.step("the answer");
        return found;
      },
      write: async (...given) => {
        await this.step(`write ${given[0]}`);
        const written = await memory.write(...given);
        await this.step("the answer");
        return written;
      },
    };
  }

  step(what: string): Promise<void> {
    return this.#scheduler.schedule(Promise.resolve(), what);
  }

  /** One attempt after the other, as Temporal begins them. */
  async run(by: string, activity: string, { keys, fates }: Bundle): Promise<void> {
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      await this.step(`${by}/${activity} begins`);
      const ended = await this.#attempt({ by, activity, keys, attempt }, fates[attempt - 1] ?? "fine");
      if (ended === "done") return;
    }
  }

  async #attempt(
    given: {
      readonly by: string;
      readonly activity: string;
      readonly keys: readonly string[];
      readonly attempt: number;
    },
    how: Fate,
  ): Promise<"done" | "again"> {
    const { by, activity, keys, attempt } = given;
    const untilMs = this.#atMs + attemptMs;
    const { promise: stopped, resolve } = Promise.withResolvers<"again">();
    const mine = { isStopped: false, untilMs, stop: () => ((mine.isStopped = true), resolve("again")) };
    this.#attempts.add(mine);
    const claim = { name, edition: by, activity, hold: { attempt, lastsMs: attemptMs } };
    const needs = {
      vault: createVault(this.store),
      holds: this.#holds,
      log: { info() {}, warn() {}, error() {} },
    };
    const work = underClaim(claim, { signal, mostMs: 0 }, needs, async (isNew) => {
      const look = !isNew || attempt > 1;
      for (const [at, key] of keys.entries()) {
        if (look && (await this.#isHeld(key))) continue;
        if (mine.isStopped) break;
        await this.#ask(by, key, () => mine.isStopped);
        if (at > 0 || how === "fine") continue;
        if (how === "fails") throw new Error("no answer");
        mine.stop();
        if (how === "lost") await new Promise(() => undefined);
        seen.late += 1;
        break;
      }
    });
    const done = work.then(
      () => "done" as const,
      (error: unknown) => {
        if (!(error instanceof ClaimedElsewhere)) return "again" as const;
        seen.waited += 1;
        this.#wait();
        return "again" as const;
      },
    );
    const ended = await Promise.race([done, stopped]);
    this.#attempts.delete(mine);
    return ended;
  }

  /** Time passes, and Temporal gives up the attempts that lasted too long. */
  #wait(): void {
    this.#atMs += waitMs;
    for (const attempt of this.#attempts) if (attempt.untilMs <= this.#atMs) attempt.stop();
  }

  async #isHeld(key: string): Promise<boolean> {
    await this.step(`look for ${key}`);
    if (this.#kept.has(key)) seen.found += 1;
    return this.#kept.has(key);
  }

  async #ask(by: string, key: string, isStopped: () => boolean): Promise<void> {
    const before = this.#kept.get(key);
    if (before !== undefined) this.faults.push(`${by} asks for ${key}, which ${before} has kept`);
    const asking = [...this.#asking].filter((other) => !other.isStopped());
    const others = asking.filter((other) => other.edition !== by || other.key === key);
    for (const other of others)
      this.faults.push(`${by} asks for ${key} while ${other.edition} asks for ${other.key}`);
    if (asking.length > others.length) seen.together += 1;
    const mine = { edition: by, key, isStopped };
    this.#asking.add(mine);
    seen.asked += 1;
    await this.step(`${by} asks for ${key}`);
    this.#asking.delete(mine);
    if (!isStopped() && !this.#kept.has(key)) this.#kept.set(key, by);
  }

  /** What a claim that is damaged by now had covered. */
  async leave(text: string): Promise<void> {
    await this.store.write(claimNote(name).key, Buffer.from(text), { type: "" }, absent);
    for (const key of ["one", "three"]) this.#kept.set(key, "somebody");
  }

  keptBy = (): ReadonlyMap<string, string> => this.#kept;
}

test("whatever the order, one edition asks at a time, and nothing that is kept is asked for again", async () => {
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(edition, { minLength: 2, maxLength: 3 }),
    fc.constantFrom(undefined, undefined, undefined, "{"),
    async (scheduler, editions, left) => {
      const world = new World(scheduler);
      if (left !== undefined) await scheduler.waitFor(world.leave(left));
      const all = editions.flatMap((bundles, at) =>
        bundles.map((bundle, place) => world.run(`edition ${at}`, String(place), bundle)),
      );
      await scheduler.waitFor(Promise.all(all));
      await scheduler.waitIdle();
      expect(world.faults).toEqual([]);
      expect([...world.keptBy().keys()].toSorted()).toEqual(["four", "one", "three", "two"]);
      const claimed = scheduler.waitFor(readNote(world.store, claimNote(name)));
      if (editions.flat().every(({ fates }) => !fates.includes("lost")))
        expect((await claimed).holders).toEqual({});
    },
  );
  // A fixed seed: 500 drawn at random can miss one of the rare cases that are counted below.
  await fc.assert(property, deep ? { numRuns: 5_000 } : { numRuns: 500, seed: 1 });
  console.log("claims", seen);
  expect(Math.min(seen.asked, seen.found, seen.waited, seen.together, seen.late)).toBeGreaterThan(20);
});
