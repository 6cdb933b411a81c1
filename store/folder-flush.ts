// Makes what was written outlast a power cut. Few files and folders are flushed one by one. Many together are flushed with their
// whole file system, which takes a fifth of the processor's time: Node has no call for that, but Linux has `sync -f`.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, fsync, openSync } from "node:fs";
import { Socket } from "node:net";
import { promisify } from "node:util";
import { unlessGone } from "./folder-faults.ts";
import { inParallel, type Condition } from "./store.ts";
import { discard, putInPlace } from "./folder-steps.ts";
import { type UnderLock, underOneTaking } from "./lock.ts";

const many = 64;
const shellKeptForMs = 1_000; // it holds a file system that somebody may want to unmount
const loop = 'while read -r _; do if sync -f "$0"; then echo 1; else echo 0; fi; done';

const flushed = promisify(fsync);

/** Flushes files and folders; one that is gone by then needs nothing. */
type Flush = (paths: ReadonlySet<string>) => Promise<void>;

export function createFlush(root: string): Flush {
  const flushAll = createDiskFlush(root);
  return async (paths) => {
    if (paths.size >= many && (await flushAll())) return;
    await inParallel(paths, flushOne);
  };
}

async function flushOne(path: string) {
  const file = await unlessGone(() => openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW));
  if (file === undefined) return;
  try {
    await flushed(file);
  } finally {
    closeSync(file);
  }
}

/** Asks a shell for each flush, since to begin a process stops a great one for some 20 ms. False: the disk was not flushed. */
function createDiskFlush(root: string): () => Promise<boolean> {
  let shell: ChildProcess | undefined;
  let waiting: ((done: boolean) => void)[] = [];
  const idle = setTimeout(() => {
    if (waiting.length === 0) end(shell);
  }, shellKeptForMs).unref();

  /** Those who wait then flush for themselves. */
  function end(ended: ChildProcess | undefined) {
    if (ended === undefined || shell !== ended) return;
    shell = undefined;
    ended.stdin?.destroy();
    for (const tell of waiting) tell(false);
    waiting = [];
  }

  function begin() {
    const begun = spawn("/bin/sh", ["-c", loop, root], {
      cwd: "/", // else it would hold the file system of ours
      stdio: ["pipe", "pipe", "ignore"],
    });
    begun.once("error", () => end(begun)).once("exit", () => end(begun));
    begun.stdin.on("error", () => end(begun));
    begun.stdout.setEncoding("latin1").on("data", (answers: string) => {
      for (const answer of answers.replaceAll("\n", "")) waiting.shift()?.(answer === "1");
      if (waiting.length > 0) return;
      hold(begun, false);
      idle.refresh();
    });
    return begun;
  }

  return async () => {
    if (process.platform !== "linux") return false; // elsewhere `sync` does not wait for the disk
    shell ??= begin();
    hold(shell, true);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    waiting.push(resolve);
    shell.stdin?.write("\n");
    return promise;
  };
}

/** A shell that nobody waits for keeps no process from ending. */
function hold(shell: ChildProcess, isHeld: boolean) {
  for (const handle of [shell, shell.stdin, shell.stdout]) {
    if (handle !== shell && !(handle instanceof Socket)) continue;
    if (isHeld) handle.ref();
    else handle.unref();
  }
}

// Writers of one folder wait for the disk together: while one bunch is flushed the next gathers, so that the flushes of many
// writes are few. What has been moved into place is flushed along with the next bunch's files.
interface Place {
  readonly root: string;
  readonly underLock: UnderLock;
  readonly flush: Flush;
}

interface Waiting {
  readonly key: string;
  readonly temporary: string;
  readonly when: Condition;
  /** Whether the bytes are on the disk already. */
  readonly isFlushed: boolean;
  readonly answer: PromiseWithResolvers<boolean>;
}

interface Moved extends Pick<Waiting, "answer"> {
  readonly changed: readonly string[];
}

type PutTogether = (
  key: string,
  temporary: string,
  when: Condition,
  known?: Pick<Waiting, "isFlushed">,
) => Promise<boolean>;

/** Puts what lies aside in its place, for good; false where the condition does not hold. */
export function createPutTogether(place: Place): PutTogether {
  let waiting: Waiting[] = [];
  let running = false;

  async function run() {
    let moved: Moved[] = [];
    while (waiting.length + moved.length > 0) {
      const bunch = waiting;
      waiting = [];
      const written = bunch.filter(({ isFlushed }) => !isFlushed).map(({ temporary }) => temporary);
      const paths = [...written, ...moved.flatMap(({ changed }) => changed)];
      try {
        await place.flush(new Set(paths));
        for (const { answer } of moved) answer.resolve(true);
        moved = await move(place, bunch);
      } catch (error) {
        for (const { answer } of [...moved, ...bunch]) answer.reject(error);
        moved = [];
      }
    }
    running = false;
  }

  return async (key, temporary, when, { isFlushed } = { isFlushed: false }) => {
    const answer = Promise.withResolvers<boolean>();
    waiting.push({ key, temporary, when, isFlushed, answer });
    if (!running) {
      running = true;
      setImmediate(() => void run()); // those who come at the same moment are in the first bunch
    }
    let written = false;
    try {
      written = await answer.promise;
      return written;
    } finally {
      if (!written) await discard(temporary);
    }
  };
}

/** One whose own move fails or is refused is answered at once, and holds up no other. */
async function move({ root, underLock }: Place, bunch: readonly Waiting[]) {
  const moved: Moved[] = [];
  const moveOne = (one: Waiting, sound: Set<string>) => {
    try {
      const changed = putInPlace(root, one, sound);
      if (changed === undefined) one.answer.resolve(false);
      else moved.push({ changed, answer: one.answer });
    } catch (error) {
      one.answer.reject(error);
    }
  };
  for (const some of underOneTaking(bunch)) {
    const sound = new Set<string>();
    await underLock(() => some.forEach((one) => moveOne(one, sound)));
  }
  return moved;
}
