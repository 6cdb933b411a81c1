// Which manifest the stable paths show, kept in the vault. Who is about to rewrite them says so first: whatever then
// becomes of it, the next publisher knows which paths may be in between and writes them anew.
import { z } from "zod";
import { layout } from "../../vault/layout.ts";
import { hash } from "../state/manifest.schema.ts";
import { lookAt, type Note, swapNote } from "../../vault/note.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";

const manifestHash = hash.nullable();

const rewriting = z.object({
  id: z.string(),
  since: z.iso.datetime(),
  /** The paths in which these two differ may show any state; with no first one, all paths of the second. */
  from: manifestHash,
  to: hash,
});
export type Rewriting = z.infer<typeof rewriting>;

const journalSchema = z.object({
  /** What all paths show but those that are being rewritten; null when nothing is known. */
  shown: manifestHash,
  /** A publisher has a line of its own for every path that it may yet write, also where another has one for it. */
  underWay: z.array(rewriting),
  /** How often somebody has ended: who finds it grown may have been written over. */
  ends: z.int().min(0),
});
export type Journal = z.infer<typeof journalSchema>;

/** It is only a note: without it all paths are written, which is always right. */
export const journalNote: Note<Journal> = {
  key: layout.journal,
  schema: journalSchema,
  empty: { shown: null, underWay: [], ends: 0 },
};

/** A publisher that has not ended by then never will: its activity's time is over long before. */
const deadAfterMs = 60 * 60_000;

export function isDead({ since }: Rewriting, { now }: PublishingPlace): boolean {
  return now().getTime() - Date.parse(since) > deadAfterMs;
}

export function sameLine(one: Omit<Rewriting, "since">, other: Omit<Rewriting, "since">): boolean {
  return one.id === other.id && one.from === other.from && one.to === other.to;
}

export async function readJournal({ vault, log }: PublishingPlace) {
  const { value: journal, version, damage } = await lookAt(vault.store, journalNote);
  if (damage !== undefined) {
    const facts = { key: journalNote.key, error: String(damage) };
    log.warn(facts, "the note of what the site shows can't be read: all is written anew");
  }
  return { journal, version };
}

/** False when somebody else wrote it in between. */
export async function writeJournal(
  { vault }: PublishingPlace,
  journal: Journal,
  version: string | undefined,
): Promise<boolean> {
  return (await swapNote(vault.store, journalNote, journal, version)).kind === "written";
}
