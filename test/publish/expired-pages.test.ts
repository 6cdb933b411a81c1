// Retention: dated pages and their data leave the site after `archive.days`, and nothing that stays leads to them.
import { beforeAll, describe, expect, test } from "vitest";
import { why } from "../../insight/why.ts";
import { renderArchive } from "../../publish/archive.ts";
import { cleanUpSite, planCleanUp } from "../../publish/history/clean-up.ts";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { repair } from "../../publish/repair/repair.ts";
import { storeSource } from "../../publish/repair/store-source.ts";
import { backUp } from "../../publish/backup/back-up.ts";
import { restore } from "../../publish/backup/restore.ts";
import { claimBackup, readSnapshot, snapshotsIn } from "../../publish/backup/snapshots.ts";
import { openMemory } from "../support/memory.ts";
import { verify } from "../../publish/repair/verify.ts";
import { objectPath } from "../../publish/state/state.ts";
import { bringBack, withdraw } from "../../publish/withdraw.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { addDays, spanOf } from "../../readings/calendar.ts";
import { documents } from "../../site/data.schema.ts";
import { parsePath } from "../../site/paths.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";
import { fill, inMemory, keysOf, type Snapshot, snapshotOf, watched } from "../support/stores.ts";

const days = 62;
const configuration = {
  languages: ["en"],
  operations: ["daily-horoscope", "weekly-horoscope", "monthly-horoscope", "yearly-horoscope", "daily-tarot"],
  publishing: { unusualShare: 0.5 },
} satisfies ConfigurationInput;
const limited = { ...configuration, archive: { days } };

async function nights(site: PublishedSite, ...dates: readonly string[]): Promise<void> {
  for (const date of dates) {
    site.setClock(`${date}T12:00:00Z`);
    await site.gather(date);
    await site.night();
  }
}

/** The last day of each path that is dated by its text's period. */
function lastDays(paths: Iterable<string>): Map<string, string> {
  const last = new Map<string, string>();
  for (const path of paths) {
    const at = parsePath(path);
    if (at !== undefined && "key" in at) last.set(path, spanOf(at.kind, at.key).last);
    if (at !== undefined && "date" in at) last.set(path, at.date);
  }
  return last;
}

/** Checks that the site has all of these days and nothing older. */
async function expectOnly(site: PublishedSite, today: string, all: readonly string[]): Promise<void> {
  const start = addDays(today, -days);
  const last = lastDays((await site.paths()).keys());
  expect([...last].filter(([, day]) => day < start)).toEqual([]);
  const shown = [...last].filter(([path]) => path.startsWith("en/daily/leo/")).map(([, day]) => day);
  expect(shown.toSorted()).toEqual(all.filter((day) => day >= start && day <= today));
  expect(await site.deadLinks()).toEqual([]);
}

/** Over the end of a month, in the middle of a week. */
const early = ["2026-08-29", "2026-08-30", "2026-08-31", "2026-09-01", "2026-09-02"] as const;
/** The first night on which no page is too old. */
const tonight = "2026-10-30";
const late = ["2026-10-31", "2026-11-02", "2026-11-04", "2026-11-07"] as const;
const all = [...early, tonight, ...late];
const oldest = `en/daily/leo/${early[0]}/index.html`;
let ground: Snapshot;

async function newWorld(more: ConfigurationInput = limited, now?: () => Date): Promise<PublishedSite> {
  const stores = inMemory(now);
  await fill(stores, ground);
  const site = newSite(more, stores);
  site.setClock(`${tonight}T12:00:00Z`);
  return site;
}

beforeAll(async () => {
  const stores = inMemory();
  await nights(newSite(configuration, stores), ...early, tonight);
  ground = await snapshotOf(stores);
});

describe("dated pages that are older than the limit", () => {
  test("leave night by night with their data, newsletters, calendars and sitemaps, and no link leads to them", async () => {
    // By default, no sitemap lists pages that are older than last month.
    const site = await newWorld({ ...limited, indexing: [{ as: "listed" }] });
    await site.night();
    await expectOnly(site, tonight, all);
    for (const night of late) {
      await nights(site, night);
      await expectOnly(site, night, all);
      const again = await site.paths();
      await site.night();
      expect(await site.paths()).toEqual(again);
    }
    expect([...(await site.paths()).keys()].filter((path) => path.includes("2026-08"))).toEqual([]);
    expect(await site.text("sitemap.xml")).not.toContain("sitemap-2026-08");
    expect(await site.text("en/archive/leo/2026-09/index.html")).not.toContain('rel="prev"');
    expect(await site.text("en/sitemap-2026-09.xml")).not.toContain("/daily/");
    expect(site.said).toEqual([]);
  });

  test("leave their cards in the decks, even after a withdrawal", async () => {
    const site = await newWorld();
    await nights(site, ...late);
    const firsts = async () =>
      documents.deck.parse(await site.json("v1/en/decks/daily-tarot.json")).cards.map(({ first }) => first);
    const before = await firsts();
    expect(before).toContain(early[0]);
    const newest = late[3];
    expect(before).toContain(newest);
    const key = `daily/${newest}/en/daily-tarot/reading`;
    await withdraw(recordOf(key), requestAt(key), site.publishing);
    expect((await firsts()).toSorted()).toEqual(before.filter((first) => first !== newest).toSorted());
  });

  test("leave with their year, and the calendars of that year no longer lead to it", async () => {
    const site = newSite({ ...limited, publishing: { unusualShare: 1 } });
    const turn = ["2025-12-31", "2026-01-01", "2026-03-03", "2026-03-05"];
    await nights(site, ...turn);
    await expectOnly(site, "2026-03-05", turn);
    // The calendar of December stays for its last week.
    expect(await site.text("en/archive/leo/2025-12/index.html")).not.toContain("/en/yearly/");
    expect(await site.text("en/yearly/leo/2026/index.html")).not.toContain("/2025/");
  });

  test("stay as long as the current page shows them", async () => {
    const site = await newWorld();
    site.setClock(`${addDays(tonight, days + 30)}T12:00:00Z`);
    await site.night();
    const paths = await site.paths();
    expect(paths.has(`en/daily/leo/${tonight}/index.html`)).toBe(true);
    expect(paths.has(`v1/en/daily-tarot/${tonight}.json`)).toBe(true);
    expect(await site.deadLinks()).toEqual([]);
  });
});

test("an unusual share stays until `render --yes`, and the following nights are usual", async () => {
  const site = await newWorld({ ...limited, publishing: { unusualShare: 0.1 } });
  const night = "2026-11-07";
  await nights(site, night);
  const left = [...lastDays((await site.paths()).keys())].filter(([, day]) => day < addDays(night, -days));
  expect(left.length).toBeGreaterThan(100);
  expect(site.said).toEqual([
    expect.stringMatching(
      /^the configuration removes an unusual share of the site; \d+ files stay until `almanac render --yes` removes them$/,
    ),
  ]);
  const input = { languages: ["en"], evenMany: false } as const;
  expect((await renderArchive(input, site.publishing)).left).toBeGreaterThanOrEqual(left.length);
  expect(await site.deadLinks()).toEqual([]);
  expect((await renderArchive({ ...input, evenMany: true }, site.publishing)).left).toBe(0);
  await expectOnly(site, night, [...early, tonight, night]);
  site.said.splice(0);
  await nights(site, "2026-11-08");
  expect(site.said).toEqual([]);
});

describe("old pages don't come back", () => {
  test("past the night after a rollback; verify and repair agree, and gc deletes their objects but not their texts", async () => {
    let instant = new Date(`${tonight}T12:00:00Z`);
    const site = await newWorld(limited, () => instant);
    const { site: store, vault } = site.publishing;
    const nightOn = async (date: string): Promise<void> => {
      instant = new Date(`${date}T12:00:00Z`);
      await nights(site, date);
    };
    const version = await site.night();
    const held = await keysOf(vault.store, "responses/");
    await nightOn(late[0]);
    expect((await site.paths()).has(oldest)).toBe(false);
    const to = await chooseState(String(version), { site: store, now: instant, keepDays: 30 });
    await rollback({ to, evenMany: true, by: { by: "editor" } }, site.publishing);
    expect((await site.paths()).has(oldest)).toBe(true);
    expect(await site.deadLinks()).toEqual([]);
    await nightOn(late[1]);
    const rolledBack = late[0];
    await expectOnly(
      site,
      late[1],
      all.filter((day) => day !== rolledBack),
    );
    const checks = { publicKeys: [], now: () => instant, since: new Date(0) };
    expect((await verify(storeSource(store), checks)).findings).toEqual([]);
    const before = await site.paths();
    expect(await repair(site.publishing, false)).toMatchObject({ repairs: [], lost: [] });
    expect(await site.paths()).toEqual(before);

    instant = new Date(`${addDays(late[1], 40)}T12:00:00Z`);
    site.setClock(instant.toISOString());
    const clean = { keepDays: 30, graceMs: 24 * 60 * 60_000 };
    await cleanUpSite(site.publishing, await planCleanUp(site.publishing, clean));
    const reached = new Set([...before].map(([path, object]) => objectPath(object, path)));
    expect((await keysOf(store, "v1/objects/")).filter((key) => !reached.has(key))).toEqual([]);
    const after = new Set(await keysOf(vault.store));
    expect(held.filter((key) => !after.has(key))).toEqual([]);
  });

  test("past the night after a restore, and a repair in between brings none back", async () => {
    const [tonights, later] = [addDays(tonight, 1), addDays(tonight, 3)];
    const site = await newWorld();
    const backup = openMemory();
    await claimBackup(backup, site.publishing.configuration.site.id);
    await backUp(site.publishing, backup, 30);
    await nights(site, tonights);
    const stores = inMemory();
    const restored = newSite(limited, stores);
    restored.setClock(`${later}T06:00:00Z`);
    const [newest] = await snapshotsIn(backup);
    if (newest === undefined) throw new Error("no snapshot");
    await restore(restored.publishing, backup, await readSnapshot(backup, newest));
    await repair(restored.publishing, false);
    expect((await restored.paths()).has(oldest)).toBe(true);
    expect(await restored.deadLinks()).toEqual([]);
    await nights(restored, later);
    await expectOnly(restored, later, [...early, tonight, later]);
    const lost = [...(await restored.paths())].filter(([path]) => path.includes("/2026-09-02/"));
    await stores.site.remove(lost.map(([path, object]) => objectPath(object, path)));
    await repair(restored.publishing, false);
    await expectOnly(restored, later, [...early, tonight, later]);
  });

  test("by rendering their dates again or undoing a withdrawal, unless the limit is raised", async () => {
    const site = await newWorld();
    const key = `daily/${early[0]}/en/daily-horoscope/leo`;
    await withdraw(recordOf(key), requestAt(key), site.publishing);
    await nights(site, late[0]);
    await bringBack(requestAt(key), { by: "editor" }, site.publishing);
    const again = { languages: ["en"], dates: { from: early[0] }, evenMany: true } as const;
    await renderArchive(again, site.publishing);
    await expectOnly(site, late[0], all);
    const { configuration: own, vault, now } = site.publishing;
    const facts = await why({ path: oldest }, { configuration: own, vault, site: site.site, now: now() });
    expect(facts.find(({ about }) => about === "reason")).toMatchObject({
      is: "expired",
      words: "it is older than archive.days (62), so it left the site. Its text stays in the vault",
    });
    const more = site.with({ archive: { days: 400 } });
    await renderArchive(again, more.publishing);
    expect((await more.paths()).has(oldest)).toBe(true);
    expect(await more.deadLinks()).toEqual([]);
  });
});

test("a night reads the same however long the archive is", async () => {
  const reads: number[] = [];
  for (const limit of [2 * days, 3 * days]) {
    const night = "2026-11-20";
    const first = addDays(night, -limit - 1);
    const site = newSite({ ...configuration, operations: ["daily-horoscope"], archive: { days: limit } });
    const between = Array.from({ length: Math.floor(limit / 31) - 1 }, (_, by) =>
      addDays(first, 31 * (by + 1)),
    );
    await nights(site, first, addDays(first, 1), ...between, addDays(night, -2), addDays(night, -1));
    let count = 0;
    const store = watched(site.site, (call) => {
      if (call === "read") count += 1;
    });
    await site.gather(night);
    site.setClock(`${night}T12:00:00Z`);
    const counted = newSite(
      { ...configuration, operations: ["daily-horoscope"], archive: { days: limit } },
      { vault: site.publishing.vault.store, site: store },
    );
    counted.setClock(`${night}T12:00:00Z`);
    await counted.night();
    reads.push(count);
    expect((await site.paths()).has(`en/daily/leo/${first}/index.html`)).toBe(false);
  }
  expect(reads[1]).toBe(reads[0]);
});
