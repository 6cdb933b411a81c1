// A response as received (created by service/service.ts), and its first validation: status, JSON and `success`. The `data`
// object of a reading passes; any other response becomes one of the four named failures. readings/reading.ts reads the data
// next.
import { z } from "zod";
import type { RequestKey } from "./request.ts";

// The four ways in which a request for a reading fails, one class each. Only the type decides what comes next: see "Failed calls" in
// docs/how-it-works.md. Code matches on `type`; the message is for people.
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
    const seen = firstLine(facts.seen).replaceAll(
      /“([^”]*)”?/g,
      (_, quoted: string) => `${quoted.length} characters`,
    );
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

export interface ServiceAnswer {
  /** URL of the operation; it never contains credentials. */
  readonly address: string;
  readonly status: number;
  /** The header as sent: seconds or a date. */
  readonly retryAfter: string | undefined;
  /** Body as received, except that credentials echoed by the service are replaced with `[secret]`. */
  readonly body: Uint8Array;
  /** True if the body repeats one of our credentials, in any spelling, so that none of its text may be shown. */
  readonly spellsOutCredential?: boolean;
  readonly receivedAt: Date;
  readonly elapsedMs: number;
}

// zod takes a key of unknown type for required unless it is marked otherwise.
const anything = z.unknown().optional();
const envelope = z.object({ success: anything, data: anything });
const refusal = z.object({ success: anything, msg: anything, message: anything, error: anything });
const decoder = new TextDecoder("utf-8", { fatal: true });
const lenientDecoder = new TextDecoder("utf-8");

/** Returns `data` of a success; throws CredentialsRefused, Rejected, Unavailable or Unfit for all else. */
export function openEnvelope(key: RequestKey, answer: ServiceAnswer): unknown {
  const facts = (seen: string) => ({
    key,
    address: answer.address,
    status: answer.status,
    seen,
  });
  if (answer.status !== 200) throw failureOfStatus(answer, facts);
  const body = parseBody(answer, facts);
  const parsed = envelope.safeParse(body);
  if (!parsed.success) throw new Unfit("shape", facts(`expected a JSON object, got ${kindOf(body)}`));
  const { success, data } = parsed.data;
  if (success === 1) {
    if (kindOf(data) === "an object") return data;
    throw new Unfit("shape", facts(`"success" is 1, but "data" is ${kindOf(data)}`));
  }
  if (success === 3) throw new CredentialsRefused(facts(`"success" is 3, ${refusalIn(answer).said}`));
  if (typeof success === "number") {
    const number = Math.abs(success) < 1_000 ? Math.trunc(success) : "a large number";
    throw new Rejected(facts(`"success" is ${number}, ${refusalIn(answer).said}`));
  }
  throw new Unfit("shape", facts(`"success" is ${kindOf(success)}, expected the number 1`));
}

function failureOfStatus(answer: ServiceAnswer, facts: (seen: string) => FailureFacts) {
  const { status } = answer;
  const { success, said } = refusalIn(answer);
  if (status >= 500 || status === 408 || status === 429) {
    const waitMs = retryAfterMs(answer.retryAfter, answer.receivedAt);
    return new Unavailable(facts(said), { retryAfterMs: waitMs });
  }
  // `success` 3 speaks of the credentials under a 400 or 403 as well.
  if (status === 401 || success === 3) return new CredentialsRefused(facts(said));
  if (status >= 300 && status < 400) {
    return new Rejected(facts("a redirect, which is never followed: check the endpoint's URL"));
  }
  return new Rejected(facts(said));
}

function parseBody(answer: ServiceAnswer, facts: (seen: string) => FailureFacts): unknown {
  let text: string;
  try {
    text = decoder.decode(answer.body);
  } catch (cause) {
    if (cutInCharacter(answer.body)) throw new Unavailable(facts(cutOff(answer)));
    throw new Unfit("encoding", facts("the body is not valid UTF-8"), { cause });
  }
  const trimmed = text.trim();
  if (trimmed === "") throw new Unavailable(facts("an empty body"));
  if (trimmed.startsWith("<")) throw new Unfit("json", facts("an HTML page instead of JSON"));
  try {
    return JSON.parse(trimmed);
  } catch {
    // The parser's error is not passed on as the cause: its message quotes the body.
    if (trimmed.startsWith("{") && !isClosed(trimmed)) throw new Unavailable(facts(cutOff(answer)));
    throw new Unfit("json", facts("the body is not JSON"));
  }
}

function cutOff(answer: ServiceAnswer) {
  return `a body cut off after ${answer.body.length} bytes`;
}

/** Whether a body is valid UTF-8 but for a last character that lacks its end: a streaming decoder waits for that. */
function cutInCharacter(body: Uint8Array) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(body, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Whether the object that a body begins with has its end; where it has none, the body was cut off on its way. */
function isClosed(text: string) {
  let depth = 0;
  let quoted = false;
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    if (quoted && character === "\\") place += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === "{") depth += 1;
    else if (!quoted && character === "}") depth -= 1;
    if (depth === 0) return true;
  }
  return false;
}

/** Reason for a refusal and the kind of answer: its `msg`, `message` or `error`, else the body's first line. */
function refusalIn(answer: ServiceAnswer): { readonly success?: unknown; readonly said: string } {
  const text = lenientDecoder.decode(answer.body.subarray(0, 10_000));
  if (text.trim() === "") return { said: "an empty body" };
  try {
    const { success, msg, message, error } = refusal.safeParse(JSON.parse(text)).data ?? {};
    const own = [msg, message, error].find((value) => typeof value === "string" && value !== "");
    return {
      success,
      said: typeof own === "string" ? `a message: ${quotedLine(own)}` : `JSON: ${quotedLine(text)}`,
    };
  } catch {
    return { said: `${text.trimStart().startsWith("<") ? "HTML" : "not JSON"}: ${quotedLine(text)}` };
  }
}

function kindOf(value: unknown) {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const longestMs = 24 * 60 * 60 * 1000;
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Retry-After, in seconds or as an HTTP date, as milliseconds from the answer; undefined rather than a guess. */
export function retryAfterMs(header: string | undefined, receivedAt: Date): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1000, longestMs);
  if (!httpDate.test(text)) return undefined;
  const waitMs = Date.parse(text) - receivedAt.getTime();
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), longestMs);
}
