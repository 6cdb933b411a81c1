// The folder store with concurrent processes, including killed and stopped ones, and on full or read-only disks.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Store, always } from "../../store/store.ts";
import { openFolder } from "../../store/folder.ts";
import { failure } from "../../store/folder-faults.ts";
import { createLock, LockHeld, openLockFile } from "../../store/lock.ts";
import { deep } from "../support/deep.ts";
import { bytes, keysOf, textAt } from "../support/stores.ts";
import { disk, temporaryNames } from "../support/disk.ts";

const writers = deep ? 20 : 8;
const headers = { type: "text/plain" };
const childScript = join(import.meta.dirname, "folder-child.ts");

let outside: string;
let root: string;
let store: Store;
let children: ChildProcess[];

// Without a cache of their compiled code the children of this file spend most of its time starting.
let compiled: string;
beforeAll(async () => {
  compiled = await mkdtemp(join(disk, "almanac-compiled-"));
  spawnSync(process.execPath, [childScript], { env: { ...process.env, NODE_COMPILE_CACHE: compiled } });
});
afterAll(() => rm(compiled, { recursive: true }));

beforeEach(async () => {
  outside = await mkdtemp(join(disk, "almanac-folder-"));
  root = join(outside, "store");
  store = openFolder(root);
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  for (const locked of [root, join(root, ".writing")]) await chmod(locked, 0o755).catch(() => undefined);
  await rm(outside, { recursive: true });
});

const put = (key: string, content: string) => store.write(key, bytes(content), headers, always);
const temporaryFiles = () => temporaryNames(root);

/** Looks again and again, as fast as it can; a fault ends with the test's time-out. */
async function soon(holds: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!(await holds())) signal.throwIfAborted();
}

/** A process at the same folder; its lines come one by one. */
function start(task: string, name = "", around: readonly string[] = []) {
  const [command, ...rest] = [...around, process.execPath, childScript, task, root, name];
  const running = spawn(command, rest, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  });
  children.push(running);
  const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
  const ended = once(running, "exit");
  return {
    async line() {
      const next = await lines.next();
      if (next.done === true) throw new Error(`the child for ${task} ended early`);
      return next.value;
    },
    go: () => running.stdin.write("go\n"),
    async kill() {
      running.kill("SIGKILL");
      await ended;
    },
  };
}

/** One of the written values, complete: all its bytes are equal. */
function isWhole(body: Uint8Array): boolean {
  if (body.length === bytes("the first value").length) return true;
  return (
    body.length === 4 * 1024 * 1024 &&
    Buffer.compare(body, new Uint8Array(body.length).fill(body[0] ?? 0)) === 0
  );
}

describe("folder store beside other processes", () => {
  test("12 processes at once: each creation has one winner, no increment is lost, no folder goes from under a write", async () => {
    await put("count.txt", "0");
    const racers = Array.from({ length: 12 }, (_, index) => start("race", String(index)));
    for (const racer of racers) expect(await racer.line()).toBe("ready");
    for (const racer of racers) racer.go();
    const won = await Promise.all(
      racers.map(async (racer) => z.array(z.number()).parse(JSON.parse(await racer.line()))),
    );
    expect(won.flat().sort((one, other) => one - other)).toEqual(
      Array.from({ length: 15 }, (_, round) => round),
    );
    for (let round = 0; round < 15; round++) {
      const winner = won.findIndex((rounds) => rounds.includes(round));
      expect(await textAt(store, `created/${round}.txt`)).toBe(String(winner));
    }
    expect(await textAt(store, "count.txt")).toBe("120");
    expect(await keysOf(store, "passing/")).toEqual([]);
    expect(await temporaryFiles()).toEqual([]);
  });

  test(`${writers} writers or more killed in mid-write leave an old or a new value, whole, and nothing listed`, async ({
    signal,
  }) => {
    await put("large.bin", "the first value");
    const inode = async () => (await stat(join(root, "large.bin"))).ino; // another one for each value
    const waiting = [start("hammer"), start("hammer")];
    let leftBehind = 0;
    // Repeats until enough were killed during a write: some finish before their death.
    for (let round = 0; round < writers || leftBehind <= writers / 4; round++) {
      const writer = waiting.shift() ?? start("hammer");
      if (round < writers - 2) waiting.push(start("hammer"));
      expect(await writer.line()).toBe("ready");
      const before = await inode();
      writer.go();
      // Half of them die as soon as their file aside is there, the others as soon as its bytes have their name.
      if (round % 2 === 0) await soon(async () => (await temporaryFiles()).length > leftBehind, signal);
      else await soon(async () => (await inode()) !== before, signal);
      await writer.kill();
      const body = (await store.read("large.bin"))?.body ?? new Uint8Array();
      expect(isWhole(body)).toBe(true);
      expect(await keysOf(store, "")).toEqual(["large.bin"]);
      leftBehind = (await temporaryFiles()).length;
    }
    expect(await put("large.bin", "the last value")).toMatchObject({ kind: "written" });
  });

  test("a killed lock holder blocks nobody", async () => {
    await put("pointer.json", "1");
    const holder = start("hold");
    expect(await holder.line()).toBe("held");
    let done = false;
    const writing = put("pointer.json", "2").then(() => (done = true));
    await expect.poll(temporaryFiles).toHaveLength(1); // it has come as far as the lock
    expect(done).toBe(false);
    expect(await textAt(store, "pointer.json")).toBe("1"); // readers need no lock
    await holder.kill();
    await writing; // a writer that waits too long for a lock fails
    expect(await textAt(store, "pointer.json")).toBe("2");
  });

  test("a process with the old lock file open notices another process's lock on a recreated file", async () => {
    await put("pointer.json", "1");
    const path = join(root, ".writing/lock");
    const lock = openLockFile(path);
    const isFree = () => lock.tryUnderIt(() => true)?.value === true;
    expect([isFree(), isFree(), isFree()]).toEqual([true, true, true]); // by now it keeps the file open
    await rm(path);
    const holder = start("hold");
    expect(await holder.line()).toBe("held");
    expect(isFree()).toBe(false);
    await holder.kill();
    expect(isFree()).toBe(true);
  });

  test("a stopped holder keeps its lock, and a process that waits too long reports that", async () => {
    await put("pointer.json", "1");
    const holder = start("hold");
    expect(await holder.line()).toBe("held");
    let entered = false;
    const waiting = createLock(join(root, ".writing/lock"), 200)(() => (entered = true));
    await expect(waiting).rejects.toThrow(LockHeld);
    expect(entered).toBe(false);
    const told = failure(
      { doing: "write", key: "a.txt", place: root },
      await waiting.catch((error: unknown) => error),
    );
    expect(told.message).toMatch(
      /^cannot write a\.txt in .*: another process has held the lock .*; look for a stopped/,
    );
  });
});

describe("folder store on a bad disk", () => {
  const report = z.object({ failures: z.array(z.string()), keys: z.array(z.string()), kept: z.string() });
  // A separate mount needs a Linux that allows this user to create namespaces.
  const ownMounts = ["unshare", "--map-root-user", "--mount"];
  const noMounts =
    spawnSync("unshare", [...ownMounts.slice(1), "mount", "-t", "tmpfs", "tmpfs", disk]).status !== 0;

  test.skipIf(noMounts)(
    "a full disk is called full, and costs neither the old value nor the next write",
    async () => {
      await mkdir(root);
      const told = report.extend({
        afterwards: z.object({ kind: z.string() }),
        temporary: z.array(z.string()),
      });
      const { failures, keys, kept, afterwards, temporary } = told.parse(
        JSON.parse(await start("full", "", ownMounts).line()),
      );
      expect(failures).toEqual([
        expect.stringMatching(
          /^StoreFailure: cannot write kept\.txt in .*: the disk is full \(ENOSPC.*\); free some/,
        ),
      ]);
      expect(kept).toBe("kept");
      expect(afterwards.kind).toBe("written");
      expect(keys).toEqual(["kept.txt", "small.txt"]);
      expect(temporary).toEqual([]);
    },
  );

  test.skipIf(noMounts)("a disk mounted read-only is called that, and can still be read", async () => {
    await mkdir(root);
    const { failures, keys, kept } = report.parse(JSON.parse(await start("readOnly", "", ownMounts).line()));
    for (const told of failures)
      expect(told).toMatch(
        /^StoreFailure: .*: it is read-only for .*\((?:EROFS|EACCES: cannot write to the lock)/,
      );
    expect(failures).toHaveLength(3);
    expect([keys, kept]).toEqual([["kept.txt"], "kept"]);
  });

  test("without permission for the lock, nothing is written", async () => {
    await chmod(outside, 0o755);
    await mkdir(root);
    const { failures, keys, kept } = report.parse(JSON.parse(await start("foreignLock").line()));
    for (const told of failures)
      expect(told).toMatch(/^StoreFailure: .*: it is read-only .*\(EACCES: cannot write to the lock file/);
    expect(failures).toHaveLength(3);
    expect([keys, kept]).toEqual([["kept.txt"], "kept"]);
  });

  test("a folder of another user is reported as read-only, and can still be read", async () => {
    await mkdir(root);
    await chmod(outside, 0o755);
    const { failures, keys, kept } = report.parse(JSON.parse(await start("foreign").line()));
    for (const told of failures) expect(told).toMatch(/^StoreFailure: .*: it is read-only for .*\(EACCES/);
    expect(failures).toHaveLength(3);
    expect([keys, kept]).toEqual([["kept.txt"], "kept"]);
  });
});
