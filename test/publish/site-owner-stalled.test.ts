// A process that loses the site's lease while it is frozen, at any of its calls: another one takes over, and neither the first
// one's later calls nor its late writes undo anything. The public paths are right a quarter of an hour later.
import { expect, test } from "vitest";
import { cleanUpSite, planCleanUp } from "../../publish/history/clean-up.ts";
import { repairLateWrites } from "../../publish/repair/late-writes.ts";
import { repair } from "../../publish/repair/repair.ts";
import { publish } from "../../publish/publish.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { StateRefused } from "../../publish/step/site-state.ts";
import { withSite } from "../../publish/step/site-owner.ts";
import { withdraw } from "../../publish/withdraw.ts";
import type { PublishInput } from "../../readings/run-messages.ts";
import { always, type Store } from "../../store/store.ts";
import { deep } from "../support/deep.ts";
import { fill, inMemory, type Snapshot, snapshotOf, type Stores } from "../support/stores.ts";
import { brokenPromises, follow, wrongPaths, usedTwice } from "./support/look.ts";
import { newSite, recordOf, requestAt } from "./support/published-site.ts";
import { Calls, ClockWithoutWaits, Publisher } from "./support/publisher.ts";
import { publishSketch } from "./support/sketch.ts";

const minuteMs = 60_000;
const namedErrors = ["LeaseLost", "NoResponse", "RecordMoved", "PointerMoved"];

/** Lets all calls pass until the one with this number. */
class Stall {
  readonly reached = Promise.withResolvers<string>();
  readonly continued = Promise.withResolvers<void>();
  #left: number;

  constructor(at: number) {
    this.#left = at;
  }

  readonly pass = async (what: string): Promise<void> => {
    this.#left -= 1;
    if (this.#left !== 0) return;
    this.reached.resolve(what);
    await this.continued.promise;
  };
}

/** Before: the process freezes before its call. Late: the request is in flight, and arrives when the process continues. */
type Way = "before" | "late";

/** The store, whose writes and removals are under way for so long, although the fence has let them begin. */
function delaying(name: string, store: Store, stall: Stall): Store {
  return {
    ...store,
    async write(key, body, headers, when, fence) {
      const end = await fence?.begin(5_000);
      await stall.pass(`write ${name} ${key}`);
      end?.();
      return store.write(key, body, headers, when);
    },
    async remove(keys, fence) {
      const end = await fence?.begin(5_000);
      await stall.pass(`remove ${name} ${keys.join()}`);
      end?.();
      return store.remove(keys);
    },
  };
}

interface Play {
  readonly before: Snapshot;
  readonly now: () => Date;
  readonly stalling: (place: Publishing) => Promise<unknown>;
  readonly meanwhile: (place: Publishing, stores: Stores) => Promise<unknown>;
  /** Called when the stores are filled. */
  readonly later?: () => void;
  readonly place?: (place: Publishing) => Publishing;
}

/** Undefined if the work has fewer calls. */
async function play(
  { before, now, stalling, meanwhile, place = (one) => one, later }: Play,
  way: Way,
  at: number,
) {
  const stores = inMemory(now);
  await fill(stores, before);
  later?.();
  const stall = new Stall(at);
  const isLate = way === "late";
  const seen = isLate
    ? { site: delaying("site", stores.site, stall), vault: delaying("vault", stores.vault, stall) }
    : stores;
  const clock = new ClockWithoutWaits();
  const first = new Publisher(seen, new Calls(), now, isLate ? undefined : stall.pass, clock);
  const ended = stalling(place(first.place)).then(
    () => "done",
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );
  const where = await Promise.race([stall.reached.promise, ended.then(() => undefined)]);
  if (where === undefined) return undefined;
  const others = place(new Publisher(stores, new Calls(), now).place);
  await meanwhile(others, stores);
  clock.skip(minuteMs);
  stall.continued.resolve();
  return { where, stores, others, outcome: await ended };
}

/** The publish that the schedule starts every quarter of an hour. */
async function aQuarterLater(place: Publishing): Promise<void> {
  nowMs += 16 * minuteMs;
  await withSite(place, "test", repairLateWrites);
}

async function requireRight(where: string, stores: Stores): Promise<void> {
  const seen = await follow(stores.site);
  const wrong = seen === undefined ? ["nothing"] : await wrongPaths(stores.site, seen);
  expect({ where, wrong, twice: await usedTwice(stores), broken: await brokenPromises(stores) }).toEqual({
    where,
    wrong: [],
    twice: [],
    broken: [],
  });
}

const date = "2026-11-20";
let nowMs = 0;
const start = Date.parse("2026-11-20T12:00:00.000Z");
const now = () => new Date(nowMs);
const sketch = (run: string, languages: readonly ("en" | "de" | "ar")[]) => (place: Publishing) =>
  publishSketch(place, { run, date, languages, draw: run });

async function sketchedSite(): Promise<Snapshot> {
  nowMs = start;
  const stores = inMemory(now);
  const { place } = new Publisher(stores, new Calls(), now);
  await sketch("first", ["en", "de", "ar"])(place);
  await sketch("second", ["en"])(place);
  return snapshotOf(stores);
}

test.each<Way>(["before", "late"])(
  "a publisher that stalls at any call (%s) shows nothing after another one has published",
  async (way) => {
    const before = await sketchedSite();
    let calls = 0;
    const late: string[] = [];
    for (let at = 1; ; at += 1) {
      nowMs = start;
      const [stalling, meanwhile] = [sketch("stalled", ["en", "de"]), sketch("next", ["en"])];
      const played = await play({ before, now, stalling, meanwhile }, way, at);
      if (played === undefined) break;
      calls += 1;
      const { where, stores, others, outcome } = played;
      const seen = await follow(stores.site);
      // It waits for the lease, or has released it: it has published either after the other one, or before.
      if (outcome !== "done") {
        expect(namedErrors, `${where}: ${outcome}`).toContain(outcome);
        expect(seen?.manifest.run, where).toBe("next");
      }
      if (seen !== undefined && (await wrongPaths(stores.site, seen)).length > 0) late.push(where);
      await aQuarterLater(others);
      await requireRight(where, stores);
    }
    expect(calls).toBeGreaterThan(20);
    expect(late.length > 0).toBe(way === "late");
  },
);

test.each<Way>(["before", "late"])(
  "a clean-up that stalls at any call (%s) takes no file of a later publish",
  async (way) => {
    const before = await sketchedSite();
    let removals = 0;
    for (let at = 1; ; at += 1) {
      nowMs = start;
      const later = () => void (nowMs += 40 * 24 * 60 * minuteMs);
      const cleaning = async (place: Publishing) =>
        cleanUpSite(place, await planCleanUp(place, { keepDays: 1, graceMs: 60 * minuteMs }));
      // Restores a file that nobody needs any more.
      const meanwhile = sketch("first", ["en", "de", "ar"]);
      const played = await play({ before, now, stalling: cleaning, meanwhile, later }, way, at);
      if (played === undefined) break;
      const { where, stores, others, outcome } = played;
      if (where.startsWith("remove site")) removals += 1;
      if (outcome !== "done") expect(namedErrors, `${where}: ${outcome}`).toContain(outcome);
      await aQuarterLater(others);
      await requireRight(where, stores);
    }
    expect(removals).toBe(1);
  },
);

const words = "A text that somebody complains about.";
const fresh = "A text of the night under way.";
const leo = (language: string) => `daily/2026-11-21/${language}/daily-horoscope/leo`;
const settings = { languages: ["en" as const, "hi" as const], operations: ["daily-horoscope" as const] };
const night: PublishInput = { run: "late", asOf: "2026-11-21T12:00:00Z", languages: ["en"] };

/** Published with the text in both languages; the vault has another one for English by now. */
async function siteWithText() {
  const site = newSite(settings);
  await site.gather("2026-11-18", "2026-11-21");
  for (const language of settings.languages) await site.keep(leo(language), words);
  await site.night();
  await site.keep(leo("en"), fresh);
  return { before: await snapshotOf({ site: site.site, vault: site.publishing.vault.store }), site };
}

const every = deep ? 1 : 23;

test.each<[string, Way]>([
  ["", "before"],
  ["", "late"],
  [" and somebody puts the older pointer back", "before"],
  [" and somebody puts the older pointer back", "late"],
])(
  "a text that is withdrawn while a publisher stalls%s (%s) is not published by anybody",
  async (more, way) => {
    const { before, site } = await siteWithText();
    const noon = () => new Date("2026-11-21T12:00:00Z");
    const pointer = before.site.get(pointerPath) ?? new Uint8Array();
    let points = 0;
    const every_ = way === "late" ? Math.ceil(every / 3) : every;
    for (let at = 1; ; at += every_) {
      const played = await play(
        {
          before,
          now: noon,
          place: (place) => ({ ...site.publishing, ...storesOf(place) }),
          stalling: (place) => publish(night, place),
          meanwhile: async (place, { site: store }) => {
            await withdraw(recordOf(leo("hi")), requestAt(leo("hi")), place);
            if (more !== "") await store.write(pointerPath, pointer, { type: "" }, always);
          },
        },
        way,
        at,
      );
      if (played === undefined) break;
      points += 1;
      const { where, stores, others } = played;
      if (more !== "") {
        const next = await publish(night, others).then(
          () => "done",
          (error: unknown) => error instanceof StateRefused,
        );
        // The late pointer may have come in place of the one that was put back: that one is no longer there then.
        expect([true, "done"], where).toContain(next);
        await repair(others, false);
      }
      await publish(night, others);
      const shown = newSite(settings, stores);
      expect(
        (await shown.filesWith(words)).filter((path) => path.includes("hi/")),
        where,
      ).toEqual([]);
      expect(await shown.filesWith(fresh), where).not.toEqual([]);
    }
    expect(points).toBeGreaterThan(5);
  },
);

function storesOf({ site, vault, leases }: Publishing): Pick<Publishing, "site" | "vault" | "leases"> {
  return { site, vault, leases };
}
