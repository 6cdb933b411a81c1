// The sheets of an edition that are not done: their requests have not all ended, or they are not judged yet.
import { rowOf } from "../readings/operations.ts";
import { type ReadingRequest, sheetKey } from "../readings/request.ts";
import type { LostTexts } from "../readings/run-messages.ts";

export interface OpenSheet {
  readonly key: string;
  readonly horoscope: boolean;
  readonly daily: boolean;
  /** How many of its requests are still out. */
  waiting: number;
}

interface Judgement {
  readonly lost: LostTexts | undefined;
  /** Whether readings that lost their place are being asked for again. */
  readonly isOut: boolean;
}

export class OpenSheets {
  readonly #sheets = new Map<string, OpenSheet>();
  readonly #judgements = new Map<string, Judgement>();

  add(requests: readonly ReadingRequest[]): void {
    for (const request of requests) {
      const key = sheetKey(request);
      const { family, due } = rowOf(request.operation);
      const horoscope = family === "horoscope";
      const sheet = this.#sheets.get(key) ?? {
        key,
        horoscope,
        daily: horoscope && due === "daily",
        waiting: 0,
      };
      sheet.waiting += 1;
      this.#sheets.set(key, sheet);
    }
  }

  /** The request's sheet, if this request was the last one that it waited for. */
  end(request: ReadingRequest): OpenSheet | undefined {
    const sheet = this.#sheets.get(sheetKey(request));
    return sheet === undefined || (sheet.waiting -= 1) > 0 ? undefined : sheet;
  }

  /** True when it was the last daily one. */
  done({ key, daily }: OpenSheet): boolean {
    this.#sheets.delete(key);
    return daily && ![...this.#sheets.values()].some((other) => other.daily);
  }

  /** Records the judgement of a sheet: the texts found lost, and whether readings are being requested again. */
  judged(key: string, judgement: Judgement): void {
    this.#judgements.set(key, judgement);
  }

  /** The horoscope sheets that lack nothing but their judgement, with what the judgements before found lost. */
  unjudged(): { sheet: string; lost: LostTexts | undefined }[] {
    return [...this.#sheets.values()].flatMap(({ key, horoscope, waiting }) => {
      const { lost, isOut = false } = this.#judgements.get(key) ?? {};
      return horoscope && waiting <= 0 && !isOut ? [{ sheet: key, lost }] : [];
    });
  }

  isEmpty(): boolean {
    return this.#sheets.size === 0;
  }
}
