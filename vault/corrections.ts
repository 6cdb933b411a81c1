// The corrections of texts, from the journal. readings/corrections.ts applies them to a reading.
import { corrected, type TextEdit } from "../readings/corrections.ts";
import { isLanguage, type Language } from "../readings/tables.ts";
import { requestKey, type RequestKey } from "../readings/request.ts";
import { inParallel } from "../store/store.ts";
import type { ReceivedReading } from "../site/edition.ts";
import { unlessDamaged } from "./files.ts";
import type { Journal, TextDecision } from "./journal.ts";
import { periodOfKey } from "./site-notes.ts";
import type { Withheld } from "./withheld.ts";

/** A decision about one text, which applies to a reading of its request. */
export type Correction = TextEdit &
  Pick<TextDecision, "by" | "reason" | "overrides"> & { readonly key: RequestKey };

/** The decisions about the texts of a request, in their order. Throws `UnreadableFile` if one can't be read. */
export async function correctionsOf(key: RequestKey, journal: Pick<Journal, "edits">): Promise<Correction[]> {
  return (await correctionsIn(periodOfKey(key), journal)).filter((one) => one.key === key);
}

async function correctionsIn(group: string, { edits }: Pick<Journal, "edits">): Promise<Correction[]> {
  return (await edits(group)).flatMap((decision) => {
    if (decision.kind !== "correct" && decision.kind !== "uncorrect") return [];
    const { subject, original, text, at, by, reason, overrides } = decision;
    return [{ key: subject.key, field: subject.field, original, text, at, by, reason, overrides }];
  });
}

/** The corrections of a language, or of all, by the keys of their requests. The groups that can't be read are left out. */
export async function allCorrections(
  journal: Pick<Journal, "edits" | "groups">,
  language?: Language,
): Promise<Map<RequestKey, Correction[]>> {
  const found = await inParallel(await journal.groups(language), async (group) => {
    return (await unlessDamaged(() => correctionsIn(group, journal))) ?? [];
  });
  return Map.groupBy(found.flat(), ({ key }) => key);
}

/** The languages with texts that a person has withdrawn, restored or corrected. */
export async function decidedLanguages({
  note,
  groups,
}: Pick<Withheld, "note" | "groups">): Promise<Set<Language>> {
  const keys = [...note.withdrawn.map(({ key }) => key), ...note.returned, ...(await groups())];
  return new Set(keys.map((key) => key.split("/")[2] ?? "").filter(isLanguage));
}

/** A published reading with its corrections; as it is published if these can't be read. */
export async function withCorrections(
  received: ReceivedReading,
  journal: Pick<Journal, "edits">,
): Promise<ReceivedReading> {
  const { reading } = received;
  const edits = await unlessDamaged(() => correctionsOf(requestKey(reading), journal));
  return { ...received, reading: corrected(reading, edits ?? []) };
}
