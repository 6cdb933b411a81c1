// Publishers whose calls a test makes one by one, to reach rare interleavings.
import type { Publishing } from "../../../publish/state/publish-context.ts";
import { inMemory, type Stores } from "../../support/stores.ts";
import { Conductor } from "./conductor.ts";
import { follow, type Seen, wrongPaths } from "./look.ts";
import { Calls, Publisher } from "./publisher.ts";

export class StageOfPublishers {
  at = new Date("2026-11-20T21:10:00.000Z");
  readonly stores: Stores;
  /** All calls made, with their publishers. */
  readonly calls: string[] = [];
  readonly #conductor = new Conductor();
  readonly #runs = new Map<string, { readonly publisher: Publisher; readonly outcome: Promise<unknown> }>();

  constructor() {
    const now = () => this.at;
    this.stores = inMemory(now);
  }

  /** Runs from beginning to end, while the others are frozen. */
  async alone(work: (place: Publishing) => Promise<unknown>): Promise<void> {
    await work(new Publisher(this.stores, new Calls(), () => this.at).place);
  }

  begin(name: string, work: (place: Publishing) => Promise<unknown>): void {
    const publisher = new Publisher(this.stores, new Calls(), () => this.at, this.#conductor.gateFor(name));
    this.#runs.set(name, { publisher, outcome: publisher.run(work) });
  }

  /** Up to the call that is described, which is still to be made. */
  async until(name: string, call: RegExp): Promise<void> {
    for (;;) {
      const next = await this.#next(name);
      if (next === undefined) throw new Error(`${name} never comes to ${call}`);
      if (call.test(next)) return;
      this.#step(name);
    }
  }

  async past(name: string, call: RegExp): Promise<void> {
    await this.until(name, call);
    this.#step(name);
  }

  async end(name: string): Promise<unknown> {
    for (;;) {
      if ((await this.#next(name)) === undefined) return this.#runs.get(name)?.outcome;
      this.#step(name);
    }
  }

  async kill(name: string): Promise<void> {
    await this.#conductor.waiting(); // its resumed call has ended
    this.#runs.get(name)?.publisher.kill();
    this.#conductor.drop(name);
  }

  async look(): Promise<Seen> {
    const seen = await follow(this.stores.site);
    if (seen === undefined) throw new Error("nothing is published");
    return seen;
  }

  async wrongPaths(): Promise<string[]> {
    return wrongPaths(this.stores.site, await this.look());
  }

  /** Its next call; undefined if it has ended. Its waits for the lease take only a turn of the event loop each. */
  async #next(name: string): Promise<string | undefined> {
    for (let turn = 0; turn < 10; turn += 1) {
      await this.#conductor.waiting();
      const next = this.#conductor.next(name);
      if (next !== undefined) return next;
    }
    return undefined;
  }

  #step(name: string): void {
    this.calls.push(`${name} ${this.#conductor.step(name)}`);
  }
}
