// A site's nights under a simulated clock: each evening a publish and a backup, each seventh a clean-up, in the given stores.
import { backUp } from "../publish/backup/back-up.ts";
import { claimBackup, filesIn, readSnapshot, snapshotsIn } from "../publish/backup/snapshots.ts";
import { cleanUpSite, planCleanUp } from "../publish/history/clean-up.ts";
import { createPartReader, groupsIn, languageGroup } from "../publish/state/parts.ts";
import { manifestPath, objectPath, readState } from "../publish/state/state.ts";
import type { ConfigurationInput } from "../readings/configuration.schema.ts";
import { addDays } from "../readings/calendar.ts";
import type { Store } from "../store/store.ts";
import { newSite } from "../test/publish/support/published-site.ts";

export interface Room {
  readonly files: number;
  readonly bytes: number;
}

/** `lasting` excludes the files of dated pages. */
interface StoreRoom {
  readonly all: Room;
  readonly lasting: Room;
}

export interface YearRow {
  readonly day: number;
  readonly site: StoreRoom;
  readonly vault: StoreRoom;
  readonly backup: StoreRoom;
  /** Whether the clean-up would have asked for confirmation. */
  readonly asks: boolean;
}

interface SimulatedYear {
  readonly days: number;
  readonly keepDays: number;
  /** Default: the daily horoscope in English. */
  readonly configuration?: ConfigurationInput;
  readonly open: (name: string, now: () => Date) => Store;
}

const hourMs = 60 * 60_000;
const begin = "2026-01-01";
const small = {
  languages: ["en"],
  operations: ["daily-horoscope"],
  pairs: [],
  people: [],
} satisfies ConfigurationInput;

/** One row per week, after its clean-up, and one for the last day. */
export async function* simulatedYear({
  days,
  keepDays,
  open,
  configuration = small,
}: SimulatedYear): AsyncGenerator<YearRow> {
  let now = new Date(`${begin}T18:00:00Z`);
  const clock = () => now;
  const stores = { site: open("site", clock), vault: open("vault", clock) };
  const backup = open("backup", clock);
  const site = newSite({ ...configuration, publishing: { keepDays } }, stores);
  const { publishing } = site;
  await claimBackup(backup, publishing.configuration.site.id);
  for (let day = 1; day <= days; day += 1) {
    const date = addDays(begin, day - 1);
    now = new Date(`${date}T18:00:00Z`);
    site.setClock(now.toISOString());
    await site.gather(date, addDays(date, 1));
    await site.night();
    await backUp(publishing, backup, keepDays);
    if (day % 7 !== 0 && day !== days) continue;
    const plan = await planCleanUp(publishing, { keepDays, graceMs: 24 * hourMs });
    await cleanUpSite(publishing, plan);
    const asks = plan.recent > 0.1 * (plan.all.files - plan.removals.length + plan.recent);
    yield { day, asks, ...(await roomOf(stores, backup)) };
  }
}

async function roomOf(stores: { readonly site: Store; readonly vault: Store }, backup: Store) {
  const dated = await datedIn(stores.site);
  const ofPages = (key: string) => /^(?:responses|sites\/[^/]+\/shown)\//.test(key);
  const copies = new Set(dated.hashes);
  const [newest] = (await snapshotsIn(backup)).slice(-1);
  const snapshot = newest && (await readSnapshot(backup, newest));
  if (snapshot !== undefined) {
    for (const [key, { copy }] of await filesIn(backup, snapshot)) if (ofPages(key)) copies.add(copy);
    for (const [list, copy] of Object.entries(snapshot.lists)) if (ofPages(`${list}/`)) copies.add(copy);
  }
  // A snapshot names the lists of all dates.
  const isOfDates = (key: string) =>
    key.startsWith("snapshots/") || copies.has(/([0-9a-f]{64})\.bin$/.exec(key)?.[1] ?? "");
  return {
    site: await measured(stores.site, (key) => dated.keys.has(key)),
    vault: await measured(stores.vault, ofPages),
    backup: await measured(backup, isOfDates),
  };
}

/** The public paths of past dates, with their objects, and the parts that list them. */
async function datedIn(site: Store) {
  const state = await readState(site);
  const keys = new Set<string>();
  const hashes = new Set<string>();
  if (state === undefined) return { keys, hashes };
  const reader = createPartReader(site);
  const isDated = (group: string) => languageGroup(group)?.month !== undefined;
  for (const group of groupsIn(state.manifest).filter(isDated)) {
    for (const [path, { object }] of Object.entries(await reader.files(state.manifest, group))) {
      for (const key of [path, objectPath(object, path)]) keys.add(key);
      hashes.add(object);
    }
  }
  for (const [name, part] of Object.entries(state.manifest.parts)) {
    if (!isDated(name.split("~")[0] ?? "")) continue;
    keys.add(manifestPath(part));
    hashes.add(part);
  }
  return { keys, hashes };
}

async function measured(store: Store, isDated: (key: string) => boolean): Promise<StoreRoom> {
  const all = { files: 0, bytes: 0 };
  const lasting = { files: 0, bytes: 0 };
  for await (const { key, sizeBytes } of store.list("")) {
    for (const room of isDated(key) ? [all] : [all, lasting]) {
      room.files += 1;
      room.bytes += sizeBytes;
    }
  }
  return { all, lasting };
}
