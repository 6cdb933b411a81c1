// Some random days of a site: concurrent nights, publishes and operator's commands, with failing calls, dying machines, jumping
// clocks, an intruder and a disk. Then all faults end, and within a bounded number of steps everything must be right.
import { ApplicationFailure } from "@temporalio/common";
import { requestOf, type RequestKey } from "../../../readings/request.ts";
import { pick, type Random } from "../../../packages/sandbox/random.ts";
import { dataPathOf } from "../../../site/paths.ts";
import { inMemory, type Stores } from "../../support/stores.ts";
import { command, type Deed } from "./commands.ts";
import { Drills } from "./drills.ts";
import { begunMs, configured, publicKey, signer, type Theme } from "./foundation.ts";
import { Intruder } from "./intruder.ts";
import { pathsNobodyKnowsOf } from "./record-promise.ts";
import { requireSound, textsDue } from "./last-look.ts";
import { Marks } from "./marks.ts";
import { ReadingClient } from "./reading-client.ts";
import { BrokenPromise } from "./decisions.ts";
import { night } from "./runs.ts";
import type { Texts } from "./texts.ts";
import { World } from "./world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Interval of steps between checks of the record's promise, which take longer than a step. */
const promisesEvery = 24;
/** Limit of steps from the last fault to a sound site. */
const mostLastSteps = 400;

/** Decisions on a text, the frequent ones several times. */
const textDeeds = [
  "correct",
  "correct",
  "correct",
  "undo",
  "approve",
  "approve",
  "approve",
  "reject",
  "withdraw",
  "bring back",
] as const;

export interface DaysInput {
  readonly theme: Theme;
  readonly random: Random;
  readonly texts: Texts;
  /** Kind of store. Default: memory. */
  readonly open?: (now: () => Date) => Stores;
}

export class Days {
  readonly world: World;
  readonly stores: Stores;
  readonly #theme: Theme;
  readonly #ceiling: number | undefined;
  readonly #intruder: Intruder;
  readonly #clients: readonly ReadingClient[];
  readonly #begun: Promise<unknown>[] = [];
  readonly #failures: unknown[] = [];
  /** With a seed about decisions. */
  readonly #drills: Drills | undefined;
  #nights = 0;
  #withdrawn: RequestKey[] = [];

  constructor({ theme, random, texts, open = inMemory }: DaysInput) {
    this.#theme = theme;
    this.#ceiling =
      theme !== "decisions" && random() < 0.4
        ? Math.floor(random() * 4) + (theme === "horoscopes" ? 20 : 2)
        : undefined;
    let world: World | undefined;
    this.stores = open(() => new Date(world?.stage.atMs ?? begunMs));
    const configuration = configured(theme, this.#ceiling);
    const atMs = begunMs + 5 * hourMs;
    world = new World({
      stores: this.stores,
      configuration,
      signer,
      texts,
      random,
      marks: new Marks(),
      atMs,
    });
    this.world = world;
    this.#drills = theme === "decisions" ? new Drills(world) : undefined;
    this.#intruder = new Intruder(world);
    this.#clients = ["reader one", "reader two"].map(
      (name) => new ReadingClient(this.world, name, publicKey),
    );
  }

  get about(): string {
    return `${this.#theme}, ceiling ${this.#ceiling ?? "none"}`;
  }

  async play(): Promise<void> {
    const { stage } = this.world;
    await this.world.begin();
    const hasIntruder = stage.chance(0.4);
    const hasJumps = stage.chance(0.5);
    this.world.service.bad = stage.chance(0.4) ? 0.3 : 0;
    await this.#drills?.setReview();
    for (let day = 0; day < 2; day += 1) {
      await this.#drills?.hold((deed) => this.#again(deed));
      stage.atMs =
        Math.max(stage.atMs, begunMs + (day + 1) * (this.#theme === "sweep" ? 30 * hourMs : dayMs)) +
        stage.upTo(3 * hourMs);
      await this.#day(day, { hasIntruder, hasJumps });
    }
    await this.#drills?.hold((deed) => this.#again(deed));
    await this.#end();
  }

  /** A command that is typed again until it succeeds. */
  async #again(deed: Deed): Promise<void> {
    if ((await this.#ended(command(this.world, deed, true))) === undefined) return;
    const failed = await this.#ended(command(this.world, deed, false));
    if (failed !== undefined) throw failed;
  }

  /** A night, other commands of that day, and faults, each starting at a random time. */
  async #day(
    day: number,
    { hasIntruder, hasJumps }: { readonly hasIntruder: boolean; readonly hasJumps: boolean },
  ): Promise<void> {
    const { stage } = this.world;
    const isMerging = this.#theme === "merging";
    const plans = [{ begin: () => this.#night("nightly"), after: isMerging ? 0 : stage.upTo(40) }];
    const plan = (begin: () => void, after = stage.upTo(60)) => void plans.push({ begin, after });
    if (isMerging || stage.chance(0.3))
      plan(() => this.#night(stage.chance(0.5) ? "backfill" : "nightly"), stage.upTo(isMerging ? 6 : 40));
    const deeds = stage.upTo(3) + (this.#drills === undefined ? 0 : 5);
    for (let more = deeds; more > 0; more -= 1) plan(() => this.#command(this.#deed()));
    for (const [likelihood, event] of this.#drills?.events ?? [])
      if (stage.chance(likelihood)) plan(() => this.#begin(event()));
    for (let more = stage.upTo(3); more > 0; more -= 1) plan(() => this.#read());
    if (hasIntruder && stage.chance(0.7)) plan(() => this.#harm());
    if (hasIntruder && stage.chance(0.3)) plan(() => this.#harm());
    if (isMerging && stage.chance(0.5)) plan(() => this.#jump(3 * hourMs), 0);
    if (hasJumps) for (let more = stage.upTo(3); more > 0; more -= 1) plan(() => this.#jump());
    if (this.#theme === "sweep") this.#sweep(day, plan);
    const pending = plans.toSorted((one, other) => one.after - other.after);
    let step = 0;
    const beginDue = () => {
      while (pending[0] !== undefined && pending[0].after <= step) pending.shift()?.begin();
    };
    while (pending.length > 0) {
      step = Math.max(step, pending[0]?.after ?? 0);
      beginDue();
      await this.#played(async () => {
        step += 1;
        beginDue();
        if (step % promisesEvery === 0) await this.#requirePromises();
        await this.#intruder.look();
      });
    }
  }

  async #requirePromises(): Promise<void> {
    const { reference, stores } = this.world;
    if (reference.isDisturbed) return;
    const unknown = await pathsNobodyKnowsOf(stores, reference.trees);
    if (unknown.length > 0) throw new BrokenPromise(`the record does not know of ${unknown.join(", ")}`);
  }

  /** Withdraws a text and, after a clean-up has removed its files, brings it back with the same bytes. */
  #sweep(day: number, plan: (begin: () => void, after: number) => void): void {
    const [key] = this.world.reference.kept.keys();
    if (key === undefined) return;
    if (day === 0) return plan(() => this.#command({ kind: "withdraw", key }), 0);
    plan(() => this.#command({ kind: "gc" }), this.world.stage.upTo(8));
    plan(() => this.#command({ kind: "bring back", key }), this.world.stage.upTo(8));
  }

  async #played(between: () => Promise<void> = async () => undefined): Promise<void> {
    await this.world.play(between);
    await Promise.all(this.#begun.splice(0));
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  #begin(work: Promise<unknown>): void {
    this.#begun.push(work.catch((error: unknown) => this.#failures.push(error)));
  }

  #night(kind: "nightly" | "backfill"): void {
    const { stage } = this.world;
    const asOf = new Date(stage.atMs).toISOString();
    this.#begin(this.#nightAs(kind, asOf));
  }

  async #nightAs(kind: "nightly" | "backfill", asOf: string) {
    const name = `${kind}-${(this.#nights += 1)}`;
    const end = await night(this.world, name, { kind, asOf });
    for (const error of end.unpublished) this.#requireForeseen(error);
    return end;
  }

  /** A publish fails where the site was disturbed, and nowhere else. */
  #requireForeseen(error: Error): void {
    const type = error instanceof ApplicationFailure ? error.type : error.name;
    if (type === "StateRefused") this.world.marks.reach("a refused state");
    if (this.world.reference.isDisturbed || type === "StoreFailure" || error.message.endsWith("died")) return;
    throw error;
  }

  #command(deed: Deed): void {
    if (deed.kind === "withdraw") this.#withdrawn.push(deed.key);
    this.#begin(command(this.world, deed, true));
  }

  #deed(): Deed {
    const { stage, reference } = this.world;
    const lot = stage.random();
    const keys = [...reference.kept.keys()];
    if (keys.length > 0 && stage.chance(this.#drills === undefined ? 0.1 : 0.75)) {
      const kind = pick(stage.random, textDeeds);
      return { kind, key: pick(stage.random, keys.slice(-1 - stage.upTo(4))) };
    }
    if (lot < 0.25) return { kind: "publish" };
    if (lot < 0.35) return { kind: "render" };
    if (lot < 0.5) return { kind: "repair" };
    if (lot < 0.6) return { kind: "gc" };
    if (lot < (this.#drills === undefined ? 0.7 : 0.9)) return { kind: "rollback", back: 1 + stage.upTo(3) };
    const withdrawn = this.#withdrawn.at(-1);
    if (lot < 0.75 && withdrawn !== undefined) return { kind: "bring back", key: withdrawn };
    if (keys.length === 0) return { kind: "publish" };
    if (this.#drills !== undefined && lot > 0.9) return { kind: "revalidate" };
    return { kind: "withdraw", key: pick(stage.random, keys) };
  }

  #read(): void {
    const { stage, reference } = this.world;
    const client = pick(stage.random, this.#clients);
    const [key] = reference.kept.size > 0 ? [pick(stage.random, [...reference.kept.keys()])] : [];
    const request = key === undefined ? undefined : requestOf(key);
    const dated = request === undefined ? undefined : dataPathOf(request);
    const path = stage.chance(0.5) || dated === undefined ? "v1/en/daily-tarot/latest.json" : dated;
    if (!client.isReading) this.#begin(client.read(path));
  }

  #harm(): void {
    this.#begin(this.#intruder.harm());
  }

  #jump(farMs = pick(this.world.stage.random, [minuteMs, 10 * minuteMs, 3 * hourMs])): void {
    const { stage, marks } = this.world;
    const machine = pick(stage.random, this.world.workers);
    machine.aheadMs = (stage.random() - 0.5) * 2 * farMs;
    machine.jumps += 1;
    marks.reach("a clock that jumped");
  }

  /** Ends all faults: a night, its remedies, and another night. Then everything must be right. */
  async #end(): Promise<void> {
    const { world } = this;
    const { stage, reference } = world;
    world.isTroubled = false;
    world.service.bad = 0;
    for (const machine of world.workers) machine.aheadMs = 0;
    stage.atMs += 30 * minuteMs;
    world.said.length = 0;
    const begunSteps = stage.steps;
    const repaired = reference.isDisturbed && (await this.#ended(command(world, { kind: "repair" }, false)));
    if (repaired instanceof Error) throw repaired;
    const asOf = new Date(stage.atMs).toISOString(); // for both: a minute later, another date may be due
    await this.#ended(this.#nightAs("nightly", asOf));
    if (world.said.some((words) => words.includes("a later date is already published"))) {
      const rendered = await this.#ended(command(world, { kind: "render --clock-is-right" }, false));
      if (rendered !== undefined) throw rendered;
    }
    const again = await this.#ended(this.#nightAs("nightly", asOf));
    const done = await this.#ended(command(world, { kind: "publish" }, false));
    if (done !== undefined) throw done;
    const steps = stage.steps - begunSteps;
    if (steps > mostLastSteps) throw new BrokenPromise(`${steps} steps from the last fault to the end`);
    reference.requireCeiling(this.#ceiling);
    if (this.#ceiling === undefined && again.planned > 0)
      throw new BrokenPromise(`${again.planned} requests are due after a whole night`);
    await requireSound(world);
    await this.#requireShown();
  }

  async #ended<Result>(work: Promise<Result>): Promise<Result> {
    await this.#played();
    return work;
  }

  async #requireShown(): Promise<void> {
    const client = new ReadingClient(this.world, "the last reader", publicKey);
    for (const [path, words] of await textsDue(this.world)) {
      const read = await this.#ended(client.read(path));
      const shown = read?.words.join() ?? "nothing";
      if (shown !== words) throw new BrokenPromise(`${path} shows ${shown} and not ${words}`);
    }
  }
}
