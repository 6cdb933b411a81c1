// On a folder, a public path and its object are one file: the savings, the promises if a file system refuses hard links, and the
// effect of editing a published file in place.
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { backUp } from "../../publish/backup/back-up.ts";
import { chooseState, StateNotWhole } from "../../publish/history/rollback-target.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { repair } from "../../publish/repair/repair.ts";
import { storeSource } from "../../publish/repair/store-source.ts";
import { verify } from "../../publish/repair/verify.ts";
import { objectPath } from "../../publish/state/state.ts";
import { openFolder } from "../../store/folder.ts";
import { deep } from "../support/deep.ts";
import { temporaryNames } from "../support/disk.ts";
import { refuseLinks } from "../support/refused-links.ts";
import { contentOf, keysOf, textAt } from "../support/stores.ts";
import { newSite } from "./support/published-site.ts";
import { storesIn } from "./support/resettable.ts";

const operations = ["daily-horoscope" as const, "daily-tarot" as const];
const nights = ["2026-11-20", "2026-11-21"] as const;
const page = "en/daily-tarot/index.html";

async function newWorld() {
  const folder = await mkdtemp(join(tmpdir(), "almanac-links-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const site = newSite({ operations }, storesIn(folder));
  await site.gather("2026-11-19", "2026-11-22");
  const fileAt = (path: string) => join(folder, "site", path);
  const night = async (date: string) => {
    site.setClock(`${date}T12:00:00Z`);
    await site.night();
  };
  const { publishing } = site;
  return Object.assign(site, {
    folder,
    fileAt,
    nightOn: night,
    look: (path: string) => stat(fileAt(path)),
    repair: () => repair(publishing, false),
    objectOf: async (path: string) => objectPath((await site.paths()).get(path) ?? "", path),
    findings: async () =>
      (await verify(storeSource(site.site), { publicKeys: [], now: publishing.now })).findings,
    back: async (wanted: string) => {
      const { keepDays } = publishing.configuration.publishing;
      const to = await chooseState(wanted, { site: site.site, now: publishing.now(), keepDays });
      return rollback({ to, evenMany: false, by: { by: "editor" } }, publishing);
    },
  });
}

type World = Awaited<ReturnType<typeof newWorld>>;

/** The paths that are not one file with their objects. */
async function separate(world: World): Promise<string[]> {
  const found: string[] = [];
  for (const [path, object] of await world.paths()) {
    const [shown, stored] = [await world.look(path), await world.look(objectPath(object, path))];
    if (shown.ino !== stored.ino || shown.nlink < 2) found.push(path);
  }
  return found;
}

test("a public path and its object are one file, after each night, and nothing is left aside", async () => {
  const world = await newWorld();
  for (const date of nights) {
    await world.nightOn(date);
    expect((await world.paths()).size).toBeGreaterThan(100);
    expect(await separate(world)).toEqual([]);
    expect(await temporaryNames(world.fileAt("."))).toEqual([]);
    expect(await world.findings()).toEqual([]);
  }
});

/** test/store/folder.test.ts has each of them for one file. */
const codes = deep ? ["EPERM", "EMLINK", "EXDEV", "EOPNOTSUPP"] : ["EPERM"];

test.each(codes)(
  "where some links are refused with %s, those paths are copies, and the site is the same",
  async (code) => {
    const [world, other] = [await newWorld(), newSite({ operations })];
    await other.gather("2026-11-19", "2026-11-22");
    const refused = refuseLinks(code, 3);
    for (const date of nights) {
      await world.nightOn(date);
      other.setClock(`${date}T12:00:00Z`);
      await other.night();
    }
    expect(await contentOf(world.site)).toEqual(await contentOf(other.site));
    const copies = await separate(world);
    expect(copies.length).toBeGreaterThan(30);
    expect(copies.length).toBeLessThanOrEqual(refused());
    expect(copies.length).toBeLessThan((await world.paths()).size / 2);
  },
);

test("an edited public file changes its object: verify names both, and repair renders both again", async () => {
  const world = await newWorld();
  for (const date of nights) await world.nightOn(date);
  const [before, object] = [await textAt(world.site, page), await world.objectOf(page)];
  await writeFile(world.fileAt(page), "edited in place");
  expect(await textAt(world.site, object)).toBe("edited in place");
  expect((await world.findings()).map(({ path, remedy }) => [path, remedy])).toEqual(
    [page, object].toSorted().map((path) => [path, "`almanac repair`"]),
  );
  const { version, repairs, lost } = await world.repair();
  expect([version, lost]).toEqual([2, []]);
  expect(repairs.map(({ path, deed }) => `${deed} ${path}`).toSorted()).toEqual([
    `restored ${object}`,
    `written ${page}`,
  ]);
  expect(await textAt(world.site, page)).toBe(before);
  expect(await separate(world)).toEqual([]);
  expect(await world.findings()).toEqual([]);
});

test("where the vault has other texts by then, repair publishes these and names the versions that are lost", async () => {
  const world = await newWorld();
  for (const date of nights) await world.nightOn(date);
  await world.keep("daily/2026-11-21/en/daily-tarot/reading", "Other words.");
  await writeFile(world.fileAt(page), "edited in place");
  const { version, repairs, lost } = await world.repair();
  expect([version, lost]).toEqual([3, []]);
  expect(repairs.find(({ path }) => path === page)?.reason).toBe(
    "lost; rendered and published again. No rollback to version 2 is possible",
  );
  expect(await textAt(world.site, page)).toContain("Other words.");
  expect(await world.findings()).toEqual([]);
  await expect(world.back("2")).rejects.toThrow(StateNotWhole);
  expect(await world.back("1")).toMatchObject({ version: 4 });
  expect(await world.findings()).toEqual([]);
});

test("a rollback to a version with an edited object of the same size is refused before anything is changed", async () => {
  const world = await newWorld();
  await world.nightOn(nights[0]);
  const { size } = await world.look(page);
  await writeFile(world.fileAt(page), "x".repeat(size));
  await world.nightOn(nights[1]);
  const before = await contentOf(world.site);
  await expect(world.back("1")).rejects.toThrow(StateNotWhole);
  expect(await contentOf(world.site)).toEqual(before);
});

test("no path's time goes back, also where a rollback shows an older object", async () => {
  const world = await newWorld();
  const times = async () => {
    const paths = [...(await world.paths()).keys()];
    return new Map(
      await Promise.all(paths.map(async (path) => [path, (await world.look(path)).mtimeMs] as const)),
    );
  };
  for (const date of nights) await world.nightOn(date);
  const [before, shown] = [await times(), await world.paths()];
  await world.back("1");
  const changed = [...(await world.paths())].filter(([path, object]) => shown.get(path) !== object);
  expect(changed.length).toBeGreaterThan(30);
  expect(await separate(world)).toEqual([]);
  const after = await times();
  for (const [path] of changed) expect(after.get(path), path).toBeGreaterThanOrEqual(before.get(path) ?? -1);
});

test("a backup has every file once and shares none with the site", async () => {
  const world = await newWorld();
  await world.nightOn(nights[0]);
  const backup = openFolder(join(world.folder, "backup"));
  await backUp(world.publishing, backup, 60);
  const copies = (await keysOf(backup)).filter((key) => key.includes("/"));
  expect(copies.length).toBeGreaterThan(100);
  for (const key of copies) expect((await stat(join(world.folder, "backup", key))).nlink, key).toBe(1);
  const inSite = new Set((await world.paths()).values());
  for (const object of inSite)
    expect(
      copies.filter((key) => key.includes(object)),
      object,
    ).toHaveLength(1);
});
