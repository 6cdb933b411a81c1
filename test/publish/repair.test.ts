// Repairs, their sources, and files that stay as they are. A repair during a publish is as safe as a second publish.
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { placeOn } from "../support/places.ts";
import { type Store, always } from "../../store/store.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { publish } from "../../publish/publish.ts";
import { type Repaired, repair } from "../../publish/repair/repair.ts";
import { UnusualRemoval } from "../../publish/render/leaving-paths.ts";
import { isSignedBy } from "../../publish/step/pointer.ts";
import { canonical } from "../../vault/files.ts";
import { hashed, manifestPath, objectPath, pointerPath, readState } from "../../publish/state/state.ts";
import { storeSource } from "../../publish/repair/store-source.ts";
import { documents } from "../../site/data.schema.ts";
import { verify } from "../../publish/repair/verify.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import type { Operation } from "../../readings/tables.ts";
import { addDays } from "../../readings/calendar.ts";
import { identify } from "../../vault/installation.ts";
import { createVault } from "../../vault/vault.ts";
import { openTrial } from "../../store/trial.ts";
import {
  bytes,
  contentOf,
  fill,
  inMemory,
  keysOf,
  type Snapshot,
  snapshotOf,
  textAt,
  watched,
} from "../support/stores.ts";
import { withdraw } from "../../publish/withdraw.ts";
import { newSite, recordOf, requestAt } from "./support/published-site.ts";
import { changeRecord, forgetWritten, renewOn } from "./support/commit-on.ts";
import { lookAtSite } from "../../publish/step/site-state.ts";

const json = { type: "application/json" };
const front = "en/index.html";
const dated = "en/daily/leo/2026-11-20/index.html";
const past = "v1/en/daily-tarot/2026-11-20.json";

type World = Awaited<ReturnType<typeof newWorld>>;

/** For tests that need more than one kind of page: five times as many files. */
const many = ["daily-horoscope", "daily-tarot"] as const;
const few = ["daily-tarot"] as const;
const made = new Map<string, Promise<Snapshot>>();

/** Two nights of two languages, published once a process. */
async function newWorld(operations: readonly Operation[] = many) {
  const more = { operations: [...operations], publishing: {} };
  const name = operations.join();
  const snapshot = made.get(name) ?? twoNights(more);
  made.set(name, snapshot);
  const stores = inMemory();
  await fill(stores, await snapshot);
  const site = newSite(more, stores);
  site.setClock("2026-11-21T12:00:00Z");
  const objects = await site.paths();
  const { now } = site.publishing;
  return Object.assign(site, {
    objects,
    object: (path: string) => objectPath(objects.get(path) ?? "", path),
    repair: (evenMany = false, publishing = site.publishing): Promise<Repaired> =>
      repair(publishing, evenMany),
    sound: async () => (await verify(storeSource(site.site), { publicKeys: [], now })).findings.length === 0,
  });
}

async function twoNights(more: ConfigurationInput): Promise<Snapshot> {
  const site = newSite(more);
  site.setClock("2026-11-20T12:00:00Z");
  await site.gather("2026-11-19", "2026-11-22");
  await site.night();
  site.setClock("2026-11-21T12:00:00Z");
  await site.night();
  return snapshotOf({ site: site.site, vault: site.publishing.vault.store });
}

async function hurt({ site }: World, key: string, text = "damaged"): Promise<void> {
  await site.write(key, bytes(text), json, always);
}

/** Another file's bytes, which are JSON and no marker. */
async function hurtMarker(store: Store, key: string): Promise<void> {
  await store.write(key, bytes("{}"), json, always);
}

/** `action path`, in the order of the paths. */
function deeds({ repairs }: Repaired): string[] {
  return repairs
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ deed, path }) => `${deed} ${path}`);
}

describe("repair", () => {
  test("leaves a sound site and its record unchanged", async () => {
    const world = await newWorld();
    const before = await contentOf(world.site);
    expect(await world.repair()).toEqual({ version: 2, repairs: [], lost: [], unusual: undefined });
    expect(await contentOf(world.site)).toEqual(before);
    const { written, partlyWritten } = (await lookAtSite(world.publishing)).record.value;
    expect(partlyWritten).toEqual([]);
    expect(written?.manifest).toBe((await readState(world.site))?.pointer.manifest);
  });

  test("writes missing and changed public paths, and no others", async () => {
    const world = await newWorld(few);
    await hurt(world, front);
    await world.site.remove([past]);
    const repaired = await world.repair();
    expect(deeds(repaired)).toEqual([`written ${front}`, `written ${past}`]);
    expect(repaired.repairs.find(({ path }) => path === past)?.reason).toBe("missing");
    expect(await world.sound()).toBe(true);
  });

  test.each(["vault", "site"] as const)("puts the %s's marker again by the other one", async (which) => {
    const world = await newWorld(few);
    const place = { vault: world.publishing.vault.store, site: world.site };
    const identity = await identify(placeOn(place));
    const key = (await keysOf(place[which])).find((one) => /(marker|vault)\.json$/.test(one)) ?? "";
    for (const harm of [hurtMarker, (store: Store) => store.remove([key])]) {
      await harm(place[which], key);
      expect(deeds(await world.repair())).toEqual([`restored ${key}`]);
      expect(await identify(placeOn(place))).toEqual(identity);
      expect(deeds(await world.repair())).toEqual([]);
    }
  });

  test("restores objects from public paths that still have their bytes", async () => {
    const world = await newWorld(few);
    await world.site.remove([world.object(front)]);
    await hurt(world, world.object(past));
    expect(deeds(await world.repair())).toEqual(
      [world.object(front), world.object(past)].toSorted().map((object) => `restored ${object}`),
    );
    expect(await world.sound()).toBe(true);
  });

  test("never restores an object from bytes with another hash, but renders it again", async () => {
    const world = await newWorld(few);
    await world.site.remove([world.object(front)]);
    await hurt(world, front);
    expect(deeds(await world.repair()).toSorted()).toEqual([
      `restored ${world.object(front)}`,
      `written ${front}`,
    ]);
    expect(await world.sound()).toBe(true);
  });

  test("renders objects again from the vault if no copy is left: of today, of the past, of all languages", async () => {
    const world = await newWorld();
    const paths = [
      front,
      dated,
      "v1/hi/daily/2026-11-20.json",
      "v1/en/index.json",
      "index.html",
      "en/feed.xml",
      "en/daily/leo/feed.json",
      "hi/newsletter/2026-11-20.json",
      "en/newsletter/2026-11-21/leo.txt",
      "sitemap.xml",
      "en/sitemap.xml",
      "hi/sitemap-2026-11.xml",
    ];
    await world.site.remove(paths.flatMap((path) => [path, world.object(path)]));
    const repaired = await world.repair();
    expect(repaired.lost).toEqual([]);
    const fixed = paths.flatMap((path) => [`written ${path}`, `restored ${world.object(path)}`]);
    expect(deeds(repaired).toSorted()).toEqual(fixed.toSorted());
    expect(await world.sound()).toBe(true);
  });

  test("publishes files again from the vault if the same bytes can't be made, and no others", async () => {
    const world = await newWorld(few);
    await world.keep("daily/2026-11-21/en/daily-tarot/reading", "other words");
    const page = "en/daily-tarot/index.html";
    await world.site.remove([world.object(page), page]);
    const repaired = await world.repair();
    expect(repaired).toMatchObject({ version: 3, lost: [] });
    expect(repaired.repairs.map(({ path }) => path)).toContain(page);
    expect(await textAt(world.site, page)).toContain("other words");
    expect(await world.sound()).toBe(true);
    const after = await world.paths();
    expect([...after].filter(([path, object]) => world.objects.get(path) !== object)).toHaveLength(1);
  });

  test("reports irreparable files with a remedy, and repairs all others", async () => {
    const world = await newWorld(few);
    await world.publishing.vault.store.remove(["responses/daily/2026-11-20/en/daily-tarot/reading.json"]);
    const page = "v1/en/daily-tarot/2026-11-20.json";
    await world.site.remove([world.object(page), page, world.object(front)]);
    await hurt(world, "hi/index.html");
    const repaired = await world.repair();
    expect(repaired.lost).toMatchObject([{ path: world.object(page), seen: "nothing" }]);
    expect(repaired.lost[0]?.remedy).toMatch(
      /^v1\/en\/daily-tarot\/2026-11-20.json needs it, .*`almanac restore`.*`almanac repair`.*`almanac rollback`/,
    );
    expect(deeds(repaired)).toContain("written hi/index.html");
    expect(deeds(repaired)).toContain(`restored ${world.object(front)}`);
    expect(await world.site.read(page)).toBeUndefined();
    const { findings } = await verify(storeSource(world.site), { publicKeys: [], now: world.publishing.now });
    expect(findings.map(({ path }) => path)).toEqual([page, world.object(page)].toSorted());
  });

  test("removes orphaned files under the site's own paths, and no unknown files", async () => {
    const world = await newWorld(few);
    const own = ["en/daily/leo/1999-01-01/index.html", "v1/fr/daily/latest.json"];
    const others = [
      "favicon.txt",
      "en/promotion/index.html",
      "v1/objects/notes.txt",
      `v1/objects/${"a".repeat(64)}.html`,
    ];
    for (const key of [...own, ...others]) await hurt(world, key);
    expect(deeds(await world.repair())).toEqual(own.map((path) => `removed ${path}`));
    const left = await keysOf(world.site, "");
    expect(others.filter((key) => !left.includes(key))).toEqual([]);
  });

  test("asks before it removes an unusual share of the site, and repairs the rest", async () => {
    const world = await newWorld(few);
    const orphans = Array.from(
      { length: 60 },
      (_, day) => `en/daily/leo/${addDays("1999-01-01", day)}/index.html`,
    );
    for (const key of orphans) await hurt(world, key);
    await hurt(world, front);
    const repaired = await world.repair();
    expect(repaired.unusual).toBeInstanceOf(UnusualRemoval);
    expect(repaired.unusual?.message).toContain(`60 of ${world.objects.size} files`);
    expect(deeds(repaired)).toEqual([`written ${front}`]);
    expect((await world.repair(true)).repairs).toHaveLength(60);
    expect(await world.sound()).toBe(true);
  });

  test("completes a publish that died while it wrote the public paths", async () => {
    const world = await newWorld();
    world.setClock("2026-11-22T12:00:00Z");
    let writesLeft = 20;
    const dying = watched(world.site, (call, key) => {
      if (call === "write" && key.startsWith("en/") && (writesLeft -= 1) < 0) throw new Error("killed");
    });
    const input = { run: "dying", asOf: "2026-11-22T12:00:00Z", languages: ["en", "hi"] } as const;
    await expect(publish(input, { ...world.publishing, site: dying })).rejects.toThrow("killed");
    expect(await world.sound()).toBe(false);
    const repaired = await world.repair();
    expect(repaired.version).toBe(3);
    expect(repaired.repairs.every(({ deed }) => deed === "written")).toBe(true);
    expect(await world.sound()).toBe(true);
    expect((await lookAtSite(world.publishing)).record.value).toMatchObject({
      written: { version: 3 },
      partlyWritten: [],
    });
  });

  test("restores a lost or damaged pointer to the record's current state, and signs it", async () => {
    const world = await newWorld(few);
    const before = (await readState(world.site))?.pointer;
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    for (const lose of [() => world.site.remove([pointerPath]), () => hurt(world, pointerPath, "{")]) {
      await lose();
      const repaired = await world.repair(false, { ...world.publishing, signer: privateKey });
      expect(deeds(repaired)).toEqual([`restored ${pointerPath}`]);
      const pointer = (await readState(world.site))?.pointer;
      expect(pointer).toMatchObject({ manifest: before?.manifest, version: 2 });
      expect(pointer !== undefined && isSignedBy(pointer, [publicKey])).toBe(true);
    }
    expect(await world.sound()).toBe(true);
  });

  test("rebuilds a lost part of each kind from the public paths", async () => {
    const world = await newWorld();
    const parts = Object.values((await readState(world.site))?.manifest.parts ?? {}).map(manifestPath);
    expect(parts.length).toBeGreaterThan(4);
    await world.site.remove(parts);
    expect(deeds(await world.repair())).toEqual(parts.toSorted().map((part) => `restored ${part}`));
    expect(await world.sound()).toBe(true);
  });
});

describe("repair falls back to an earlier state for parts that it can't rebuild:", () => {
  test("a part whose paths have changed is taken from the previous state, and the next publish adds the rest", async () => {
    const world = await newWorld(few);
    await world.site.remove([
      manifestPath((await readState(world.site))?.manifest.parts["en/current"] ?? ""),
    ]);
    await hurt(world, front);
    const repaired = await world.repair();
    expect(repaired.version).toBe(3);
    expect(repaired.repairs.find(({ path }) => path.startsWith("v1/manifests/"))?.reason).toMatch(
      /^lost; its pages are those of version 1 until the next publish/,
    );
    expect(await world.sound()).toBe(true);
    await world.publishDue();
    expect(await world.paths()).toEqual(world.objects);
    expect(await world.sound()).toBe(true);
  });

  test("a part with a damaged object too, whether or not that can be rebuilt", async () => {
    const world = await newWorld(few);
    const { shared = "" } = (await readState(world.site))?.manifest.parts ?? {};
    const [picture, status] = ["assets/pictures/pisces.png", "v1/status.json"];
    await world.site.remove([manifestPath(shared), "status/index.html", status, world.object(status)]);
    await world.site.write(world.object(picture), bytes("another picture"), json, always);
    await world.repair();
    expect(await world.sound()).toBe(true);
  });

  test("without bringing back a withdrawn text", async () => {
    const world = await newWorld();
    const key = "daily/2026-11-20/en/daily-horoscope/leo";
    const page = "v1/en/daily/2026-11-20/leo.json";
    await withdraw(recordOf(key), requestAt(key), world.publishing);
    expect((await world.paths()).has(page)).toBe(false);
    const { manifest } = (await readState(world.site)) ?? {};
    await world.site.remove([manifestPath(manifest?.parts["en/2026-11"] ?? "")]);
    await hurt(world, dated);
    await world.repair();
    expect(await world.sound()).toBe(true);
    const after = await world.paths();
    expect(after.has(page)).toBe(false);
    expect(after.has("v1/en/daily/2026-11-20/virgo.json")).toBe(true);
  });

  test("without today's withdrawn text, which only the current pages of the earlier state show", async () => {
    const world = await newWorld();
    const key = "daily/2026-11-21/en/daily-horoscope/leo";
    const latest = async () => documents.signs.parse(await world.json("v1/en/daily/latest.json")).readings;
    expect(await latest()).toHaveProperty("leo");
    await withdraw(recordOf(key), requestAt(key), world.publishing);
    expect(await latest()).not.toHaveProperty("leo");
    const { manifest } = (await readState(world.site)) ?? {};
    await world.site.remove([manifestPath(manifest?.parts["en/current"] ?? "")]);
    await hurt(world, front);
    await world.repair();
    expect(await latest()).not.toHaveProperty("leo");
    expect(await world.deadLinks()).toEqual([]);
    expect(await world.sound()).toBe(true);
  });

  test("but fails if the lists of dates that removing a text needs are lost", async () => {
    const world = await newWorld();
    const key = "daily/2026-11-20/en/daily-horoscope/leo";
    await withdraw(recordOf(key), requestAt(key), world.publishing);
    const { manifest } = (await readState(world.site)) ?? {};
    const objects = await world.paths();
    const lists = ["v1/en/index.json", "v1/index.json"];
    await world.site.remove([
      manifestPath(manifest?.parts["en/2026-11"] ?? ""),
      ...lists.flatMap((path) => [path, objectPath(objects.get(path) ?? "", path)]),
    ]);
    await hurt(world, dated);
    await expect(world.repair()).rejects.toThrow(/is lost|missing|not there/);
    expect((await readState(world.site))?.pointer.version).toBe(3);
  });

  test("a lost manifest is restored from the vault, or else the newest earlier state counts", async () => {
    const world = await newWorld(few);
    const { pointer, manifest } = (await readState(world.site)) ?? {};
    const root = manifestPath(pointer?.manifest ?? "");
    await world.site.remove([root]);
    expect(deeds(await world.repair())).toEqual([`restored ${root}`]);
    expect(await world.sound()).toBe(true);

    const { store } = world.publishing.vault;
    const copies = await keysOf(store, "sites/almanac/manifests/");
    await store.remove(copies);
    expect(deeds(await world.repair())).toEqual(["restored sites/almanac/manifests/"]);

    await store.remove(copies);
    await world.site.remove([root]);
    const repaired = await world.repair(true);
    expect(repaired.version).toBe(3);
    expect((await readState(world.site))?.manifest.parent).toBe(manifest?.parent);
    expect(await world.sound()).toBe(true);
    await world.night();
    expect([...(await world.paths()).keys()].sort()).toEqual([...world.objects.keys()].sort());
  });
});

describe("repair stops before it causes harm:", () => {
  test("reports that nothing was ever published", async () => {
    await expect(repair(newSite().publishing, false)).rejects.toThrow(
      "nothing to repair: this vault has never published.",
    );
  });

  test("never falls back from a state that a newer version published", async () => {
    const world = await newWorld(few);
    const { pointer, manifest } = (await readState(world.site)) ?? {};
    const newer = hashed(canonical({ ...manifest, format: 2, version: 3, parent: pointer?.manifest }));
    const current = { version: 3, manifest: newer.hash };
    await changeRecord(world.publishing.vault.own, (record) => ({ ...record, current, written: current }));
    await world.site.write(manifestPath(newer.hash), newer.bytes, json, always);
    await hurt(world, pointerPath, JSON.stringify({ ...pointer, manifest: newer.hash, version: 3 }));
    const before = await contentOf(world.site);
    await expect(world.repair()).rejects.toThrow("Use the newer Almanac that wrote it");
    expect(await contentOf(world.site)).toEqual(before);
  });
});

describe("a pointer to our state", () => {
  test("in an unknown format stops all commands, and repair continues from our last state", async () => {
    const world = await newWorld(few);
    await hurt(world, pointerPath, '{"format":2}');
    await expect(world.night()).rejects.toThrow("`almanac repair` continues from version 2");
    expect(await textAt(world.site, pointerPath)).toBe('{"format":2}');
    expect(deeds(await world.repair())).toEqual([`restored ${pointerPath}`]);
    expect(await world.sound()).toBe(true);
  });

  test("is signed again after a foreign signature; without a key, repair reports that and repairs all else", async () => {
    const world = await newWorld(few);
    const [ours, theirs] = [generateKeyPairSync("ed25519"), generateKeyPairSync("ed25519")];
    const state = await readState(world.site);
    if (state === undefined) throw new Error("nothing is published");
    await renewOn({ ...world.publishing, signer: theirs.privateKey });
    await hurt(world, front);
    const knowing = { ...world.publishing, publicKeys: [ours.publicKey] };
    const { lost } = await world.repair(false, knowing);
    expect(lost).toMatchObject([
      { path: pointerPath, remedy: expect.stringContaining("ALMANAC_SIGNING_KEY") },
    ]);
    expect(await textAt(world.site, front)).not.toBe("damaged");
    const repaired = await world.repair(false, { ...knowing, signer: ours.privateKey });
    expect(repaired).toMatchObject({ version: 2, lost: [] });
    expect(deeds(repaired)).toEqual([`written ${pointerPath}`]);
    const { pointer } = (await readState(world.site)) ?? state;
    expect(isSignedBy(pointer, [ours.publicKey])).toBe(true);
  });
});

describe("a dry run of repair", () => {
  test("reports exactly the changes of the real repair, and writes nothing", async () => {
    const world = await newWorld(few);
    const part = manifestPath((await readState(world.site))?.manifest.parts["shared"] ?? "");
    await world.site.remove([pointerPath, part, world.object(front), world.object(past), past]);
    await hurt(world, "hi/index.html");
    await hurt(world, "hi/feed.xml");
    await hurt(world, "v1/fr/index.json");
    const { vault } = world.publishing;
    const before = [await contentOf(world.site), await contentOf(vault.store)];
    const trial: Publishing = {
      ...world.publishing,
      site: openTrial(world.site),
      vault: createVault(openTrial(vault.store), "almanac"),
    };
    const told = await world.repair(false, trial);
    expect([await contentOf(world.site), await contentOf(vault.store)]).toEqual(before);
    expect(told.repairs).toHaveLength(8);
    expect(await world.repair()).toEqual(told);
    expect(await world.sound()).toBe(true);
  });
});

test("repairs a foreign pointer and a damaged part of our last state in one run", async () => {
  const world = await newWorld(few);
  const state = await readState(world.site);
  if (state === undefined) throw new Error("nothing is published");
  const { pointer, manifest } = state;
  for (const [part, hash] of Object.entries(manifest.parts)) {
    const forged = hashed(canonical({ ...manifest, version: manifest.version + 1 }));
    await world.site.write(manifestPath(forged.hash), forged.bytes, json, always);
    await world.site.write(pointerPath, canonical({ ...pointer, manifest: forged.hash }), json, always);
    await world.site.write(manifestPath(hash), bytes("{}"), json, always);
    await forgetWritten(world.publishing); // forces a write of every public path
    await world.repair();
    expect(await world.sound(), part).toBe(true);
  }
});
