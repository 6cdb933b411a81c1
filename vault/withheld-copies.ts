// The note of what is withheld and its copies. A lost withdrawal would be published again, so each change is written three
// times: two copies under its number and its hash, and then the note, by compare-and-swap. A note that is lost, damaged or an
// old one put back is told by the copies' names; then the newest change counts as its copies have it.
import { always, type Store } from "../store/store.ts";
import { z } from "zod";
import { languageNames } from "../readings/languages.ts";
import { jsonBytes, UnreadableFile, unlessDamaged } from "./json.ts";
import { folders, layout } from "./layout.ts";
import { format, type Note, parseNote, swapNote } from "./note.ts";
import { sha256 } from "./sha256.ts";

const hold = z.object({
  language: z.enum(languageNames),
  /** No edition of this language is published until its local date is a later one. */
  date: z.iso.date(),
  /** These sheets, named by `sheetName`, stay as the site shows them, also after that date. */
  sheets: z.array(z.string()),
  at: z.iso.datetime(),
  /** The state that the rollback went to: a text of it that was withdrawn comes back from there. Earlier versions wrote none. */
  to: z.object({ manifest: z.string(), version: z.int() }).optional(),
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

const returned = withdrawal.extend({ returned: z.object({ by: z.string(), at: z.iso.datetime() }) });
export type Returned = z.infer<typeof returned>;

const withheldSchema = z.object({
  /** The number of the change that made it, so that no two notes are alike; earlier versions wrote none. */
  change: z.int().min(1).optional(),
  holds: z.array(hold),
  withdrawn: z.array(withdrawal),
  /** Withdrawals that were undone; earlier versions kept none. */
  returned: z.array(returned).optional(),
});
export type WithheldNote = Omit<z.infer<typeof withheldSchema>, "change">;

/** A damaged one without a copy stops every publish, or withdrawn texts would be published again. */
export const withheldNote: Note<z.infer<typeof withheldSchema>> = {
  key: layout.withheld,
  schema: withheldSchema,
  empty: { holds: [], withdrawn: [] },
  isNeeded: true,
};

interface Copy {
  readonly key: string;
  readonly change: number;
  readonly hash: string;
}

export interface FoundWithheld {
  readonly value: WithheldNote;
  /** The store's version of the note; undefined where there is none. */
  readonly version: string | undefined;
  /** The number of the newest change; 0 before the first. */
  readonly change: number;
  /** The newest copies that belong to the note; none where it is not the note that counts. */
  readonly copies: readonly Copy[];
}

const names = ["1", "2"] as const;
const name = /\/(\d{6,16})~([0-9a-f]{64})~[12]\.json$/;

/** A change is in effect from its first copy on: who finds it before the note has it goes by it already. */
export async function lookAtWithheld(vault: Store): Promise<FoundWithheld> {
  for (let look = 0; look < mostLooks; look += 1) {
    const found = await lookOnce(vault);
    if (found !== undefined) return found;
  }
  throw damaged();
}

/** So many changes do not come while one looks: a store that lists what it does not give is damaged. */
const mostLooks = 20;

/** Undefined where another change came while it looked: a copy that was listed is gone, or the note is newer than all of them. */
async function lookOnce(vault: Store): Promise<FoundWithheld | undefined> {
  const all = await listCopies(vault);
  const stored = await vault.read(withheldNote.key);
  const own = await unlessDamaged(async () => stored && parseNote(withheldNote, stored.body));
  const listed = Math.max(0, ...all.map((one) => one.change));
  const { change: noted = 0, ...value } = own ?? withheldNote.empty;
  if (noted > listed && !areSame(all, await listCopies(vault))) return undefined;
  const newest = all.filter((one) => one.change === listed);
  const [version, change] = [stored?.version, Math.max(noted, listed)];
  const hash = stored && sha256(stored.body);
  const copies = newest.filter((one) => one.hash === hash);
  // Without copies there never was a change, or they are all lost.
  if (own !== undefined && (copies.length > 0 || newest.length === 0 || noted > listed))
    return { value, version, change, copies };
  if (stored === undefined && newest.length === 0) return { value, version, change, copies };
  const together = await unionOf(vault, newest);
  if (together === undefined) return undefined;
  // A version of before may have written a note without copies: what it has withdrawn stays so.
  const isForeign = own !== undefined && noted === 0 && !all.some((one) => one.hash === hash);
  const withdrawn = isForeign ? merged(together.withdrawn, value.withdrawn) : together.withdrawn;
  return { value: { ...together, withdrawn }, version, change, copies: [] };
}

function areSame(some: readonly Copy[], others: readonly Copy[]): boolean {
  return some.map(({ key }) => key).join() === others.map(({ key }) => key).join();
}

async function listCopies(vault: Store): Promise<Copy[]> {
  const found: Copy[] = [];
  for await (const { key } of vault.list(folders.withheldCopies)) {
    const [, change, hash] = name.exec(key) ?? [];
    if (change !== undefined && hash !== undefined) found.push({ key, change: Number(change), hash });
  }
  return found;
}

/** Of changes that met under one number all count. Undefined where a copy is gone by now. */
async function unionOf(vault: Store, newest: readonly Copy[]): Promise<WithheldNote | undefined> {
  const good: WithheldNote[] = [];
  for (const { key, hash } of newest) {
    const body = (await vault.read(key))?.body;
    if (body === undefined) return undefined;
    if (sha256(body) !== hash) continue;
    const { change: _, ...value } = parseNote(withheldNote, body);
    good.push(value);
  }
  const [first, ...others] = good;
  if (first !== undefined) return others.reduce(union, first);
  throw damaged();
}

function damaged() {
  return new UnreadableFile(
    `${withheldNote.key} and its copies in ${folders.withheldCopies} are damaged, and nothing is published while it is not known what was withdrawn: bring one of them back from a copy of the vault; where there is none, take them away and withdraw the texts again with \`almanac withdraw\``,
  );
}

function union(one: WithheldNote, other: WithheldNote): WithheldNote {
  const isNew = (own: Hold) => !one.holds.some((known) => JSON.stringify(known) === JSON.stringify(own));
  return {
    holds: [...one.holds, ...other.holds.filter(isNew)],
    withdrawn: merged(one.withdrawn, other.withdrawn),
    returned: merged(one.returned ?? [], other.returned ?? []),
  };
}

function merged<One extends Withdrawal>(one: readonly One[], other: readonly One[]): One[] {
  return [...one, ...other.filter(({ key }) => !one.some((known) => known.key === key))];
}

/** Whether the note and its copies are all there, or there never was one. */
export async function isKeptWhole(vault: Store): Promise<boolean> {
  const { version, change, copies } = await lookAtWithheld(vault);
  if (version === undefined && change === 0) return true;
  if (copies.length < names.length) return false;
  for (const { key, hash } of await listCopies(vault)) {
    const stored = await vault.read(key);
    if (stored !== undefined && sha256(stored.body) !== hash) return false;
  }
  return true;
}

/** Writes the next change of what was found. False where another change came first. */
export async function writeWithheld(
  vault: Store,
  { version, change }: FoundWithheld,
  value: WithheldNote,
): Promise<boolean> {
  const next = { change: change + 1, ...value };
  const body = jsonBytes({ format, ...next });
  const own = String(next.change).padStart(6, "0");
  for (const copy of names) {
    const key = layout.withheldCopy(own, sha256(body), copy);
    await vault.write(key, body, { type: "application/json" }, always);
  }
  if ((await swapNote(vault, withheldNote, next, version)).kind !== "written") return false;
  await forgetCopies(vault, change - mostKept);
  return true;
}

const mostKept = 10;

/** Removes the copies of this change and of those before. */
export async function forgetCopies(vault: Store, change: number): Promise<void> {
  const old = (await listCopies(vault)).filter((one) => one.change <= change);
  if (old.length > 0) await vault.remove(old.map(({ key }) => key));
}
