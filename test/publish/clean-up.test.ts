// The clean-up: what it keeps, what it removes, and what it refuses to judge.
import { describe, expect, test } from "vitest";
import { createVault } from "../../vault/vault.ts";
import { type Store, always } from "../../store/store.ts";
import {
  type FreedFiles,
  cleanUpSite,
  type CleanUpPlan,
  planCleanUp,
} from "../../publish/history/clean-up.ts";
import { keptSince, keptStates } from "../../publish/history/past-states.ts";
import type { PublishContext } from "../../publish/state/publish-context.ts";
import { manifestPath, objectPath, pointerPath, readState } from "../../publish/state/state.ts";
import { UnreadableFile } from "../../vault/files.ts";
import { openMemory } from "../support/memory.ts";
import { bytes, damage, keysOf } from "../support/stores.ts";
import { follow } from "./support/look.ts";
import { publishSketch } from "./support/sketch.ts";
import { changeRecord, forgetWritten } from "./support/commit-on.ts";
import { siteRecord } from "../../publish/step/record.ts";
import { readKept } from "../../vault/note.ts";

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const settings = { keepDays: 30, graceMs: dayMs };
const json = { type: "application/json" };

interface World {
  readonly place: PublishContext;
  readonly site: Store;
  at(instant: string): void;
  publish(date: string, draw?: string): Promise<void>;
}

/** A site whose clock, and that of its stores, a test sets. */
function newWorld(): World {
  let now = new Date("2026-09-01T21:05:00Z");
  const clock = () => now;
  const site = openMemory(clock);
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const place = {
    site,
    vault: createVault(openMemory(clock), "almanac"),
    now: clock,
    log: silent,
    fingerprint: `sha256-${"f".repeat(64)}`,
  };
  return {
    place,
    site,
    at: (instant) => void (now = new Date(instant)),
    publish: async (date, draw = "") =>
      void (await publishSketch(place, { run: date, date, languages: ["en"], draw })),
  };
}

/** One state per month, the last on 1 November. */
async function threeMonths(): Promise<World> {
  const world = newWorld();
  for (const date of ["2026-09-01", "2026-10-01", "2026-11-01"]) {
    world.at(`${date}T21:05:00Z`);
    await world.publish(date);
  }
  return world;
}

async function cleaned(
  world: World,
  more: Partial<typeof settings> = {},
): Promise<{ plan: CleanUpPlan; freed: FreedFiles }> {
  const plan = await planCleanUp(world.place, { ...settings, ...more });
  return { plan, freed: await cleanUpSite(world.place, plan) };
}

async function versionsKept({ site, place }: World, keepDays: number): Promise<number[]> {
  const pointed = (await readState(site))?.pointer.manifest ?? "";
  const versions: number[] = [];
  for await (const { manifest } of keptStates(site, pointed, keptSince(place.now(), keepDays))) {
    versions.push(manifest.version);
  }
  return versions;
}

async function inStore({ site }: World): Promise<number> {
  return [...(await keysOf(site, "v1/objects/")), ...(await keysOf(site, "v1/manifests/"))].length;
}

describe("a clean-up", () => {
  test("keeps superseded files within keepDays and the grace period, and removes files that only older states had", async () => {
    const world = await threeMonths();
    world.at("2026-11-02T21:00:00Z");
    const before = await inStore(world);
    const { plan, freed } = await cleaned(world);
    expect(plan.reached.states.map(({ manifest }) => manifest.version)).toEqual([3, 2]);
    // October's first state and its own pages, summary, parts and manifest are removed.
    expect(freed).toMatchObject({ files: plan.removals.length, spared: 0 });
    expect(plan.removals.length).toBeGreaterThan(4);
    expect(await inStore(world)).toBe(before - freed.files);
    expect(freed.bytes).toBe(plan.removals.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    expect((await follow(world.site))?.pointer.version).toBe(3);
    for (const { reason } of plan.removals) {
      expect(reason).toBe("no version since 2026-10-02 21:00 needs it, written 2026-09-01 21:05");
    }
  });

  test.each([
    ["2026-11-30T21:00:00Z", [3, 2], 30],
    ["2026-12-01T20:00:00Z", [3], 29],
  ])(
    "lets a rollback at %s go to versions %j only, and keeps those for a grace longer",
    async (now, versions, keepDays) => {
      const world = await threeMonths();
      world.at(now);
      expect(await versionsKept(world, keepDays)).toEqual(versions);
      const { plan } = await cleaned(world, { keepDays });
      expect(plan.reached.states.map(({ manifest }) => manifest.version)).toEqual([3, 2]);
    },
  );

  test("removes an earlier state after its time and the grace period, and nothing that the site shows", async () => {
    const world = await threeMonths();
    world.at("2026-12-03T21:00:00Z");
    const { plan } = await cleaned(world);
    expect(plan.reached.states.map(({ manifest }) => manifest.version)).toEqual([3]);
    expect((await follow(world.site))?.pointer.version).toBe(3);
    expect(await versionsKept(world, 365)).toEqual([3]);
    expect(await planCleanUp(world.place, settings)).toMatchObject({ removals: [], young: 0 });
  });

  test("keeps the states that the record names, for the next owner who finishes the public paths", async () => {
    const world = await threeMonths();
    const [, , oldest] = await allStates(world);
    await changeRecord(world.place.vault.own, (record) => ({ ...record, partlyWritten: [oldest ?? ""] }));
    world.at("2026-12-03T21:00:00Z");
    const plan = await planCleanUp(world.place, settings);
    expect(plan.removals.length).toBeGreaterThan(0);
    expect(plan.removals.map(({ key }) => key)).not.toContain(manifestPath(oldest ?? ""));
  });

  test("leaves young files, unknown files, and every public path", async () => {
    const world = await threeMonths();
    const old = `v1/objects/${"a".repeat(64)}.html`;
    const strangers = ["v1/objects/readme.txt", "v1/manifests/backup.json", "favicon.ico"];
    for (const key of [old, ...strangers]) await world.site.write(key, bytes("x"), json, always);
    world.at("2026-12-03T20:00:00Z");
    const young = `v1/objects/${"b".repeat(64)}.html`;
    await world.site.write(young, bytes("x"), json, always);
    world.at("2026-12-04T19:59:00Z");
    const stable = (await keysOf(world.site, "")).filter((key) => key.startsWith("en/"));
    const { plan } = await cleaned(world);
    expect(plan.young).toBe(1);
    const left = new Set(await keysOf(world.site, ""));
    expect(left.has(old)).toBe(false);
    expect([...strangers, young, ...stable].filter((key) => !left.has(key))).toEqual([]);
  });

  test("uses the server's time: a local clock one year ahead makes no file old", async () => {
    const world = await threeMonths();
    const told = { at: new Date("2026-11-02T21:00:00Z"), of: "readings.example" };
    const timeSource = { record: () => undefined, newest: async () => told, save: async () => undefined };
    world.at("2027-11-02T21:00:00Z");
    const plan = await planCleanUp({ ...world.place, timeSource }, settings);
    expect(plan.reached.states.map(({ manifest }) => manifest.version)).toEqual([3, 2]);
    expect(plan.recent).toBe(0);
  });

  test("checks every age again before it removes, and keeps files that were put since its plan", async () => {
    const world = await threeMonths();
    const key = `v1/objects/${"a".repeat(64)}.html`;
    await world.site.write(key, bytes("x"), json, always);
    world.at("2026-12-03T21:00:00Z");
    const plan = await planCleanUp(world.place, settings);
    await world.site.write(key, bytes("x"), json, always);
    const freed = await cleanUpSite(world.place, plan);
    expect(freed).toMatchObject({ spared: 1, files: plan.removals.length - 1 });
    expect(await keysOf(world.site, key)).toHaveLength(1);
  });

  test("reads the pointer again before each batch, and keeps files that a publish has needed since the plan", async () => {
    const world = await threeMonths();
    world.at("2026-12-03T21:00:00Z");
    const plan = await planCleanUp(world.place, settings);
    const [, , oldest] = await allStates(world);
    const state = await readState(world.site);
    if (state === undefined) throw new Error("nothing is published");
    // Simulates a publisher that put nothing, because it thought that everything existed.
    const current = { version: 4, manifest: oldest ?? "" };
    await changeRecord(world.place.vault.own, (record) => ({ ...record, current, written: current }));
    const pointer = { ...state.pointer, manifest: oldest, version: 4 };
    await world.site.write(pointerPath, bytes(JSON.stringify(pointer)), json, always);
    await cleanUpSite(world.place, plan);
    expect((await follow(world.site))?.manifest.version).toBe(1);
  });

  test("removes thousands of files in batches of at most 1,000, and records each batch first", async () => {
    const world = await threeMonths();
    const orphans = Array.from({ length: 3_000 }, (_, index) => {
      return `v1/objects/${((index * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0").repeat(8)}.html`;
    });
    for (const key of orphans) await world.site.write(key, bytes(key), json, always);
    world.at("2026-11-03T21:00:00Z");
    const plan = await planCleanUp(world.place, settings);
    const batches: (readonly string[])[] = [];
    const site: Store = {
      ...world.site,
      async remove(keys) {
        const { removing } = (await readKept(world.place.vault.own, siteRecord)).value;
        expect(keys.every((key) => removing !== null && key.startsWith(removing))).toBe(true);
        batches.push(keys);
        await world.site.remove(keys);
      },
    };
    const freed = await cleanUpSite({ ...world.place, site }, plan);
    expect(freed.files).toBeGreaterThan(3_000);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
    expect(batches.flat().filter((key) => orphans.includes(key))).toHaveLength(3_000);
    expect((await readKept(world.place.vault.own, siteRecord)).value.removing).toBeNull();
  });

  test("leaves an interrupted publish to a publisher, and removes nothing", async () => {
    const world = await threeMonths();
    world.at("2026-12-03T21:00:00Z");
    const plan = await planCleanUp(world.place, settings);
    await forgetWritten(world.place);
    const before = await keysOf(world.site, "");
    await expect(cleanUpSite(world.place, plan)).rejects.toThrow("a publish was interrupted");
    expect(await keysOf(world.site, "")).toEqual(before);
  });

  test("keeps a failed removal in the record, because it may still take effect", async () => {
    const world = await threeMonths();
    world.at("2026-12-03T21:00:00Z");
    const plan = await planCleanUp(world.place, settings);
    const failing: Store = { ...world.site, remove: () => Promise.reject(new Error("no answer")) };
    await expect(cleanUpSite({ ...world.place, site: failing }, plan)).rejects.toThrow("no answer");
    expect((await readKept(world.place.vault.own, siteRecord)).value.removing).toBe("v1/");
  });
});

describe("a clean-up that can't know what the site needs removes nothing:", () => {
  test("without a pointer", async () => {
    const world = await threeMonths();
    await world.site.remove([pointerPath]);
    await refuses(world, "v1/pointer.json is missing, so the needed files are unknown");
  });

  test("with a part missing, also of an earlier state", async () => {
    const world = await threeMonths();
    const [, earlier] = await allStates(world);
    const part = await partOf(world, earlier ?? "", "en/current");
    await world.site.remove([part]);
    await refuses(world, `${part}, which a kept version names for en/current, is missing`);
  });

  test("with a part damaged but still parseable", async () => {
    const world = await threeMonths();
    const part = await partOf(world, (await allStates(world))[0] ?? "", "shared");
    await world.site.write(part, bytes('{"files":{}}'), json, always);
    await refuses(world, `${part} is damaged: its hash differs from its name`);
  });

  test("with a manifest damaged", async () => {
    const world = await threeMonths();
    const [, earlier] = await allStates(world);
    await damage(world.site, manifestPath(earlier ?? ""));
    await refuses(world, `${manifestPath(earlier ?? "")} is damaged`);
  });

  async function refuses(world: World, message: string): Promise<void> {
    world.at("2026-11-20T21:00:00Z");
    const error = await planCleanUp(world.place, settings).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnreadableFile);
    expect(String(error)).toContain(message);
  }
});

async function allStates({ site }: World): Promise<string[]> {
  const hashes: string[] = [];
  const pointed = (await readState(site))?.pointer.manifest ?? "";
  for await (const { hash } of keptStates(site, pointed, new Date(0))) hashes.push(hash);
  return hashes;
}

async function partOf({ site }: World, manifest: string, name: string): Promise<string> {
  const stored = await site.read(manifestPath(manifest));
  const found = new RegExp(`"${name}":"([0-9a-f]{64})"`).exec(new TextDecoder().decode(stored?.body));
  return manifestPath(found?.[1] ?? "");
}

test("an object's path has the form that the clean-up recognizes as ours", () => {
  expect(objectPath("a".repeat(64), "en/feed.xml")).toMatch(/^v1\/objects\/[0-9a-f]{64}\.[a-z0-9]+$/);
});
