// A clean-up beside a publish that puts again what the clean-up is about to remove: in every order of their calls that
// matter, also where the clean-up dies at any of them, the site is whole afterwards.
import { type Store, always } from "../../store/store.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cleanUpSite, planCleanUp } from "../../publish/history/clean-up.ts";
import type { PublishingPlace } from "../../publish/state/publishing-place.ts";
import { objectPath } from "../../publish/state/state.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { openMemory } from "../support/memory.ts";
import { fill, inMemory, keysOf, type Snapshot, snapshotOf, type Stores } from "../support/stores.ts";
import { Conductor } from "./support/conductor.ts";
import { follow } from "./support/look.ts";
import { Calls, Publisher } from "./support/publisher.ts";
import { newSite } from "./support/published-site.ts";
import { publishSketch } from "./support/sketch.ts";

const start = new Date("2026-11-01T21:05:00Z").getTime();
const later = new Date("2026-11-05T21:05:00Z").getTime();
const settings = { keepDays: 30, graceMs: 24 * 60 * 60_000 };
const night = { run: "night", date: "2026-11-05", languages: ["en"] } as const;

interface Before {
  readonly snapshot: Snapshot;
  /** An object of the coming night that already lies there, unused and old. */
  readonly doomed: string;
}

const plainPlace = ({ site, vault }: Stores): PublishingPlace =>
  new Publisher({ site, vault }, new Calls(), () => new Date(start)).place;

let made: Promise<Before> | undefined;
function before(): Promise<Before> {
  made ??= (async () => {
    const stores = inMemory();
    await publishSketch(plainPlace(stores), {
      run: "first",
      date: "2026-11-01",
      languages: ["en", "de", "ar"],
    });
    const held = new Set(await keysOf(stores.site, "v1/objects/"));
    const snapshot = await snapshotOf(stores);
    await publishSketch(plainPlace(stores), night);
    const doomed = (await keysOf(stores.site, "v1/objects/")).find((key) => !held.has(key));
    const stored = doomed === undefined ? undefined : await stores.site.read(doomed);
    if (doomed === undefined || stored === undefined) throw new Error("the night has no object of its own");
    return { snapshot: { ...snapshot, site: new Map([...snapshot.site, [doomed, stored.body]]) }, doomed };
  })();
  return made;
}

const sweeps = "vault site/sweeps/";
/** Of the clean-up: its list, the pointer, the look at the ages, the removal, the end of the list. */
const ofGc = new RegExp(`^(?:write ${sweeps}|read site v1/pointer.json|list site v1/objects/|remove site)`);
/** Of the publisher: its put of that object, its looks at the lists, the swap. */
const ofPublisher = (doomed: string) =>
  new RegExp(`^(?:write site ${doomed}|list ${sweeps}|read ${sweeps}|write site v1/pointer)`);

type Act = "gc" | "publisher" | "time" | "death";

interface Played {
  /** At each step, what could have been done next. */
  readonly open: readonly (readonly Act[])[];
  readonly acts: readonly Act[];
  /** Undefined when the site is whole. */
  readonly fault: string | undefined;
}

interface Circumstances {
  readonly deaths: number;
  /** How the clean-up keeps its lists; the tests of the tests change it. */
  readonly lists?: (vault: Store) => Store;
}

/** One order: the first of what can be done at each step, unless `chosen` says otherwise. */
async function play(
  chosen: readonly number[],
  { deaths, lists = (vault) => vault }: Circumstances,
): Promise<Played> {
  const { snapshot, doomed } = await before();
  let nowMs = start;
  const clock = () => new Date(nowMs);
  const stores = { site: openMemory(clock), vault: openMemory(clock) };
  await fill(stores, snapshot);
  nowMs = later;
  const conductor = new Conductor();
  let isPlanned = false;
  const cleaner = new Publisher(
    { site: stores.site, vault: lists(stores.vault) },
    new Calls(),
    clock,
    conductor.gateFor("gc", (what) => isPlanned && ofGc.test(what)),
  );
  const plan = await planCleanUp(cleaner.place, settings);
  expect(plan.removals.map(({ key }) => key)).toEqual([doomed]);
  isPlanned = true;
  const matters = ofPublisher(doomed);
  const gate = conductor.gateFor("publisher", (what) => matters.test(what));
  const publisher = new Publisher(stores, new Calls(), clock, gate);
  const runs = [
    cleaner.run((place) => cleanUpSite(place, plan)),
    publisher.run((place) => publishSketch(place, night)),
  ];
  const open: Act[][] = [];
  const acts: Act[] = [];
  let looksLeft = 1; // the publisher's wait goes by while the clean-up stands still: once is as good as often
  let deathsLeft = deaths;
  for (;;) {
    const waiting = await conductor.waiting();
    const can: Act[] = [];
    if (waiting.includes("gc")) can.push("gc");
    if (waiting.includes("publisher")) can.push("publisher");
    const sleeps = vi.getTimerCount() > 0;
    if (sleeps && (can.length === 0 || looksLeft > 0)) can.push("time");
    if (waiting.includes("gc") && deathsLeft > 0) can.push("death");
    const act = can[chosen[open.length] ?? 0];
    if (act === undefined) break;
    open.push(can);
    acts.push(act);
    switch (act) {
      case "gc":
      case "publisher":
        conductor.step(act);
        break;
      case "time":
        if (can.length === 1) nowMs += 60_000;
        else looksLeft -= 1;
        vi.advanceTimersByTime(500);
        break;
      case "death":
        deathsLeft -= 1;
        cleaner.kill();
        conductor.drop("gc");
        break;
    }
  }
  const [ofCleaner, ofPublish] = await Promise.all(runs);
  expect(ofPublish).toBe("done");
  expect(ofCleaner).toBe(acts.includes("death") ? "killed" : "done");
  const seen = await follow(stores.site).catch((error: unknown) => String(error));
  const fault = typeof seen === "string" ? seen : undefined;
  if (typeof seen === "object") expect(seen.pointer.version).toBe(2);
  return { open, acts, fault };
}

/** Every order, each once. */
async function playAll(circumstances: Circumstances): Promise<Played[]> {
  const all: Played[] = [];
  let chosen: number[] | undefined = [];
  while (chosen !== undefined) {
    const played = await play(chosen, circumstances);
    all.push(played);
    chosen = nextAfter(played, chosen);
  }
  return all;
}

/** The deepest step at which something else could have been done, and not before. */
function nextAfter({ open }: Played, chosen: readonly number[]): number[] | undefined {
  for (let step = open.length - 1; step >= 0; step -= 1) {
    const was = chosen[step] ?? 0;
    const can = open[step] ?? [];
    if (was + 1 < can.length) {
      const same = Array.from({ length: step }, (_, index) => chosen[index] ?? 0);
      return [...same, was + 1];
    }
  }
  return undefined;
}

function faultsIn(all: readonly Played[]): string[] {
  return all.flatMap(({ acts, fault }) => (fault === undefined ? [] : [`${acts.join(" ")}: ${fault}`]));
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe("a clean-up and a publish that needs what it removes", () => {
  test("end with a whole site in every order of their calls", async () => {
    const all = await playAll({ deaths: 0 });
    const orders = new Set(all.map(({ acts }) => acts.join(" ")));
    console.log(`${orders.size} orders`);
    expect(orders.size).toBe(all.length);
    expect(all.length).toBeGreaterThan(126); // of four calls of the one and five of the other
    expect(faultsIn(all)).toEqual([]);
    // In some the publisher waits, in some the clean-up finds the object young or needed.
    expect(all.some(({ acts }) => acts.includes("time"))).toBe(true);
  });

  test("end with a whole site also where the clean-up dies at any of its calls", async () => {
    const all = await playAll({ deaths: 1 });
    const died = all.filter(({ acts }) => acts.includes("death"));
    console.log(`${all.length} orders, ${died.length} with a death`);
    expect(died.length).toBeGreaterThan(100);
    expect(faultsIn(all)).toEqual([]);
  });

  test("would lose the object in some order if a list went away with its end", async () => {
    const forgetful = (vault: Store): Store => ({
      ...vault,
      async write(key, body, headers, when) {
        const isOver =
          key.startsWith("site/sweeps/") && new TextDecoder().decode(body).includes('"over": true');
        if (!isOver) return vault.write(key, body, headers, when);
        await vault.remove([key]);
        return { kind: "written", version: "" };
      },
    });
    const faults = faultsIn(await playAll({ deaths: 0, lists: forgetful }));
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.every((fault) => fault.endsWith("is not there"))).toBe(true);
  });

  test("would lose the object in some order if there were no lists", async () => {
    const silent = (vault: Store): Store => ({
      ...vault,
      write: async (key, body, headers, when) =>
        key.startsWith("site/sweeps/")
          ? { kind: "written", version: "" }
          : vault.write(key, body, headers, when),
    });
    expect(faultsIn(await playAll({ deaths: 0, lists: silent })).length).toBeGreaterThan(0);
  });
});

test("a publish that finds nothing of its own on a list does not wait", async () => {
  const stores = inMemory();
  const list = {
    format: 1,
    since: new Date(start).toISOString(),
    over: false,
    keys: ["v1/objects/other.html"],
  };
  await stores.vault.write(
    "site/sweeps/a.json",
    new TextEncoder().encode(JSON.stringify(list)),
    { type: "application/json" },
    always,
  );
  await publishSketch(plainPlace(stores), night);
  expect(vi.getTimerCount()).toBe(0);
  expect((await follow(stores.site))?.pointer.version).toBe(1);
});

test("a page that a clean-up takes after it was put is printed and put again", async () => {
  vi.useRealTimers();
  const two: ConfigurationInput = { languages: ["en", "hi"], operations: ["daily-tarot"] };
  const first = newSite(two);
  await first.gather("2026-11-21");
  await first.night();
  const page = "en/daily-tarot/index.html";
  const doomed = objectPath((await first.paths()).get(page) ?? "", page);
  const stores = inMemory();
  let taken = 0;
  const vault: Store = {
    ...stores.vault,
    async *list(prefix) {
      if (prefix === "site/sweeps/" && taken === 0) {
        taken += Number((await stores.site.read(doomed)) !== undefined);
        await stores.site.remove([doomed]);
        const list = { format: 1, since: new Date(start).toISOString(), over: true, keys: [doomed] };
        const body = new TextEncoder().encode(JSON.stringify(list));
        await stores.vault.write("site/sweeps/a.json", body, { type: "application/json" }, always);
      }
      yield* stores.vault.list(prefix);
    },
  };
  const site = newSite(two, { ...stores, vault });
  await site.gather("2026-11-21");
  await site.night();
  expect(taken).toBe(1);
  expect((await follow(stores.site))?.pointer.version).toBe(1);
  expect(await stores.site.read(doomed)).toBeDefined();
});
