// An answer that was set aside and is good by today's rules gets the place of a capture, with a note of why it had none.
import { captureOf } from "../../vault/quarantine.ts";
import type { Vault } from "../../vault/vault.ts";
import type { ReadableAgain } from "./answer.ts";

/** An entry that came, went or changed since it was judged is left alone. */
export async function acceptAgain(readable: readonly ReadableAgain[], vault: Vault): Promise<void> {
  for (const { key, receivedAt } of readable) {
    const entry = await vault.quarantined(key);
    if (entry?.at !== receivedAt) continue;
    const capture = captureOf(entry);
    const kept = await vault.keep({ ...capture, notes: capture.notes.map((note) => `rejudged: ${note}`) });
    if (kept.receivedAt === receivedAt) await vault.release(key);
  }
}
