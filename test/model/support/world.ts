// A site and its vault, machines that work on them, and a service: the environment of the simulated days. The reference observes
// each call of a machine when it takes effect.
import type { KeyObject } from "node:crypto";
import { createActivities } from "../../../activities/index.ts";
import type { Dependencies } from "../../../activities/dependencies.ts";
import type { Configuration } from "../../../readings/configuration.schema.ts";
import type { RequestKey } from "../../../readings/request.ts";
import type { EndpointName } from "../../../readings/tables.ts";
import { pointerPath } from "../../../publish/state/state.ts";
import { type Store, StoreFailure } from "../../../store/store.ts";
import { createVault } from "../../../vault/vault.ts";
import type { Random } from "../../../packages/sandbox/random.ts";
import { type Call, type Stores, through } from "../../support/stores.ts";
import type { Marks } from "./marks.ts";
import { createPlayedService, type PlayedService } from "./played-service.ts";
import { passTime } from "./played-time.ts";
import { PlayedWorker, silentMetrics } from "./played-worker.ts";
import { BrokenPromise } from "./decisions.ts";
import { Reference } from "./reference.ts";
import { Machine, Stage, type Strike, Task } from "./stage.ts";
import { type Texts, wordOf } from "./texts.ts";
import { Trees } from "./trees.ts";

export interface WorldSettings {
  readonly stores: Stores;
  readonly configuration: Configuration;
  readonly signer: KeyObject;
  readonly texts: Texts;
  readonly random: Random;
  readonly marks: Marks;
  readonly atMs: number;
}

export type Ended<Result> =
  | { readonly kind: "done"; readonly value: Result }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "dead"; readonly how: "killed" | "given up" };

/** State that a task holds. */
export interface Hands {
  readonly place: Dependencies;
  readonly activities: ReturnType<typeof createActivities>;
  readonly task: Task;
}

export interface TaskSettings {
  readonly name: string;
  readonly run?: string;
  readonly activity?: string;
  readonly machine: Machine;
  readonly strike?: Strike | undefined;
  readonly lastsMs?: number;
  /** Whether others may wait for its calls, so that it continues after it is given up. */
  readonly isShared?: boolean;
}

/** Longer than any command takes. */
const longMs = 24 * 60 * 60_000;

export class World {
  readonly stage: Stage;
  readonly stores: Stores;
  readonly reference: Reference;
  /** The next task works with it. */
  configuration: Configuration;
  /** The number of upgrades. */
  release = 0;
  readonly marks: Marks;
  readonly signer: KeyObject;
  readonly service: PlayedService;
  readonly workers: readonly Machine[] = ["one", "two", "three"].map((name) => new Machine(name));
  readonly said: string[] = [];
  commands = 0;
  /** Faults strike while they are wanted. */
  isTroubled = true;
  readonly #wrong: unknown[] = [];

  constructor({ stores, configuration, signer, texts, random, marks, atMs }: WorldSettings) {
    this.stage = new Stage(random, atMs, passTime);
    this.stores = stores;
    this.configuration = configuration;
    this.signer = signer;
    this.marks = marks;
    this.reference = new Reference(texts, marks, signer, new Trees(stores.site));
    this.service = createPlayedService({
      stage: this.stage,
      newWord: (key) => this.newWord(key),
      reference: this.reference,
      vault: stores.vault,
      requireOwner: (task, endpoint) => this.requireOwner(task, endpoint),
      call: (task, what, make) => this.call(task, what, make),
      watch: (look) => this.watch(look),
    });
  }

  /** A word that is in no text yet, for a text of this request. */
  newWord(key: RequestKey): string {
    const { texts } = this.reference;
    const word = wordOf(texts.size);
    texts.set(word, key);
    return word;
  }

  /** Loads earlier content of the vault. */
  async begin(): Promise<void> {
    for await (const { key } of this.stores.vault.list("")) {
      const body = (await this.stores.vault.read(key))?.body;
      this.reference.wrote(key, body, undefined);
    }
    const pointer = await this.stores.site.read(pointerPath);
    if (pointer !== undefined) await this.reference.pointed(pointer.body);
  }

  /** Does some work on a machine, until it ends or dies. */
  async task<Result>(
    { name, machine, strike, lastsMs = longMs, run = "", activity = "", isShared = false }: TaskSettings,
    work: (hands: Hands) => Promise<Result>,
  ): Promise<Ended<Result>> {
    const task = new Task(name, machine, strike, this.stage.atMs + lastsMs);
    [task.run, task.activity, task.isShared] = [run, activity, isShared];
    task.worker = machine.worker ??= this.#workerOf(machine);
    [task.configuration, task.begunAt] = [this.configuration, this.reference.decisions.next()];
    this.#lookAround(name);
    this.stage.begin(task);
    const place = this.#placeOf(task);
    const done = work({ place, activities: createActivities(place), task }).then(
      (value): Ended<Result> => ({ kind: "done", value }),
      (error: unknown): Ended<Result> => {
        task.hasFailed = true;
        return { kind: "failed", error };
      },
    );
    const over = done.finally(() => this.stage.end(task));
    over.catch(() => undefined);
    const died = task.death.then((how): Ended<Result> => ({ kind: "dead", how }));
    const ended = await Promise.race([over, died]);
    if (ended.kind !== "done" && task.isPending) this.marks.reach("a pending state without a pointer");
    return ended;
  }

  #lookAround(name: string): void {
    const isAt = (one: string, what: string) => one.includes(what);
    const beside = this.stage.names;
    const isConcurrent =
      (isAt(name, "withdraw") && beside.some((one) => isAt(one, " publish-"))) ||
      (isAt(name, " publish-") && beside.some((one) => isAt(one, "withdraw")));
    if (isConcurrent) this.marks.reach("a withdrawal beside a publish");
  }

  /** Lets all go on until nobody has anything left to do; `between` may look, or do harm. */
  async play(between: () => Promise<void>, mostSteps = 20_000): Promise<void> {
    for (let step = 0; await this.stage.step(); step += 1) {
      await this.stage.settle(); // observers and faults run while all other tasks wait
      this.throwWrong();
      if (step > mostSteps) throw new Error(`no end after ${mostSteps} steps`);
      await between();
    }
    this.throwWrong();
  }

  /** The reference's error during a call: the caller would mistake it for a failure of its store. */
  throwWrong(): void {
    if (this.#wrong.length > 0) throw this.#wrong[0];
  }

  async watch<Answer>(look: () => Promise<Answer> | Answer): Promise<Answer | undefined> {
    try {
      return await look();
    } catch (error) {
      this.#wrong.push(error);
      return undefined;
    }
  }

  /** A call of a task, when its turn comes. */
  async call<Answer>(task: Task, what: string, make: () => Promise<Answer>): Promise<Answer> {
    await task.turn(what);
    if (task.isDead) return never();
    task.latestMs = Math.max(task.latestMs, this.stage.now(task.machine).getTime());
    const struck = task.struckBy(what);
    // A call without a response has its own error (played-service.ts).
    const isAsking = what.startsWith("ask ") && (struck === "refused" || struck === "answer lost");
    const way = this.isTroubled && !isAsking ? struck : undefined;
    if (way !== undefined) this.stage.trace.push(`${task.name}: ${what} ${way}`);
    if (way === "refused" && what.startsWith("write vault responses/"))
      this.marks.reach("an answer that could not be stored");
    if (way === "refused") throw failed(what);
    if (way === "killed before") return this.#killed(task);
    if (way === "given up") task.end("given up");
    const answer = await this.#landed(make);
    if (way !== undefined && task.pointedAt === task.calls)
      this.marks.reach("a conditional write whose response was lost");
    if (way === "answer lost") throw failed(what);
    if (way === "killed after") return this.#killed(task);
    return task.isDead ? never() : answer;
  }

  async #landed<Answer>(make: () => Promise<Answer>): Promise<Answer> {
    this.stage.inFlight += 1;
    try {
      return await make();
    } finally {
      this.stage.inFlight -= 1;
    }
  }

  #killed(task: Task): Promise<never> {
    task.machine.kill();
    return never();
  }

  #placeOf(task: Task): Dependencies {
    const { machine } = task;
    const now = (): Date => this.stage.now(machine);
    const note = (_: object, message: string): void => {
      this.said.push(message);
      if (message.includes("is restored from the vault"))
        this.marks.reach("a manifest put back from its copy");
    };
    const { leases, endpoints, merged, unstored, takenOn } = task.worker ?? this.#workerOf(machine);
    return {
      configuration: this.configuration,
      site: this.#watched("site", this.stores.site, task),
      vault: createVault(this.#watched("vault", this.stores.vault, task), "almanac"),
      now,
      log: { info: () => undefined, warn: note, error: note },
      fingerprint: `sha256-${String(this.release).padStart(64, "f")}`,
      workings: "tests",
      signer: this.signer,
      service: this.service.for(task),
      leases,
      endpoints,
      merged,
      alert: async ({ text }) => void this.said.push(text),
      wentWell: async () => undefined,
      metrics: silentMetrics,
      unstored,
      takenOn,
      temporalUrl: undefined,
    };
  }

  #workerOf(machine: Machine): PlayedWorker {
    return new PlayedWorker({
      name: machine.name,
      configuration: this.configuration,
      vault: this.stores.vault,
      monotonicMs: () => this.stage.atMs,
      wallMs: () => this.stage.now(machine).getTime(),
      landed: (make) => this.#landed(make),
      onTaken: (_, lease) => {
        if (lease.before === "unreleased") this.marks.reach("an endpoint taken over");
      },
    });
  }

  /** Only the owner of an endpoint calls it. */
  requireOwner({ worker, name }: Task, endpoint: EndpointName): void {
    for (const machine of this.workers) {
      const owned = machine.worker?.owned.get(endpoint);
      const isOwner = owned !== undefined && owned.lease.remainingMs() > 0;
      if (isOwner !== (machine.worker === worker))
        throw new BrokenPromise(`${name} calls, and ${machine.name} is ${isOwner ? "" : "not "}the owner`);
    }
  }

  #watched(name: "site" | "vault", store: Store, task: Task): Store {
    const told: Store = {
      ...store,
      read: async (key) => {
        const stored = await store.read(key);
        if (name === "vault" && stored === undefined) this.reference.missed(key, task);
        return stored;
      },
      async *keys(prefix) {
        const keys = await Array.fromAsync(store.keys(prefix));
        if (name === "vault") task.listings.push({ prefix, keys: new Set(keys) });
        yield* keys;
      },
      write: async (key, body, ...more) => {
        const answer = await store.write(key, body, ...more);
        if (answer.kind === "written") await this.watch(() => this.#wrote(name, key, body, task));
        else if (key === pointerPath) {
          this.marks.reach("a pointer that had moved");
        }
        return answer;
      },
      remove: async (keys) => {
        await store.remove(keys);
        for (const key of keys) await this.watch(() => this.#wrote(name, key, undefined, task));
      },
    };
    return through(told, (call, make) => this.call(task, whatOf(name, call), make));
  }

  async #wrote(name: "site" | "vault", key: string, body: Uint8Array | undefined, task: Task): Promise<void> {
    if (name === "vault") {
      if (key.startsWith("calls/") && body !== undefined)
        this.stage.trace.push(
          `${task.name} notes ${key}: ${Buffer.from(body).toString().replaceAll(/\s+/g, " ")}`,
        );
      return this.reference.wrote(key, body, task);
    }
    if (body === undefined && key.startsWith("v1/objects/"))
      this.marks.reach("a batch that a clean-up swept");
    if (key !== pointerPath || body === undefined) return;
    task.pointedAt = task.calls;
    await this.reference.pointed(body);
  }
}

function whatOf(name: string, { doing, keys: [first = "", ...others] }: Call): string {
  return `${doing} ${name} ${first}${others.length > 0 ? ` and ${others.length} more` : ""}`;
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

function failed(what: string): StoreFailure {
  const [doing, , key = ""] = what.split(" ");
  const done = doing === "write" || doing === "list" || doing === "remove" ? doing : "read";
  return new StoreFailure({
    doing: done,
    key,
    place: "the model",
    seen: "the call was made to fail",
    remedy: "again",
  });
}
