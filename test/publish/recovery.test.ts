// Recovery by the next owner of the site's lease after a publish that stopped anywhere: each row of the table in
// publish/step/site-owner.ts, and every call of a publish and of a recovery, whose last write may arrive late.
import { expect, test } from "vitest";
import { pointerPath } from "../../publish/state/state.ts";
import { RecordMoved } from "../../publish/step/record.ts";
import { recover } from "../../publish/step/site-owner.ts";
import { lookAtSite } from "../../publish/step/site-state.ts";
import { always, type Store } from "../../store/store.ts";
import {
  contentOf,
  damage,
  fill,
  inMemory,
  type Snapshot,
  snapshotOf,
  type Stores,
  through,
} from "../support/stores.ts";
import { placeOf, publishAll, SixSteps, type Step, steps } from "./support/six-steps.ts";

const unreleased = { epoch: 7, wasReleased: false };
const released = { epoch: 7, wasReleased: true };

/** A site after so many publishes. */
async function siteAfter(publishes: number): Promise<Stores> {
  const stores = inMemory();
  await publishAll(placeOf(stores), ...Array.from({ length: publishes }, (_, at) => `run ${at + 1}`));
  return stores;
}

async function lookAt(stores: Stores) {
  const { judgement, pointer, record } = await lookAtSite(placeOf(stores));
  const { value } = record;
  const versionOf = (one: { readonly version: number } | null) => one?.version;
  return {
    judgement,
    pointer: pointer?.version,
    current: versionOf(value.current),
    pending: versionOf(value.pending),
    written: versionOf(value.written),
    partly: value.partlyWritten.length,
    dropped: value.dropped.map(({ version }) => version),
    states: value.states.map(({ version }) => version),
    unclean: value.unclean.length,
    epoch: value.epoch,
  };
}

const upTo = (last: Step) => steps.slice(0, steps.indexOf(last) + 1);

const rows: readonly {
  readonly row: string;
  readonly publishes?: number;
  readonly done: readonly Step[];
  readonly lease?: typeof unreleased;
  readonly leads: Partial<Awaited<ReturnType<typeof lookAt>>>;
}[] = [
  {
    row: "objects and manifest only: nothing is to be done, and what may come late is noted",
    done: ["manifest"],
    leads: { pointer: 2, current: 2, pending: undefined, dropped: [], unclean: 1, epoch: 7 },
  },
  {
    row: "the same, released: nothing is written at all",
    done: ["manifest"],
    lease: released,
    leads: { pointer: 2, current: 2, dropped: [], unclean: 0, epoch: 1 },
  },
  {
    row: "pending, and the pointer names current: pending is dropped",
    done: upTo("pending"),
    leads: { pointer: 2, current: 2, pending: undefined, dropped: [3], states: [2, 1] },
  },
  {
    row: "pending, and the pointer names it: the publish is finished",
    done: upTo("pointer"),
    leads: { pointer: 3, current: 3, pending: undefined, written: 2, dropped: [], states: [3, 2, 1] },
  },
  {
    row: "current, and the paths not written",
    done: upTo("current"),
    leads: { pointer: 3, current: 3, written: 2, partly: 0 },
  },
  { row: "all steps", done: steps, leads: { pointer: 3, current: 3, written: 3, partly: 0, unclean: 1 } },
  {
    row: "all steps, released",
    done: steps,
    lease: released,
    leads: { pointer: 3, written: 3, unclean: 0 },
  },
  {
    row: "the first publish before its pointer: there is nothing to rewrite",
    publishes: 0,
    done: upTo("pending"),
    leads: { judgement: "nothing", pointer: undefined, current: undefined, pending: undefined, dropped: [1] },
  },
  {
    row: "the first publish at its pointer",
    publishes: 0,
    done: upTo("pointer"),
    leads: { pointer: 1, current: 1, written: undefined, states: [1] },
  },
];

test.each(rows)("$row", async ({ publishes = 2, done, lease = unreleased, leads }) => {
  const stores = await siteAfter(publishes);
  const publisher = await SixSteps.begin(placeOf(stores), "dies");
  await publisher.do(...done);
  await recover(placeOf(stores), lease);
  expect(await lookAt(stores)).toMatchObject(leads);
  const [next] = await publishAll(placeOf(stores), "next");
  expect(next?.version).toBe(done.includes("pending") ? publishes + 2 : publishes + 1);
});

test("in 5, and the next operation publishes first: the paths may show two states", async () => {
  const stores = await siteAfter(2);
  const dead = await SixSteps.begin(placeOf(stores), "dies");
  await dead.do(...upTo("current"));
  const next = await SixSteps.begin(placeOf(stores), "next", unreleased);
  await next.do(...upTo("current"));
  expect(await lookAt(stores)).toMatchObject({ current: 4, written: 2, partly: 1 });
  await next.do("paths", "written");
  expect(await lookAt(stores)).toMatchObject({ current: 4, written: 4, partly: 0 });
});

test("a stalled publisher's pointer is refused after a rewrite of the pointer, even if the clock does not advance", async () => {
  const stores = await siteAfter(2);
  const place = placeOf(stores);
  const stalled = await SixSteps.begin(place, "stalls");
  await stalled.do(...upTo("pending"));
  // After two rewrites, the second must not restore the bytes that the stalled publisher expects.
  for (const run of ["a", "b"]) {
    const other = await SixSteps.begin(place, run, unreleased);
    await expect(stalled.do("pointer")).rejects.toThrow("the pointer moved");
    await other.do(...upTo("pending"));
  }
  await recover(place, unreleased);
  await expect(stalled.do("pointer")).rejects.toThrow("the pointer moved");
  await expect(stalled.do("current")).rejects.toThrow("has its lease now");
  expect(await lookAt(stores)).toMatchObject({ judgement: "current", pointer: 2, dropped: [5, 4, 3] });
});

test("a first publish whose pointer arrives late is current if nothing was published since", async () => {
  const stores = await siteAfter(0);
  const place = placeOf(stores);
  const stalled = await SixSteps.begin(place, "stalls");
  await stalled.do(...upTo("pending"));
  const waiting = await SixSteps.begin(place, "next", unreleased);
  await waiting.do(...upTo("pending"));
  await stalled.do("pointer");
  expect(await lookAt(stores)).toMatchObject({ judgement: "late", pointer: 1 });
  await recover(place, { epoch: 8, wasReleased: false });
  expect(await lookAt(stores)).toMatchObject({
    judgement: "current",
    pointer: 1,
    current: 1,
    pending: undefined,
    dropped: [2],
    states: [1],
  });
  await expect(waiting.do("pointer")).rejects.toThrow("the pointer moved");
});

test("a late pointer in a store without conditional writes gives way to later publishes", async () => {
  const stores = await siteAfter(2);
  const place = placeOf(stores);
  const stalled = await SixSteps.begin(place, "stalls");
  await stalled.do(...upTo("pending"));
  await publishAll(place, "next");
  const late = { ...stalled.found.pointer, manifest: stalled.next.manifest, version: 3 };
  await stores.site.write(pointerPath, Buffer.from(JSON.stringify(late)), { type: "" }, always);
  expect(await lookAt(stores)).toMatchObject({ judgement: "late", current: 4 });
  await recover(place, unreleased);
  expect(await lookAt(stores)).toMatchObject({
    judgement: "current",
    pointer: 4,
    current: 4,
    states: [4, 2, 1],
  });
});

test("an emptied site has no state, but its versions stay used", async () => {
  const stores = await siteAfter(2);
  for (const key of (await contentOf(stores.site)).keys()) await stores.site.remove([key]);
  await recover(placeOf(stores), released);
  expect(await lookAt(stores)).toMatchObject({
    judgement: "nothing",
    current: undefined,
    written: undefined,
  });
  const [next] = await publishAll(placeOf(stores), "again");
  expect(next?.version).toBe(3);
  expect(await lookAt(stores)).toMatchObject({
    judgement: "current",
    current: 3,
    written: 3,
    states: [3, 2, 1],
  });
});

test("a damaged copy is written again; after a release no write may arrive late", async () => {
  const stores = await siteAfter(2);
  await damage(stores.vault, "sites/almanac/record/2.json");
  await recover(placeOf(stores), released);
  expect(await lookAt(stores)).toMatchObject({ unclean: 0, epoch: 7 });
  expect((await lookAtSite(placeOf(stores))).record.isWhole).toBe(true);
});

test("a clean-up that was not released may still remove objects, and a publisher may still write paths", async () => {
  const stores = await siteAfter(2);
  const cleaning = await SixSteps.begin(placeOf(stores), "gc");
  await cleaning.record.note((record) => ({ ...record, removing: "v1/objects/a" }));
  const { record } = await recover(placeOf(stores), unreleased);
  const [entry] = record.value.unclean;
  expect(entry).toMatchObject({ prefix: "v1/objects/a", states: [record.value.current?.manifest] });
  expect(record.value.removing).toBeNull();
});

type Late = (to: Stores) => Promise<unknown>;

/** Both stores, with something done before each call. It is given the write or removal that the call is, to be made later. */
function withCalls(stores: Stores, before: (what: string, late: Late | undefined) => Promise<void>): Stores {
  const seen = (name: "site" | "vault"): Store => {
    const store = stores[name];
    return {
      ...through(store, async ({ doing, keys }, make) => {
        await before(`${doing} ${name} ${keys.join()}`, undefined);
        return make();
      }),
      async write(key, ...put) {
        await before(`write ${name} ${key}`, (to) => to[name].write(key, ...put));
        return store.write(key, ...put);
      },
      async remove(keys) {
        await before(`remove ${name} ${keys.join()}`, (to) => to[name].remove(keys));
        return store.remove(keys);
      },
    };
  };
  return { site: seen("site"), vault: seen("vault") };
}

async function copyOf(snapshot: Snapshot): Promise<Stores> {
  const stores = inMemory();
  await fill(stores, snapshot);
  return stores;
}

interface Death {
  readonly where: string;
  readonly left: Snapshot;
  /** The write that was not done. */
  readonly late: Late | undefined;
}

/** Does the work, killed before each of its calls. */
async function deathsOf(before: Snapshot, work: (stores: Stores) => Promise<unknown>): Promise<Death[]> {
  const deaths: Death[] = [];
  for (let at = 1; ; at += 1) {
    const stores = await copyOf(before);
    let count = 0;
    const struck: Omit<Death, "left">[] = [];
    const dying = withCalls(stores, async (what, late) => {
      count += 1;
      if (count < at) return;
      struck.push({ where: `call ${at} (${what})`, late });
      throw new Error("killed");
    });
    await work(dying).catch((error: unknown) => {
      if (String(error) !== "Error: killed") throw error;
    });
    const [first] = struck;
    if (first === undefined) return deaths;
    deaths.push({ ...first, left: await snapshotOf(stores) });
  }
}

async function publishOnce(stores: Stores): Promise<void> {
  const publisher = await SixSteps.begin(placeOf(stores), "dies", { epoch: 5, wasReleased: false });
  await publisher.do(...steps);
}

const recoverOnce = (stores: Stores) => recover(placeOf(stores), unreleased);

/** Invariants after a recovery, and after the next publish. */
async function requireSound(stores: Stores, where: string): Promise<void> {
  const { judgement, pointer, current, pending, states, dropped } = await lookAt(stores);
  const isAgreed = judgement === (pointer === undefined ? "nothing" : "current") && pointer === current;
  expect({ where, judgement, pointer, current, pending, isAgreed }).toMatchObject({
    where,
    pending: undefined,
    isAgreed: true,
  });
  const used = [...states, ...dropped];
  const [next] = await publishAll(placeOf(stores), "next");
  expect({ where, isNew: used.every((version) => version < (next?.version ?? 0)) }).toEqual({
    where,
    isNew: true,
  });
  expect(await lookAt(stores)).toMatchObject({ judgement: "current", current: next?.version, partly: 0 });
}

test.each([0, 1, 2])(
  "after %i publishes, wherever a publish and its recovery die, the next owner continues",
  async (publishes) => {
    const deaths = await deathsOf(await snapshotOf(await siteAfter(publishes)), publishOnce);
    expect(deaths.length).toBeGreaterThan(10);
    for (const { where, left, late } of deaths) {
      for (const again of await deathsOf(left, recoverOnce)) {
        const stores = await copyOf(again.left);
        await recover(placeOf(stores), { epoch: 8, wasReleased: false });
        const what = `${where}, then ${again.where} of the recovery`;
        // A first publish has no pointer to rewrite: its pointer may still come, and is ours then.
        if (publishes > 0 && where.includes(pointerPath)) {
          const before = await stores.site.read(pointerPath);
          await late?.(stores);
          expect({ what, pointer: await stores.site.read(pointerPath) }).toEqual({ what, pointer: before });
        }
        await requireSound(stores, what);
      }
    }
  },
);

test.each([0, 1, 2])(
  "after %i publishes, whatever write of a dead publisher arrives during a recovery or after it, no state is foreign",
  async (publishes) => {
    const deaths = await deathsOf(await snapshotOf(await siteAfter(publishes)), publishOnce);
    for (const { where, left, late } of deaths) {
      if (late === undefined) continue;
      const calls = (await deathsOf(left, recoverOnce)).length;
      for (let at = 0; at <= calls; at += 1) {
        const stores = await copyOf(left);
        const what = `${where}, which arrives before call ${at + 1} of the recovery`;
        let count = 0;
        const shown: number[] = [];
        const arrive = async () => {
          await late(stores);
          shown.push((await lookAt(stores)).pointer ?? 0);
        };
        const seen = withCalls(stores, async () => {
          if (count === at) await arrive();
          count += 1;
        });
        const outcome = await recoverOnce(seen).then(
          () => "done",
          (error: unknown) => (error instanceof RecordMoved ? "moved" : String(error)),
        );
        if (count <= at) await arrive();
        expect({ what, isNamed: outcome === "done" || outcome === "moved" }).toEqual({ what, isNamed: true });
        expect({ what, judgement: (await lookAt(stores)).judgement }).not.toEqual({
          what,
          judgement: "foreign",
        });
        await recover(placeOf(stores), { epoch: 8, wasReleased: true });
        // A client that has seen a version takes no older one.
        const { pointer = 0 } = await lookAt(stores);
        expect({ what, isBack: shown.some((version) => version > pointer) }).toEqual({ what, isBack: false });
        await requireSound(stores, what);
      }
    }
  },
);
