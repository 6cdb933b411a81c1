// What was set aside and is good today gets the place of an answer like any other, with a note of why it had none.
import { captureOf } from "../../vault/quarantine.ts";
import type { Vault } from "../../vault/vault.ts";
import type { ReadableAgain } from "./answer.ts";

/** What came or went since it was judged stays as it is. */
export async function acceptAgain(readable: readonly ReadableAgain[], vault: Vault): Promise<void> {
  for (const { key, receivedAt } of readable) {
    const entry = await vault.quarantined(key);
    if (entry?.at !== receivedAt) continue;
    const capture = captureOf(entry);
    const kept = await vault.keep({ ...capture, notes: capture.notes.map((note) => `rejudged: ${note}`) });
    if (kept.receivedAt === receivedAt) await vault.release(key);
  }
}
