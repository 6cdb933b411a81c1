// Detects requests that are away together, by the number of consecutive calls to an endpoint without a response.
import type { Language, Operation } from "../readings/tables.ts";
import { type ReadingRequest, selectEndpoint } from "../readings/request.ts";

/** Consecutive calls without an answer after which a scope counts as away. If one in five gets none, that is one run in 15,000. */
export const fewInVain = 6;

/** Requests to an endpoint that are away together: of an operation, of a language, of both, or all. */
export interface AwayScope {
  readonly operation?: Operation | undefined;
  readonly language?: Language | undefined;
}

/** Whether what is in the other one is in the scope, too. */
export function holds({ operation, language }: AwayScope, other: AwayScope): boolean {
  const isOf = operation === undefined || operation === other.operation;
  return isOf && (language === undefined || language === other.language);
}

/** Context of a failed call: the scopes that are already away, and whether the service answered that a limit was exceeded. */
interface FailureContext {
  readonly known?: readonly AwayScope[] | undefined;
  readonly isLimit?: boolean | undefined;
}

/** Calls in a row that got no answer. */
interface InRow {
  count: number;
  readonly operations: Set<Operation>;
  readonly languages: Set<Language>;
}

/** Two languages without answers say nothing about a third, and one operation nothing about another. */
const languagesOfAll = 3;
const operationsOfAll = 2;

export class CallsInVain {
  readonly #inRow = new Map<string, InRow>();

  answered(request: ReadingRequest): void {
    for (const scope of scopesOf(request)) this.forget(request, scope);
  }

  /**
   * The scope that is away: the narrowest scope of the request in which enough consecutive calls got no answer. A wide scope
   * needs several operations or languages, among these calls and the scopes known to be away. Limit responses are counted
   * separately: they prove that the service is there, so together with unanswered calls they are no evidence of an outage.
   */
  failed(
    request: ReadingRequest,
    { known = [], isLimit = false }: FailureContext = {},
  ): AwayScope | undefined {
    let away: AwayScope | undefined;
    for (const scope of scopesOf(request)) {
      const inRow = this.#failedIn(request, scope, isLimit);
      if (inRow.count >= fewInVain && isOfAll(scope, inRow, known)) away ??= scope;
    }
    return away;
  }

  /** The breaker holds the scope: when it closes, the calls in it are counted from zero. */
  forget(request: ReadingRequest, scope: AwayScope): void {
    for (const isLimit of [false, true]) this.#inRow.delete(nameOf(request, scope, isLimit));
  }

  #failedIn(request: ReadingRequest, scope: AwayScope, isLimit: boolean): InRow {
    const name = nameOf(request, scope, isLimit);
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

/** Scopes of the request, narrowest first. */
function scopesOf({ operation, language }: ReadingRequest): readonly AwayScope[] {
  return [{ operation, language }, { language }, { operation }, {}];
}

function nameOf(request: ReadingRequest, { operation, language }: AwayScope, isLimit: boolean): string {
  return [selectEndpoint(request), operation ?? "*", language ?? "*", isLimit].join(" ");
}
