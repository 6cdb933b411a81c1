// The state that a publisher builds on: the one in the vault's record, even with an older vault or record, and whatever an attacker
// with write access to the site's store does to the pointer.
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { planCleanUp } from "../../publish/history/clean-up.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { acceptState } from "../../publish/repair/current-state.ts";
import { repair } from "../../publish/repair/repair.ts";
import { storeSource } from "../../publish/repair/store-source.ts";
import { verify } from "../../publish/repair/verify.ts";
import { publish, publishDue } from "../../publish/publish.ts";
import { canonical } from "../../vault/files.ts";
import type { Manifest, Pointer } from "../../site/manifest.schema.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { isSignedBy, signed } from "../../publish/step/pointer.ts";
import { hashed, manifestPath, pointerPath, readState } from "../../publish/state/state.ts";
import { findBase } from "../../publish/step/site-state.ts";
import { always, type Store } from "../../store/store.ts";
import { createVault } from "../../vault/vault.ts";
import { forgePart } from "../support/forger.ts";
import {
  bytes,
  fill,
  inMemory,
  keysOf,
  type Snapshot,
  snapshotOf,
  textAt,
  watched,
} from "../support/stores.ts";
import { usedTwice } from "./support/look.ts";
import { newSite, type PublishedSite } from "./support/published-site.ts";
import { publishSketch } from "./support/sketch.ts";

const json = { type: "application/json" };
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const theirs = generateKeyPairSync("ed25519").privateKey;
const keyed = { signer: privateKey, publicKeys: [publicKey] };
const record = ["sites/almanac/record/1.json", "sites/almanac/record/2.json"] as const;

const dates = ["2026-11-19", "2026-11-20", "2026-11-21"] as const;
let made: Promise<readonly Snapshot[]> | undefined;

/** The stores after each of three signed nights of one operation. */
async function nights(): Promise<readonly Snapshot[]> {
  const site = newSite({ operations: ["daily-tarot"], publishing: {} });
  await site.gather("2026-11-18", "2026-11-22");
  const snapshots: Snapshot[] = [];
  for (const date of dates) {
    await nightOf(site, date, { ...site.publishing, ...keyed });
    snapshots.push(await snapshotOf({ site: site.site, vault: site.publishing.vault.store }));
  }
  return snapshots;
}

async function nightOf(site: PublishedSite, date: string, place: Publishing): Promise<number> {
  site.setClock(`${date}T12:00:00Z`);
  const { languages } = place.configuration;
  return (await publish({ run: "almanac-nightly", asOf: `${date}T12:00:00Z`, languages }, place)).version;
}

type World = Awaited<ReturnType<typeof newWorld>>;

/** After the third night, or with the vault as it was after an earlier one. */
async function newWorld({ vaultAfter = 3, isKeyed = true } = {}) {
  made ??= nights();
  const snapshots = await made;
  const [site, vault] = [snapshots.at(-1)?.site ?? new Map(), snapshots[vaultAfter - 1]?.vault ?? new Map()];
  const stores = inMemory();
  await fill(stores, { site, vault });
  const published = newSite({ operations: ["daily-tarot"], publishing: {} }, stores);
  published.setClock("2026-11-21T12:00:00Z");
  const place: Publishing = { ...published.publishing, ...(isKeyed ? keyed : {}) };
  return Object.assign(published, {
    place,
    vault: stores.vault,
    own: () => findBase(place),
    pointer: async (): Promise<Pointer> => (await readState(stores.site))?.pointer ?? never(),
    nextNight: () => nightOf(published, "2026-11-22", place),
  });
}

function never(): never {
  throw new Error("nothing is published");
}

async function forget({ vault }: World, prefix: string): Promise<void> {
  await vault.remove(await keysOf(vault, prefix));
}

async function point(site: Store, pointer: Pointer): Promise<void> {
  await site.write(pointerPath, canonical(pointer), json, always);
}

/** A state of somebody else's: the tree of the first night, as a next version. */
async function forge(world: World, signer = theirs): Promise<string> {
  const { manifest, pointer } = (await readState(world.site)) ?? never();
  const parts = Object.fromEntries(Object.entries(manifest.parts).slice(1));
  const next: Manifest = { ...manifest, parent: pointer.manifest, version: pointer.version + 1, parts };
  const root = hashed(canonical(next));
  await world.site.write(manifestPath(root.hash), root.bytes, json, always);
  const { signature: _old, ...rest } = pointer;
  await point(world.site, signed({ ...rest, manifest: root.hash, version: next.version }, signer));
  return root.hash;
}

async function isSound({ site, place, vault }: World): Promise<boolean> {
  const { findings } = await verify(storeSource(site), { publicKeys: [publicKey], now: place.now });
  return findings.length === 0 && (await usedTwice({ site, vault })).length === 0;
}

/** The next night's publisher writes the pointer, and dies. */
async function dieAtPointer(world: World): Promise<void> {
  let isPointed = false;
  const site = watched(
    world.site,
    (call, key) => void (isPointed ||= call === "write" && key === pointerPath),
  );
  const vault = watched(world.vault, (call) => {
    if (isPointed && call === "write") throw new Error("killed");
  });
  const dying = { ...world.place, site, vault: createVault(vault, "almanac") };
  await expect(nightOf(world, "2026-11-22", dying)).rejects.toThrow("killed");
}

describe("a vault that is older than the site", () => {
  test("stops every publish until an operator decides which state is right", async () => {
    const world = await newWorld({ vaultAfter: 1 });
    const { manifest } = await world.pointer();
    const refused = `which is signed by this site's key, but this vault did not publish it`;
    await expect(world.nextNight()).rejects.toThrow(refused);
    await expect(publishDue(world.place)).rejects.toThrow(`\`almanac repair --accept ${manifest}\``);
    await acceptState(world.place, manifest, { by: "editor" });
    expect((await repair(world.place, false)).version).toBe(3);
    expect(await world.nextNight()).toBe(4);
  });

  test("continues from its own last state if the operator chooses that, above every version seen", async () => {
    const world = await newWorld({ vaultAfter: 1 });
    const { version } = await repair(world.place, true);
    expect(version).toBe(4);
    expect((await readState(world.site))?.manifest.run).toBe("repair");
    expect(await isSound(world)).toBe(true);
  });

  test("never accepts an unsigned or older state, or one that differs from the pointer", async () => {
    const unsigned = await newWorld({ vaultAfter: 1 });
    const hash = await forge(unsigned);
    await expect(acceptState(unsigned.place, hash, { by: "editor" })).rejects.toThrow(
      "is not signed by a key",
    );

    const older = await newWorld();
    const { manifest } = (await readState(older.site)) ?? never();
    const { signature: _old, ...rest } = await older.pointer();
    const parent = manifest.parent ?? "";
    await point(older.site, signed({ ...rest, manifest: parent, version: 2 }, privateKey));
    await expect(acceptState(older.place, parent, { by: "editor" })).rejects.toThrow(
      "is not newer than version 3",
    );
    await expect(acceptState(older.place, "a".repeat(64), { by: "editor" })).rejects.toThrow(
      `, not ${"a".repeat(64)}`,
    );

    const sound = await newWorld();
    await expect(acceptState(sound.place, parent, { by: "editor" })).rejects.toThrow(
      "there is nothing to accept",
    );
  });

  test("accepts a signed state that it does not know only after an operator confirms it", async () => {
    const world = await newWorld();
    await forget(world, "sites/almanac/");
    await expect(world.nextNight()).rejects.toThrow("--accept");
    await expect(repair(world.place, false)).rejects.toThrow("--accept");
    await acceptState(world.place, (await world.pointer()).manifest, { by: "editor" });
    await repair(world.place, false);
    expect(await world.nextNight()).toBe(4);
  });
});

describe("the pointer", () => {
  test.each<[what: string, changed: Partial<Pointer>]>([
    ["version", { version: 9_000_000_000_000_000 }],
    ["time", { expires: "2099-01-01T00:00:00.000Z" }],
    ["signature", { signature: "AAAA" }],
  ])("that names our state with another %s is written again by the publish", async (_what, changed) => {
    const world = await newWorld();
    const before = await world.pointer();
    await point(world.site, { ...before, ...changed });
    await publishDue(world.place);
    const pointer = await world.pointer();
    expect(pointer).toMatchObject({
      manifest: before.manifest,
      version: 3,
      expires: "2026-12-05T12:00:00.000Z",
    });
    expect(isSignedBy(pointer, [publicKey])).toBe(true);
    expect(await world.nextNight()).toBe(4);
  });

  test("is ours if its publisher died before it was noted as current", async () => {
    const world = await newWorld();
    await dieAtPointer(world);
    expect((await world.own())?.manifest.version).toBe(4);
    await publishDue(world.place);
    expect(await isSound(world)).toBe(true);
  });

  test.each([1, 2])("that is put back with copy %i of the record leads to no version twice", async (copy) => {
    const world = await newWorld();
    const key = record[copy - 1] ?? "";
    const [pointer, before] = [await world.pointer(), await world.vault.read(key)];
    expect(await world.nextNight()).toBe(4);
    await point(world.site, pointer);
    await world.vault.write(key, before?.body ?? new Uint8Array(), json, always);
    await expect(world.own()).rejects.toThrow("an older version of this vault");
    world.setClock("2026-11-22T13:00:00Z");
    expect((await repair(world.place, false)).version).toBe(5);
    const { languages } = world.place.configuration;
    const again = { run: "another", asOf: "2026-11-22T13:00:00Z", languages };
    expect((await publish(again, world.place)).version).toBeGreaterThanOrEqual(5);
    expect(await isSound(world)).toBe(true);
  });

  test("gives way to a version that no reader has seen if it is lost together with its notes", async () => {
    const world = await newWorld();
    const before = await Promise.all(record.map((key) => world.vault.read(key)));
    await dieAtPointer(world);
    const { manifest, version } = await world.pointer();
    expect(version).toBe(4);
    for (const [at, key] of record.entries())
      await world.vault.write(key, before[at]?.body ?? new Uint8Array(), json, always);
    for (const key of await keysOf(world.vault, "sites/almanac/manifests/")) {
      if (key.includes(`~${manifest}`)) await world.vault.write(key, bytes("damaged"), json, always);
    }
    await world.site.remove([pointerPath, manifestPath(manifest)]);
    expect((await repair(world.place, false)).version).toBe(5);
    expect((await world.pointer()).version).toBe(5);
  });

  test("that changes during a publish stops it, and nothing is built on that", async () => {
    const world = await newWorld();
    let isFirst = true;
    const site = watched(world.site, () => undefined);
    const beside: Store = {
      ...site,
      async write(key, ...put) {
        if (key === pointerPath && isFirst) {
          isFirst = false;
          await forge(world);
        }
        return site.write(key, ...put);
      },
    };
    const place = { ...world.place, site: beside };
    await expect(nightOf(world, "2026-11-22", place)).rejects.toThrow(
      "was changed during this publish by a process without",
    );
    await expect(nightOf(world, "2026-11-22", world.place)).rejects.toThrow("did not publish it");
    expect((await repair(world.place, false)).version).toBeGreaterThan(4);
    expect(await world.nextNight()).toBeGreaterThan(5);
    expect(await isSound(world)).toBe(true);
  });

  test("of a thief who has the key and writes to the site's store counts as foreign", async () => {
    const world = await newWorld();
    await forge(world, privateKey);
    await expect(world.nextNight()).rejects.toThrow(
      "which is signed by this site's key, but this vault did not publish it",
    );
    expect((await repair(world.place, false)).version).toBe(5);
    expect(await isSound(world)).toBe(true);
  });

  test("of somebody else starts no clean-up and no rollback", async () => {
    const world = await newWorld();
    const { pointer } = (await readState(world.site)) ?? never();
    const forged = await forge(world);
    const { now } = world.place;
    await expect(planCleanUp(world.place, { keepDays: 0, graceMs: 0 })).rejects.toThrow("did not publish it");
    const to = await chooseState(undefined, { site: world.site, now: now(), keepDays: 30 });
    await expect(rollback({ to, evenMany: true, by: { by: "editor" } }, world.place)).rejects.toThrow(
      "did not publish it",
    );
    const state = (await readState(world.site)) ?? never();
    await point(world.site, pointer); // ours again, but the choice is of the other's
    const choice = { hash: forged, manifest: state.manifest };
    await expect(rollback({ to: choice, evenMany: true, by: { by: "editor" } }, world.place)).rejects.toThrow(
      "is not a version before 3",
    );
  });
});

describe("a publisher checks every file that it reads against its hash:", () => {
  test("a part with a forged page stops it", async () => {
    const world = await newWorld();
    const before = await world.pointer();
    await forgePart(world.site);
    await expect(world.nextNight()).rejects.toThrow(/is damaged: .*`almanac repair`/);
    expect(await world.pointer()).toEqual(before);
  });

  test("a lost manifest is restored from the vault only if its copy is sound", async () => {
    const world = await newWorld();
    const { manifest } = await world.pointer();
    const path = manifestPath(manifest);
    const [copy = ""] = await keysOf(world.vault, "sites/almanac/manifests/");
    const kept = await textAt(world.vault, copy);
    await world.site.remove([path]);
    await world.vault.write(
      copy,
      bytes(kept?.replace("almanac-nightly", "almanac-nightlx") ?? ""),
      json,
      always,
    );
    await expect(world.own()).rejects.toThrow("and its copy in the vault are missing or damaged");
    expect(await world.site.read(path)).toBeUndefined();
    await world.vault.write(copy, bytes(kept ?? ""), json, always);
    expect((await world.own())?.manifest.version).toBe(3);
    expect(await textAt(world.site, path)).toBe(kept);
  });
});

describe("the record", () => {
  test("costs nothing if there is nothing new", async () => {
    const world = await newWorld();
    const written: string[] = [];
    const seen = (store: Store) =>
      watched(store, (call, key) => void (call === "write" && written.push(key)));
    const vault = createVault(seen(world.vault), "almanac");
    const place = { ...world.place, site: seen(world.site), vault };
    await nightOf(world, "2026-11-21", place); // the languages' standing is noted
    written.length = 0;
    await nightOf(world, "2026-11-21", place);
    await publishDue(place);
    expect(written).toEqual([]);
  });

  test("has a bounded size", async () => {
    const { site, vault } = inMemory();
    const world = newSite({}, { site, vault });
    for (let draw = 0; draw < 104; draw += 1) {
      const sketch = { run: "r", date: "2026-11-21", languages: ["en"], draw: String(draw) } as const;
      await publishSketch(world.publishing, sketch);
    }
    expect(await keysOf(vault, "sites/almanac/manifests/")).toHaveLength(1);
    expect((await keysOf(vault, "sites/almanac/record/")).length).toBe(2);
    expect((await vault.read(record[0]))?.body.length).toBeLessThan(8_000);
    expect((await findBase(world.publishing))?.manifest.version).toBe(104);
  });
});
