// The record of a site's states outlives the loss and the damage of its copies, and no version is used twice.
import { describe, expect, test } from "vitest";
import type { PublishContext } from "../../publish/state/publish-context.ts";
import {
  becoming,
  dropping,
  listManifestCopies,
  type NamedState,
  ownRecord,
  readStateRecord,
  type StateRecord,
  siteRecord,
  withUnclean,
} from "../../publish/step/record.ts";
import { manifestPath } from "../../publish/state/state.ts";
import { recover } from "../../publish/step/site-owner.ts";
import { findBase, lookAtSite } from "../../publish/step/site-state.ts";
import {
  bytes,
  damage,
  fill,
  inMemory,
  keysOf,
  textAt,
  type Snapshot,
  snapshotOf,
  type Stores,
} from "../support/stores.ts";
import { always } from "../../store/store.ts";
import { damageOf, strike, type Times, ways } from "./support/damages.ts";
import { placeOf, publishAll, SixSteps, type Step, steps } from "./support/six-steps.ts";

const copies = ["sites/almanac/record/1.json", "sites/almanac/record/2.json"] as const;

const named = (version: number): NamedState => ({
  version,
  manifest: version.toString(16).padStart(64, "0"),
});

interface World extends Stores {
  readonly place: PublishContext;
}

function worldOf(snapshot: Snapshot): Promise<World> {
  const stores = inMemory();
  return fill(stores, snapshot).then(() => ({ ...stores, place: placeOf(stores) }));
}

/** After three publishes, and a fourth one that was killed after these steps. */
async function history(...done: readonly Step[]): Promise<{ now: Snapshot; vault: Times }> {
  const stores = inMemory();
  const place = placeOf(stores);
  const snapshots: Snapshot[] = [];
  for (const run of ["one", "two", "three"]) {
    await publishAll(place, run);
    snapshots.push(await snapshotOf(stores));
  }
  const publisher = await SixSteps.begin(place, "four");
  await publisher.do(...done);
  const now = await snapshotOf(stores);
  return { now, vault: { now: now.vault, before: snapshots.map((one) => one.vault) } };
}

/** A new owner's recovery. */
async function recovered({ place }: World) {
  const { found, record } = await recover(place, { epoch: 9, wasReleased: true });
  const { manifest } = found.pointer ?? {};
  return {
    manifest,
    judgement: found.judgement,
    isAbove: (number: number) => record.value.highest >= number,
  };
}

describe.each([0, 1, 2, 3, 4, 6])("after %i steps of a publish", (count) => {
  const done = steps.slice(0, count);

  test("damage of one copy, of both, or of a copy with a manifest copy, never changes the pointer's state", async () => {
    const past = await history(...done);
    const whole = await recovered(await worldOf(past.now));
    expect(whole.judgement).toBe("current");
    const manifests = [...past.now.vault.keys()].filter((key) => key.startsWith("sites/almanac/manifests/"));
    const some = [
      [copies[0]],
      [copies[1]],
      [...copies],
      ...manifests.flatMap((key) => copies.map((copy) => [copy, key])),
    ];
    for (const keys of some) {
      for (const first of ways) {
        for (const second of keys.length > 1 ? ways : [first]) {
          const world = await worldOf(past.now);
          for (const [at, key] of keys.entries()) {
            const one = damageOf("vault", key, at === 0 ? first : second, past.vault, 1);
            if (one !== undefined) await strike(world.vault, one);
          }
          const what = `${keys.join(" and ")}: ${first}, ${second}`;
          const { manifest, judgement, isAbove } = await recovered(world);
          // Two copies that are put back together look like a whole record, if the pointer names what they say.
          const isBack =
            count === 2 && keys[1] === copies[1] && first === second && first.startsWith("an older");
          const used = count > 1 && !isBack ? 4 : 3;
          expect({ what, manifest, judgement, isAbove: isAbove(used) }).toEqual({
            what,
            manifest: whole.manifest,
            judgement: "current",
            isAbove: true,
          });
          await publishAll(world.place, "five");
          expect(await readStateRecord(world.place, undefined)).toMatchObject({
            value: { current: { version: used + 1 }, pending: null },
            isWhole: true,
          });
        }
      }
    }
  });
});

test("if record and manifest copies are all lost, nothing is known, and the site's state counts as foreign", async () => {
  const world = await worldOf((await history()).now);
  for (const key of await keysOf(world.vault, "sites/almanac/")) await world.vault.remove([key]);
  expect(await lookAtSite(world.place)).toMatchObject({
    judgement: "foreign",
    refusal: { message: expect.stringContaining("this vault did not publish it") },
  });
});

test("a rebuilt record knows the earlier states, and nothing about the public paths", async () => {
  const world = await worldOf((await history()).now);
  const before = (await readStateRecord(world.place, undefined)).value;
  for (const key of copies) await damage(world.vault, key);
  const pointed = before.current?.manifest;
  expect((await readStateRecord(world.place, pointed)).value).toEqual({ ...before, epoch: 0, written: null });
});

test("a writer that was superseded changes nothing more", async () => {
  const { place } = await worldOf((await history()).now);
  const [late, next] = [
    ownRecord(place.vault.own, await readStateRecord(place, undefined), 4),
    ownRecord(place.vault.own, await readStateRecord(place, undefined), 5),
  ];
  await next.note((record) => record);
  await expect(late.note((record) => ({ ...record, current: null }))).rejects.toThrow("has its lease now");
  expect((await readStateRecord(place, undefined)).value).toMatchObject({
    epoch: 5,
    current: { version: 3 },
  });
});

test("the record has a bounded size, and forgets no path that may show an older state", () => {
  let record: StateRecord = { ...siteRecord.empty, written: named(1), current: named(1) };
  for (let version = 2; version < 100; version += 1) {
    record = becoming(dropping(record, [named(version + 1000)]), named(version));
    record = withUnclean(record, {
      at: "2026-11-21T12:00:00.000Z",
      states: [named(version).manifest],
      prefix: null,
    });
    const shown = new Set([record.written?.manifest, ...record.partlyWritten]);
    const before = Array.from({ length: version - 1 }, (_, at) => named(at + 1).manifest);
    const isKnown = record.written === null || before.every((manifest) => shown.has(manifest));
    expect({ version, isKnown }).toEqual({ version, isKnown: true });
  }
  expect(siteRecord.schema.parse(record)).toEqual(record);
  expect(record.states).toHaveLength(50);
  expect(record.unclean.some(({ prefix }) => prefix === "")).toBe(true);
});

test("manifest copies exist for the current state and the newest used one", async () => {
  const { place } = await worldOf((await history("manifest", "pending")).now);
  const versions = async () => (await listManifestCopies(place.vault.own)).map(({ version }) => version);
  expect(await versions()).toEqual([3, 4]);
  await recover(place, { epoch: 9, wasReleased: false });
  expect(await versions()).toEqual([3, 4]); // 4 is dropped, and not to be used again
  await publishAll(place, "five");
  expect(await versions()).toEqual([5]);
});

test("with an older record and several newer manifest copies, the newest is pending and the others may arrive late", async () => {
  const { vault, place, site } = await worldOf((await history()).now);
  const older = await snapshotOf({ site, vault });
  const [four] = await publishAll(place, "four");
  const five = await SixSteps.begin(place, "five");
  await five.do("manifest", "pending");
  for (const copy of copies) {
    const body = older.vault.get(copy);
    if (body !== undefined) await vault.write(copy, body, { type: "application/json" }, always);
  }
  const { found, record } = await recover(place, { epoch: 9, wasReleased: true });
  expect(found).toMatchObject({ judgement: "current", pointer: { manifest: four?.manifest } });
  expect(record.value).toMatchObject({ current: four, pending: null, dropped: [five.next], highest: 5 });
  await expect(five.do("pointer")).rejects.toThrow("the pointer moved");
});

test("a lost manifest is restored from a sound copy; otherwise the newest earlier state counts", async () => {
  const { vault, place, site } = await worldOf((await history()).now);
  const { value } = await readStateRecord(place, undefined);
  const [current, before] = value.states;
  if (current === undefined || before === undefined) throw new Error("three states were published");
  const path = manifestPath(current.manifest);
  const whole = await textAt(site, path);
  await site.remove([path]);
  expect((await findBase(place))?.manifest.version).toBe(3);
  expect(await textAt(site, path)).toBe(whole);

  const [copy = ""] = await keysOf(vault, "sites/almanac/manifests/");
  await site.remove([path]);
  const other = whole?.replace('"run":"three"', '"run":"thief"') ?? "";
  await vault.write(copy, bytes(other), { type: "application/json" }, always);
  await expect(findBase(place)).rejects.toThrow("and its copy in the vault are missing or damaged");
  const next = await findBase(place, { continues: true });
  expect(next).toMatchObject({ hash: before.manifest, manifest: { version: 2 }, isReplacement: true });
  for (const { manifest } of value.states) await site.remove([manifestPath(manifest)]);
  await expect(findBase(place, { continues: true })).rejects.toThrow("and all earlier manifests are lost");
});
