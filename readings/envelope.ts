// The first judgement on an answer: status, JSON and `success`. What passes is the `data` object of a reading;
// everything else leaves as one of the four named failures. readings/reading.ts has the data next.
import { z } from "zod";
import { type ServiceAnswer } from "./answer.ts";
import {
  CredentialsRefused,
  type FailureFacts,
  firstLine,
  Rejected,
  Unavailable,
  Unfit,
} from "./failures.ts";
import { type RequestKey } from "./request.ts";
import { retryAfterMs } from "./retry-after.ts";

// zod takes a key of unknown type for required unless it is told otherwise.
const anything = z.unknown().optional();
const envelope = z.object({ success: anything, data: anything });
const refusal = z.object({ msg: anything, message: anything, error: anything });
const decoder = new TextDecoder("utf-8", { fatal: true });
const lenientDecoder = new TextDecoder("utf-8");

/** Returns `data` of a success; throws CredentialsRefused, Rejected, Unavailable or Unfit for all else. */
export function openEnvelope(key: RequestKey, answer: ServiceAnswer): unknown {
  const facts = (seen: string): FailureFacts => ({
    key,
    address: answer.address,
    status: answer.status,
    seen,
  });
  if (answer.status !== 200) throw failureOfStatus(answer, facts(messageIn(answer)));
  const body = parseBody(answer, facts);
  const parsed = envelope.safeParse(body);
  if (!parsed.success) throw new Unfit("shape", facts(`expected a JSON object, got ${kindOf(body)}`));
  const { success, data } = parsed.data;
  if (success === 1) {
    if (kindOf(data) === "an object") return data;
    throw new Unfit("shape", facts(`"success" is 1, but "data" is ${kindOf(data)}`));
  }
  if (success === 3) throw new CredentialsRefused(facts(`"success" is 3: ${messageIn(answer)}`));
  if (typeof success === "number") {
    throw new Rejected(facts(`"success" is ${success}: ${messageIn(answer)}`));
  }
  throw new Unfit("shape", facts(`"success" is ${kindOf(success)}, expected the number 1`));
}

function failureOfStatus(answer: ServiceAnswer, facts: FailureFacts): Error {
  const { status } = answer;
  if (status === 401) return new CredentialsRefused(facts);
  if (status >= 500 || status === 408 || status === 429) {
    const waitMs = retryAfterMs(answer.retryAfter, answer.receivedAt);
    return new Unavailable(facts, { retryAfterMs: waitMs });
  }
  if (status >= 300 && status < 400) {
    return new Rejected({ ...facts, seen: "a redirect, which is never followed: check the service address" });
  }
  return new Rejected(facts);
}

function parseBody(answer: ServiceAnswer, facts: (seen: string) => FailureFacts): unknown {
  let text: string;
  try {
    text = decoder.decode(answer.body);
  } catch (cause) {
    throw new Unfit("encoding", facts("the body is not valid UTF-8"), { cause });
  }
  const trimmed = text.trim();
  if (trimmed === "") throw new Unavailable(facts("an empty body"));
  if (trimmed.startsWith("<")) throw new Unfit("json", facts("an HTML page in place of JSON"));
  try {
    return JSON.parse(trimmed);
  } catch {
    // No cause: the parser's message quotes the body. A body that begins as the object it should be and has no end was cut off on its way.
    if (trimmed.startsWith("{") && !trimmed.endsWith("}")) {
      throw new Unavailable(facts(`a body cut off after ${answer.body.length} bytes`));
    }
    throw new Unfit("json", facts("the body is not JSON"));
  }
}

/** What the service says of a refusal: its `msg`, `message` or `error`, else the body's first line. */
function messageIn(answer: ServiceAnswer): string {
  const text = lenientDecoder.decode(answer.body.subarray(0, 10_000));
  try {
    const parsed = refusal.safeParse(JSON.parse(text));
    const { msg, message, error } = parsed.data ?? {};
    const said = [msg, message, error].find((value) => typeof value === "string" && value !== "");
    if (typeof said === "string") return firstLine(said);
  } catch {
    // Not JSON: the first line speaks for it.
  }
  return text.trim() === "" ? "an empty body" : firstLine(text);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
