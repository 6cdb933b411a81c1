// What the calls of one worker tell of what is away: how many in a row got no answer.
import type { Language } from "./languages.ts";
import type { Operation } from "./operations.ts";
import { serviceAddressOf } from "./request-fields.ts";
import type { ReadingRequest } from "./request.ts";
import { fewInVain } from "./retry-rules.ts";

/** Requests to an address that are away together: of an operation, of a language, of both, or all. */
export interface AwayScope {
  readonly operation?: Operation | undefined;
  readonly language?: Language | undefined;
}

/** Whether what is in the other one is in the scope, too. */
export function holds({ operation, language }: AwayScope, other: AwayScope): boolean {
  const isOf = operation === undefined || operation === other.operation;
  return isOf && (language === undefined || language === other.language);
}

/** Calls in a row that got no answer. */
interface InRow {
  count: number;
  readonly operations: Set<Operation>;
  readonly languages: Set<Language>;
}

/** Two languages in vain say nothing of a third, and one operation nothing of another. */
const languagesOfAll = 3;
const operationsOfAll = 2;

export class CallsInVain {
  readonly #inRow = new Map<string, InRow>();

  answered(request: ReadingRequest): void {
    for (const scope of scopesOf(request)) this.forget(request, scope);
  }

  /**
   * What is away: the narrowest scope of the request in which so many calls in a row got no answer. A wide one needs some of
   * each kind, among these calls and what is known to be away.
   */
  failed(request: ReadingRequest, known: readonly AwayScope[] = []): AwayScope | undefined {
    let away: AwayScope | undefined;
    for (const scope of scopesOf(request)) {
      const inRow = this.#failedIn(request, scope);
      if (inRow.count >= fewInVain && isOfAll(scope, inRow, known)) away ??= scope;
    }
    return away;
  }

  /** The gate holds the scope: when it opens, the calls in it are counted anew. */
  forget(request: ReadingRequest, scope: AwayScope): void {
    this.#inRow.delete(nameOf(request, scope));
  }

  #failedIn(request: ReadingRequest, scope: AwayScope): InRow {
    const name = nameOf(request, scope);
    const inRow = this.#inRow.get(name) ?? { count: 0, operations: new Set(), languages: new Set() };
    inRow.count += 1;
    inRow.operations.add(request.operation);
    inRow.languages.add(request.language);
    this.#inRow.set(name, inRow);
    return inRow;
  }
}

function isOfAll(scope: AwayScope, inRow: InRow, known: readonly AwayScope[]): boolean {
  const parts = known.filter((one) => holds(scope, one));
  const operations = inRow.operations.union(new Set(parts.map(({ operation }) => operation)));
  const languages = inRow.languages.union(new Set(parts.map(({ language }) => language)));
  const isOfOperations = scope.operation !== undefined || operations.size >= operationsOfAll;
  return isOfOperations && (scope.language !== undefined || languages.size >= languagesOfAll);
}

/** The narrowest is the first. */
function scopesOf({ operation, language }: ReadingRequest): readonly AwayScope[] {
  return [{ operation, language }, { language }, { operation }, {}];
}

function nameOf(request: ReadingRequest, { operation, language }: AwayScope): string {
  return [serviceAddressOf(request), operation ?? "*", language ?? "*"].join(" ");
}
