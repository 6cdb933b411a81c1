// Every operation that changes a site holds the site's lease: it waits for a living owner, takes the lease over from a dead one,
// and writes nothing once it has lost the lease. Each publisher here is a separate process with a fast clock.
import { expect, test } from "vitest";
import { restore } from "../../publish/backup/restore.ts";
import { readSnapshot, snapshotsIn } from "../../publish/backup/snapshots.ts";
import { cleanUpSite, planCleanUp } from "../../publish/history/clean-up.ts";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { renderArchive } from "../../publish/archive.ts";
import { publish, publishDue } from "../../publish/publish.ts";
import { repair } from "../../publish/repair/repair.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { pointerPath, readState } from "../../publish/state/state.ts";
import { withSite } from "../../publish/step/site-owner.ts";
import { bringBack, withdraw } from "../../publish/withdraw.ts";
import type { Clock } from "../../store/clock.ts";
import { Leases } from "../../store/lease.ts";
import { always, type Store, LeaseLost } from "../../store/store.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { openMemory } from "../support/memory.ts";
import { bytes, textAt, through, watched } from "../support/stores.ts";
import { backedUp, day, drilled, nightsOn } from "./support/drill.ts";
import { forgetWritten } from "./support/commit-on.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";

const lease = "sites/almanac/lease.json";
const page = "en/daily-tarot/index.html";
const shown = "daily/2026-11-21/en/daily-tarot/reading";

/** No faster: an owner renews its lease within 20 s of its clock, and a busy machine holds a process up for a second. */
const fast = 4;
const clock: Clock = {
  monotonicMs: () => fast * performance.now(),
  wallMs: () => Date.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms / fast);
    return () => clearTimeout(timer);
  },
};

interface Process {
  readonly publishing: Publishing;
  readonly waits: string[];
  /** Keeps the process from its leases from now on, as if it stood still. */
  readonly stop: () => void;
}

/** A process of this name that publishes to the site; `site` is the store as it reaches it. */
function processOn({ publishing }: PublishedSite, where: string, site: Store = publishing.site): Process {
  let isStopped = false;
  const waits: string[] = [];
  const store = through(publishing.vault.store, async (_, make) => {
    if (isStopped) throw new Error("stopped");
    return make();
  });
  const leases = new Leases({ store, where, clock, log: publishing.log });
  const waiting = { onWait: (words: string) => void waits.push(words) };
  return { publishing: { ...publishing, site, leases, waiting }, waits, stop: () => void (isStopped = true) };
}

async function published(): Promise<PublishedSite> {
  const site = newSite(drilled);
  await nightsOn(site, 20, 21);
  return site;
}

async function entryOf(site: PublishedSite): Promise<{ state?: string; epoch?: number }> {
  return JSON.parse((await textAt(site.publishing.vault.store, lease)) ?? "{}");
}

const languages = ["en", "hi"] as const;
const night = (publishing: Publishing) =>
  publish({ run: "almanac-nightly", asOf: day(22), languages }, publishing);

/** Stops at the first write of the pointer until it is let on. */
function stoppingAtPointer(site: Store) {
  const [reached, letOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const store = through(site, async ({ doing, keys }, make) => {
    if (doing === "write" && keys[0] === pointerPath) {
      reached.resolve();
      await letOn.promise;
    }
    return make();
  });
  return { store, reached: reached.promise, letOn: letOn.resolve };
}

test("every operation holds the lease while it writes to the site, once, and releases it", async () => {
  const site = await published();
  const unheld: string[] = [];
  let what = "";
  const watchedSite = through(site.site, async ({ doing, keys }, make) => {
    const isChange = doing === "write" || doing === "remove";
    if (isChange && (await entryOf(site)).state !== "held") unheld.push(`${what}: ${doing} ${keys[0]}`);
    return make();
  });
  const { publishing } = processOn(site, "one", watchedSite);
  const backup = openMemory();
  await backedUp(site, backup);
  const name = (await snapshotsIn(backup)).at(-1);
  if (name === undefined) throw new Error("the backup has no snapshot");
  site.setClock(day(22));
  await site.gather("2026-11-22", "2026-11-23");
  const request = requestAt(shown);
  const operations: Readonly<Record<string, () => Promise<unknown>>> = {
    publish: () => night(publishing),
    turn: async () => (site.setClock(day(23)), site.gather("2026-11-23"), publishDue(publishing)),
    withdraw: () => withdraw(recordOf(shown), request, publishing),
    undo: () => bringBack(request, { by: "editor" }, publishing),
    render: () => renderArchive({ languages, evenMany: true }, publishing),
    rollback: async () => {
      const to = await chooseState(undefined, { site: site.site, now: publishing.now(), keepDays: 30 });
      return rollback({ to, evenMany: true, by: { by: "editor" } }, publishing);
    },
    repair: async () => (await site.site.remove([page]), repair(publishing, true)),
    restore: async () => (
      await site.site.remove([page]),
      restore(publishing, backup, await readSnapshot(backup, name))
    ),
    gc: async () => {
      site.setClock("2027-06-01T12:00:00Z");
      const plan = await planCleanUp(publishing, { keepDays: 1, graceMs: 0 });
      expect(plan.removals.length).toBeGreaterThan(0);
      return cleanUpSite(publishing, plan);
    },
  };
  let epoch = 0;
  for (const [operation, operate] of Object.entries(operations)) {
    what = operation;
    await operate();
    const entry = await entryOf(site);
    epoch += 1;
    expect({ operation, ...entry }).toMatchObject({ operation, state: "released", epoch });
  }
  expect(unheld).toEqual([]);
});

test("a publish with nothing to do takes no lease and writes nothing", async () => {
  const site = await published();
  const calls: string[] = [];
  const tell = (doing: string, key: string) => {
    if (doing === "write" || doing === "remove") calls.push(`${doing} ${key}`);
  };
  const { publishing } = processOn(site, "one", watched(site.site, tell));
  const vault = { ...publishing.vault, store: watched(publishing.vault.store, tell) };
  expect(await publishDue({ ...publishing, vault })).toMatchObject({
    version: 2,
    changed: 0,
    languages: [],
  });
  expect(calls).toEqual([]);
  expect(await site.publishing.vault.store.read(lease)).toBeUndefined();
});

test("a publish renews the pointer, and finishes the paths of a dead publisher, with the lease", async () => {
  const site = await published();
  const { publishing } = processOn(site, "one");
  site.setClock("2026-11-21T12:30:00Z");
  await site.site.remove([pointerPath]);
  await expect(publishDue(publishing)).rejects.toThrow("`almanac repair` restores it");
  await repair(publishing, false);
  const { epoch = 0 } = await entryOf(site);
  await forgetWritten(site.publishing);
  await publishDue(publishing);
  expect(await entryOf(site)).toMatchObject({ epoch: epoch + 1, state: "released" });
});

test("a withdrawal is noted at once, waits for the publish that is under way, and says for whom", async () => {
  const site = await published();
  site.setClock(day(22));
  await site.gather("2026-11-22", "2026-11-23");
  const gate = stoppingAtPointer(site.site);
  const publishing = night(processOn(site, "publisher", gate.store).publishing);
  await gate.reached;
  const editor = processOn(site, "editor");
  const withdrawing = withdraw(recordOf(shown), requestAt(shown), editor.publishing);
  await expect.poll(() => editor.waits.length, { interval: 5 }).toBeGreaterThan(0);
  // test/store/lease-simulation.test.ts measures the delay, in simulated time.
  expect(editor.waits[0]).toContain(
    "waiting for the lease sites/almanac/lease.json, held by publisher (publish en hi for almanac-nightly) since",
  );
  expect((await readWithheld(site.publishing.vault.own)).isWithdrawn(shown)).toBe(true);
  gate.letOn();
  const first = await publishing;
  const { version } = await withdrawing;
  expect(version).toBe(first.version + 1);
});

test("behind a publisher that died, a withdrawal begins within 90 s, and the dead one writes nothing more", async () => {
  const site = await published();
  site.setClock(day(22));
  await site.gather("2026-11-22", "2026-11-23");
  const gate = stoppingAtPointer(site.site);
  const dead = processOn(site, "dead", gate.store);
  const publishing = night(dead.publishing);
  await gate.reached;
  dead.stop();
  const beganMs = clock.monotonicMs();
  const { version } = await withdraw(recordOf(shown), requestAt(shown), processOn(site, "editor").publishing);
  expect(clock.monotonicMs() - beganMs).toBeLessThan(90_000);
  const pointer = await textAt(site.site, pointerPath);
  gate.letOn();
  await expect(publishing).rejects.toThrow(LeaseLost);
  expect(await textAt(site.site, pointerPath)).toBe(pointer);
  expect((await readState(site.site))?.manifest.version).toBe(version);
});

test("the lease is released only after the lifetime of a write that got no answer", async () => {
  const site = await published();
  const { publishing } = processOn(site, "one");
  const lifetimeMs = 1_000;
  const store: Store = {
    ...site.site,
    async write(key, body, headers, when, fence) {
      await fence?.begin(lifetimeMs);
      return site.site.write(key, body, headers, when);
    },
  };
  const put = (own: Store) => own.write("en/index.html", bytes("late"), { type: "text/html" }, always);
  const beganMs = performance.now();
  await withSite({ ...publishing, site: store }, "test", (own) => put(own.site));
  expect(performance.now() - beganMs).toBeGreaterThan(lifetimeMs - 10);
  expect(await entryOf(site)).toMatchObject({ state: "released" });
});
