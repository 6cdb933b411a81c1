// The decisions of people that withhold something from the site: editions and sets that a rollback removed, so that the next run does
// not publish them again, and withdrawn texts. Read before every publish, with the journal (journal.ts). A lost withdrawal would be
// published again, so there are three copies.
//
// A change and its record in the journal can't be written at once. Therefore the note has an outbox: the change puts the record there
// and writes it to the journal afterwards; if it dies in between, the next change does so. Readers of the journal read the outbox, too.
import { z } from "zod";
import { languageNames, type Language } from "../readings/tables.ts";
import { type Kept, readKept, writeKept } from "./note.ts";
import { siteLayout, siteFolders, UnreadableFile, wholeKey } from "./files.ts";
import type { Store } from "../store/store.ts";
import type { ReadingRequest, RequestKey } from "../readings/request.ts";
import {
  type Decision,
  type Journal,
  nameDecision,
  type NamedDecision,
  namedDecision,
  openJournal,
  writeDecision,
} from "./journal.ts";

const pin = z.object({
  language: z.enum(languageNames),
  /** No edition of this language is published until its local date is a later one. */
  date: z.iso.date(),
  /** These sets, named by `nameOfSet`, stay as the site shows them, also after that date. */
  sets: z.array(z.string()),
  at: z.iso.datetime(),
  /** The state that the rollback went to: a text of it that was withdrawn comes back from there. */
  to: z.object({ manifest: z.string(), version: z.int() }),
});
export type Pin = z.infer<typeof pin>;

const withdrawal = z.object({
  key: z.string(),
  path: z.string(),
  reason: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
});
export type Withdrawal = z.infer<typeof withdrawal>;

const schema = z.object({
  pins: z.array(pin),
  withdrawn: z.array(withdrawal),
  /** The keys of the texts whose withdrawals were undone. */
  returned: z.array(z.string()),
});
type WithheldNote = z.infer<typeof schema>;
const withOutbox = schema.extend({ outbox: z.array(namedDecision) });

export const decisions: Kept<z.infer<typeof withOutbox>> = {
  keys: ["1", "2", "3"].map(siteLayout.decisions),
  schema: withOutbox,
  empty: { pins: [], withdrawn: [], returned: [], outbox: [] },
};

/** `daily-horoscope/2026-11-21`, `love-compatibility/2026-Q4/aries-leo`: a set within its language. */
export function nameOfSet(request: ReadingRequest): string {
  const name = `${request.operation}/${request.period}`;
  if ("sign1" in request) return `${name}/${request.sign1}-${request.sign2}`;
  return "person" in request ? `${name}/${request.person}` : name;
}

/** The operation and period that `nameOfSet` put into a name. */
export function readNameOfSet(name: string): { readonly operation: string; readonly period: string } {
  const [operation = "", period = ""] = name.split("/");
  return { operation, period };
}

/** A change that an operator makes to the note; the same note for none. */
export type NoteChange = (note: WithheldNote) => WithheldNote;

/** The note as it is or, for a publish that is part of the change, as it will be. */
export async function readWithheld(vault: Store, change: NoteChange = (note) => note): Promise<Withheld> {
  const { outbox, ...note } = (await readDecisions(vault)).value;
  return withheldBy(change(note), openJournal(vault, outbox));
}

export type Withheld = ReturnType<typeof withheldBy>;

function withheldBy(note: WithheldNote, journal: Journal) {
  const sets = new Set(note.pins.flatMap((one) => one.sets.map((set) => `${one.language}/${set}`)));
  const withdrawn = new Set(note.withdrawn.map(({ key }) => key));
  const returned = new Set(note.returned);
  return {
    note,
    ...journal,
    /** Whether a language as of a date stays as it is. */
    isEditionPinned: (language: Language, date: string) =>
      note.pins.some((one) => one.language === language && date <= one.date),
    /** Whether the set of this request stays as it is. */
    isSetPinned: (request: ReadingRequest) => sets.has(`${request.language}/${nameOfSet(request)}`),
    isWithdrawn: (key: RequestKey) => withdrawn.has(key),
    /** Whether the text was withdrawn once, and the withdrawal undone. */
    isReturned: (key: RequestKey) => returned.has(key) && !withdrawn.has(key),
    /** The manifest of the state that the newest rollback of this set, or else of its language, went to. */
    rolledBackTo: (request: ReadingRequest) => {
      const own = note.pins.filter(({ language }) => language === request.language);
      const name = nameOfSet(request);
      return (own.findLast(({ sets: all }) => all.includes(name)) ?? own.at(-1))?.to.manifest;
    },
  };
}

/** Changes the note by compare-and-swap, so that two operators lose nothing of each other's, and records the decision behind it. */
export async function changeWithheld(vault: Store, change: NoteChange, decision?: Decision): Promise<void> {
  let news: NamedDecision[] = [];
  for (;;) {
    const found = await readDecisions(vault);
    const { outbox, ...note } = found.value;
    const changed = change(note);
    if (changed === note) return;
    for (const one of outbox) await writeDecision(vault, one);
    news = decision === undefined ? [] : [await nameDecision(vault, decision)];
    if ((await writeKept(vault, decisions, found, { ...changed, outbox: news })) !== undefined) break;
  }
  for (const one of news) await writeDecision(vault, one);
}

/** Writes all copies of the decisions again if one is lost or damaged. Returns whether that was needed. */
export async function repairWithheld(vault: Store): Promise<boolean> {
  const found = await readDecisions(vault);
  if (found.isWhole) return false;
  await writeKept(vault, decisions, found, found.value);
  return true;
}

/** Throws `UnreadableFile` if no copy can be read: withdrawn texts would be published again. */
async function readDecisions(vault: Store) {
  const found = await readKept(vault, decisions);
  if (!found.isLost) return found;
  throw new UnreadableFile(
    `all copies in ${wholeKey(vault, siteFolders.decisions)} are damaged, and nothing is published while the withdrawn texts are unknown. Restore one of them from a copy of the vault. Without a copy, remove them and withdraw the texts again with \`almanac withdraw\``,
  );
}
