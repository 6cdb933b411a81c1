// The corrections of texts, from the journal. readings/corrections.ts applies them to a reading.
import { corrected, type TextEdit } from "../readings/corrections.ts";
import { isLanguage, type Language } from "../readings/tables.ts";
import { requestKey, type RequestKey } from "../readings/request.ts";
import type { ReceivedReading } from "../site/edition.ts";
import { inParallel } from "../store/store.ts";
import { unlessDamaged } from "./files.ts";
import { type Journal, languageOf, type TextDecision } from "./journal.ts";
import { periodOfKey } from "./site-notes.ts";
import type { Withheld } from "./withheld.ts";

/** A decision about one text, which applies to a reading of its request. */
export type Correction = TextEdit &
  Pick<TextDecision, "by" | "reason" | "overrides"> & { readonly key: RequestKey };

/** The decisions about the texts of a request, in their order; none if they can't be read. */
export async function correctionsOf(key: RequestKey, journal: Pick<Journal, "edits">): Promise<Correction[]> {
  return (await correctionsIn(periodOfKey(key), journal)).filter((one) => one.key === key);
}

async function correctionsIn(group: string, journal: Pick<Journal, "edits">): Promise<Correction[]> {
  const decisions = (await unlessDamaged(() => journal.edits(group))) ?? [];
  return decisions.flatMap((one) =>
    one.kind === "correct" || one.kind === "uncorrect" ? [{ ...one.subject, ...one }] : [],
  );
}

/** The corrections of a language, or of all, by the keys of their requests. */
export async function allCorrections(
  journal: Pick<Journal, "edits" | "groups">,
  language?: Language,
): Promise<Map<RequestKey, Correction[]>> {
  const found = await inParallel(await journal.groups(language), (group) => correctionsIn(group, journal));
  return Map.groupBy(found.flat(), ({ key }) => key);
}

/** The languages with texts that a person has withdrawn, restored or corrected. */
export async function decidedLanguages(withheld: Withheld): Promise<Set<Language>> {
  const { withdrawn, returned } = withheld.note;
  const keys = [...withdrawn.map(({ key }) => key), ...returned, ...(await withheld.groups())];
  return new Set(keys.map((key) => languageOf(key) ?? "").filter(isLanguage));
}

/** A published reading with its corrections. */
export async function withCorrections(received: ReceivedReading, journal: Pick<Journal, "edits">) {
  const edits = await correctionsOf(requestKey(received.reading), journal);
  return { ...received, reading: corrected(received.reading, edits) };
}
