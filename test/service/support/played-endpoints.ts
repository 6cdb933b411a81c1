// Processes that share an endpoint, in played time, with a queue of batches such as Temporal has: a batch that is refused comes again
// after a second, and one whose process died after 17 s. Each request is counted at the moment at which it leaves.
import { Unavailable } from "../../../readings/answer.ts";
import { type ReadingRequest, requestKey } from "../../../readings/request.ts";
import { Breaker, type BreakerNote, BreakerOpen } from "../../../service/breaker.ts";
import { Endpoint, type EndpointState } from "../../../service/endpoint.ts";
import { type CallHooks, NotOwner } from "../../../service/owned-endpoint.ts";
import { Leases } from "../../../store/lease.ts";
import {
  type Chance,
  chanceFrom,
  PlayedProcess,
  PlayedStore,
  PlayedTime,
} from "../../support/played-processes.ts";
import { mostInASecond } from "../../support/sends.ts";

const heartbeatMs = 17_000;
const mostMs = 40;
const never = new AbortController().signal;

export interface PlayedOwner {
  readonly name: string;
  readonly process: PlayedProcess;
  readonly endpoint: Endpoint;
  readonly states: { readonly state: EndpointState; readonly atMs: number }[];
  sent: number;
  refused: number;
  /** The requests that have left and whose responses are not stored. */
  inFlight: number;
  /** Whether its calls get responses. */
  isConnected: boolean;
  /** Whether batches reach it. */
  hearsTemporal: boolean;
}

type Batch = number[];

export class PlayedEndpoints {
  readonly time = new PlayedTime();
  readonly chance: Chance;
  readonly store: PlayedStore;
  readonly owners: PlayedOwner[] = [];
  readonly sent: {
    readonly name: string;
    readonly request: number;
    readonly atMs: number;
  }[] = [];
  readonly stored = new Set<number>();
  /** Whether the service responds. */
  isThere = true;
  latencyMs = 500;
  /** Whether all requests have the same operation and language. */
  isNarrow = false;
  /** The part of the calls that wait for their connections. */
  heldUp = 0;
  /** The calls of killed processes, and those that got no response: the only ones that may be sent again. */
  mayRepeat = 0;
  #note: BreakerNote | undefined;
  readonly #waiting: Batch[] = [];
  readonly #idle: ((batch: Batch | undefined) => void)[] = [];
  #requests = 0;

  constructor(seed: number) {
    this.chance = chanceFrom(seed);
    this.store = new PlayedStore(this.time, this.chance, () => undefined);
    this.store.trouble = { mostMs, unsent: 0, lost: 0, late: 0 };
  }

  /** Adds this many requests, in batches of twelve. */
  want(requests: number): void {
    for (let left = requests; left > 0; left -= 12)
      this.#offer(Array.from({ length: Math.min(12, left) }, () => (this.#requests += 1)));
  }

  get wanted(): number {
    return this.#requests;
  }

  owner(ratePerSecond: number, concurrency = 20, speed = 1): PlayedOwner {
    const process = new PlayedProcess(this.time, speed, this.chance() * 1e6);
    const name = `process ${this.owners.length + 1}`;
    const log = { info: () => undefined, warn: () => undefined };
    const states: PlayedOwner["states"] = [];
    const endpoint = new Endpoint({
      name: "english",
      leaseKey: "leases/english.json",
      purpose: "test",
      figures: { ratePerSecond, concurrency, answerTimeoutMs: 30_000 },
      leases: new Leases({
        store: this.store.seenBy(process),
        where: name,
        log,
        clock: process,
      }),
      openBreaker: async () => {
        const note = this.#note;
        const breaker: Breaker = new Breaker({
          clock: process,
          chance: this.chance,
          note,
          onChange: () => (this.#note = breaker.note()),
        });
        return breaker;
      },
      log,
      onState: (state) => void states.push({ state, atMs: this.time.nowMs }),
    });
    const counts = { sent: 0, refused: 0, inFlight: 0 };
    const owner = {
      name,
      process,
      endpoint,
      states,
      ...counts,
      isConnected: true,
      hearsTemporal: true,
    };
    this.owners.push(owner);
    void this.#poll(owner);
    return owner;
  }

  kill(owner: PlayedOwner): void {
    owner.process.kill();
    this.mayRepeat += owner.inFlight;
  }

  sentIn(fromMs: number, untilMs: number): number {
    return this.sent.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs).length;
  }

  /** The most that left within one second, wherever it begins. */
  get mostInASecond(): number {
    return mostInASecond(this.sent.map(({ atMs }) => atMs));
  }

  get repeats(): number {
    return this.sent.length - new Set(this.sent.map(({ request }) => request)).size;
  }

  /** The time from that moment to the next call of another process. */
  nextAfter(fromMs: number, name: string): number {
    return (this.sent.find((one) => one.atMs >= fromMs && one.name !== name)?.atMs ?? Infinity) - fromMs;
  }

  #offer(batch: Batch): void {
    const next = this.#idle.shift();
    if (next === undefined) this.#waiting.push(batch);
    else next(batch);
  }

  /** Like a worker: a permit first, then a poll. */
  async #poll(owner: PlayedOwner): Promise<void> {
    for (;;) {
      await owner.endpoint.permits.reserve(never);
      if (owner.endpoint.state === "closing") return;
      const batch = await this.#next(owner);
      if (batch === undefined) owner.endpoint.permits.release();
      else void this.#work(owner, batch);
    }
  }

  async #next({ process, hearsTemporal }: PlayedOwner): Promise<Batch | undefined> {
    for (;;) {
      const batch = await new Promise<Batch | undefined>((resolve) => {
        if (!hearsTemporal) return this.time.at(this.time.nowMs + 10_000, () => resolve(undefined));
        const first = this.#waiting.shift();
        if (first !== undefined) return resolve(first);
        this.#idle.push(resolve);
        // A poll ends after a while.
        this.time.at(this.time.nowMs + 10_000, () => {
          const place = this.#idle.indexOf(resolve);
          if (place >= 0) this.#idle.splice(place, 1);
          if (place >= 0) resolve(undefined);
        });
      });
      if (batch === undefined || process.isUp) return batch;
      this.time.at(this.time.nowMs + heartbeatMs, () => this.#offer(batch)); // nobody was there to take it
      return undefined;
    }
  }

  async #work(owner: PlayedOwner, batch: Batch): Promise<void> {
    const { process, endpoint } = owner;
    let isOver = false;
    const watch = (): void => {
      if (isOver) return;
      if (process.isUp) this.time.at(this.time.nowMs + heartbeatMs, watch);
      else {
        isOver = true;
        this.#offer(batch); // its heartbeats have not come
      }
    };
    this.time.at(this.time.nowMs + heartbeatMs, watch);
    let againMs: number | undefined;
    try {
      await endpoint.batch(async (calls) => {
        const results = await Promise.allSettled(
          batch
            .filter((request) => !this.stored.has(request))
            .map((request) => {
              const caller = { run: "night", start: "first" };
              const sending = {
                request: this.#requestOf(request),
                caller,
                width: 20,
                signal: never,
              };
              return calls.send(sending, (hooks) => this.#call(owner, request, hooks));
            }),
        );
        for (const result of results) if (result.status === "rejected") throw result.reason;
      });
    } catch (error) {
      if (error instanceof NotOwner) owner.refused += 1;
      againMs = error instanceof BreakerOpen ? Math.min(error.retryMs, 45_000) : 1_000;
    }
    endpoint.permits.release();
    if (isOver) return;
    isOver = true;
    if (againMs !== undefined) this.time.at(this.time.nowMs + againMs, () => this.#offer(batch));
  }

  async #call(owner: PlayedOwner, request: number, { onSent, onResponse }: CallHooks): Promise<void> {
    const { process } = owner;
    const passing = (ms: number) => new Promise<void>((resolve) => void process.after(ms, resolve));
    if (this.chance() < this.heldUp) await passing(this.chance() * 7_000);
    onSent();
    owner.sent += 1;
    owner.inFlight += 1;
    this.sent.push({ name: owner.name, request, atMs: this.time.nowMs });
    await passing(this.latencyMs * (0.5 + this.chance()));
    onResponse();
    owner.inFlight -= 1;
    if (!this.isThere || !owner.isConnected) {
      this.mayRepeat += 1;
      const key = requestKey(this.#requestOf(request));
      throw new Unavailable({
        key,
        address: "test",
        status: 503,
        seen: "nothing",
      });
    }
    this.stored.add(request);
  }

  /** Different requests may have one key here: nothing is merged. */
  #requestOf(number: number): ReadingRequest {
    const operations = ["wisdom-reading", "daily-tarot", "divine-angel-reading"] as const;
    const languages = ["hi", "ja", "el", "ru"] as const;
    const kind = this.isNarrow ? 0 : number;
    return {
      operation: operations[kind % 3] ?? "daily-tarot",
      language: languages[kind % 4] ?? "hi",
      period: "2026-11-21",
    };
  }
}
