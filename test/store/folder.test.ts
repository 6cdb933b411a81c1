// Foreign files in the folder of a store. For other processes, see folder-processes.test.ts.
import { writeFileSync } from "node:fs";
import {
  link as hardLink,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Store, StoreFailure, absent, always, storeWithin } from "../../store/store.ts";
import { openFolder } from "../../store/folder.ts";
import { fenced } from "../../store/lease.ts";
import { disk, temporaryNames } from "../support/disk.ts";
import { refuseLinks } from "../support/refused-links.ts";
import { bytes, keysOf, listingOf, textAt } from "../support/stores.ts";

const headers = { type: "text/plain" };

let outside: string;
let root: string;
let store: Store;
beforeEach(async () => {
  outside = await mkdtemp(join(disk, "almanac-folder-"));
  root = join(outside, "store");
  store = openFolder(root);
});
afterEach(() => rm(outside, { recursive: true }));

const put = (key: string, content: string) => store.write(key, bytes(content), headers, always);
const temporaryFiles = () => temporaryNames(root);

async function failureOf(doing: Promise<unknown>): Promise<StoreFailure> {
  try {
    await doing;
  } catch (error) {
    if (error instanceof StoreFailure) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("folder store and what else lies in the folder", () => {
  const linkRefused = /it is a symbolic link .*follows no links/;

  test("follows no link out of the root, in any operation", async () => {
    await put("here/a.txt", "inside");
    await mkdir(join(outside, "secret"));
    await writeFile(join(outside, "secret/a.txt"), "secret");
    await symlink(join(outside, "secret"), join(root, "out"));
    await symlink(join(outside, "not-yet"), join(root, "dangling"));
    for (const key of ["out/a.txt", "out/new.txt", "out/deep/new.txt", "dangling/a.txt"]) {
      expect((await failureOf(store.read(key))).message).toMatch(linkRefused);
      expect((await failureOf(put(key, "changed"))).message).toMatch(linkRefused);
      expect((await failureOf(store.write(key, bytes(""), headers, absent))).message).toMatch(linkRefused);
      expect((await failureOf(store.remove([key]))).message).toMatch(linkRefused);
    }
    expect((await failureOf(keysOf(store, "out/"))).message).toMatch(linkRefused);
    expect(await keysOf(store, "")).toEqual(["here/a.txt"]);
    expect(await readdir(join(outside, "secret"))).toEqual(["a.txt"]);
    expect(await readFile(join(outside, "secret/a.txt"), "utf8")).toBe("secret");
    await expect(stat(join(outside, "not-yet"))).rejects.toThrow("ENOENT");
  });

  test("reads no file through a link, and a write replaces a link with a file", async () => {
    await put("here.txt", "inside");
    await writeFile(join(outside, "secret.txt"), "secret");
    await symlink(join(outside, "secret.txt"), join(root, "link.txt"));
    expect((await failureOf(store.read("link.txt"))).message).toMatch(linkRefused);
    expect(await keysOf(store, "")).toEqual(["here.txt"]);
    await put("link.txt", "mine");
    expect(await textAt(store, "link.txt")).toBe("mine");
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("secret");
  });

  test("writes no temporary file through a link", async () => {
    await mkdir(join(outside, "elsewhere"));
    await mkdir(root);
    await symlink(join(outside, "elsewhere"), join(root, ".writing"));
    expect((await failureOf(put("a.txt", "text"))).message).toMatch(linkRefused);
    expect(await readdir(join(outside, "elsewhere"))).toEqual([]);
  });

  test("may itself be reached through a link", async () => {
    await put("a.txt", "text");
    await symlink(root, join(outside, "current"));
    const linked = openFolder(join(outside, "current"));
    expect(await textAt(linked, "a.txt")).toBe("text");
    await linked.write("b.txt", bytes("more"), headers, absent);
    expect(await keysOf(store, "")).toEqual(["a.txt", "b.txt"]);
  });

  test("lists only what a store can have written", async () => {
    await put("a/b.txt", "ours");
    await mkdir(join(root, "with.dot"));
    for (const name of ["with.dot/c.txt", ".hidden", "a/noextension", "a/b c.txt", "a/.b.txt.swp"]) {
      await writeFile(join(root, name), "a stranger's");
    }
    expect(await keysOf(store, "")).toEqual(["a/b.txt"]);
  });

  test("reports a foreign file in its way, and leaves it there", async () => {
    await mkdir(join(root, "folder.txt/full"), { recursive: true });
    await writeFile(join(root, "file"), "a stranger's");
    for (const key of ["folder.txt", "file/a.txt"]) {
      const failure = await failureOf(put(key, "text"));
      expect(failure.message).toMatch(
        `cannot write ${key} in ${root}: a file that Almanac did not write is in the way`,
      );
    }
    expect((await failureOf(store.read("folder.txt"))).message).toMatch(
      "a file that Almanac did not write is in the way",
    );
    expect((await readdir(root)).sort()).toEqual([".writing", "file", "folder.txt"]);
    expect(await temporaryFiles()).toEqual([]);
  });

  test("concurrent writes have separate results, even if one of them finds a foreign file", async () => {
    await put("taken.txt", "before");
    await mkdir(join(outside, "elsewhere"));
    await symlink(join(outside, "elsewhere"), join(root, "away"));
    const keys = Array.from({ length: 300 }, (_, index) => `many/${index % 7}/${index}.txt`);
    const [wrong, next, taken, ...written] = await Promise.allSettled([
      put("away/a.txt", "astray"),
      put("away/b.txt", "astray"),
      store.write("taken.txt", bytes("late"), headers, absent),
      ...keys.map((key) => put(key, key)),
    ]);
    for (const { status } of [wrong, next]) expect(status).toBe("rejected");
    expect(taken).toEqual({ status: "fulfilled", value: { kind: "refused" } });
    expect(new Set(written.map(({ status }) => status))).toEqual(new Set(["fulfilled"]));
    expect(await readdir(join(outside, "elsewhere"))).toEqual([]);
    expect(await textAt(store, "taken.txt")).toBe("before");
    for (const key of keys) expect(await textAt(store, key)).toBe(key);
    expect(await temporaryFiles()).toEqual([]);
  });

  test("removes empty folders with their last file", async () => {
    await put("a/b/c/1.txt", "");
    await put("a/2.txt", "");
    await store.remove(["a/b/c/1.txt"]);
    expect(await readdir(join(root, "a"))).toEqual(["2.txt"]);
    await store.remove(["a/2.txt"]);
    expect(await readdir(root)).toEqual([".writing"]);
  });

  test("leaves no temporary file after a refused write", async () => {
    await put("a.txt", "1");
    await store.write("a.txt", bytes("2"), headers, absent);
    expect(await temporaryFiles()).toEqual([]);
  });

  test("lists every file even if the file system moves an overwritten name", async () => {
    // tmpfs does; one reading of 3,000 names takes several steps, and a name can move from ahead to behind.
    const moving = await mkdtemp(join(tmpdir(), "almanac-folder-"));
    try {
      const names = Array.from({ length: 3000 }, (_, index) => `a-name-of-some-length-${index}.txt`).sort();
      for (const name of names) writeFileSync(join(moving, name), "");
      const there = openFolder(moving);
      const listed = new AbortController();
      const overwrite = async () => {
        for (let turn = 0; !listed.signal.aborted; turn++) {
          await there.write(names[(turn * 997) % names.length] ?? "", bytes(""), headers, always);
        }
      };
      const list = async () => {
        for (let turn = 0; turn < 15; turn++) expect(await keysOf(there, "")).toEqual(names);
      };
      await Promise.all([list().finally(() => listed.abort()), overwrite(), overwrite(), overwrite()]);
    } finally {
      await rm(moving, { recursive: true });
    }
  });

  test("writes nothing into another folder mounted in its place, and continues when its own is back", async () => {
    await put("a/b.txt", "kept");
    const away = join(outside, "away");
    await rename(root, away);
    await mkdir(root);
    expect((await failureOf(put("a/c.txt", "astray"))).message).toMatch(
      /the folder was replaced since it was opened.*mount/,
    );
    expect((await failureOf(put("d.txt", "astray"))).facts.doing).toBe("write");
    expect(await readdir(root)).toEqual([]);
    await rm(root, { recursive: true });
    await rename(away, root);
    await put("a/c.txt", "here");
    expect(await keysOf(store, "")).toEqual(["a/b.txt", "a/c.txt"]);
  });

  test("continues after the whole folder was removed", async () => {
    await put("a.txt", "1");
    await rm(root, { recursive: true });
    expect(await textAt(store, "a.txt")).toBeUndefined();
    await put("b.txt", "2");
    expect(await keysOf(store, "")).toEqual(["b.txt"]);
  });

  test("two stores with their lock in another folder exclude each other", async () => {
    const lockedIn = join(outside, "private");
    const stores = [1, 2].map(() => openFolder(root, { lockedIn }));
    for (let round = 0; round < 20; round += 1) {
      const writes = stores.map((one, of) => one.write(`r/${round}.txt`, bytes(`${of}`), headers, absent));
      const kinds = (await Promise.all(writes)).map(({ kind }) => kind);
      expect(kinds.sort()).toEqual(["refused", "written"]);
    }
    expect(await readdir(join(lockedIn, ".writing"))).toEqual(["site.lock"]);
    expect(await readdir(join(root, ".writing"))).not.toContain("lock");
  });

  test("a later writer removes old temporary files of killed ones", async () => {
    await put("a.txt", "1");
    const [old, older, fresh] = ["0".repeat(32), "1".repeat(32), "f".repeat(32)];
    // Including their location when there were sixteen folders.
    const places = [`0/${old}`, older, `f/${fresh}`].map((name) => join(root, ".writing", name));
    for (const place of places) {
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, "left");
    }
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const place of places.slice(0, 2)) await utimes(place, twoHoursAgo, twoHoursAgo);
    await utimes(join(root, ".writing", "lock"), twoHoursAgo, twoHoursAgo);
    await openFolder(root).write("b.txt", bytes("2"), headers, always);
    expect(await temporaryFiles()).toEqual([fresh]);
    expect(await keysOf(store, "")).toEqual(["a.txt", "b.txt"]);
    expect((await stat(join(root, ".writing", "lock"))).size).toBe(0);
  });
});

describe("a link in a folder store", () => {
  const link = (from: string, key: string, to = store) => to.link?.(from, key);
  const inodeOf = async (key: string) => (await stat(join(root, key))).ino;

  test("is the very file, also in place of another and of itself, and leaves nothing aside", async () => {
    await put("a/object.txt", "text");
    await put("page.txt", "before");
    for (const key of ["new/page.txt", "page.txt", "page.txt"]) {
      expect(await link("a/object.txt", key)).toBe(true);
      expect(await inodeOf(key)).toBe(await inodeOf("a/object.txt"));
    }
    expect(await temporaryFiles()).toEqual([]);
    await expect(link("../object.txt", "b.txt")).rejects.toThrow("is not a valid key");
    await put("page.txt", "after");
    expect(await textAt(store, "a/object.txt")).toBe("text");
    await store.remove(["a/object.txt"]);
    expect(await textAt(store, "new/page.txt")).toBe("text");
  });

  test("counts as a write of now, so that its time never goes back and no sweep takes it", async () => {
    await put("object.txt", "text");
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(root, "object.txt"), twoHoursAgo, twoHoursAgo);
    const leftover = join(root, ".writing", "0".repeat(32));
    await hardLink(join(root, "object.txt"), leftover);
    await openFolder(root).write("b.txt", bytes("2"), headers, always);
    expect(await temporaryFiles()).toEqual([]);
    expect(await link("object.txt", "page.txt")).toBe(true);
    const [page] = await listingOf(store, "page.txt");
    expect(page?.modifiedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
    await hardLink(join(root, "object.txt"), leftover);
    await openFolder(root).write("b.txt", bytes("3"), headers, always);
    expect(await temporaryFiles()).toEqual(["0".repeat(32)]);
  });

  test.each(["EPERM", "EMLINK", "EXDEV", "EOPNOTSUPP"])("is none where %s refuses it", async (code) => {
    await put("object.txt", "text");
    await put("page.txt", "before");
    refuseLinks(code, 2);
    expect([await link("object.txt", "page.txt"), await link("object.txt", "other.txt")]).toEqual([
      true,
      false,
    ]);
    expect(await keysOf(store)).toEqual(["object.txt", "page.txt"]);
    expect(await temporaryFiles()).toEqual([]);
  });

  test("leads nowhere out of the root, and shows nothing that is not there", async () => {
    await put("here.txt", "inside");
    await mkdir(join(outside, "secret"));
    await writeFile(join(outside, "secret/a.txt"), "secret");
    await symlink(join(outside, "secret"), join(root, "out"));
    await symlink(join(outside, "secret/a.txt"), join(root, "link.txt"));
    for (const from of ["out/a.txt", "link.txt", "missing.txt"])
      expect(await link(from, "page.txt"), from).toBe(false);
    expect((await failureOf(store.link?.("here.txt", "out/new.txt") ?? Promise.resolve())).message).toMatch(
      /it is a symbolic link .*follows no links/,
    );
    expect(await keysOf(store)).toEqual(["here.txt"]);
    expect(await readdir(join(outside, "secret"))).toEqual(["a.txt"]);
  });

  test("of a part of a store and behind a fence is the same", async () => {
    const part = storeWithin(store, "part/");
    await part.write("object.txt", bytes("text"), headers, always);
    const begun: number[] = [];
    const fence = { begin: async (lifetimeMs: number) => (begun.push(lifetimeMs), () => {}) };
    expect(await link("object.txt", "page.txt", fenced(part, fence))).toBe(true);
    expect(begun).toHaveLength(1);
    expect(await inodeOf("part/page.txt")).toBe(await inodeOf("part/object.txt"));
  });
});
