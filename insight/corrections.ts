// The corrections of a text that are in force, and those that are stale: the vault has another response than the one that a person
// corrected. Then a person decides again.
import { editOf, staleFields, textsOf } from "../readings/corrections.ts";
import type { Reading } from "../readings/reading.schema.ts";
import { requestOf, type RequestKey } from "../readings/request.ts";
import { inParallel } from "../store/store.ts";
import { allCorrections, type Correction } from "../vault/corrections.ts";
import { storedReader } from "../vault/stored-readings.ts";
import type { Vault } from "../vault/vault.ts";
import type { Withheld } from "../vault/withheld.ts";

export interface StaleCorrection extends Pick<Correction, "field" | "by" | "at"> {
  readonly key: RequestKey;
  readonly seen: string;
  readonly remedy: string;
}

/** The stale corrections of all texts. `since`: a date; texts of periods that ended earlier are left out. */
export async function staleCorrections(
  vault: Vault,
  withheld: Pick<Withheld, "edits" | "groups">,
  since = "",
): Promise<StaleCorrection[]> {
  const read = storedReader(vault, new Set(await vault.supersededKeys()));
  const found = await inParallel(await allCorrections(withheld), async ([key, edits]) => {
    const request = requestOf(key);
    if (request === undefined || request.period < since.slice(0, request.period.length)) return [];
    const [stored] = (await read([request])).stored;
    return stored === undefined ? [] : staleIn(key, stored.reading, edits);
  });
  return found.flat();
}

/** The stale corrections of one text. `reading`: as the vault has it. */
export function staleIn(key: RequestKey, reading: Reading, edits: readonly Correction[]): StaleCorrection[] {
  return staleFields(reading, edits).flatMap((field) => {
    const last = edits.findLast((edit) => edit.field === field);
    if (last === undefined) return [];
    const { by, at } = last;
    const seen = `the correction of ${field} in ${key} by ${by} no longer applies, because the service has sent another text`;
    const remedy = `run \`almanac correct ${key} --field ${field} --reason ...\` to correct the new text, or add --undo to keep it`;
    return [{ key, field, by, at, seen, remedy }];
  });
}

/** The corrections that a reading shows. */
export function appliedTo(reading: Reading, edits: readonly Correction[]): Correction[] {
  const texts = textsOf(reading);
  const fields = reading.corrected?.fields ?? [];
  return fields.flatMap((field) => editOf(field, texts.get(field)?.paragraphs ?? [], edits) ?? []);
}
