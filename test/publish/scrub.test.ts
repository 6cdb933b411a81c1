// The scrub over a small site and its vault, with shares so small that a round takes it weeks.
import { beforeAll, expect, test } from "vitest";
import { ownKey, ownOf } from "../support/places.ts";
import { type ScrubBounds, walkOn } from "../../publish/repair/scrub.ts";
import { objectPath } from "../../publish/state/state.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { type Store, StoreFailure } from "../../store/store.ts";
import { layout, siteFolders, siteLayout } from "../../vault/files.ts";
import { recordDecision, repairJournal } from "../../vault/journal.ts";
import { lastScrub, type Scrub } from "../../vault/scrub-note.ts";
import { createVault } from "../../vault/vault.ts";
import {
  damage,
  fill,
  inMemory,
  keysOf,
  type Snapshot,
  snapshotOf,
  textAt,
  through,
} from "../support/stores.ts";
import { acceptanceOf, newSite, type PublishedSite } from "./support/published-site.ts";

const leo = "daily/2026-11-20/en/daily-horoscope/leo";
const page = "hi/daily/aries/2026-11-20/index.html";
const bounds: ScrubBounds = {
  leastBytes: 0,
  mostBytes: 1e9,
  forMs: 60_000,
  againAfterMs: 0,
  signal: new AbortController().signal,
};

const settings = { operations: ["daily-horoscope", "daily-tarot"] } satisfies ConfigurationInput;
let whole: Snapshot;
beforeAll(async () => {
  const site = newSite(settings);
  await site.gather("2026-11-19", "2026-11-21");
  await site.nights("2026-11-19", "2026-11-21");
  whole = await snapshotOf({ site: site.site, vault: site.publishing.vault.store });
});

interface World {
  readonly site: PublishedSite;
  readonly vault: Store;
  /** Runs as on that day, counted from 1, with stores that may fail. */
  readonly on: (
    day: number,
    more?: Partial<ScrubBounds>,
    stores?: Partial<Record<"site" | "vault", Store>>,
  ) => Promise<Scrub>;
}

async function newWorld(): Promise<World> {
  const stores = inMemory();
  await fill(stores, whole);
  return {
    site: newSite(settings, stores),
    vault: stores.vault,
    on(day, more = {}, { site = stores.site, vault = stores.vault } = {}) {
      const now = () => new Date(Date.parse("2026-11-21T18:05:00Z") + day * 86_400_000);
      return walkOn(
        `day ${day}`,
        { ...bounds, ...more },
        { site, vault: createVault(vault, "almanac"), now },
      );
    },
  };
}

function pathsIn({ findings }: Scrub): string[] {
  return findings.map(({ store, path }) => `${store} ${path}`);
}

test("finds all damage within thirty days, reads a thirtieth a day, and copies damaged stored responses to damaged/", async () => {
  const { on, site, vault } = await newWorld();
  const object = objectPath((await site.paths()).get(page) ?? "", page);
  await damage(vault, layout.response(leo));
  await damage(vault, ownKey(siteLayout.decisions("1")));
  await damage(site.site, object);
  await site.site.remove(["en/feed.xml"]);
  const found = new Set<string>();
  const shares: number[] = [];
  for (let day = 1; day <= 30; day += 1) {
    const scrubbed = await on(day);
    for (const path of pathsIn(scrubbed)) found.add(path);
    shares.push(scrubbed.files);
  }
  const damaged = [
    `vault ${layout.response(leo)}`,
    `vault ${ownKey(siteLayout.decisions("1"))}`,
    `site ${object}`,
    "site en/feed.xml",
  ];
  expect([...found].sort()).toEqual(damaged.sort());
  const all = shares.reduce((sum, files) => sum + files, 0);
  expect(Math.max(...shares)).toBeLessThan(all / 5); // one group of the site at least
  expect(await keysOf(vault, "damaged/")).toEqual([expect.stringContaining(leo)]);
  // Repaired damage is not reported again; unrepaired damage still is.
  const { body = new Uint8Array() } = { body: whole.vault.get(layout.response(leo)) };
  await vault.write(layout.response(leo), body, { type: "" }, { kind: "always" });
  expect(pathsIn(await on(31)).sort()).toEqual(damaged.filter((one) => !one.includes(leo)).sort());
});

test("continues after any interruption, and reads nothing of its share twice", async () => {
  const { on, vault } = await newWorld();
  const reads: string[] = [];
  let left = 64;
  const facts = { doing: "read", key: "", place: "here", seen: "nothing", remedy: "wait" } as const;
  const weak = through(vault, ({ doing, keys }, make) => {
    if (doing !== "read" || keys[0] === ownKey(siteLayout.scrub)) return make();
    if (left-- < 0) return Promise.reject(new StoreFailure(facts));
    reads.push(...keys);
    return make();
  });
  const oneStep = { forMs: 0, leastBytes: 1e9 };
  await expect(async () => {
    while ((await on(1, oneStep, { vault: weak })).endedAt === undefined) continue;
  }).rejects.toThrow(StoreFailure);
  expect((await lastScrub(ownOf(vault)))?.endedAt).toBeUndefined();
  left = Infinity;
  const before = new Set(reads).size;
  let scrubbed = await on(1, oneStep, { vault: weak });
  while (scrubbed.endedAt === undefined) scrubbed = await on(1, oneStep, { vault: weak });
  expect(scrubbed.findings).toEqual([]);
  const counts = Map.groupBy(reads, (key) => key);
  const twice = [...counts.values()].filter(({ length }) => length > 1);
  expect(before).toBe(65);
  expect(twice.length).toBeLessThanOrEqual(64); // those of the step that broke off
  expect(counts.size).toBeGreaterThanOrEqual([...whole.vault.keys()].length);
  expect(await on(1, {}, { vault: weak })).toEqual(scrubbed);
});

test("writes a lost or damaged copy of a decision again, and reports a decision only if both copies are damaged", async () => {
  const { on, site, vault } = await newWorld();
  const { own } = site.publishing.vault;
  for (let each = 0; each < 3; each += 1) await recordDecision(own, acceptanceOf(leo));
  const copies = await keysOf(vault, ownKey(siteFolders.journal));
  const [lost = "", , , damaged = "", ...both] = copies;
  await vault.remove([lost]);
  for (const key of [damaged, ...both]) await damage(vault, key);
  const found = new Set<string>();
  for (let day = 1; day <= 30; day += 1) for (const path of pathsIn(await on(day))) found.add(path);
  expect([...found].sort()).toEqual(both.map((key) => `vault ${key}`));
  expect(await keysOf(vault, ownKey(siteFolders.journal))).toEqual(copies);
  const lostOne = `${both[0]?.replace("1.json", "*.json")}`;
  expect(await repairJournal(own)).toEqual({ repaired: [], lost: [lostOne] });
});

test("obeys its limit of bytes, and reports how long a round then takes", async () => {
  const { on } = await newWorld();
  const scrubbed = await on(1, { mostBytes: 60_000, leastBytes: 60_000 });
  expect(scrubbed.sizeBytes).toBeLessThan(60_000 + 64 * 5_000);
  expect(scrubbed.slowDays).toBeGreaterThan(30);
});

test("an unreachable store is no damage; a single unreadable file is reported until it can be read", async () => {
  const { on, site, vault } = await newWorld();
  const failing = (isAway: (key: string) => boolean, store: Store) =>
    through(store, ({ doing, keys: [key = ""] }, make) => {
      const facts = { doing, key, place: "here", seen: "no answer", remedy: "look at the disk" };
      return doing === "read" && isAway(key) ? Promise.reject(new StoreFailure(facts)) : make();
    });
  const away = failing(() => true, site.site);
  await expect(on(1, { leastBytes: 1e9 }, { site: away })).rejects.toThrow(StoreFailure);
  const weak = failing((key) => key === layout.response(leo), vault);
  expect((await on(2, { leastBytes: 1e9 }, { vault: weak })).findings).toEqual([
    expect.objectContaining({ path: layout.response(leo), seen: "no answer", remedy: "look at the disk" }),
  ]);
  expect(await keysOf(vault, "damaged/")).toEqual([]);
  expect((await on(3)).findings).toEqual([]);
  expect(await textAt(vault, layout.response(leo))).toBeDefined();
});
