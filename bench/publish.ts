// `npm run bench:publish`: what publishing costs on a folder and on a real S3 server, beside a bare loop that puts the same
// bytes under the same keys; the calls and bytes of a night; and what a night with nothing new costs. It always exits 0.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { advance } from "../activities/publish/advance.ts";
import { merge } from "../activities/publish/merge.ts";
import type { Place } from "../activities/publish/place.ts";
import { languageNames } from "../readings/languages.ts";
import { addDays } from "../readings/periods.ts";
import { type LanguageEdition, pressLanguage, type PressedFile } from "../site/press.ts";
import { openFolder } from "../store/file.ts";
import { openMemory } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { settings, wholeEdition } from "../test/site/editions.ts";
import { s3ForTests } from "../test/support/s3.ts";
import { bareFolder, bareS3, type BareLoop } from "./bare-puts.ts";
import { counted, type Counts } from "./counted-store.ts";
import { printMonth } from "./month.ts";
import { heading, row, spreadOf } from "./rounds.ts";

const rounds = 7;
const roundLanguages = 4;
const callsAtOnce = 32; // of both

interface Kind {
  readonly name: string;
  /** A new, empty one. */
  open(): Promise<Store>;
  bare(): Promise<BareLoop>;
}

/** The same readings a day later: what a new day brings, and what stays. */
function dayAfter(edition: LanguageEdition): LanguageEdition {
  const sheets = edition.sheets.map((sheet) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(sheet.period) || sheet.operation === "weekly-horoscope") return sheet;
    const period = addDays(sheet.period, 1);
    const readings = sheet.readings.map((one) => ({ ...one, reading: { ...one.reading, period } }));
    return { ...sheet, period, readings };
  });
  return { ...edition, date: addDays(edition.date, 1), sheets };
}

const log = { info: () => {}, warn: () => {}, error: () => {} };

function placeOn(site: Store): Place {
  const now = (): Date => new Date();
  return { site, vault: { store: openMemory() }, now, log, fingerprint: "sha256-bench" };
}

async function publishOn(place: Place, files: readonly PressedFile[]): Promise<number> {
  const startedMs = performance.now();
  const by = { run: "bench", asOf: new Date().toISOString() };
  await advance(place, by, (base, reader) => merge(base?.manifest, files, [], reader));
  return performance.now() - startedMs;
}

async function benchPuts(kind: Kind, files: readonly PressedFile[]): Promise<void> {
  const ours: number[] = [];
  const bare: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { store, written } = counted(await kind.open());
    const publishedMs = await publishOn(placeOn(store), files);
    const put = await kind.bare();
    const limit = pLimit(callsAtOnce);
    const startedMs = performance.now();
    await limit.map(written, ({ key, body, headers }) => put(key, body, headers));
    const bareMs = performance.now() - startedMs;
    ours.push((written.length * 1000) / publishedMs);
    bare.push((written.length * 1000) / bareMs);
    ratios.push(bareMs / publishedMs);
  }
  const puts = files.length * 2;
  console.log(
    `\n${kind.name}: a new site of ${files.length} files, ${puts} puts and a few, ${rounds} paired rounds`,
  );
  console.log(heading);
  console.log(row("puts a second, a bare loop of the same", spreadOf(bare), 0));
  console.log(row("puts a second, publish", spreadOf(ours), 0));
  console.log(row("  ratio, round by round", spreadOf(ratios), 2));
  const { median } = spreadOf(ratios);
  console.log(`  the aim ${median >= 0.95 ? "holds" : "is missed"}: at least 0.95 of the bare loop`);
}

async function benchNights(
  kind: Kind,
  first: readonly PressedFile[],
  second: readonly PressedFile[],
): Promise<void> {
  const { store, counts } = counted(await kind.open());
  const place = placeOn(store);
  const spent = new Map<string, Counts>();
  console.log(`\n${kind.name}: nights of ${first.length} files`);
  for (const [name, files] of [
    ["the first night", first],
    ["the next one", second],
    ["with nothing new", second],
    ["with nothing new, again", second],
  ] as const) {
    const before = { ...counts };
    const tookMs = await publishOn(place, files);
    const cost = since(counts, before);
    spent.set(name, cost);
    console.log(`  ${name.padEnd(26)}${told(cost)}, ${(tookMs / 1000).toFixed(2)} s`);
  }
  const [night, turn] = [spent.get("the next one"), spent.get("with nothing new")];
  if (kind.name === "S3" && night !== undefined && turn !== undefined) printMonth(night, turn);
}

function since(now: Counts, before: Counts): Counts {
  const of = (name: keyof Counts): number => now[name] - before[name];
  return {
    read: of("read"),
    write: of("write"),
    list: of("list"),
    remove: of("remove"),
    writtenBytes: of("writtenBytes"),
  };
}

function told({ write, read, remove, list, writtenBytes }: Counts): string {
  const megabytes = (writtenBytes / 1e6).toFixed(1).padStart(6);
  return `${String(write).padStart(6)} puts ${megabytes} MB, ${String(read).padStart(4)} gets, ${remove} removals, ${list} listings`;
}

const editions = languageNames.map((language) => wholeEdition(language));
const pressed = editions.map((edition) => pressLanguage(edition, settings));
const next = editions.map((edition) => pressLanguage(dayAfter(edition), settings));
const scratch = await mkdtemp(join(tmpdir(), "almanac-bench-"));
const ends: (() => Promise<void>)[] = [() => rm(scratch, { recursive: true, force: true })];
try {
  const s3 = await s3ForTests((end) => ends.unshift(end));
  const kinds: readonly Kind[] = [
    {
      name: "folder",
      open: async () => openFolder(await mkdtemp(join(scratch, "site-"))),
      bare: async () => bareFolder(await mkdtemp(join(scratch, "bare-"))),
    },
    { name: "S3", open: async () => s3.open(), bare: async () => bareS3(s3) },
  ];
  for (const kind of kinds) {
    await benchPuts(kind, pressed.slice(0, roundLanguages).flat());
    await benchNights(kind, pressed.flat(), next.flat());
  }
} finally {
  for (const end of ends) await end();
}
