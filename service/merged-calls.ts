// Merges equal requests of one process: a night and a backfill that request the same reading share one call. The shared work is no
// caller's own, so it is aborted only when nobody waits for it any more.
import type { RequestKey } from "../readings/request.ts";

interface Shared<Result> {
  readonly result: Promise<Result>;
  readonly controller: AbortController;
  waiters: number;
}

export class MergedCalls<Result> {
  readonly #shared = new Map<RequestKey, Shared<Result>>();

  /** Starts the work, or waits for the same work that is under way. A caller's abort rejects that caller only. */
  async get(
    key: RequestKey,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const shared = this.#shared.get(key) ?? this.#start(key, start);
    shared.waiters += 1;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([shared.result, aborted]);
    } finally {
      signal.removeEventListener("abort", abort);
      shared.waiters -= 1;
      if (shared.waiters === 0) this.#end(key, shared, signal.reason);
    }
  }

  #start(key: RequestKey, start: (signal: AbortSignal) => Promise<Result>): Shared<Result> {
    const controller = new AbortController();
    const shared: Shared<Result> = { result: start(controller.signal), controller, waiters: 0 };
    this.#shared.set(key, shared);
    const settled = (): void => this.#forget(key, shared);
    shared.result.then(settled, settled);
    return shared;
  }

  /** Forgets the work before it is aborted, so that the next caller starts it again. */
  #end(key: RequestKey, shared: Shared<Result>, reason: unknown): void {
    this.#forget(key, shared);
    shared.controller.abort(reason);
  }

  #forget(key: RequestKey, shared: Shared<Result>): void {
    if (this.#shared.get(key) === shared) this.#shared.delete(key);
  }
}
