// A program that reads the site with the pinned key, through the published client, with its own clock. Its reads are recorded, and
// checked against the promises.
import { type AlmanacStorage, createAlmanac, type Almanac } from "../../../packages/client/almanac.js";
import { Machine, Task } from "./stage.ts";
import { BrokenPromise } from "./decisions.ts";
import { wordsIn } from "./texts.ts";
import type { World } from "./world.ts";

/** One read, as reported by its client. */
export interface Read {
  readonly client: string;
  readonly path: string;
  readonly begunStep: number;
  readonly endedStep: number;
  readonly version: number;
  readonly isStale: boolean;
  readonly words: readonly string[];
}

export class ReadingClient {
  readonly reads: Read[] = [];
  readonly machine: Machine;
  readonly #world: World;
  readonly #almanac: Almanac;
  #task: Task | undefined;

  constructor(world: World, name: string, publicKey: string) {
    this.#world = world;
    this.machine = new Machine(name, true);
    const kept = new Map<string, string>();
    const storage: AlmanacStorage = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
    };
    this.#almanac = createAlmanac({
      url: "https://almanac.example/",
      keys: [publicKey],
      storage,
      fetch: (address) => this.#fetch(address),
      now: () => world.stage.now(this.machine).getTime(),
    });
  }

  get isReading(): boolean {
    return this.#task?.isOver === false;
  }

  /** Undefined if the client reported why it has nothing. */
  async read(path: string): Promise<Read | undefined> {
    const { stage, marks, reference } = this.#world;
    const begunStep = stage.steps;
    const begun = { withdrawn: new Set(reference.withdrawn), version: reference.pointer?.version ?? 0 };
    this.#task = new Task(`${this.machine.name} reads ${path}`, this.machine, undefined, Infinity);
    const task = this.#task;
    stage.begin(task);
    try {
      const { data, version, stale } = await this.#almanac.document(path);
      if (stale) marks.reach("a client that was told of a lie");
      const words = wordsIn(Buffer.from(JSON.stringify(data)));
      const read = {
        client: this.machine.name,
        path,
        begunStep,
        endedStep: stage.steps,
        version,
        isStale: stale,
        words,
      };
      this.#judge(read, begun);
      return read;
    } catch (error) {
      if (error instanceof BrokenPromise) throw error;
      if (!(error instanceof Error)) throw error;
      if (error.name !== "NotPublished") marks.reach("a client that was told of a lie");
      if (!reference.isDisturbed && error.name !== "NotPublished")
        throw new BrokenPromise(`${task.name}, which nobody has touched: ${error.name} ${error.message}`, {
          cause: error,
        });
      return undefined;
    } finally {
      stage.end(task);
    }
  }

  #judge(read: Read, begun: { readonly withdrawn: ReadonlySet<string>; readonly version: number }): void {
    const { reference } = this.#world;
    const { version, isStale, words, client, path } = read;
    const last = this.reads.at(-1);
    if (last !== undefined && !isStale && version < last.version)
      throw new BrokenPromise(`${client} saw version ${version} after ${last.version}`);
    if (!isStale) this.reads.push(read);
    if (!reference.isDisturbed && version < begun.version)
      throw new BrokenPromise(`${client} was shown version ${version} when ${begun.version} was published`);
    if (!reference.versions.has(version))
      throw new BrokenPromise(`${client} was shown version ${version}, not ours`);
    const isCurrent = version === reference.pointer?.version;
    for (const word of words) {
      const key = reference.texts.get(word);
      if (key === undefined || !reference.everKept.has(word))
        throw new BrokenPromise(`${client} was shown ${word} on ${path}, which was never kept`);
      // An older state that somebody put back may still have the text, which only its version shows. Or the text was brought back
      // since.
      const isWithdrawn = begun.withdrawn.has(key) && reference.withdrawn.has(key);
      if (isWithdrawn && isCurrent && !isStale)
        throw new BrokenPromise(`${client} was shown ${key} on ${path}, which was withdrawn`);
    }
  }

  async #fetch(address: string): Promise<Response> {
    const key = address.slice("https://almanac.example/".length);
    const task = this.#task;
    if (task === undefined) throw new Error("nobody reads");
    const read = () => this.#world.stores.site.read(key);
    const stored = await this.#world.call(task, `fetch ${key}`, read);
    if (stored === undefined) return new Response(null, { status: 404 });
    return new Response(new Uint8Array(stored.body));
  }
}
