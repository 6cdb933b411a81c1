// Oracle of people's decisions: each act has a reason of its own, which names its record in the journal, and says which word it shows
// in place of another, or on which words it decides. It computes from the records, in the order in which it saw them written, which
// words a state may show. It uses none of the product's code for that.
import { z } from "zod";
import type { RequestKey } from "../../../readings/request.ts";
import type { JournalEntry } from "../../../vault/journal.ts";
import type { Withdrawal } from "../../../vault/withheld.ts";
import type { Marks } from "./marks.ts";

export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise";
}

/** One decision of a person, from the beginning of its command on. */
export interface Act {
  readonly kind: string;
  readonly reason: string;
  readonly key: RequestKey | undefined;
  readonly begunAt: number;
  /** Absent until the command succeeds. */
  endedAt?: number;
  /** The received word, and the word that is shown in its place: the same one after an undo. */
  change?: { readonly received: string; readonly shown: string };
  /** The words that the person saw and decides on. */
  seen?: readonly string[];
  /** Whether it had nothing to change, and so to record. */
  isIdle?: boolean;
}

interface Written {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly act: Act;
  /** Count of all events, which shows whether one came before another. */
  readonly at: number;
}

/** The publisher's view of a text. */
export interface View {
  readonly key: RequestKey;
  /** The beginning of the task that proposed the state. */
  readonly begunAt: number;
  /** Whether the task renders the text's language. */
  readonly isRendered: boolean;
  /** `late`: the set is due, and is published without a review. */
  readonly review: "none" | "before" | "late";
  /** Whether readers have seen the word. */
  readonly isSeen: (word: string) => boolean;
}

const recordShape = z.object({ kind: z.string(), reason: z.string() });
const recordKey = /\/journal\/(.+)\/([^/]+)\.[12]\.json$/;
/** The reason for which a failed rollback unpins what it has pinned. */
const takenBack = "the rollback failed and changed nothing";

export class Decisions {
  readonly #acts = new Map<string, Act>();
  /** The records in the journal, by name. */
  #records = new Map<string, Written>();
  readonly #marks: Marks;
  #count = 0;

  constructor(marks: Marks) {
    this.#marks = marks;
  }

  /** The next event's number. */
  next(): number {
    return (this.#count += 1);
  }

  begin(kind: string, key?: RequestKey): Act {
    const act = { kind, reason: `act ${this.#acts.size + 1}`, key, begunAt: this.next() };
    this.#acts.set(act.reason, act);
    return act;
  }

  /** A file of the vault is there. Returns the act of which it is the record. */
  wrote(key: string, body: Uint8Array): Act | undefined {
    const [, group = "", name = ""] = recordKey.exec(key) ?? [];
    return name === "" ? undefined : this.#noted(name, group, JSON.parse(Buffer.from(body).toString()));
  }

  #noted(name: string, group: string, record: unknown): Act | undefined {
    const { kind, reason } = recordShape.parse(record);
    if (this.#records.has(name) || reason === takenBack) return undefined;
    const act = this.#acts.get(reason);
    if (act === undefined) throw new BrokenPromise(`the journal has "${reason}", which nobody did`);
    for (const one of this.#records.values()) {
      if (one.act === act && one.kind === kind && kind !== "override")
        throw new BrokenPromise(`the journal has ${kind}, ${reason}, twice`);
      if (one.group === group && one.at < act.begunAt && one.name > name)
        throw new BrokenPromise(`the journal has ${reason} before ${one.act.reason}, which was earlier`);
    }
    this.#records.set(name, { name, group, kind, act, at: this.next() });
    return act;
  }

  /** The vault is lost; the answered check requires all records of now after a restore. */
  lose(): void {
    this.#records = new Map();
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#records.keys());
  }

  /** The vault is there again, with at least these records. Later acts are lost with it. */
  requireRestored(names: ReadonlySet<string>): void {
    const [lost] = names.difference(this.names);
    if (lost !== undefined) throw new BrokenPromise(`the restore lost the decision ${lost}`);
    const there = new Set([...this.#records.values()].map(({ act }) => act));
    for (const act of this.#acts.values()) if (!there.has(act)) act.isIdle = true;
  }

  /** Whether somebody has corrected the text that shows this word. */
  isEdited(word: string): boolean {
    const received = this.receivedAs(word);
    return this.#recordsOf(({ change }) => change?.received === received).length > 0;
  }

  /** The word as received that this one is shown in place of. */
  receivedAs(word: string): string {
    for (const { change } of this.#acts.values()) if (change?.shown === word) return change.received;
    return word;
  }

  /** Throws if no state of this publisher may show the word. */
  requireAllowed(word: string, view: View, what: string): void {
    const received = this.receivedAs(word);
    const edits = this.#recordsOf(({ change }) => change?.received === received);
    const own = edits.findLastIndex(({ act }) => act.change?.shown === word);
    // A later text comes in its place, unless it waits for review, or its command died and another language is published.
    const later = edits
      .slice(own + 1)
      .filter(({ at, act }) => (view.isRendered && at < view.begunAt) || act.endedAt !== undefined);
    for (const { act } of later) {
      const { shown = "" } = act.change ?? {};
      if (!this.#clearances(shown, view).includes("closed"))
        throw new BrokenPromise(`${what} shows ${word} and not ${shown}, ${this.#told(received, view)}`);
    }
    if (later.length > 0) this.#marks.reach("a correction that waits for review");
    else if (word !== received) this.#marks.reach("a correction");
    if (view.isSeen(word)) return;
    const { key } = view;
    const others = this.#recordsOf(
      (act) => act.key === key && act.change !== undefined && act.change.received !== received,
    );
    if (others.length > 0) this.#marks.reach("a stale correction");
    if (view.review === "late") this.#marks.reach("a late text");
    if (!this.#clearances(word, view).includes("open"))
      throw new BrokenPromise(
        `${what} shows ${word}, which nobody has approved, ${this.#told(received, view)}`,
      );
  }

  /** The word that is shown in place of the received one, and whether it may be published now. */
  due(received: string, review: View["review"]): { readonly word: string; readonly isOpen: boolean } {
    const last = this.#recordsOf(({ change }) => change?.received === received).at(-1);
    const word = last?.act.change?.shown ?? received;
    const kind = this.#recordsOf(({ seen }) => seen?.includes(word) === true).at(-1)?.kind;
    return { word, isOpen: kind === "approve" || (kind === undefined && review !== "before") };
  }

  /** Whether the word may be published: both where decisions were made at the same time. */
  #clearances(word: string, { begunAt, review }: View): ("open" | "closed")[] {
    const reviews = this.#recordsOf(({ seen }) => seen?.includes(word) === true);
    const before = reviews.findLast(({ at }) => at < begunAt)?.kind;
    const kinds = [before, ...reviews.filter(({ at }) => at >= begunAt).map(({ kind }) => kind)];
    return kinds.flatMap((kind): ("open" | "closed")[] => {
      if (kind !== undefined) return [kind === "approve" ? "open" : "closed"];
      return review === "late" ? ["open", "closed"] : [review === "none" ? "open" : "closed"];
    });
  }

  #told(received: string, { begunAt, review }: View): string {
    const isAbout = ({ change, seen = [] }: Act) =>
      change?.received === received || seen.some((word) => this.receivedAs(word) === received);
    const records = this.#recordsOf(isAbout).map(({ kind, at, act: { change, seen, endedAt = "never" } }) => {
      return `${at} ${kind} ${change?.shown ?? seen?.join(" ")} (ended ${endedAt})`;
    });
    return `review ${review}, proposed after ${begunAt}: ${records.join("; ")}`;
  }

  /** In the order of their names. */
  #recordsOf(isOwn: (act: Act) => boolean): Written[] {
    const own = [...this.#records.values()].filter(({ act }) => isOwn(act));
    return own.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** The journal, as `almanac journal` reads it, has each act that succeeded once, and agrees with the note of withdrawals. */
  requireJournal(entries: readonly JournalEntry[], withdrawn: readonly Withdrawal[]): void {
    for (const { name, group, decision, damage } of entries) {
      if (damage !== undefined) throw new BrokenPromise(damage);
      this.#noted(name, group, decision); // a record in the outbox of a command that died
    }
    const [unlisted] = this.names.difference(new Set(entries.map(({ name }) => name)));
    if (unlisted !== undefined) throw new BrokenPromise(`the journal does not list ${unlisted}`);
    const recorded = new Set([...this.#records.values()].map(({ act }) => act));
    for (const act of this.#acts.values()) {
      const isCutOff = act.endedAt === undefined && act.isIdle !== true;
      if (isCutOff)
        this.#marks.reach(recorded.has(act) ? "a recorded decision cut off" : "a decision cut off");
      if (act.endedAt !== undefined && act.isIdle !== true && !recorded.has(act) && !this.#isRepeated(act))
        throw new BrokenPromise(`the journal lacks ${act.reason}, ${act.kind} ${act.key ?? ""}`);
    }
    const last = new Map<RequestKey | undefined, string>();
    for (const { kind, act } of this.#recordsOf((one) => one.key !== undefined))
      if (kind === "withdraw" || kind === "restore") last.set(act.key, kind);
    const listed = [...last].flatMap(([key = "", kind]) => (kind === "withdraw" ? [key] : [])).sort();
    const noted = withdrawn.map(({ key }) => key).sort();
    if (listed.join() !== noted.join())
      throw new BrokenPromise(
        `the journal has the withdrawals ${listed.join()}, and the note ${noted.join()}`,
      );
  }

  /** Whether the text may have been withdrawn, or restored, without this act. */
  #isRepeated({ kind, key, begunAt, endedAt = 0 }: Act): boolean {
    // A record may still be in the outbox of the note meanwhile.
    const others = this.#recordsOf((act) => act.key === key && act.begunAt < endedAt);
    if (kind === "withdraw") return others.some((one) => one.kind === "withdraw");
    const isWithdrawn = others.some((one) => one.kind === "withdraw" && one.at < begunAt);
    return kind === "bring back" && (!isWithdrawn || others.some((one) => one.kind === "restore"));
  }
}
