// The four ways in which asking for a reading fails, one class each. What comes next depends on the type alone:
// see "Failed calls" in docs/how-it-works.md. Code matches on `type`; the message is for people.
import type { RequestKey } from "./request.ts";

export const failureTypes = ["CredentialsRefused", "Rejected", "Unavailable", "Unfit"] as const;
export type FailureType = (typeof failureTypes)[number];

export interface FailureFacts {
  readonly key: RequestKey;
  /** URL of the request, without credentials. */
  readonly address: string;
  readonly status?: number;
  /** Observation in one line: never a whole body, never a secret. Text of the service is reduced to its length. */
  readonly seen: string;
}

export abstract class Failure extends Error {
  abstract readonly type: FailureType;
  readonly facts: FailureFacts;
  /** Nothing that prints or stores an error shows a private field. */
  readonly #inFull: string;

  /** `facts.seen` must quote text of the service with `quotedLine`, so that it can be removed here. */
  constructor(what: string, facts: FailureFacts, options?: ErrorOptions) {
    const status = facts.status === undefined ? "" : ` (HTTP ${facts.status})`;
    const seen = withoutQuotes(firstLine(facts.seen));
    super(`${what}: requested ${facts.key} from ${facts.address}${status}: ${seen}`, options);
    this.facts = { ...facts, seen };
    this.#inFull = firstLine(facts.seen);
  }

  /** The observation with the text of the service; for the quarantine only. */
  seenInFull(): string {
    return this.#inFull;
  }
}

/** HTTP 401 or `success` 3: the credentials are wrong, and every other call would fail alike. */
export class CredentialsRefused extends Failure {
  override readonly name = "CredentialsRefused";
  readonly type = "CredentialsRefused";
  constructor(facts: FailureFacts, options?: ErrorOptions) {
    super("the service refused the credentials", facts, options);
  }
}

/** HTTP 400 or a `success` we don't know: this request is refused, sometimes at random. */
export class Rejected extends Failure {
  override readonly name = "Rejected";
  readonly type = "Rejected";
  constructor(facts: FailureFacts, options?: ErrorOptions) {
    super("the service rejected the request", facts, options);
  }
}

/** No answer worth the name: worth the same request later. */
export class Unavailable extends Failure {
  override readonly name = "Unavailable";
  readonly type = "Unavailable";
  readonly retryAfterMs: number | undefined;
  constructor(facts: FailureFacts, options: ErrorOptions & { retryAfterMs?: number } = {}) {
    super("the service gave no response", facts, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** A success that is not a good reading; `rule` names the validation rule that refused it. */
export class Unfit extends Failure {
  override readonly name = "Unfit";
  readonly type = "Unfit";
  readonly rule: string;
  constructor(rule: string, facts: FailureFacts, options?: ErrorOptions) {
    super(`the response failed validation (${rule})`, facts, options);
    this.rule = rule;
  }
}

/** A guard by name, because a class does not survive a process boundary. */
export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && failureTypes.some((type) => type === error.name) && "facts" in error;
}

const longestQuote = 150;

/**
 * A line that the service wrote, marked so that it can be taken out: a credential may come back in it in a form in which nobody
 * knows it, so it goes into the quarantine and nowhere else.
 */
export function quotedLine(text: string): string {
  return `“${firstLine(text).replaceAll(/[“”]/g, '"').slice(0, longestQuote)}”`;
}

function withoutQuotes(text: string): string {
  return text.replaceAll(/“([^”]*)”?/g, (_, quoted: string) => `${quoted.length} characters`);
}

/** The first line that holds anything, without control characters, at most 200 characters. */
export function firstLine(text: string): string {
  const line = text
    .slice(0, 10_000)
    .split(/[\r\n]+/)
    .map((part) => part.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, " ").trim())
    .find((part) => part !== "");
  if (line === undefined) return "nothing";
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
