// What an operator holds back from the site, kept in the vault: the editions and sheets that a rollback took back, so that
// the next run does not bring them again, and single texts that were withdrawn. Read before every publish.
import { z } from "zod";
import { languageNames } from "../../readings/languages.ts";
import { type Language } from "../../readings/languages.ts";
import { type Operation } from "../../readings/operations.ts";
import { type RequestKey } from "../../readings/request.ts";
import { absent, type Store } from "../../store/store.ts";
import { parseJson, writeJson } from "../vault.ts";

const withheldKey = "site/withheld.json";

const hold = z.object({
  language: z.enum(languageNames),
  /** Nothing of this language is published until its local date is a later one ... */
  date: z.iso.date(),
  /** ... and these sheets not then either: `daily-horoscope/2026-11-21`. */
  sheets: z.array(z.string()),
  at: z.iso.datetime(),
});
export type Hold = z.infer<typeof hold>;

const withdrawal = z.object({
  key: z.string(),
  path: z.string(),
  reason: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
});
export type Withdrawal = z.infer<typeof withdrawal>;

const withheldSchema = z.object({
  format: z.literal(1),
  holds: z.array(hold),
  withdrawn: z.array(withdrawal),
});
export type WithheldNote = z.infer<typeof withheldSchema>;

export interface Withheld {
  readonly note: WithheldNote;
  /** Whether a language as of a date stays as it is. */
  holdsEdition(language: Language, date: string): boolean;
  holdsSheet(language: Language, operation: Operation, period: string): boolean;
  isWithdrawn(key: RequestKey): boolean;
}

export async function readWithheld(vault: Store): Promise<Withheld> {
  const stored = await vault.read(withheldKey);
  return withheldBy(
    stored === undefined
      ? { format: 1, holds: [], withdrawn: [] }
      : parseJson(withheldKey, stored.body, withheldSchema),
  );
}

function withheldBy(note: WithheldNote): Withheld {
  const sheets = new Set(note.holds.flatMap((one) => one.sheets.map((sheet) => `${one.language}/${sheet}`)));
  const withdrawn = new Set(note.withdrawn.map(({ key }) => key));
  return {
    note,
    holdsEdition: (language, date) => note.holds.some((one) => one.language === language && date <= one.date),
    holdsSheet: (language, operation, period) => sheets.has(`${language}/${operation}/${period}`),
    isWithdrawn: (key) => withdrawn.has(key),
  };
}

/** Changes the note by compare-and-swap, so that two operators lose nothing of each other's. */
export async function changeWithheld(
  vault: Store,
  change: (note: WithheldNote) => WithheldNote,
): Promise<void> {
  for (;;) {
    const stored = await vault.read(withheldKey);
    const note =
      stored === undefined
        ? { format: 1 as const, holds: [], withdrawn: [] }
        : parseJson(withheldKey, stored.body, withheldSchema);
    const when = stored === undefined ? absent : ({ kind: "version", version: stored.version } as const);
    if (await writeJson(vault, withheldKey, change(note), when)) return;
  }
}
