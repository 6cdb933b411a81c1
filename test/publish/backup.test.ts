// Vault and site lost, separately and together, and restored from a backup: the same responses, objects and public paths, under a
// version that no reader has seen, wherever the restore is interrupted and whatever was written during the backup.
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { backUp } from "../../publish/backup/back-up.ts";
import { checkSnapshot, restore } from "../../publish/backup/restore.ts";
import { claimBackup, readSnapshot, snapshotsIn } from "../../publish/backup/snapshots.ts";
import { acceptState } from "../../publish/repair/current-state.ts";
import { repair } from "../../publish/repair/repair.ts";
import { publish } from "../../publish/publish.ts";
import { publicHalf } from "../../publish/step/pointer.ts";
import { lookAtSite } from "../../publish/step/site-state.ts";
import { objectPath } from "../../publish/state/state.ts";
import { openFolder } from "../../store/folder.ts";
import { always, type Store } from "../../store/store.ts";
import { createVault } from "../../vault/vault.ts";
import { deep } from "../support/deep.ts";
import {
  bytes,
  type Call,
  contentOf,
  damage,
  fill,
  inMemory,
  keysOf,
  snapshotOf,
  type Stores,
  through,
} from "../support/stores.ts";
import { openMemory } from "../support/memory.ts";
import { wrongPaths } from "./support/look.ts";
import {
  askedOn,
  backedUp,
  broughtBack,
  responsesOf,
  day,
  drilled,
  nightsOn,
  shownOn,
  soundOn,
} from "./support/drill.ts";
import { newSite } from "./support/published-site.ts";

/** Two nights, copied, and two more that the copy does not know. */
async function fourNights(stores: Stores, backup: Store) {
  const site = newSite(drilled, stores);
  await nightsOn(site, 20, 21);
  const first = await backedUp(site, backup);
  const [seen, responses] = [await soundOn(stores), await responsesOf(stores.vault)];
  await nightsOn(site, 22, 23);
  return { first, seen, responses, lastVersion: (await soundOn(stores)).pointer.version };
}

const made = (async () => {
  const [stores, backup] = [inMemory(), openMemory()];
  const facts = await fourNights(stores, backup);
  return { facts, snapshot: await snapshotOf(stores), copies: await contentOf(backup) };
})();

async function lostSite() {
  const [stores, backup] = [inMemory(), openMemory()];
  const { facts, snapshot, copies } = await made;
  await fill(stores, snapshot);
  await fill({ site: backup, vault: openMemory() }, { site: copies, vault: new Map() });
  const site = newSite(drilled, stores);
  site.setClock(day(23));
  return { site, stores, backup, ...facts };
}

test("with vault and site lost, a restore brings back the same responses, objects and public paths, above every earlier version", async () => {
  const { backup, seen, responses, lastVersion } = await lostSite();
  const stores = inMemory();
  const { site, restored, version } = await broughtBack(stores, backup, day(23));
  expect(restored).toMatchObject({ same: 0, newer: [], lost: [] });
  const again = await soundOn(stores);
  expect(again.tree).toBe(seen.tree);
  expect(await responsesOf(stores.vault)).toEqual(responses);
  expect(again.pointer.version).toBe(version);
  expect(version).toBeGreaterThan(lastVersion);
  site.setClock(day(21));
  expect(await askedOn(site, 21)).toEqual([]);
  await nightsOn(site, 22, 23);
  expect((await soundOn(stores)).pointer.version).toBeGreaterThan(version);
});

test("a snapshot of a vault that an earlier version made is refused, and nothing is written", async () => {
  const { site, stores, backup } = await lostSite();
  await stores.vault.write("marker.json", bytes("{}"), { type: "application/json" }, always);
  await backedUp(site, backup);
  const empty = inMemory();
  await expect(broughtBack(empty, backup, day(23))).rejects.toThrow(
    "layout of an earlier version of Almanac",
  );
  expect([...(await keysOf(empty.vault)), ...(await keysOf(empty.site))]).toEqual([]);
});

test("a second backup copies only new files, and none if nothing has changed", async () => {
  const { site, stores, backup, first } = await lostSite();
  expect(first.damaged).toEqual([]);
  const before = new Set((await keysOf(backup)).filter((key) => key.startsWith("copies/")));
  const calls: string[] = [];
  const told = through(backup, ({ doing, keys }, make) => {
    if (doing === "write") calls.push(...keys);
    return make();
  });
  const second = await backedUp(site, told);
  expect(second.added.files).toBeGreaterThan(0);
  const copied = calls.filter((key) => key.startsWith("copies/"));
  expect(copied).toHaveLength(second.added.files);
  expect(copied.filter((key) => before.has(key))).toEqual([]);
  expect((await backedUp(site, backup)).added).toEqual({ files: 0, bytes: 0 });
  const reads: string[] = [];
  const vault = through(stores.vault, ({ doing, keys }, make) => {
    if (doing === "read") reads.push(...keys);
    return make();
  });
  await backedUp(newSite(drilled, { ...stores, vault }), backup);
  expect(reads.filter((key) => key.startsWith("responses/"))).toEqual([]);
});

test("with only the vault lost, the newer site stops every publish until an operator accepts it", async () => {
  const keys = generateKeyPairSync("ed25519");
  const publicKeys = [publicHalf(keys.publicKey)];
  const configuration = { ...drilled, publishing: { unusualShare: 0.5, publicKeys } };
  const stores = inMemory();
  const site = newSite(configuration, stores);
  const signing = { ...site.publishing, signer: keys.privateKey };
  const night = async (date: number) => {
    site.setClock(day(date));
    await site.gather(`2026-11-${date}`, `2026-11-${date + 1}`);
    await publish({ run: "almanac-nightly", asOf: day(date), languages: ["en", "hi"] }, signing);
  };
  const backup = openMemory();
  await night(20);
  await backedUp(site, backup);
  await night(21);
  await night(22);
  const seen = await shownOn(stores);
  const empty = { site: stores.site, vault: openMemory() };
  const restoring = { ...newSite(configuration, empty).publishing, signer: keys.privateKey };
  const [newest] = await snapshotsIn(backup);
  if (newest === undefined) throw new Error("no snapshot");
  expect(await restore(restoring, backup, await readSnapshot(backup, newest))).toMatchObject({
    site: 0,
    lost: [],
  });
  const { refusal } = await lookAtSite(restoring);
  expect(refusal?.message).toContain(`repair --accept ${seen.pointer.manifest}`);
  await acceptState(restoring, seen.pointer.manifest, { by: "editor" });
  await repair(restoring, false);
  const again = await shownOn(empty);
  expect(again.pointer).toMatchObject({ manifest: seen.pointer.manifest, version: seen.pointer.version });
  const later = newSite(configuration, empty);
  later.setClock(day(23));
  await later.gather("2026-11-21", "2026-11-24");
  await publish(
    { run: "almanac-nightly", asOf: day(23), languages: ["en", "hi"] },
    { ...later.publishing, signer: keys.privateKey },
  );
  expect((await shownOn(empty)).pointer.version).toBeGreaterThan(seen.pointer.version);
});

test("with only the site lost, it comes back under a version above all that the vault knows", async () => {
  const { stores, backup, lastVersion } = await lostSite();
  const left = { vault: stores.vault, site: openMemory() };
  const { site, restored, version } = await broughtBack(left, backup, day(23));
  expect(restored).toMatchObject({ vault: 0, lost: [] });
  expect(version).toBeGreaterThan(lastVersion);
  await shownOn(left);
  await site.publishDue();
  const before = await soundOn(stores);
  expect([...(await shownOn(left)).files.keys()].sort()).toEqual([...before.files.keys()].sort());
});

test(
  "a restore interrupted at any write can be run again, with the same result",
  { timeout: 600_000 },
  async () => {
    const { backup, seen, responses, lastVersion } = await lostSite();
    let writes = 0;
    let copied = 0; // after the copy of the manifest in the vault
    const counted = (stores: Stores, dieAt: number) => {
      const around = <Answer>({ doing, keys }: Call, make: () => Promise<Answer>): Promise<Answer> => {
        if (doing === "write" || doing === "remove") writes += 1;
        if (doing === "write" && keys[0]?.startsWith("sites/almanac/manifests/")) copied ||= writes;
        if (writes > dieAt) throw new Error("killed");
        return make();
      };
      const dying = (store: Store) => through(store, around);
      return { site: dying(stores.site), vault: dying(stores.vault) };
    };
    await broughtBack(inMemory(), backup, day(23), (stores) => counted(stores, Infinity));
    const all = writes;
    const step = deep ? 1 : Math.ceil(all / 12);
    let held = 0;
    const sampled = Array.from({ length: Math.ceil(all / step) }, (_, index) => index * step);
    for (const dieAt of [...sampled, copied]) {
      const stores = inMemory();
      writes = 0;
      const killed = broughtBack(stores, backup, day(23), (same) => counted(same, dieAt));
      await expect(killed).rejects.toThrow("killed");
      const { version, restored } = await broughtBack(stores, backup, day(23));
      expect(restored, `after ${dieAt} writes`).toMatchObject({ newer: [], lost: [] });
      const again = await soundOn(stores);
      expect(again.tree).toBe(seen.tree);
      expect(await responsesOf(stores.vault)).toEqual(responses);
      expect(version).toBeGreaterThan(lastVersion);
      held += 1;
    }
    console.log(`restore: cut off at ${held} of its ${all} writes`);
  },
);

test(
  "a backup during a worker's publishes is consistent: each snapshot restores completely",
  { timeout: 600_000 },
  async () => {
    const stores = inMemory();
    const site = newSite(drilled, stores);
    await nightsOn(site, 18);
    const backup = openMemory();
    const slow = (store: Store) =>
      through(store, async ({ doing }, make) => {
        if (doing !== "write") await new Promise((resolve) => setImmediate(resolve));
        return make();
      });
    const beside = newSite(drilled, { site: slow(stores.site), vault: slow(stores.vault) });
    beside.setClock(day(19));
    const work = { isOver: false };
    const working = nightsOn(site, 19, deep ? 25 : 21).finally(() => (work.isOver = true));
    const versions: number[] = [];
    while (!work.isOver) {
      const { snapshot } = await backedUp(beside, backup);
      versions.push(snapshot.version);
      const restored = inMemory();
      const { version } = await broughtBack(restored, backup, day(26));
      const seen = await soundOn(restored);
      expect(version).toBeGreaterThan(snapshot.version);
      expect(await wrongPaths(restored.site, seen)).toEqual([]);
      expect((await checkSnapshot(backup, snapshot, 30)).lost).toEqual([]);
    }
    await working;
    expect(versions.length).toBeGreaterThan(0);
  },
);

test("a backup during a publish names the state that the site has at its end", async () => {
  const { site, stores, backup, lastVersion } = await lostSite();
  let published = false;
  const publishing = {
    ...site.publishing,
    vault: createVault(
      through(stores.vault, async ({ doing, keys }, make) => {
        const isCopying = doing === "list" && keys[0] === "";
        if (isCopying && !published) {
          published = true;
          await nightsOn(site, 24);
        }
        return make();
      }),
      "almanac",
    ),
  };
  const { snapshot } = await backUp(publishing, backup, 30);
  const now = await shownOn(stores);
  expect(published, "a night was published while the vault was copied").toBe(true);
  expect(now.pointer.version).toBeGreaterThan(lastVersion);
  expect(snapshot).toMatchObject({ version: now.pointer.version, state: now.pointer.manifest });
});

test("a damaged file never replaces a good copy, and a damaged copy is reported and not restored", async () => {
  const { site, stores, backup, seen } = await lostSite();
  const [response = ""] = await keysOf(stores.vault, "responses/");
  const [[path, { object: hash }] = ["", { object: "" }]] = seen.files;
  const object = objectPath(hash, path);
  const good = (await stores.vault.read(response))?.body;
  await damage(stores.vault, response);
  const fresh = openMemory();
  await damage(stores.site, object);
  expect((await backedUp(site, fresh)).damaged).toEqual([response, object].sort());
  expect((await backedUp(site, backup)).damaged).toEqual([response]);
  const restored = inMemory();
  await broughtBack(restored, backup, day(23));
  expect((await restored.vault.read(response))?.body).toEqual(good);

  const newest = (await snapshotsIn(backup)).at(-1);
  if (newest === undefined) throw new Error("no snapshot");
  const snapshot = await readSnapshot(backup, newest);
  await damage(backup, `copies/${hash.slice(0, 2)}/${hash}.bin`);
  const { lost } = await checkSnapshot(backup, snapshot, 30);
  expect(lost).toMatchObject([{ path: object, reason: expect.stringContaining("is damaged") }]);
  const partly = newSite(drilled, inMemory());
  expect((await restore(partly.publishing, backup, snapshot)).lost).toMatchObject([{ path: object }]);
  expect(await partly.site.read(object)).toBeUndefined();
});

test("a restore keeps readable files of the vault, and replaces damaged ones", async () => {
  const { site, stores, backup, responses } = await lostSite();
  const [kept = "", hurt = ""] = responses.keys();
  const other = await site.keep(kept.slice("responses/".length, -".json".length), "Other words.");
  await damage(stores.vault, hurt);
  const [first] = await snapshotsIn(backup);
  if (first === undefined) throw new Error("no snapshot");
  const told = await restore(site.publishing, backup, await readSnapshot(backup, first));
  expect(told).toMatchObject({ vault: 1, site: 0, lost: [] });
  expect(told.newer).toContain(kept);
  expect((await site.publishing.vault.response(other.key))?.body).toBe(other.body);
  expect((await stores.vault.read(hurt))?.body).toEqual(responses.get(hurt));
});

test("a backup belongs to one site, and excludes files that only runs need", async () => {
  const backup = openMemory();
  await claimBackup(backup, "one");
  await claimBackup(backup, "one");
  await expect(claimBackup(backup, "other")).rejects.toThrow('this is the backup of the site "one"');
  const { stores, site } = await lostSite();
  for (const key of [
    "leases/english.json",
    "sites/almanac/plans/a.json",
    "endpoints/english.json",
    "sites/almanac/record/1.json",
    "sites/almanac/upkeep.json",
    "sites/other/runs/a.json",
    "damaged/daily/a.json",
  ])
    await damage(stores.vault, key);
  expect((await backedUp(site, backup)).damaged).toEqual([]);
});

test("a backup works the same on a folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "almanac-drill-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const at = (name: string) => openFolder(join(folder, name));
  const backup = at("backup");
  const before = { site: at("site"), vault: at("vault") };
  const { seen, responses, lastVersion } = await fourNights(before, backup);
  const stores = { site: at("new-site"), vault: at("new-vault") };
  const { version } = await broughtBack(stores, backup, day(23));
  expect((await soundOn(stores)).tree).toBe(seen.tree);
  expect(await responsesOf(stores.vault)).toEqual(responses);
  expect(version).toBeGreaterThan(lastVersion);
  expect((await contentOf(backup)).size).toBeGreaterThan(50);
  for (const [path, object] of await newSite(drilled, stores).paths()) {
    const names = [path, objectPath(object, path)].map((key) => stat(join(folder, "new-site", key)));
    expect(new Set((await Promise.all(names)).map(({ ino }) => ino)).size, path).toBe(1);
  }
});
