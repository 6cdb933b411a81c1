// The folder store's lock file: its open handle between two uses, and when it is not trusted.
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readlink, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LockFile, openLockFile } from "../../store/lock.ts";
import { deep } from "../support/deep.ts";
import { disk } from "../support/disk.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(disk, "almanac-lock-"));
  path = join(folder, "lock");
});
afterEach(() => rm(folder, { recursive: true }));

const nothing = (): void => undefined;

/** Its file is open by now. */
function used(lock: LockFile = openLockFile(path)): LockFile {
  for (let turn = 0; turn < 3; turn++) lock.tryUnderIt(nothing);
  return lock;
}

/** Whether `other` gets the lock while `holder` has it. */
function bothGetIt(holder: LockFile, other: LockFile): boolean {
  const held = holder.tryUnderIt(() => other.tryUnderIt(nothing));
  if (held === undefined) throw new Error("nobody had it, and it was not given");
  return held.value !== undefined;
}

test("two processes with the file open exclude each other, and release it each time", () => {
  const [one, other] = [used(), used()];
  for (let turn = 0; turn < 10; turn++) {
    expect(bothGetIt(one, other)).toBe(false);
    expect(bothGetIt(other, one)).toBe(false);
  }
});

test("after the file was removed, all lock a new one", async () => {
  const [one, other] = [used(), used()];
  await rm(path);
  expect(bothGetIt(one, other)).toBe(false);
  await rm(path);
  expect(bothGetIt(other, one)).toBe(false);
  expect(bothGetIt(openLockFile(path), one)).toBe(false);
});

test("after the file was replaced, all lock the new one", async () => {
  const [one, other] = [used(), used()];
  await writeFile(join(folder, "new"), "");
  await rename(join(folder, "new"), path);
  expect(bothGetIt(openLockFile(path), one)).toBe(false);
  expect(bothGetIt(one, other)).toBe(false);
});

test("failing work releases the lock", () => {
  const [one, other] = [used(), used()];
  const failing = (): never => {
    throw new Error("the work failed");
  };
  expect(() => one.tryUnderIt(failing)).toThrow("the work failed");
  expect(other.tryUnderIt(() => "done")).toEqual({ value: "done" });
});

test("nothing is ever written into the file, or next to it", async () => {
  used();
  expect((await stat(path)).size).toBe(0);
  expect(await readdir(folder)).toEqual(["lock"]);
});

const openFiles = "/proc/self/fd";
test.skipIf(!existsSync(openFiles))("a lock that is not used holds no file open for long", async () => {
  const isOpen = async (): Promise<boolean> => {
    const links = (await readdir(openFiles)).map((name) => readlink(join(openFiles, name)).catch(() => ""));
    return (await Promise.all(links)).includes(path);
  };
  used();
  expect(await isOpen()).toBe(true);
  await expect.poll(isOpen).toBe(false);
});

test("whatever happens to the file in between, no two processes hold the lock at once", () => {
  const step = fc.oneof(
    fc.record({ take: fc.nat(3), beside: fc.nat(3) }),
    fc.constantFrom("remove", "replace", "open again"),
  );
  return fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const locks = Array.from({ length: 4 }, () => openLockFile(path));
      for (const each of steps) {
        if (each === "remove") await rm(path, { force: true });
        else if (each === "replace") {
          await writeFile(join(folder, "new"), "");
          await rename(join(folder, "new"), path);
        } else if (each === "open again") locks.splice(0, 1, openLockFile(path));
        else {
          const [holder, other] = [locks[each.take], locks[each.beside]];
          if (holder === undefined || other === undefined || holder === other) continue;
          expect(bothGetIt(holder, other)).toBe(false);
        }
      }
    }),
    { numRuns: deep ? 300 : 30 },
  );
});
