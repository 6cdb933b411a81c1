// Durability of writes: flushed one by one, or with the whole file system.
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFlush } from "../../store/folder-flush.ts";
import { disk } from "../support/disk.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(disk, "almanac-flush-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** A `sync` that records its calls. */
async function syncThatDoes(what: string) {
  const programs = join(folder, "programs");
  const asked = join(folder, "asked");
  await mkdir(programs);
  await writeFile(join(programs, "sync"), `#!/bin/sh\necho "$@" >> ${asked}\n${what}\n`);
  await chmod(join(programs, "sync"), 0o755);
  vi.stubEnv("PATH", [programs, process.env["PATH"]].join(delimiter));
  return async () =>
    (await readFile(asked, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
}

/** A link is not followed, so opening each path separately fails. */
async function pathsWithALink(count: number) {
  await symlink(folder, join(folder, "link"));
  return new Set([
    folder,
    ...Array.from({ length: count }, (_, at) => `${folder}/gone-${at}`),
    `${folder}/link`,
  ]);
}

test.runIf(process.platform === "linux")(
  "many are flushed with their file system, as often as asked, by one shell",
  async () => {
    const asked = await syncThatDoes("exit 0");
    const flush = createFlush(folder);
    const paths = await pathsWithALink(100);
    await flush(paths);
    await Promise.all([flush(paths), flush(paths)]);
    expect(await asked()).toEqual(Array.from({ length: 3 }, () => `-f ${folder}`));
  },
);

test("few files are flushed one by one", async () => {
  const asked = await syncThatDoes("exit 0");
  await expect(createFlush(folder)(await pathsWithALink(10))).rejects.toThrow("ELOOP");
  expect(await asked()).toEqual([]);
});

test("many files are flushed one by one if the whole file system can't be flushed", async () => {
  await syncThatDoes("exit 1");
  await expect(createFlush(folder)(await pathsWithALink(100))).rejects.toThrow("ELOOP");
});

test("many files are flushed one by one if the shell is killed, and the next ones use a new shell", async () => {
  const asked = await syncThatDoes("kill -9 $PPID");
  const flush = createFlush(folder);
  const paths = await pathsWithALink(100);
  await expect(flush(paths)).rejects.toThrow("ELOOP");
  await expect(flush(paths)).rejects.toThrow("ELOOP");
  if (process.platform === "linux") expect(await asked()).toHaveLength(2);
});
