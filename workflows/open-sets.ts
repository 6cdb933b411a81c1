// The open sets of an edition: some of their requests have not ended, or they are not judged yet.
import { rowOf } from "../readings/tables.ts";
import { type ReadingRequest, setKey } from "../readings/request.ts";
import type { LostTexts } from "../readings/run-messages.ts";

export interface OpenSet {
  readonly key: string;
  readonly horoscope: boolean;
  readonly daily: boolean;
  /** How many of its requests are still out. */
  waiting: number;
}

interface Judgement {
  readonly lost: LostTexts | undefined;
  /** Whether readings that lost their place are being requested again. */
  readonly isOut: boolean;
}

export class OpenSets {
  readonly #sets = new Map<string, OpenSet>();
  readonly #judgements = new Map<string, Judgement>();

  add(requests: readonly ReadingRequest[]): void {
    for (const request of requests) {
      const key = setKey(request);
      const { family, due } = rowOf(request.operation);
      const horoscope = family === "horoscope";
      const set = this.#sets.get(key) ?? {
        key,
        horoscope,
        daily: horoscope && due === "daily",
        waiting: 0,
      };
      set.waiting += 1;
      this.#sets.set(key, set);
    }
  }

  /** The request's set, if this request was the last one that it waited for. */
  end(request: ReadingRequest): OpenSet | undefined {
    const set = this.#sets.get(setKey(request));
    return set === undefined || (set.waiting -= 1) > 0 ? undefined : set;
  }

  /** True when it was the last daily one. */
  done({ key, daily }: OpenSet): boolean {
    this.#sets.delete(key);
    return daily && ![...this.#sets.values()].some((other) => other.daily);
  }

  /** Records the judgement of a set: the texts found lost, and whether readings are being requested again. */
  judged(key: string, judgement: Judgement): void {
    this.#judgements.set(key, judgement);
  }

  /** The horoscope sets that lack only their judgement, with the texts that earlier judgements found lost. */
  unjudged(): { set: string; lost: LostTexts | undefined }[] {
    return [...this.#sets.values()].flatMap(({ key, horoscope, waiting }) => {
      const { lost, isOut = false } = this.#judgements.get(key) ?? {};
      return horoscope && waiting <= 0 && !isOut ? [{ set: key, lost }] : [];
    });
  }

  isEmpty(): boolean {
    return this.#sets.size === 0;
  }
}
