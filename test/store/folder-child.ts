// A separate process with a folder store, for the tests of folder-processes.test.ts: does one task, and prints the result.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { absent, always } from "../../store/store.ts";
import { openFolder } from "../../store/folder.ts";
import { createLock } from "../../store/lock.ts";
import { temporaryNames } from "../support/disk.ts";
import { bytes, keysOf, textAt } from "../support/stores.ts";

const [task = "", folder = "", name = ""] = process.argv.slice(2);
const headers = { type: "text/plain" };
const store = openFolder(folder);
const say = (line: string) => writeSync(1, `${line}\n`);

/** A process takes long to start: those that are to meet start first and wait for each other. */
async function readyAndTold(): Promise<void> {
  say("ready");
  await once(process.stdin, "data");
}

async function race(): Promise<void> {
  await readyAndTold();
  const won: number[] = [];
  for (let round = 0; round < 15; round++) {
    const answer = await store.write(`created/${round}.txt`, bytes(name), headers, absent);
    if (answer.kind === "written") won.push(round);
  }
  const passing = `passing/${Number(name) % 6}/${name}.txt`; // the last one out takes the folder away
  for (let round = 0; round < 25; round++) {
    await store.write(passing, bytes(name), headers, always);
    await store.remove([passing]);
  }
  for (let counted = 0; counted < 10;) {
    const stored = await store.read("count.txt");
    if (stored === undefined) throw new Error("the counter is gone");
    const next = bytes(String(Number(new TextDecoder().decode(stored.body)) + 1));
    const when = { kind: "version", version: stored.version } as const;
    const answer = await store.write("count.txt", next, headers, when);
    if (answer.kind === "written") counted++;
  }
  say(JSON.stringify(won));
}

async function hammer(): Promise<void> {
  await readyAndTold();
  for (let turn = 1; ; turn++) {
    const body = new Uint8Array(4 * 1024 * 1024).fill(turn % 256);
    await store.write("large.bin", body, headers, always);
  }
}

async function holdLock(): Promise<void> {
  await createLock(join(folder, ".writing", "lock"))(() => {
    say("held");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
}

/** On a disk of half a megabyte that only this process sees. */
async function fillDisk(): Promise<void> {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", folder]);
  await store.write("kept.txt", bytes("kept"), headers, always);
  const failure = await failureOf(store.write("kept.txt", new Uint8Array(1024 * 1024), headers, always));
  const afterwards = await store.write("small.txt", bytes("fits"), headers, always);
  const temporary = await temporaryNames(folder);
  say(JSON.stringify({ failures: [failure], afterwards, ...(await whatIsThere()), temporary }));
}

async function onReadOnlyDisk(): Promise<void> {
  execFileSync("mount", ["-t", "tmpfs", "tmpfs", folder]);
  await store.write("kept.txt", bytes("kept"), headers, always);
  await untilItWorks(() => execFileSync("mount", ["-o", "remount,bind,ro", folder], { stdio: "ignore" }));
  await tellOfRefusedWrites();
}

async function inForeignFolder(): Promise<void> {
  await store.write("kept.txt", bytes("kept"), headers, always);
  await chmod(join(folder, ".writing"), 0o555);
  await chmod(folder, 0o555);
  becomeNobody();
  await tellOfRefusedWrites();
}

async function withForeignLock(): Promise<void> {
  await store.write("kept.txt", bytes("kept"), headers, always);
  await chmod(join(folder, ".writing"), 0o777);
  for (const digit of "0123456789abcdef") {
    const bench = join(folder, ".writing", digit);
    await mkdir(bench, { recursive: true });
    await chmod(bench, 0o777);
  }
  await chmod(folder, 0o777);
  await chmod(join(folder, ".writing", "lock"), 0o444);
  becomeNobody();
  await tellOfRefusedWrites();
}

/** A disk is busy while a file on it is open, as the lock is for a moment after a write. */
async function untilItWorks(step: () => void): Promise<void> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    try {
      return step();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(50);
    }
  }
}

/** Root has every permission. */
function becomeNobody(): void {
  if (process.geteuid?.() === 0) process.seteuid?.(65_534);
}

async function tellOfRefusedWrites(): Promise<void> {
  const failures = [
    await failureOf(store.write("new.txt", bytes("new"), headers, always)),
    await failureOf(store.write("a/new.txt", bytes("new"), headers, absent)),
    await failureOf(store.remove(["kept.txt"])),
  ];
  say(JSON.stringify({ failures, ...(await whatIsThere()) }));
}

async function whatIsThere() {
  return { keys: await keysOf(store), kept: await textAt(store, "kept.txt") };
}

function failureOf(doing: Promise<unknown>): Promise<string> {
  return doing.then(() => "none", String);
}

const tasks = new Map([
  ["race", race],
  ["hammer", hammer],
  ["hold", holdLock],
  ["full", fillDisk],
  ["readOnly", onReadOnlyDisk],
  ["foreign", inForeignFolder],
  ["foreignLock", withForeignLock],
]);
await tasks.get(task)?.();
process.exit();
