// What vault, site, claims and clocks promise, as a small machine that is told of each deed when it takes effect, and holds it
// against the promises: the signature covers only what we pressed; a version is never used twice; a withdrawn text never
// comes back; what is kept is never asked again; one edition at a time has a claim; no day has more calls than its ceiling.
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { type Pointer, pointerSchema } from "../../../publish/state/manifest.schema.ts";
import { isSignedBy } from "../../../publish/state/signature.ts";
import type { RequestKey } from "../../../readings/request.ts";
import { captureSchema } from "../../../vault/capture.schema.ts";
import { layout } from "../../../vault/layout.ts";
import type { Marks } from "./marks.ts";
import type { Machine, Task } from "./stage.ts";
import { forgedWord, type Texts, wordsIn } from "./texts.ts";
import type { Trees } from "./trees.ts";

export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise";
}

const claimShape = z.object({
  holders: z.record(
    z.string(),
    z.object({ attempt: z.int(), lastsMs: z.number(), begunMs: z.number().optional() }),
  ),
});
/** A hold of a claim as it is known to have stood since, by the played time. */
interface Held {
  readonly attempt: number;
  /** Attempts are counted anew where Temporal has forgotten some. */
  readonly begunMs: number | undefined;
  readonly untilMs: number;
}
const journalShape = z.object({ underWay: z.array(z.object({ id: z.string() })) });
const intentName = /^site\/intents\/(\d+)~([0-9a-f]{64})~/;

/** A call that went out, until its answer lies in the vault. */
export interface Call {
  readonly key: RequestKey;
  readonly task: Task;
  /** By the calling machine's clock; undefined so near midnight, or after such a jump, that its draw may be of another day. */
  readonly day: string | undefined;
  /** How often its machine had died by then. */
  readonly deaths: number;
  isAnswered: boolean;
  /** Temporal's database was cut back to before it. */
  isForgotten?: boolean;
}

/** Whether the machine made this call, and has not died since. */
function isInHand({ task, deaths }: Call, machine: Machine): boolean {
  return task.machine === machine && !task.isDead && deaths === machine.deaths;
}

export class Reference {
  readonly texts: Texts;
  readonly marks: Marks;
  /** Captures as they lie in the vault: the words of each. */
  readonly kept = new Map<RequestKey, readonly string[]>();
  /** Every word that was ever in a capture. */
  readonly everKept = new Set<string>();
  readonly withdrawn = new Set<RequestKey>();
  /** In which step each withdrawal ended. */
  readonly #withdrawnAt = new Map<RequestKey, number>();
  /**
   * Known: versions with a text whose withdrawal ended between their publisher's last look and its swap. That swap succeeds only
   * where somebody has put the very pointer back from which the publisher began. It publishes again at once, or died.
   */
  readonly astray = new Set<number>();
  /** Every version that we pointed to, with its state. */
  readonly versions = new Map<number, string>();
  /** How often each text was brought back. */
  readonly broughtBack = new Map<RequestKey, number>();
  /** How many commands are bringing it back or died of it: what they have written may still come. */
  readonly comingBack = new Map<RequestKey, number>();
  /** The UTC day on which each run planned. */
  readonly planDays = new Map<string, string>();
  readonly #writers = new Map<string, Task>();
  /** Whether an intruder or a disk has touched the site, so that holes in it are nobody's fault. */
  isDisturbed = false;
  pointer: Pointer | undefined;
  readonly #claims = new Map<string, ReadonlyMap<string, Held>>();
  readonly #intents = new Map<string, string>();
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
  }

  // The vault.

  /** A file of the vault is there now, or gone. */
  wrote(key: string, body: Uint8Array | undefined, task: Task | undefined, atMs: number): void {
    if (key === layout.journal && body !== undefined && task !== undefined) this.#wroteJournal(body, task);
    if (key.startsWith("stand-ins/") && body !== undefined) this.marks.reach("a stand-in");
    if (key.startsWith("calls/") && task?.name.includes(" plan-"))
      this.planDays.set(task.run, key.slice(6, 16));
    if (key.startsWith("captures/")) this.#wroteCapture(key.slice("captures/".length, -".json".length), body);
    if (key.startsWith("claims/")) this.#wroteClaim(key, body, atMs);
    const [, version, manifest] = intentName.exec(key) ?? [];
    if (version !== undefined && manifest !== undefined)
      this.#wroteIntent(key, Number(version), manifest, body);
    if (task !== undefined && /^(?:captures|quarantine)\//.test(key) && body !== undefined)
      this.#storedAs(key, task);
  }

  #wroteCapture(key: RequestKey, body: Uint8Array | undefined): void {
    if (body === undefined) {
      if (this.kept.delete(key)) this.marks.reach("a capture that lost its place");
      return;
    }
    const words = wordsIn(Buffer.from(captureSchema.parse(JSON.parse(Buffer.from(body).toString())).body));
    const before = this.kept.get(key);
    if (before !== undefined && before.join() !== words.join())
      throw new BrokenPromise(`the answer for ${key} was written over`);
    this.kept.set(key, words);
    for (const word of words) this.everKept.add(word);
  }

  #wroteJournal(body: Uint8Array, task: Task): void {
    for (const { id } of journalShape.parse(JSON.parse(Buffer.from(body).toString())).underWay) {
      const writer = this.#writers.get(id) ?? task;
      this.#writers.set(id, writer);
      if (writer !== task && (writer.isDead || writer.isOver))
        this.marks.reach("a line of the journal left by a dead publisher");
    }
  }

  #wroteClaim(key: string, body: Uint8Array | undefined, atMs: number): void {
    const before = this.#claims.get(key) ?? new Map<string, Held>();
    const found =
      body === undefined ? {} : claimShape.parse(JSON.parse(Buffer.from(body).toString())).holders;
    const held = Object.entries(found).map(([owner, { attempt, lastsMs, begunMs }]): [string, Held] => {
      const known = before.get(owner);
      const isKnown = known?.attempt === attempt && known.begunMs === begunMs;
      return [owner, isKnown ? known : { attempt, begunMs, untilMs: atMs + lastsMs }];
    });
    this.#claims.set(key, new Map(held));
    const editions = new Set(held.map(([owner]) => editionOf(owner)));
    if (editions.size > 1) throw new BrokenPromise(`${key} has holders of ${[...editions].join(" and ")}`);
    for (const [owner, { untilMs }] of before) {
      if (editions.size === 0 || editions.has(editionOf(owner))) continue;
      if (untilMs > atMs) throw new BrokenPromise(`${key} was taken from ${owner} before its time`);
      this.marks.reach("a displaced claim");
    }
  }

  #wroteIntent(key: string, version: number, manifest: string, body: Uint8Array | undefined): void {
    if (body === undefined) return void this.#intents.delete(key);
    const isMet = [...this.#intents].some(
      ([other, hash]) => hash !== manifest && Number(intentName.exec(other)?.[1]) === version,
    );
    if (isMet) this.marks.reach("two intents of one version");
    this.#intents.set(key, manifest);
  }

  isIntended(manifest: string): boolean {
    return [...this.#intents.values()].includes(manifest);
  }

  // Calls.

  asked(call: Call): void {
    const { key, task } = call;
    if (this.kept.has(key) && this.#isHolding(task)) {
      throw new BrokenPromise(`${task.name} asks for ${key}, which is kept, under its claim`);
    }
    for (const before of this.#open) {
      const isThere = before.isAnswered && isInHand(before, task.machine);
      if (before.key === key && isThere && before.task.isOver)
        throw new BrokenPromise(
          `${task.name} asks for ${key}, whose answer ${task.machine.name} has in hand`,
        );
    }
    const planned = this.planDays.get(task.run);
    if (planned !== undefined && call.day !== undefined && call.day !== planned)
      this.marks.reach("a call of another day than its plan");
    this.#open.add(call);
    this.#made.push(call);
  }

  #isHolding({ owner }: Task): boolean {
    return [...this.#claims.values()].some((holders) => holders.has(owner));
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
      if (!isInHand(call, task.machine) || !file.endsWith(`/${call.key}.json`)) continue;
      this.#open.delete(call);
      this.#stored.push(call);
    }
  }

  /** Temporal knows nothing of that activity any more. */
  forgot(owner: string): void {
    for (const call of this.#made) if (call.task.owner === owner) call.isForgotten = true;
  }

  /**
   * No day has more calls than the ceiling, but for answers that died with their machine, of which a store that failed kept the
   * run from knowing, or that Temporal forgot: these were asked for once more.
   */
  requireCeiling(ceiling = Infinity): void {
    const isAskedAgain = ({ key, task }: Call) =>
      this.#made.findLast((one) => one.key === key && one.task.run === task.run)?.task !== task;
    const stored = this.#stored.filter(
      (call) => call.task.isDead || ((call.task.hasFailed || call.isForgotten) && isAskedAgain(call)), // its run does not know of it
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

  withdrew(key: RequestKey, step: number): void {
    this.withdrawn.add(key);
    this.#withdrawnAt.set(key, step);
  }

  /** Our publisher has written the pointer, and began its last look at the vault in that step. */
  async pointed(body: Uint8Array, lookedAtStep = Infinity): Promise<void> {
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
    await this.requireOurs(manifest, `version ${version}`, (key) => {
      const isSince = (this.#withdrawnAt.get(key) ?? 0) > lookedAtStep;
      if (isSince && this.isDisturbed) this.astray.add(version);
      return this.astray.has(version) && isSince;
    });
  }

  /** What a state shows is what was kept and not withdrawn, and whole. */
  async requireOurs(manifest: string, what: string, isExcused?: Excuse): Promise<void> {
    const { words, holes } = await this.trees.read(manifest);
    if (holes.length > 0 && !this.isDisturbed)
      throw new BrokenPromise(`${what} has holes: ${holes.join(", ")}`);
    this.requireWords(words, what, isExcused);
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

/** Whether a withdrawn text may be shown. */
type Excuse = (key: RequestKey) => boolean;

function editionOf(owner: string): string {
  return owner.slice(0, owner.indexOf("/"));
}
