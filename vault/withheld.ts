// What an operator holds back from the site, kept in the vault: the editions and sheets that a rollback took back, so that
// the next run does not bring them again, and single texts that were withdrawn. Read before every publish.
import type { Store } from "../store/store.ts";
import { z } from "zod";
import { type Language, languageNames } from "../readings/languages.ts";
import type { ReadingRequest, RequestKey } from "../readings/request.ts";
import { layout } from "./layout.ts";
import { changeNote, type Note, readNote } from "./note.ts";

const hold = z.object({
  language: z.enum(languageNames),
  /** No edition of this language is published until its local date is a later one. */
  date: z.iso.date(),
  /** These sheets, named by `sheetName`, stay as the site shows them, also after that date. */
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
  holds: z.array(hold),
  withdrawn: z.array(withdrawal),
});
export type WithheldNote = z.infer<typeof withheldSchema>;

/** The note of what is withheld. A damaged one stops every publish, or withdrawn texts would be published again. */
export const withheldNote: Note<WithheldNote> = {
  key: layout.withheld,
  schema: withheldSchema,
  empty: { holds: [], withdrawn: [] },
  isNeeded: true,
};

/** `daily-horoscope/2026-11-21`, `love-compatibility/2026-Q4/aries-leo`: a sheet within its language. */
export function sheetName(request: ReadingRequest): string {
  const name = `${request.operation}/${request.period}`;
  if ("sign1" in request) return `${name}/${request.sign1}-${request.sign2}`;
  return "person" in request ? `${name}/${request.person}` : name;
}

/** A change that an operator makes to the note. */
export type NoteChange = (note: WithheldNote) => WithheldNote;

/** The note as it is or, for a publish that is part of the change, as it will be. */
export async function readWithheld(vault: Store, change: NoteChange = (note) => note): Promise<Withheld> {
  return withheldBy(change(await readNote(vault, withheldNote)));
}

export type Withheld = ReturnType<typeof withheldBy>;

function withheldBy(note: WithheldNote) {
  const sheets = new Set(note.holds.flatMap((one) => one.sheets.map((sheet) => `${one.language}/${sheet}`)));
  const withdrawn = new Set(note.withdrawn.map(({ key }) => key));
  return {
    note,
    /** Whether a language as of a date stays as it is. */
    holdsEdition: (language: Language, date: string) =>
      note.holds.some((one) => one.language === language && date <= one.date),
    /** Whether the sheet of this request stays as it is. */
    holdsSheet: (request: ReadingRequest) => sheets.has(`${request.language}/${sheetName(request)}`),
    isWithdrawn: (key: RequestKey) => withdrawn.has(key),
  };
}

/** Changes the note by compare-and-swap, so that two operators lose nothing of each other's. */
export async function changeWithheld(vault: Store, change: NoteChange): Promise<void> {
  await changeNote(vault, withheldNote, change);
}
