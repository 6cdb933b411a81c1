import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Store, StoreFailure } from "../../store/store.ts";
import { renderArchive } from "../../publish/archive.ts";
import {
  type RollbackTarget,
  chooseState,
  NoSuchState,
  StateNotWhole,
} from "../../publish/history/rollback-target.ts";
import { UnusualRemoval } from "../../publish/render/leaving-paths.ts";
import { rollback, type RollbackInput } from "../../publish/history/rollback.ts";
import { manifestPath, objectPath, pointerPath, readState } from "../../publish/state/state.ts";
import { allFiles, createPartReader } from "../../publish/state/parts.ts";
import { bringBack, withdraw } from "../../publish/withdraw.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { createVault } from "../../vault/vault.ts";
import type { Operation } from "../../readings/tables.ts";
import { ownPaths, passingPaths } from "../../site/paths.ts";
import { openTrial } from "../../store/trial.ts";
import { openFolder } from "../../store/folder.ts";
import { openMemory } from "../support/memory.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";
import { settings } from "../site/editions.ts";
import { contentOf, fill, inMemory, type Snapshot, snapshotOf, watched } from "../support/stores.ts";

const [before, bad, after] = ["2026-11-20", "2026-11-21", "2026-11-22"] as const;
const badPage = `en/daily/leo/${bad}/index.html`;

const made = new Map<string, Promise<Snapshot>>();

/** Published on two days, the second of which is to be rolled back. Created once, and copied for each test. */
async function twoNights(
  operations: Operation[] = ["daily-horoscope", "daily-tarot"],
): Promise<PublishedSite> {
  const name = operations.join();
  const snapshot = made.get(name) ?? makeTwoNights(operations);
  made.set(name, snapshot);
  const stores = inMemory();
  await fill(stores, await snapshot);
  const site = newSite({ operations }, stores);
  site.setClock(`${bad}T12:00:00Z`);
  return site;
}

async function makeTwoNights(operations: Operation[]): Promise<Snapshot> {
  const site = newSite({ operations });
  site.setClock(`${before}T12:00:00Z`);
  await site.gather("2026-11-19", after);
  await site.night();
  site.setClock(`${bad}T12:00:00Z`);
  await site.night();
  return snapshotOf({ site: site.site, vault: site.publishing.vault.store });
}

function choose({ publishing }: PublishedSite, wanted?: string): Promise<RollbackTarget> {
  const { site, now, configuration } = publishing;
  return chooseState(wanted, { site, now: now(), keepDays: configuration.publishing.keepDays });
}

async function back(site: PublishedSite, more: Partial<RollbackInput> & { wanted?: string } = {}) {
  const to = await choose(site, more.wanted);
  return rollback({ evenMany: false, by: { by: "editor" }, ...more, to }, site.publishing);
}

/** The paths that show these current texts: by the table, and the front page. */
function pathsWith(keys: readonly string[]): string[] {
  const showing = keys.map(requestAt).flatMap((one) => [...ownPaths(one), ...passingPaths(one, true)]);
  return [...new Set(["en/index.html", ...showing])].sort();
}

async function pinsOf({ publishing }: PublishedSite) {
  return (await readWithheld(publishing.vault.own)).note.pins;
}

describe("a rollback", () => {
  test("publishes the old tree as a new version with the same parts, and updates the public paths", async () => {
    const site = await twoNights();
    const [good, wrong] = [await choose(site), await readState(site.site)];
    const result = await back(site);
    const state = await readState(site.site);
    expect(state?.manifest).toMatchObject({
      version: 3,
      run: "rollback",
      parent: wrong?.pointer.manifest,
      parts: good.manifest.parts,
      fingerprint: good.manifest.fingerprint,
    });
    expect(result).toMatchObject({ version: 3, unusual: false });
    expect(result.changes).toContainEqual({ path: badPage, reason: "gone" });
    expect(await site.site.read(badPage)).toBeUndefined();
    for (const [path, object] of await site.paths()) {
      expect((await site.site.read(path))?.version).toBe(
        (await site.site.read(objectPath(object, path)))?.version,
      );
    }
  });

  test("of another template records what rendered the tree, so the next date is rendered with today's", async () => {
    const site = await twoNights(["daily-tarot"]);
    const renamed = site.with({ operations: ["daily-tarot"], site: { ...settings, name: "Stars" } });
    await renamed.publishDue();
    expect(await site.text("en/index.html")).toMatch(/<title>[^<]*\bStars<\/title>/);
    await back(renamed);
    expect((await readState(site.site))?.manifest.fingerprint).toBe(site.publishing.fingerprint);
    expect(await renamed.publishDue()).toBe(4);
    expect(await site.text("en/index.html")).toMatch(/<title>[^<]*\bAlmanac<\/title>/);
    site.setClock(`${after}T12:00:00Z`);
    await renamed.publishDue();
    expect(await site.text("en/index.html")).toMatch(/<title>[^<]*\bStars<\/title>/);
  });

  test("survives nights and publishes of that date; the next date is published without the rolled back sets", async () => {
    const site = await twoNights();
    await back(site);
    const rolledBack = await site.paths();
    expect([await site.night(), await site.publishDue()]).toEqual([3, 3]);
    expect(await site.paths()).toEqual(rolledBack);

    site.setClock(`${after}T12:00:00Z`);
    expect(await site.publishDue()).toBe(4);
    const paths = await site.paths();
    expect(paths.has(`en/daily/leo/${after}/index.html`)).toBe(true);
    expect(paths.has(badPage)).toBe(false);
    expect(await site.text("en/daily-tarot/index.html")).toContain(after);
    expect(await site.deadLinks()).toEqual([]);
  });

  test("pins the restored sets on later dates too, even if the vault has another text", async () => {
    const site = newSite({ operations: ["weekly-horoscope", "daily-tarot", "love-compatibility"] });
    site.setClock(`${before}T12:00:00Z`);
    await site.gather("2026-11-01", after);
    const pair = (await site.publishing.vault.held("seasonal/")).find((key) =>
      key.endsWith("en/love-compatibility/aries-leo"),
    );
    await site.night();
    const good = [
      await site.json("v1/en/weekly/latest.json"),
      await site.json("v1/en/love-compatibility/aries-leo.json"),
    ];
    const keys = ["weekly/2026-11-15/en/weekly-horoscope/leo", pair ?? ""];
    for (const key of keys) await site.keep(key, "A bad text.");
    await site.night();
    expect((await site.filesWith("A bad text.")).toSorted()).toEqual(pathsWith(keys));

    await back(site);
    site.setClock(`${bad}T12:00:00Z`);
    expect(await site.night()).toBe(4);
    expect([
      await site.json("v1/en/weekly/latest.json"),
      await site.json("v1/en/love-compatibility/aries-leo.json"),
    ]).toEqual(good);
    expect(await site.filesWith("A bad text.")).toEqual([]);
    expect(await site.text("en/love-compatibility/index.html")).toContain(
      "/en/love-compatibility/aries-leo/",
    );
    expect(await site.deadLinks()).toEqual([]);
    // The other languages are none of its business, and the next week comes as always.
    site.setClock("2026-11-22T12:00:00Z");
    await site.gather("2026-11-22");
    await site.night();
    expect(await site.json("v1/en/index.json")).toMatchObject({
      newest: { "weekly-horoscope": "2026-11-22" },
    });
  });

  test("of one language leaves the others, and the index shows each language's date", async () => {
    const site = await twoNights();
    const [was, english] = [await site.paths(), await site.json("v1/en/index.json")];
    const { pins } = await back(site, { languages: ["hi"] });
    expect(pins.map(({ language, date }) => [language, date])).toEqual([["hi", bad]]);
    for (const [path, object] of await site.paths()) {
      if (path.startsWith("en/") || path.startsWith("v1/en/"))
        expect([path, was.get(path)]).toEqual([path, object]);
    }
    expect(await site.json("v1/index.json")).toMatchObject({
      languages: [
        { language: "en", date: bad },
        { language: "hi", date: before },
      ],
    });
    expect(english).toMatchObject({ date: bad });
    expect(await site.night()).toBe(3);
  });

  test("keeps texts withdrawn that were withdrawn since", async () => {
    const site = newSite({ operations: ["daily-horoscope", "daily-tarot"] });
    const keys = ["leo", "aries"].map((sign) => `daily/${before}/en/daily-horoscope/${sign}`);
    site.setClock(`${before}T12:00:00Z`);
    await site.gather("2026-11-19", bad);
    for (const key of keys) await site.keep(key, "A text to take away.");
    await site.night();
    expect((await site.filesWith("A text to take away.")).toSorted()).toEqual(pathsWith(keys));
    site.setClock(`${bad}T12:00:00Z`);
    await site.night();
    for (const key of keys) await withdraw(recordOf(key), requestAt(key), site.publishing);
    await back(site, { wanted: "1" });
    expect(await site.filesWith("A text to take away.")).toEqual([]);
    expect(await site.text("en/daily/leo/index.html")).toContain("This text has been withdrawn.");
    expect(await site.json("v1/en/daily/latest.json")).toMatchObject({ withdrawn: ["aries", "leo"] });
    expect(await site.json("v1/en/index.json")).toMatchObject({ date: before });
    expect(await site.deadLinks()).toEqual([]);
  });

  test("that is undone removes its pins", async () => {
    const site = await twoNights();
    await back(site);
    expect((await pinsOf(site)).flatMap(({ sets }) => sets).sort()).toEqual([
      `daily-horoscope/${bad}`,
      `daily-horoscope/${bad}`,
      `daily-tarot/${bad}`,
      `daily-tarot/${bad}`,
    ]);
    site.setClock(`${bad}T13:00:00Z`);
    await back(site, { wanted: "2" });
    expect((await pinsOf(site)).map(({ language, sets }) => [language, sets])).toEqual([
      ["en", []],
      ["hi", []],
    ]);
    expect((await site.paths()).has(badPage)).toBe(true);
  });

  test("publishes nothing if the states are equal", async () => {
    const site = await twoNights();
    await back(site);
    const result = await rollback(
      { to: await choose(site, "1"), evenMany: false, by: { by: "editor" } },
      site.publishing,
    );
    expect(result).toMatchObject({ version: 3, changes: [], pins: [] });
  });

  test("checks for objects with sixteen listings, and reads only those that the site does not show", async () => {
    const site = await twoNights(["daily-tarot"]);
    const shown = new Set((await site.paths()).values());
    const calls: string[] = [];
    const dry = openTrial(
      watched(site.site, (call, key) => calls.push(`${call} ${key}`)),
      { forgets: true },
    );
    const publishing = {
      ...site.publishing,
      site: dry,
      vault: createVault(openTrial(site.publishing.vault.store, { forgets: true }), "almanac"),
    };
    const to = await choose(site);
    await rollback({ to, evenMany: false, by: { by: "editor" } }, publishing);
    const files = [...(await allFiles(createPartReader(site.site), to.manifest))];
    const unseen = files.filter(([, { object }]) => !shown.has(object));
    const needed = unseen.map(([path, { object }]) => `read ${objectPath(object, path)}`);
    expect(needed.length).toBeGreaterThan(5);
    expect(calls.filter((call) => call.startsWith("read v1/objects/")).toSorted()).toEqual(
      [...new Set(needed)].toSorted(),
    );
    expect(calls.filter((call) => call.startsWith("list v1/objects/"))).toHaveLength(16);
  });

  test("in a dry run reports its changes, and writes nothing", async () => {
    const site = await twoNights();
    const { store } = site.publishing.vault;
    const content = [await contentOf(site.site), await contentOf(store)];
    const trial = {
      ...site.publishing,
      site: openTrial(site.site, { forgets: true }),
      vault: createVault(openTrial(store, { forgets: true }), "almanac"),
    };
    const { version, changes } = await rollback(
      { to: await choose(site), evenMany: true, by: { by: "editor" } },
      trial,
    );
    expect(version).toBe(3);
    expect(changes).toContainEqual({ path: badPage, reason: "gone" });
    expect([await contentOf(site.site), await contentOf(store)]).toEqual(content);
  });
});

describe("a rollback is refused, without changes or pins,", () => {
  async function refused(
    site: PublishedSite,
    attempt: Promise<unknown>,
    why: new (...args: never[]) => Error,
  ) {
    const state = await readState(site.site);
    await expect(attempt).rejects.toThrow(why);
    expect((await readState(site.site))?.pointer).toEqual(state?.pointer);
    expect(await pinsOf(site)).toEqual([]);
  }

  test("to a state with a missing object, which it names", async () => {
    const site = await twoNights(["daily-tarot"]);
    const to = await choose(site);
    const object = await firstGone(site, to);
    await site.site.remove([object]);
    const attempt = rollback({ to, evenMany: false, by: { by: "editor" } }, site.publishing);
    await refused(site, attempt, StateNotWhole);
    await expect(attempt).rejects.toThrow(object);
  });

  test("to a state with a missing part", async () => {
    const site = await twoNights(["daily-tarot"]);
    const to = await choose(site);
    const part = to.manifest.parts["en/current"] ?? "";
    await site.site.remove([manifestPath(part)]);
    const attempt = rollback({ to, evenMany: false, by: { by: "editor" } }, site.publishing);
    await refused(site, attempt, Error);
    await expect(attempt).rejects.toThrow(part);
  });

  test("if it would remove an unusual share of the site, until an operator confirms", async () => {
    const site = (await twoNights()).with({
      publishing: { unusualShare: 0.05 },
      operations: ["daily-horoscope", "daily-tarot"],
    });
    await refused(site, back(site), UnusualRemoval);
    expect(await back(site, { evenMany: true })).toMatchObject({ version: 3, unusual: true });
  });

  test("if the conditional write is refused, and its pins are removed", async () => {
    const site = await twoNights(["daily-tarot"]);
    const failing = watched(site.site, (call, key) => {
      if (call === "write" && key === pointerPath) throw failure(key);
    });
    await refused(
      site,
      rollback(
        { to: await choose(site), evenMany: false, by: { by: "editor" } },
        { ...site.publishing, site: failing },
      ),
      StoreFailure,
    );
  });
});

test("a rollback whose response was lost stays pinned", async () => {
  const site = await twoNights(["daily-tarot"]);
  const lossy: Store = {
    ...site.site,
    async write(key, body, headers, when) {
      const written = await site.site.write(key, body, headers, when);
      if (key === pointerPath) throw failure(key);
      return written;
    },
  };
  const attempt = rollback(
    { to: await choose(site), evenMany: false, by: { by: "editor" } },
    { ...site.publishing, site: lossy },
  );
  await expect(attempt).rejects.toThrow(StoreFailure);
  expect((await readState(site.site))?.manifest.run).toBe("rollback");
  expect(await pinsOf(site)).toHaveLength(2);
  // The next run finishes the public paths, and does not undo it.
  await site.publishDue();
  expect(await site.site.read(`v1/en/daily-tarot/${bad}.json`)).toBeUndefined();
});

test("a rollback during a night's publish waits for it, and goes to the chosen state", async () => {
  const site = (await twoNights()).serialized();
  const to = await choose(site);
  await site.gather("2026-11-21");
  await site.keep(`daily/${bad}/en/daily-tarot/reading`, "Meanwhile.");
  const night = site.night(["en"]);
  const rolled = rollback({ to, evenMany: false, by: { by: "editor" } }, site.publishing);
  expect(await night).toBe(3);
  const result = await rolled;
  expect((await readState(site.site))?.manifest.parts).toEqual(to.manifest.parts);
  // The night's own sets are rolled back with the rest, and pinned.
  expect(result.pins.find(({ language }) => language === "en")?.sets).toContain(`daily-tarot/${bad}`);
  expect(await site.filesWith("Meanwhile.")).toEqual([]);
});

test("works on a folder as in memory: withdrawn, rolled back, rendered and brought back", async () => {
  const folder = await mkdtemp(join(tmpdir(), "almanac-rollback-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const stores = { site: openFolder(join(folder, "site")), vault: openFolder(join(folder, "vault")) };
  const operations: Operation[] = ["daily-tarot", "weekly-horoscope"];
  const [there, here] = [newSite({ operations }, stores), newSite({ operations })];
  const key = `daily/${before}/en/daily-tarot/reading`;
  for (const site of [there, here]) {
    for (const date of [before, bad]) {
      site.setClock(`${date}T12:00:00Z`);
      await site.gather(date);
      await site.night();
    }
    await withdraw(recordOf(key), requestAt(key), site.publishing);
    await back(site, { wanted: "1", evenMany: true });
    await renderArchive({ languages: ["hi"], evenMany: false, dates: { from: before } }, site.publishing);
    await bringBack(requestAt(key), { by: "editor" }, site.publishing);
  }
  expect(await contentOf(there.site)).toEqual(await contentOf(here.site));
  expect((await pinsOf(there)).map(({ language }) => language)).toEqual(["en"]);
  expect((await there.paths()).has(`v1/en/daily-tarot/${before}.json`)).toBe(true);
});

describe("the target of a rollback", () => {
  test("is chosen by version or by a prefix of its hash; the default is the previous state", async () => {
    const site = await twoNights(["daily-tarot"]);
    const earlier = await choose(site);
    expect(earlier.manifest.version).toBe(1);
    expect(await choose(site, "1")).toEqual(earlier);
    expect(await choose(site, earlier.hash)).toEqual(earlier);
    expect(await choose(site, earlier.hash.slice(0, 6).toUpperCase())).toEqual(earlier);
  });

  test.each([
    ["2", "is already the current version"],
    ["7", "is not a version up to 2"],
    ["abc", "4 characters or more"],
    ["ffffffffffff", "is not available for a rollback"],
    ["HEAD~1", "is not a version up to 2"],
  ])("never by %s", async (wanted, why) => {
    const site = await twoNights(["daily-tarot"]);
    const attempt = choose(site, wanted);
    await expect(attempt).rejects.toThrow(NoSuchState);
    await expect(attempt).rejects.toThrow(why);
  });

  test("must be named after a rollback, and does not exist before the second publish", async () => {
    await expect(choose(newSite())).rejects.toThrow("nothing is published yet");
    const site = newSite({ operations: ["daily-tarot"] });
    await site.gather("2026-11-21");
    await site.night();
    await expect(choose(site)).rejects.toThrow("version 1 is the first");
    const other = await twoNights(["daily-tarot"]);
    await back(other);
    await expect(choose(other)).rejects.toThrow("version 3 is a rollback itself");
  });

  test("must not have expired", async () => {
    const clock = { now: new Date("2026-11-20T12:00:00Z") };
    const stores = { site: openMemory(() => clock.now), vault: openMemory() };
    const site = newSite({ operations: ["daily-tarot"] }, stores);
    for (const date of ["2026-11-20", "2026-11-21", "2026-12-25"]) {
      clock.now = new Date(`${date}T12:00:00Z`);
      site.setClock(clock.now.toISOString());
      await site.gather(date);
      await site.night();
    }
    expect((await choose(site)).manifest.version).toBe(2);
    await expect(choose(site, "1")).rejects.toThrow("kept for 30 days");
  });
});

function failure(key: string): StoreFailure {
  return new StoreFailure({
    doing: "write",
    key,
    place: "the test",
    seen: "it was made to fail",
    remedy: "run it again",
  });
}

/** An object that the chosen state has and the current one has not. */
async function firstGone(site: PublishedSite, { manifest }: RollbackTarget): Promise<string> {
  const current = new Set(await site.paths().then((paths) => [...paths.values()]));
  const part = JSON.parse(
    new TextDecoder().decode((await site.site.read(manifestPath(manifest.parts["en/current"] ?? "")))?.body),
  );
  for (const [path, { object }] of Object.entries<{ object: string }>(part.files)) {
    if (!current.has(object)) return objectPath(object, path);
  }
  throw new Error("all of its objects are in use");
}
