// Reference model of vault, site, endpoint and clocks: a small state machine that observes each action when it takes effect and
// checks the promises. The signature covers only our files; a version is never used twice; a withdrawn text never comes back; a
// stored reading is never requested again, and by one process at a time; no day has more calls than its ceiling.
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { ownKey } from "../../support/places.ts";
import { type Pointer, pointerSchema } from "../../../site/manifest.schema.ts";
import { isSignedBy } from "../../../publish/step/pointer.ts";
import { localDate } from "../../../readings/calendar.ts";
import { zoneOf } from "../../../readings/catalogue.ts";
import type { Configuration } from "../../../readings/configuration.schema.ts";
import { requestOf, type RequestKey } from "../../../readings/request.ts";
import type { EndpointName } from "../../../readings/tables.ts";
import { storedResponseSchema } from "../../../vault/vault.ts";
import { layout, siteLayout } from "../../../vault/files.ts";
import { BrokenPromise, Decisions, type View } from "./decisions.ts";
import type { Marks } from "./marks.ts";
import type { PlayedWorker } from "./played-worker.ts";
import type { Task } from "./stage.ts";
import { forgedWord, type Texts, wordsIn } from "./texts.ts";
import type { Tree, Trees } from "./trees.ts";

const named = z.object({ manifest: z.string() });
const recordShape = z.object({
  current: named.nullable(),
  pending: named.nullable(),
  dropped: z.array(named),
  unclean: z.array(z.object({ at: z.string() })),
});

/** A call in flight, until its response is in the vault. */
export interface Call {
  readonly key: RequestKey;
  readonly endpoint: EndpointName;
  readonly task: Task;
  /** Day by the calling machine's clock; undefined so close to midnight, or after a clock change, that another day is possible. */
  readonly day: string | undefined;
  sentMs: number;
  isAnswered: boolean;
  /** Temporal's database was cut back to before it. */
  isForgotten?: boolean;
}

/** Whether the worker made this call, and has not died since. */
function isInHand({ task }: Call, worker: PlayedWorker | undefined): boolean {
  return task.worker === worker && !task.isDead && worker?.isDead === false;
}

export class Reference {
  readonly texts: Texts;
  readonly marks: Marks;
  /** Stored responses as they lie in the vault: the words of each. */
  readonly kept = new Map<RequestKey, readonly string[]>();
  /** Every word that has been in a stored response. */
  readonly everKept = new Set<string>();
  readonly withdrawn = new Set<RequestKey>();
  readonly decisions: Decisions;
  /** Every word that readers may have seen. */
  readonly seen = new Set<string>();
  /** The dated paths of the current state, and those that an act may have taken off the site. */
  #dated: readonly string[] = [];
  readonly mayGo = new Set<string>();
  /** Every version that we pointed to, with its state. */
  readonly versions = new Map<number, string>();
  /** Number of times each text was brought back. */
  readonly broughtBack = new Map<RequestKey, number>();
  /** Number of commands that are bringing it back or died meanwhile: their writes may still arrive. */
  readonly comingBack = new Map<RequestKey, number>();
  /** The UTC day on which each run planned. */
  readonly planDays = new Map<string, string>();
  /** Whether an intruder or a disk has touched the site, which explains missing files. */
  isDisturbed = false;
  pointer: Pointer | undefined;
  /** The calls whose responses are kept. */
  readonly #keptBy = new Map<RequestKey, Call>();
  /** Pending states in the record, each with its publisher. */
  readonly #pending = new Map<string, Task | undefined>();
  readonly #calls = new Map<string, { answered: number; lost: number }>();
  readonly #open = new Set<Call>();
  readonly #stored: Call[] = [];
  readonly #made: Call[] = [];
  readonly #key: KeyObject;
  readonly trees: Trees;

  constructor(texts: Texts, marks: Marks, key: KeyObject, trees: Trees) {
    this.texts = texts;
    this.marks = marks;
    this.#key = key;
    this.trees = trees;
    this.decisions = new Decisions(marks);
  }

  // The vault.

  /** A file of the vault is there now, or gone. */
  wrote(key: string, body: Uint8Array | undefined, task: Task | undefined): void {
    const change = body && this.decisions.wrote(key, body)?.change;
    if (change !== undefined) this.everKept.add(change.shown);
    if (key === ownKey(siteLayout.record("1")) && body !== undefined) this.#wroteRecord(body, task);
    if (key.startsWith("superseded/") && body !== undefined) this.marks.reach("a superseded response");
    if (key.startsWith("calls/") && task?.name.includes(" plan-"))
      this.planDays.set(task.run, key.slice(6, 16));
    if (key.startsWith("responses/"))
      this.#wroteResponse(key.slice("responses/".length, -".json".length), body);
    if (task !== undefined && /^(?:responses|quarantine)\//.test(key) && body !== undefined)
      this.#storedAs(key, task);
  }

  #wroteResponse(key: RequestKey, body: Uint8Array | undefined): void {
    if (body === undefined) {
      if (this.kept.delete(key)) this.marks.reach("a stored response that lost its place");
      return;
    }
    const words = wordsIn(
      Buffer.from(storedResponseSchema.parse(JSON.parse(Buffer.from(body).toString())).body),
    );
    const before = this.kept.get(key);
    if (before !== undefined && before.join() !== words.join())
      throw new BrokenPromise(`the answer for ${key} was written over`);
    this.kept.set(key, words);
    for (const word of words) this.everKept.add(word);
  }

  #wroteRecord(body: Uint8Array, task: Task | undefined): void {
    const { current, pending, dropped, unclean } = recordShape.parse(
      JSON.parse(Buffer.from(body).toString()),
    );
    if (task === undefined) {
      if (current !== null) this.#pending.set(current.manifest, undefined); // the model starts in this state
      return;
    }
    task.isPending = pending !== null;
    if (pending !== null && !this.#pending.has(pending.manifest)) this.#pending.set(pending.manifest, task);
    const by = current === null ? undefined : this.#pending.get(current.manifest);
    if (by !== undefined && by !== task && by.isDead) this.marks.reach("a pending state that was finished");
    if (dropped.length > 0) this.marks.reach("a pending state that was dropped");
    if (unclean.length > 0) this.marks.reach("a takeover of the site");
  }

  /** The vault is lost, with all decisions since its backup. */
  lose(withdrawn: ReadonlySet<RequestKey>): void {
    this.kept.clear();
    this.decisions.lose();
    this.withdrawn.clear();
    for (const key of withdrawn) this.withdrawn.add(key);
  }

  isIntended(manifest: string): boolean {
    return this.#pending.has(manifest);
  }

  // Calls.

  /** The vault has no such file. */
  missed(file: string, task: Task): void {
    task.missed.add(file);
  }

  asked(call: Call): void {
    const { key, task } = call;
    const file = layout.response(key);
    const listing = task.listings.find(({ prefix, keys }) => file.startsWith(prefix) && !keys.has(file));
    listing?.keys.add(file); // the next request needs another look
    if (!task.missed.delete(file) && listing === undefined)
      throw new BrokenPromise(`${task.name} asks for ${key} without a look into the vault`);
    // The call of an owner before may have been in flight when this one took the endpoint.
    const keptBy = this.kept.has(key) ? this.#keptBy.get(key) : undefined;
    const takenMs = task.worker?.owned.get(call.endpoint)?.atMs ?? 0;
    if (keptBy !== undefined && (keptBy.task.worker === task.worker || keptBy.sentMs > takenMs))
      throw new BrokenPromise(`${task.name} asks for ${key}, which ${keptBy.task.name} has stored`);
    for (const before of this.#open) {
      if (before.key === key && isInHand(before, task.worker))
        throw new BrokenPromise(`${task.name} asks for ${key}, for which ${before.task.name} has asked`);
    }
    const planned = this.planDays.get(task.run);
    if (planned !== undefined && call.day !== undefined && call.day !== planned)
      this.marks.reach("a call of another day than its plan");
    this.#open.add(call);
    this.#made.push(call);
  }

  answered(call: Call): void {
    call.isAnswered = true;
    if (call.day !== undefined) this.#on(call.day).answered += 1;
  }

  unanswered(call: Call): void {
    this.#open.delete(call);
  }

  #on(day: string) {
    const calls = this.#calls.get(day) ?? { answered: 0, lost: 0 };
    this.#calls.set(day, calls);
    return calls;
  }

  #storedAs(file: string, task: Task): void {
    for (const call of this.#open) {
      if (!isInHand(call, task.worker) || !file.endsWith(`/${call.key}.json`)) continue;
      this.#open.delete(call);
      this.#stored.push(call);
      if (file === layout.response(call.key)) this.#keptBy.set(call.key, call);
    }
  }

  /** Temporal knows nothing of that activity any more. */
  forgot(activity: string): void {
    for (const call of this.#made) if (call.task.activity === activity) call.isForgotten = true;
  }

  /** Whether another run has requested it since. */
  wasAskedByAnother(key: RequestKey, run: string, sinceMs: number): boolean {
    return this.#made.some((call) => call.key === key && call.task.run !== run && call.sentMs > sinceMs);
  }

  /**
   * No day has more calls than the ceiling, except calls whose responses died with their machine or are unknown to the run, because
   * a store failed, its attempt was given up, or Temporal forgot it: these were repeated.
   */
  requireCeiling(ceiling = Infinity): void {
    const isAskedAgain = ({ key, task }: Call) =>
      this.#made.findLast((one) => one.key === key && one.task.run === task.run)?.task !== task;
    const isUnknown = ({ task, isForgotten }: Call) => task.hasFailed || task.isGivenUp || isForgotten;
    const stored = this.#stored.filter(
      (call) => call.task.isDead || (isUnknown(call) && isAskedAgain(call)), // its run does not know of it
    );
    if (this.#open.size > 0) this.marks.reach("an answer that was lost");
    for (const { isAnswered, day } of [...this.#open, ...stored])
      if (isAnswered && day !== undefined) this.#on(day).lost += 1;
    for (const [day, { answered, lost }] of this.#calls) {
      if (answered - lost <= ceiling) continue;
      throw new BrokenPromise(
        `${answered} calls were answered on ${day}, ${lost} of them lost, over ${ceiling}`,
      );
    }
  }

  // The site.

  /** Our publisher has written the pointer. */
  async pointed(body: Uint8Array): Promise<void> {
    const pointer = pointerSchema.parse(JSON.parse(Buffer.from(body).toString()));
    const { version, manifest } = pointer;
    if (!isSignedBy(pointer, [this.#key])) throw new BrokenPromise(`version ${version} is not signed`);
    const before = this.versions.get(version);
    if (before !== undefined && before !== manifest)
      throw new BrokenPromise(`version ${version} was used twice`);
    const highest = Math.max(0, ...this.versions.keys());
    // Known: who puts the very pointer back from which a publisher under way began lets it swap once more, under its number.
    if (before === undefined && version <= highest && !this.isDisturbed)
      throw new BrokenPromise(`version ${version} comes after version ${highest}`);
    if (before !== undefined) this.marks.reach("a renewal of the pointer");
    else if (highest > 0 && version > highest + 1) this.marks.reach("a number passed over");
    if (!this.isIntended(manifest)) throw new BrokenPromise(`version ${version} was never intended`);
    this.versions.set(version, manifest);
    this.pointer = pointer;
    const { words, files } = await this.requireOurs(manifest, `version ${version}`);
    // The newest pointer may be put back after decisions that changed nothing.
    if (before === undefined || version < highest)
      this.#requireDecided(words, this.#pending.get(manifest), `version ${version}`);
    for (const word of words) this.seen.add(word);
    const by = this.#pending.get(manifest)?.name ?? "";
    const gone = this.#dated.find((path) => !files.has(path) && !this.mayGo.has(path));
    if (gone !== undefined && !this.isDisturbed && !/^(?:rollback|repair) /.test(by))
      throw new BrokenPromise(`version ${version} of ${by} lacks ${gone}, which nobody has withdrawn`);
    this.#dated = [...files.keys()].filter((path) => /^v1\/.*\d{4}-\d{2}-\d{2}/.test(path));
  }

  /** Each word is there by the decisions that its publisher knew. */
  #requireDecided(words: Iterable<string>, by: Task | undefined, what: string): void {
    if (by?.configuration === undefined) return;
    for (const word of words) {
      const key = this.texts.get(word) ?? "";
      const review = reviewOn(key, by.configuration, by.latestMs);
      const isRendered = by.languages?.some((one) => one === requestOf(key)?.language) ?? true;
      const isSeen = (one: string) => this.seen.has(one);
      const view = { key, begunAt: by.begunAt, isRendered, review, isSeen };
      this.decisions.requireAllowed(word, view, `${what} of ${by.name}`);
    }
  }

  /** A state shows only stored readings that are not withdrawn, and it is complete. */
  async requireOurs(manifest: string, what: string): Promise<Tree> {
    const tree = await this.trees.read(manifest);
    const { words, holes } = tree;
    if (holes.length > 0 && !this.isDisturbed)
      throw new BrokenPromise(`${what} has holes: ${holes.join(", ")}`);
    this.requireWords(words, what);
    return tree;
  }

  requireWords(words: Iterable<string>, what: string, isExcused: Excuse = () => false): void {
    for (const word of words) {
      if (word === forgedWord) throw new BrokenPromise(`${what} shows a forged text`);
      const key = this.texts.get(word);
      if (key === undefined || !this.everKept.has(word))
        throw new BrokenPromise(`${what} shows ${word}, never kept`);
      if (this.withdrawn.has(key) && !isExcused(key))
        throw new BrokenPromise(`${what} shows ${key}, which was withdrawn`);
    }
  }
}

/** The review of a text at a time, as the configuration says. */
export function reviewOn(key: RequestKey, configuration: Configuration, atMs: number): View["review"] {
  const request = requestOf(key);
  const own = request && configuration.review[request.language];
  if (own?.mode !== "before") return "none";
  const today = localDate(zoneOf(configuration, request?.language ?? "en"), new Date(atMs));
  return own.late === "publish" && (request?.period ?? "") <= today ? "late" : "before";
}

/** Whether a withdrawn text may be shown. */
type Excuse = (key: RequestKey) => boolean;
