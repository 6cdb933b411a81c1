// Operator actions on a quarantined answer: read it, accept it in spite of the rules, or have it requested again.
// readings/quality.ts gives the reason for the refusal. An accepted response is stored like any other, with the operator's name.
import { z } from "zod";
import { firstLine } from "../readings/answer.ts";
import { noteOf } from "../readings/rules/rule.ts";
import { requestOf, type RequestKey } from "../readings/request.ts";
import { inParallel } from "../store/store.ts";
import type { StoredResponse, Quarantined, Vault } from "./vault.ts";
import { candidateFrom, readingFrom } from "./stored-readings.ts";
import type { Candidate } from "../readings/collector.ts";
import { answerRules } from "../readings/quality.ts";
import { sha256 } from "./files.ts";
import { type Attribution, recordDecision } from "./journal.ts";

/** Thrown for an entry that can't be accepted and stays where it is; the message says why and what else can be done. */
class NotAcceptable extends Error {
  override readonly name = "NotAcceptable";
}

export async function quarantine(vault: Vault): Promise<Quarantined[]> {
  const entries = await inParallel(await vault.inQuarantine(""), (key) => vault.quarantined(key));
  return entries.filter((entry) => entry !== undefined);
}

/** The quarantine entry of a request; undefined, without a look, for a text that is no request key. */
export async function quarantinedAt(vault: Vault, key: RequestKey): Promise<Quarantined | undefined> {
  return requestOf(key) === undefined ? undefined : vault.quarantined(key);
}

/** The entry as it may be shown without the answer itself. */
export function withoutBody({ body: _body, ...facts }: Quarantined): Omit<Quarantined, "body"> {
  return facts;
}

/**
 * Records the decision, then stores the response as if it had passed, for the next publish. A response that was stored meanwhile is not
 * replaced.
 */
export async function accept(
  vault: Vault,
  entry: Quarantined,
  accepted: NonNullable<StoredResponse["accepted"]>,
): Promise<StoredResponse> {
  const response = requireReadable(storedResponseOf(entry, accepted));
  const { by, at, why } = accepted;
  const subject = { key: entry.key, original: response.bodyHash };
  await recordDecision(vault.own, { kind: "accept", by, at, reason: why, subject });
  const stored = await vault.storeResponse(response);
  if (stored.accepted?.at !== accepted.at) {
    throw new NotAcceptable(
      `${entry.key}: another response, of ${stored.receivedAt}, is already stored. ` +
        `Remove this one with \`almanac quarantine retry ${entry.key}\``,
    );
  }
  await vault.release(entry.key);
  return stored;
}

/** Records the decision, then drops the answer, so that it is requested again. */
export async function retry(
  vault: Vault,
  key: RequestKey,
  said: Attribution & { at: string },
): Promise<void> {
  await recordDecision(vault.own, { kind: "retry", ...said, subject: { key } });
  await vault.release(key);
}

/** `retry` is the only remedy for an entry without a readable response. */
export function isAcceptable(entry: Quarantined): boolean {
  return entry.body !== undefined && unreadable(storedResponseOf(entry)) === undefined;
}

/** Throws if the stored response can't be parsed into a reading. */
export function requireReadable(response: StoredResponse): StoredResponse {
  const why = unreadable(response);
  if (why === undefined) return response;
  throw new NotAcceptable(
    `${response.key}: this response cannot be parsed as a reading (${why}), so it cannot be published. ` +
      `\`almanac quarantine retry ${response.key}\` requests it again`,
  );
}

/** The entry as a stored response, with the rule's finding as a note. */
export function storedResponseOf(entry: Quarantined, accepted?: StoredResponse["accepted"]): StoredResponse {
  const { key, address, at, tries, run, rule, type, reason, body } = entry;
  if (body === undefined) {
    throw new NotAcceptable(
      `${key}: no response was stored (${reason}). \`almanac quarantine retry ${key}\` requests it again`,
    );
  }
  return {
    format: 1,
    key,
    address,
    receivedAt: at,
    tries,
    run,
    bodyHash: sha256(body),
    body,
    notes: [noteOf({ rule: rule ?? type, reason })],
    accepted,
  };
}

/** The reason why the answer was refused, and all others that today's rules find in it, each with the paragraphs that it is about. */
export function offencesIn(entry: Quarantined) {
  const candidate = candidateIn(entry);
  const found =
    candidate === undefined ? [] : Object.values(answerRules).flatMap((validate) => validate(candidate));
  const refusals = found.filter(({ level }) => level === "refuse").map(({ reason }) => reason);
  return [...new Set([entry.reason, ...refusals])].map((reason) => {
    const text = candidate?.texts.find(({ field }) => reason.startsWith(`${field} `));
    return { reason, paragraphs: text?.paragraphs ?? [] };
  });
}

/** Undefined if the answer can't be read. */
export function candidateIn(entry: Quarantined): Candidate | undefined {
  try {
    return candidateFrom(storedResponseOf(entry));
  } catch {
    return undefined;
  }
}

/** The reason why the response can't be parsed into a reading; undefined if it can. */
function unreadable(response: StoredResponse) {
  try {
    readingFrom(response);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return "it is not JSON";
    if (error instanceof z.ZodError) return "it has no data";
    return firstLine(error instanceof Error ? error.message : String(error));
  }
}
