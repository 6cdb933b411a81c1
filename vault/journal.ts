// The journal: each decision of a person, with name, time and reason, in a small file that is written once, in two copies, and never
// changed. The decisions about the texts of one period and language are a group; `site` has the others. The records of a group, in
// the order of their names, say which corrections and approvals are in force: nothing else notes them. withheld.ts opens the journal.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { languageNames, type Language } from "../readings/tables.ts";
import { inParallel, type Store } from "../store/store.ts";
import { sha256, siteFolders, siteLayout, UnreadableFile, wholeKey } from "./files.ts";
import { type Kept, readKept, writeKept } from "./note.ts";
import { periodOfKey } from "./site-notes.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const languages = z.array(z.enum(languageNames));

/** The person, the time, the reason, and the guards or rules that the person overrode, in words. */
const said = z.object({
  by: z.string().min(1),
  at: z.iso.datetime(),
  reason: z.string().optional(),
  overrides: z.array(z.string()).optional(),
});
const paragraphs = z.array(z.string()).min(1);
const textSubject = z.object({ key: z.string() });

export const decisionSchema = z.discriminatedUnion("kind", [
  /** A response in quarantine is published all the same. `original` is the hash of its body. */
  said.extend({ kind: z.literal("accept"), subject: textSubject.extend({ original: hash }) }),
  /** A response is dropped from quarantine and requested again. */
  said.extend({ kind: z.literal("retry"), subject: textSubject }),
  said.extend({ kind: z.enum(["withdraw", "restore"]), subject: textSubject.extend({ path: z.string() }) }),
  /** `text` replaces `original`, or is the original again; the subject has the hash of the original's paragraphs. */
  said.extend({
    kind: z.enum(["correct", "uncorrect"]),
    subject: textSubject.extend({ field: z.string(), original: hash }),
    original: paragraphs,
    text: paragraphs,
  }),
  /** `group`: `daily/2026-11-22/el`. `sets`: sets of it by `nameOfSet`, each with the hash of the text that the person saw. */
  said.extend({
    kind: z.enum(["approve", "reject"]),
    subject: z.object({ group: z.string() }),
    sets: z.array(z.object({ set: z.string(), text: hash })).min(1),
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
    subject: z.object({ languages, from: z.string().optional(), to: z.string().optional() }),
  }),
  /** A guard that is overridden by an act without a record. `manifest`: a published state that this vault did not publish. */
  said.extend({
    kind: z.literal("override"),
    subject: z.object({ manifest: z.string().optional() }),
    overrides: z.array(z.string()).min(1),
  }),
]);
export type Decision = z.infer<typeof decisionSchema>;

/** The name and the reason of a decision. */
export type Attribution = Pick<Decision, "by" | "reason">;

/** The decisions that the order within their group matters for. */
export type TextDecision = Extract<Decision, { kind: "correct" | "uncorrect" | "approve" | "reject" }>;

/** A decision with the name of its record. */
export const namedDecision = z.object({ name: z.string(), decision: decisionSchema });
export type NamedDecision = z.infer<typeof namedDecision>;

/** Thrown if a record can't be read: the sets of its group keep the published texts. */
export class DecisionLost extends UnreadableFile {}

const siteGroup = "site";

function groupOf({ subject }: Decision): string {
  if ("group" in subject) return subject.group;
  return "key" in subject ? periodOfKey(subject.key) : siteGroup;
}

export function keptRecord(group: string, name: string): Kept<Decision, undefined> {
  const keys = ["1", "2"].map((copy) => siteLayout.decision(group, name, copy));
  return { keys, schema: decisionSchema, empty: undefined };
}

const recordName = /^(.+)\/([\d-]+T[\d.-]+Z~[0-9a-f]{16})\.[12]\.json$/;

/** The group and the name in the key of a copy, within the site's folder. */
export function recordIn(key: string): { readonly group: string; readonly name: string } | undefined {
  if (!key.startsWith(siteFolders.journal)) return undefined;
  const [, group, name] = recordName.exec(key.slice(siteFolders.journal.length)) ?? [];
  return group === undefined || name === undefined ? undefined : { group, name };
}

/** The names of the records by group, in their order. */
type Names = ReadonlyMap<string, readonly string[]>;

async function listNames(own: Store, beginning = ""): Promise<Names> {
  const found = new Map<string, Set<string>>();
  for await (const key of own.keys(siteFolders.journal + beginning)) {
    const { group, name } = recordIn(key) ?? {};
    if (group === undefined || name === undefined) continue;
    found.set(group, (found.get(group) ?? new Set()).add(name));
  }
  return new Map([...found].map(([group, names]) => [group, [...names].sort()]));
}

/** Names a decision. A clock that is behind another person's must not put it before that person's decisions on the same texts. */
export async function nameDecision(own: Store, decision: Decision): Promise<NamedDecision> {
  const group = groupOf(decision);
  const last = (await listNames(own, `${group}/`)).get(group)?.at(-1)?.split("~")[0];
  const lastMs = last === undefined ? 0 : Date.parse(last.replace(/T(\d\d)-(\d\d)-/, "T$1:$2:"));
  const at = new Date(Math.max(Date.parse(decision.at), lastMs + 1)).toISOString();
  return { name: `${at.replaceAll(":", "-")}~${randomBytes(8).toString("hex")}`, decision };
}

/** Writes a named decision, unless it is written already. */
export async function writeDecision(own: Store, { name, decision }: NamedDecision): Promise<void> {
  await repairRecord(own, groupOf(decision), name, decision);
}

/** Records a decision. It is in force once the first copy is written. */
export async function recordDecision(own: Store, decision: Decision): Promise<void> {
  await writeDecision(own, await nameDecision(own, decision));
}

/** Writes the missing and damaged copies of a record. Returns whether that was needed; throws `DecisionLost`. */
export async function repairRecord(
  own: Store,
  group: string,
  name: string,
  known?: Decision,
): Promise<boolean> {
  const kept = keptRecord(group, name);
  const found = await readKept(own, kept);
  const decision = found.value ?? known;
  if (decision === undefined) throw lost(own, group, name);
  if (found.value !== undefined && found.isWhole) return false;
  await writeKept(own, kept, found, decision);
  return true;
}

/** Repairs all records. Returns the names of those that were repaired. */
export async function repairJournal(own: Store): Promise<string[]> {
  const repaired: string[] = [];
  for (const [group, names] of await listNames(own))
    await inParallel(names, async (name) => {
      if (await repairRecord(own, group, name)) repaired.push(`${siteFolders.journal}${group}/${name}`);
    });
  return repaired;
}

async function readRecord(own: Store, group: string, name: string): Promise<Decision> {
  const { value } = await readKept(own, keptRecord(group, name));
  if (value === undefined) throw lost(own, group, name);
  return value;
}

function lost(own: Store, group: string, name: string): DecisionLost {
  const file = wholeKey(own, siteLayout.decision(group, name, "*"));
  return new DecisionLost(
    `the decision ${file} is damaged in both copies, and the sets of ${group} keep the published texts. Restore it from a backup (\`almanac restore\`), or remove both copies and decide again`,
  );
}

/** A record as the journal lists it. */
export interface JournalEntry {
  readonly name: string;
  readonly group: string;
  /** Absent if it can't be read. */
  readonly decision?: Decision;
  readonly damage?: string;
}

function hashOf(records: readonly string[]): string {
  return sha256(records.join("\n"));
}

/** The mark of a language without records. */
export const noDecisions = hashOf([]);

export type Journal = ReturnType<typeof openJournal>;

/** The journal as it is at the first look, with decisions that are not written yet. It lists the records once, and reads them by group. */
export function openJournal(own: Store, outbox: readonly NamedDecision[]) {
  let listing: Promise<Names> | undefined;
  const names = () => (listing ??= listNames(own).then((found) => withOutbox(found, outbox)));
  const reads = new Map<string, Promise<Decision[]>>();
  const read = (group: string, name: string) => {
    const unwritten = outbox.find((one) => one.name === name);
    return unwritten === undefined ? readRecord(own, group, name) : Promise.resolve(unwritten.decision);
  };
  const readGroup = async (group: string) =>
    inParallel((await names()).get(group) ?? [], (name) => read(group, name));
  const entryAt = async (group: string, name: string): Promise<JournalEntry> => {
    try {
      return { name, group, decision: await read(group, name) };
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      return { name, group, damage: error.message };
    }
  };
  return {
    /** The corrections and reviews of a group, in the order in which they apply. Throws `UnreadableFile` if one can't be read. */
    async edits(group: string): Promise<TextDecision[]> {
      const reading = reads.get(group) ?? readGroup(group);
      reads.set(group, reading);
      return (await reading).filter((one) => isTextDecision(one));
    },
    /** The groups of the language that have records; of all languages without one. */
    async groups(language?: Language): Promise<string[]> {
      const all = [...(await names()).keys()].filter((group) => group !== siteGroup);
      return all.filter((group) => language === undefined || group.split("/")[2] === language);
    },
    /** A hash of the names of a language's records, which tells whether there are more by now. */
    async markOf(language: Language): Promise<string> {
      const all = [...(await names())].filter(([group]) => group.split("/")[2] === language);
      return hashOf(all.flatMap(([, records]) => records));
    },
    /** All records that are not older, the newest first. */
    async entries(since = ""): Promise<JournalEntry[]> {
      const listed = [...(await names())].flatMap(([group, all]) => all.map((name) => ({ group, name })));
      const from = since.replaceAll(":", "-");
      const wanted = listed
        .filter(({ name }) => name >= from)
        .sort((one, other) => (one.name < other.name ? 1 : -1));
      return inParallel(wanted, ({ group, name }) => entryAt(group, name));
    },
  };
}

function isTextDecision(decision: Decision): decision is TextDecision {
  return ["correct", "uncorrect", "approve", "reject"].includes(decision.kind);
}

function withOutbox(found: Names, outbox: readonly NamedDecision[]): Names {
  const all = new Map(found);
  for (const { name, decision } of outbox) {
    const group = groupOf(decision);
    all.set(group, [...new Set([...(all.get(group) ?? []), name])].sort());
  }
  return all;
}
