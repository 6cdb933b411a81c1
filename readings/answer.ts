// An answer as received (service/service.ts creates it), and the first judgement on it: status, JSON and `success`. The `data` object
// of a reading passes; everything else becomes one of the four named failures. readings/reading.ts has the data next.
import { z } from "zod";
import {
  CredentialsRefused,
  type FailureFacts,
  quotedLine,
  Rejected,
  Unavailable,
  Unfit,
} from "./failures.ts";
import type { RequestKey } from "./request.ts";

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
