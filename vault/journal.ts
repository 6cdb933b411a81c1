// The journal: each decision of a person, with name, time and reason, in a small file that is written once, in two copies, and never
// changed. The decisions about the texts of one period and language are a group; `site` has the others. The records of a group, in
// the order of their names, say which corrections and approvals are in force: nothing else notes them. withheld.ts opens the journal.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { languageNames, type Language } from "../readings/tables.ts";
import { inParallel, type Store } from "../store/store.ts";
import { sha256, siteFolders, siteLayout, UnreadableFile, unlessDamaged, wholeKey } from "./files.ts";
import { type Kept, readKept, writeKept } from "./note.ts";
import { periodOfKey } from "./site-notes.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const languages = z.array(z.enum(languageNames));
/** `overrides`: the guards or rules that the person overrode, in words. */
const said = z.object({
  by: z.string().min(1),
  at: z.iso.datetime(),
  reason: z.string().optional(),
  overrides: z.array(z.string()).optional(),
});
const paragraphs = z.array(z.string()).min(1);
const text = z.object({ key: z.string() });

export const decisionSchema = z.discriminatedUnion("kind", [
  /** A response in quarantine, whose body has the hash `original`, is published all the same. */
  said.extend({ kind: z.literal("accept"), subject: text.extend({ original: hash }) }),
  /** A response is dropped from quarantine and requested again. */
  said.extend({ kind: z.literal("retry"), subject: text }),
  said.extend({ kind: z.enum(["withdraw", "restore"]), subject: text.extend({ path: z.string() }) }),
  /** `text` replaces `original`, or is the original again; the subject has the hash of the original's paragraphs. */
  said.extend({
    kind: z.enum(["correct", "uncorrect"]),
    subject: text.extend({ field: z.string(), original: hash }),
    original: paragraphs,
    text: paragraphs,
  }),
  /** `group`: `daily/2026-11-22/el`. `texts`: the hash of each text that the person saw, by its request key. */
  said.extend({
    kind: z.enum(["approve", "reject"]),
    subject: z.object({ group: z.string() }),
    texts: z.record(z.string(), hash),
  }),
  /** `pins`: the sets of each language that stay as they are. */
  said.extend({
    kind: z.literal("rollback"),
    subject: z.object({ languages, version: z.int(), manifest: hash }),
    pins: z.array(
      z.object({ language: z.enum(languageNames), date: z.iso.date(), sets: z.array(z.string()) }),
    ),
  }),
  said.extend({ kind: z.literal("unpin"), subject: z.object({ languages }) }),
  said.extend({
    kind: z.literal("render"),
    subject: z.object({ languages, from: z.iso.date().optional(), to: z.iso.date().optional() }),
  }),
  /** An act whose only decision is to override a guard. `manifest`: a published state that this vault did not publish. */
  said.extend({ kind: z.literal("override"), subject: z.object({ manifest: z.string().optional() }) }),
]);
export type Decision = z.infer<typeof decisionSchema>;
export type Attribution = Pick<Decision, "by" | "reason">;
/** The decisions whose order within their group matters. */
export type TextDecision = Extract<Decision, { kind: "correct" | "uncorrect" | "approve" | "reject" }>;

/** The guards that a person can override, in words. */
export const guards = {
  clock: "the clock, which no time source confirmed",
  removal: "an unusual share of the files",
  foreign: "a version that another vault published",
  vault: "the site's previous vault",
} as const;

/** A decision with the name of its record. */
export const namedDecision = z.object({ name: z.string(), decision: decisionSchema });
export type NamedDecision = z.infer<typeof namedDecision>;

function groupOf({ subject }: Decision): string {
  if ("group" in subject) return subject.group;
  return "key" in subject ? periodOfKey(subject.key) : "site";
}

export function keptRecord(group: string, name: string): Kept<Decision, undefined> {
  const keys = ["1", "2"].map((copy) => siteLayout.decision(group, name, copy));
  return { keys, schema: decisionSchema, empty: undefined };
}

const recordKey = new RegExp(`^${siteFolders.journal}(.+)/([\\d-]+T[\\d.-]+Z~[0-9a-f]{16})\\.[12]\\.json$`);

/** The group and the name in the key of a copy, within the site's folder. */
export function recordIn(key: string): { readonly group: string; readonly name: string } | undefined {
  const [, group, name] = recordKey.exec(key) ?? [];
  return group === undefined || name === undefined ? undefined : { group, name };
}

/** The names of the records by group, in their order. */
async function listNames(own: Store, beginning = "", outbox: readonly NamedDecision[] = []) {
  const records = outbox.map(({ name, decision }) => ({ name, group: groupOf(decision) }));
  for await (const key of own.keys(siteFolders.journal + beginning)) {
    const record = recordIn(key);
    if (record !== undefined) records.push(record);
  }
  const groups = Map.groupBy(records, ({ group }) => group);
  return new Map(
    [...groups].map(([group, all]) => [group, [...new Set(all.map(({ name }) => name))].sort()]),
  );
}

/** Names a decision. A clock that is behind another person's must not put it before that person's decisions on the same texts. */
export async function nameDecision(own: Store, decision: Decision): Promise<NamedDecision> {
  const group = groupOf(decision);
  const [last] = (await listNames(own, `${group}/`)).get(group)?.at(-1)?.split("~") ?? [];
  const lastMs = last === undefined ? 0 : Date.parse(last.replace(/T(\d\d)-(\d\d)-/, "T$1:$2:"));
  const at = new Date(Math.max(Date.parse(decision.at), lastMs + 1)).toISOString();
  return { name: `${at.replaceAll(":", "-")}~${randomBytes(8).toString("hex")}`, decision };
}

/** Records a decision. It is in force once the first copy is written. */
export async function recordDecision(own: Store, decision: Decision): Promise<void> {
  await writeDecision(own, await nameDecision(own, decision));
}

/** Writes a named decision, unless it is written already. */
export async function writeDecision(own: Store, { name, decision }: NamedDecision): Promise<void> {
  await repairRecord(own, groupOf(decision), name, decision);
}

/** Writes missing and damaged copies of a record. Returns whether that was needed. Throws `UnreadableFile` if no copy is left. */
export async function repairRecord(
  own: Store,
  group: string,
  name: string,
  known?: Decision,
): Promise<boolean> {
  const kept = keptRecord(group, name);
  const found = await readKept(own, kept);
  const decision = found.value ?? known ?? lost(own, group, name);
  if (found.value !== undefined && found.isWhole) return false;
  await writeKept(own, kept, found, decision);
  return true;
}

/** Repairs all records. Returns the files of those that were repaired, and of those that are lost. */
export async function repairJournal(own: Store) {
  const found: Record<"repaired" | "lost", string[]> = { repaired: [], lost: [] };
  const all = [...(await listNames(own))].flatMap(([group, names]) => names.map((name) => ({ group, name })));
  await inParallel(all, async ({ group, name }) => {
    const isRepaired = await unlessDamaged(() => repairRecord(own, group, name));
    if (isRepaired !== false) found[isRepaired ? "repaired" : "lost"].push(fileOf(own, group, name));
  });
  return found;
}

function fileOf(own: Store, group: string, name: string): string {
  return wholeKey(own, siteLayout.decision(group, name, "*"));
}

export const lostDecision = {
  seen: "both copies are damaged, and the sets of its group keep the published texts",
  remedy: "restore it from a backup (`almanac restore`), or remove both copies and decide again",
};

function lost(own: Store, group: string, name: string): never {
  const { seen, remedy } = lostDecision;
  throw new UnreadableFile(`the decision ${fileOf(own, group, name)}: ${seen}; ${remedy}`);
}

/** A record as the journal lists it. Without a decision it can't be read. */
export interface JournalEntry {
  readonly name: string;
  readonly group: string;
  readonly decision?: Decision;
  readonly damage?: string;
}

export type Journal = ReturnType<typeof openJournal>;

/** The journal with decisions that are not written yet. It lists the records once, at the first look, and reads them by group. */
export function openJournal(own: Store, outbox: readonly NamedDecision[]) {
  let listing: ReturnType<typeof listNames> | undefined;
  const groups = () => (listing ??= listNames(own, "", outbox));
  const read = async (group: string, name: string): Promise<Decision> => {
    const unwritten = outbox.find((one) => one.name === name)?.decision;
    return unwritten ?? (await readKept(own, keptRecord(group, name))).value ?? lost(own, group, name);
  };
  const readGroup = async (group: string) =>
    inParallel((await groups()).get(group) ?? [], (name) => read(group, name));
  const edits = new Map<string, Promise<Decision[]>>();
  return {
    /** The corrections and reviews of a group, in the order in which they apply. Throws `UnreadableFile` if one can't be read. */
    async edits(group: string): Promise<TextDecision[]> {
      const reading = edits.get(group) ?? readGroup(group);
      edits.set(group, reading);
      return (await reading).filter((one) => isTextDecision(one));
    },
    /** The groups of the language that have records; of all languages without one. */
    async groups(language?: Language): Promise<string[]> {
      const all = [...(await groups()).keys()].filter((group) => languageOf(group) !== undefined);
      return all.filter((group) => language === undefined || languageOf(group) === language);
    },
    /** A hash of the names of a language's records, which tells whether there are more by now. Empty if there are none. */
    async markOf(language: Language): Promise<string> {
      const names = [...(await groups())].flatMap(([group, all]) =>
        languageOf(group) === language ? all : [],
      );
      return names.length === 0 ? "" : sha256(names.join("\n"));
    },
    /** The version that each rollback went to, by its time. Throws `UnreadableFile` if a decision about the site can't be read. */
    async rollbacks(): Promise<ReadonlyMap<string, number>> {
      const all = await readGroup("site");
      return new Map(
        all.flatMap((one) => (one.kind === "rollback" ? [[one.at, one.subject.version] as const] : [])),
      );
    },
    /** All records from this date on, the newest first. */
    async entries(since = ""): Promise<JournalEntry[]> {
      const all = [...(await groups())].flatMap(([group, names]) => names.map((name) => ({ name, group })));
      const wanted = all
        .filter(({ name }) => name >= since)
        .sort((one, other) => (one.name < other.name ? 1 : -1));
      return inParallel(wanted, async ({ name, group }) => {
        try {
          return { name, group, decision: await read(group, name) };
        } catch (error) {
          if (error instanceof UnreadableFile) return { name, group, damage: error.message };
          throw error;
        }
      });
    },
  };
}

function isTextDecision(decision: Decision): decision is TextDecision {
  return ["correct", "uncorrect", "approve", "reject"].includes(decision.kind);
}

/** The language of a group; undefined for the site's. */
export function languageOf(group: string): string | undefined {
  return group.split("/")[2];
}
