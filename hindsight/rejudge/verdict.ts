// Today's verdict on one answer of the vault, by the same readers and gates that judge a new answer.
import { isFailure, Unfit } from "../../readings/failures.ts";
import { judgeAnswer, type RuleLevels } from "../../readings/quality.ts";
import type { Reading } from "../../readings/reading.schema.ts";
import type { ReadingRequest, RequestKey } from "../../readings/request.ts";
import type { Capture } from "../../vault/capture.schema.ts";
import { captureOf } from "../../vault/quarantine.ts";
import { UnreadableFile } from "../../vault/json.ts";
import type { AnswerPlace, Vault } from "../../vault/vault.ts";

export type VerdictToday =
  | { readonly kind: "fit"; readonly reading: Reading }
  | { readonly kind: "refused"; readonly rule: string; readonly reason: string };

const encoder = new TextEncoder();

export function verdictOn(request: ReadingRequest, capture: Capture, levels: RuleLevels): VerdictToday {
  try {
    // A capture always came with a good status; its body is judged from the first byte on.
    const { reading } = judgeAnswer(
      request,
      {
        address: capture.address,
        status: 200,
        retryAfter: undefined,
        body: encoder.encode(capture.body),
        receivedAt: new Date(capture.receivedAt),
        elapsedMs: 0,
      },
      levels,
    );
    return { kind: "fit", reading };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return {
      kind: "refused",
      rule: error instanceof Unfit ? error.rule : error.type,
      reason: error.facts.seen,
    };
  }
}

/** Undefined where the answer is gone by now, or where the quarantine has a failure without an answer. */
export async function answerAt(
  place: AnswerPlace,
  key: RequestKey,
  vault: Vault,
): Promise<Capture | undefined> {
  const capture = await captureAt(place, key, vault);
  if (capture === undefined) return undefined;
  if (capture.key !== key) throw new UnreadableFile(`it says that it is the answer to ${capture.key}`);
  return capture;
}

async function captureAt(place: AnswerPlace, key: RequestKey, vault: Vault) {
  switch (place) {
    case "captures":
      return vault.capture(key);
    case "stand-ins":
      return vault.standIn(key);
    case "quarantine": {
      const entry = await vault.quarantined(key);
      return entry?.body === undefined ? undefined : captureOf(entry);
    }
  }
}
