// Stale corrections: the vault has another response than the one that a person corrected. The person decides again.
import { staleAmong } from "../readings/corrections.ts";
import { requestOf } from "../readings/request.ts";
import { inParallel } from "../store/store.ts";
import { allCorrections, type Correction } from "../vault/text-decisions.ts";
import { shownReader } from "../vault/stored-readings.ts";
import type { Vault } from "../vault/vault.ts";
import type { Withheld } from "../vault/withheld.ts";

/** The stale corrections of all texts. `since`: a date; texts of periods that ended earlier are left out. */
export async function staleCorrections(vault: Vault, withheld: Withheld, since = ""): Promise<Correction[]> {
  const read = await shownReader({ vault });
  const found = await inParallel(await allCorrections(withheld), async ([key, edits]) => {
    const request = requestOf(key);
    if (request === undefined || request.period < since.slice(0, request.period.length)) return [];
    return (await read([request])).stored.flatMap(({ reading }) => staleAmong(reading, edits));
  });
  return found.flat();
}

export function staleWords({ key, field, by }: Correction) {
  return {
    seen: `the correction of ${field} in ${key} by ${by} no longer applies, because the service has sent another text`,
    remedy: `run \`almanac correct ${key} --field ${field} --reason ...\` to correct the new text, or add --undo to keep it`,
  };
}
