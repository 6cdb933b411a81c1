// Makes what was written outlast a power cut. Few files and folders are flushed one by one. Many together are flushed with their
// whole file system, which takes a fifth of the processor's time: Node has no call for that, but Linux has `sync -f`.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, fsync, openSync } from "node:fs";
import { Socket } from "node:net";
import { promisify } from "node:util";
import { unlessGone } from "./folder-faults.ts";
import { inParallel } from "./parallel-calls.ts";

const many = 64;
const shellKeptForMs = 1_000; // it holds a file system that somebody may want to unmount
const loop = 'while read -r _; do if sync -f "$0"; then echo 1; else echo 0; fi; done';

const flushed = promisify(fsync);

/** Flushes files and folders; one that is gone by then needs nothing. */
export type Flush = (paths: ReadonlySet<string>) => Promise<void>;

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
