// Languages whose answers one rule refuses alike, as one worker hears them in a run. vault/address-gate.ts stops them.
import { setBounded } from "./bounded-map.ts";
import type { Operation } from "./operations.ts";
import { serviceAddressOf } from "./request-fields.ts";
import type { ReadingRequest } from "./request.ts";
import { refusedAlikeAfter } from "./retry-rules.ts";

/** The answers of a language, and how many of them one rule refused. */
export interface Alike {
  readonly rule: string;
  readonly refused: number;
  readonly answers: number;
}

interface Heard {
  fit: number;
  readonly refused: Map<string, number>;
  readonly operations: Set<Operation>;
}

/** Languages of runs that a worker remembers. */
const mostHeard = 300;

export class UnfitLanguages {
  readonly #heard = new Map<string, Heard>();

  fit(request: ReadingRequest, run: string): void {
    this.#of(request, run).fit += 1;
  }

  /**
   * Returns the refusals once they are too many: a dozen, and another dozen for each fit answer. Refusals of only one operation may be
   * that operation's fault, so they stop the language only after two dozen.
   */
  refused(request: ReadingRequest, run: string, rule: string): Alike | undefined {
    const { fit, refused, operations } = this.#of(request, run);
    const alike = (refused.get(rule) ?? 0) + 1;
    refused.set(rule, alike);
    operations.add(request.operation);
    const enough = refusedAlikeAfter * (operations.size > 1 ? 1 : 2);
    if (alike < Math.max(enough, refusedAlikeAfter * (1 + fit))) return undefined;
    const answers = [...refused.values()].reduce((sum, count) => sum + count, fit);
    return { rule, refused: alike, answers };
  }

  #of(request: ReadingRequest, run: string): Heard {
    const name = [run, serviceAddressOf(request), request.language].join(" ");
    const heard = this.#heard.get(name) ?? { fit: 0, refused: new Map(), operations: new Set() };
    setBounded(this.#heard, name, heard, mostHeard);
    return heard;
  }
}

/** The next step after one rule refused many answers of a language. */
export function remedyFor(rule: string): string {
  return (
    "if the service is wrong, report it there: the next night asks again. " +
    `If the rule is wrong, set it to "warn" (quality.rules: { "${rule}": "warn" }), restart the worker and run \`almanac rejudge --apply\`.`
  );
}
