// Readers who fetch a site over HTTP throughout its publishes: half of their requests follow the pointer to objects, half follow
// links from front pages over the public paths.
import { EventEmitter, once } from "node:events";
import { Agent, request } from "undici";
import { manifestSchema, partSchema, pointerSchema } from "../../../site/manifest.schema.ts";
import { objectPath } from "../../../publish/state/state.ts";
import { parseJson, sha256 } from "../../../vault/files.ts";
import { addDays } from "../../../readings/calendar.ts";
import { pick, pickSome, type Random, seededRandom } from "../../../packages/sandbox/random.ts";
import { startPublishedServer } from "../../../worker/site-server.ts";
import { Leases } from "../../../store/lease.ts";
import { Calls, Publisher } from "./publisher.ts";
import { publishSketch, sketched } from "./sketch.ts";
import type { Stores } from "../../support/stores.ts";

const readers = 8;
const objectsAtOnce = 3;

export interface Read {
  objects: number;
  pages: number;
  /** Pointers that differed from the one that the same reader saw before. */
  news: number;
}

/** Publishes this many times, sometimes two at once, and throws the errors that any reader found. Readers pause now and then. */
export async function hammer(stores: Stores, publishes: number, rest: number): Promise<Read> {
  const preview = await startPublishedServer(stores.site, 0);
  const leases = new Leases({ store: stores.vault, where: "test", log: console });
  const agent = new Agent({ connections: readers });
  const seen: Read = { objects: 0, pages: 0, news: 0 };
  const wrong: unknown[] = [];
  const pace = new Pace();
  const read = async (random: Random): Promise<void> => {
    const reader = new Reader(preview.url, agent, random, seen);
    while (!pace.isOver && wrong.length === 0) {
      try {
        await reader.followPointer();
        await reader.followLinks();
      } catch (error) {
        wrong.push(error);
      }
      await pace.pass(rest);
    }
  };
  try {
    await publish(stores, leases, 0);
    const reading = Array.from({ length: readers }, (_, index) => read(seededRandom(index)));
    for (let count = 1; count < publishes && wrong.length === 0; count += 1) {
      const both = count % 8 === 0 && count + 1 < publishes;
      await Promise.all([
        publish(stores, leases, count),
        ...(both ? [publish(stores, leases, (count += 1))] : []),
      ]);
      pace.beat();
    }
    pace.end();
    await Promise.all(reading);
  } finally {
    await agent.close();
    await preview.close();
  }
  if (wrong.length > 0) throw wrong[0];
  return seen;
}

/** Readers rest for so many publishes, so that a slow machine has no more to do than a quick one. */
class Pace extends EventEmitter {
  isOver = false;

  async pass(beats: number): Promise<void> {
    for (let beat = 0; beat < beats && !this.isOver; beat += 1) await once(this, "beat");
  }

  beat(): void {
    this.emit("beat");
  }

  end(): void {
    this.isOver = true;
    this.beat();
  }
}

/** Each night has other texts, and every tenth a new date. */
async function publish(stores: Stores, leases: Leases, count: number): Promise<void> {
  const place = { ...new Publisher(stores, new Calls(), () => new Date()).place, leases };
  const languages = [sketched[count % 3] ?? "en", sketched[(count + 1) % 3] ?? "de"];
  const date = addDays("2026-11-20", Math.floor(count / 10));
  await publishSketch(place, { run: "nightly", date, languages, draw: String(count) });
}

class Reader {
  readonly #url: string;
  readonly #agent: Agent;
  readonly #random: Random;
  readonly #seen: Read;
  /** Files named by their hash are fetched once, like a browser's immutable files. */
  readonly #known = new Map<string, Uint8Array>();
  #pointed = "";

  constructor(url: string, agent: Agent, random: Random, seen: Read) {
    this.#url = url;
    this.#agent = agent;
    this.#random = random;
    this.#seen = seen;
  }

  async followPointer(): Promise<void> {
    const path = "v1/pointer.json";
    const pointer = parseJson(path, await this.#get(path), pointerSchema);
    if (pointer.manifest !== this.#pointed) this.#seen.news += 1;
    this.#pointed = pointer.manifest;
    const root = await this.#hashed(`v1/manifests/${pointer.manifest}.json`, pointer.manifest);
    const { parts } = parseJson("manifest", root, manifestSchema);
    for (const hash of pickSome(this.#random, Object.values(parts), 2)) {
      const part = await this.#hashed(`v1/manifests/${hash}.json`, hash);
      const files = Object.entries(parseJson("part", part, partSchema).files);
      for (const [file, { object }] of pickSome(this.#random, files, objectsAtOnce)) {
        await this.#hashed(objectPath(object, file), object);
        this.#seen.objects += 1;
      }
    }
  }

  /** Three steps deep, from the chooser. */
  async followLinks(): Promise<void> {
    let path = "index.html";
    for (let depth = 0; depth < 4; depth += 1) {
      const text = new TextDecoder().decode(await this.#get(path));
      this.#seen.pages += 1;
      const links = [...text.matchAll(/href="\/([^"]+)"/g)].map(([, link = ""]) => link);
      if (links.length === 0) return;
      path = pick(this.#random, links);
    }
  }

  async #hashed(path: string, hash: string): Promise<Uint8Array> {
    const before = this.#known.get(hash);
    if (before !== undefined) return before;
    const body = await this.#get(path);
    if (sha256(body) !== hash) throw new Error(`${path} does not match its hash`);
    this.#known.set(hash, body);
    return body;
  }

  async #get(path: string): Promise<Uint8Array> {
    const { statusCode, body } = await request(this.#url + path, { dispatcher: this.#agent });
    const bytes = await body.bytes();
    if (statusCode !== 200) throw new Error(`${path}: HTTP ${statusCode}`);
    return bytes;
  }
}
