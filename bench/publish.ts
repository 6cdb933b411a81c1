// `npm run bench:publish`: the cost of publishing to a folder and to a real S3 server, compared with a plain loop that puts the
// same bytes under the same keys; the calls and bytes of a night; and the cost of a night with nothing new. It always exits 0.
import { languageNames } from "../readings/tables.ts";
import type { RenderedFile } from "../site/edition.ts";
import { settings, wholeEdition, renderLanguage } from "../test/site/editions.ts";
import { dayAfter } from "./day-after.ts";
import { counted, type Counts, since } from "./counted-store.ts";
import { type Kind, kindsOfStore, placeOn, publishOn, putRounds } from "./puts.ts";
import { heading, row, spreadOf } from "./rounds.ts";

const rounds = 7;
const roundLanguages = 4;

async function benchPuts(kind: Kind, files: readonly RenderedFile[]): Promise<void> {
  const { ours, bare, ratios } = await putRounds(kind, files, rounds);
  const puts = files.length * 2;
  console.log(
    `\n${kind.name}: a new site of ${files.length} files, ${puts} puts and a few, ${rounds} paired rounds`,
  );
  console.log(heading);
  console.log(row("puts a second, a bare loop of the same", spreadOf(bare), 0));
  console.log(row("puts a second, publish", spreadOf(ours), 0));
  console.log(row("  ratio, round by round", spreadOf(ratios), 2));
  const { median } = spreadOf(ratios);
  console.log(
    `  the aim ${median >= kind.aim ? "holds" : "is missed"}: at least ${kind.aim} of the bare loop`,
  );
}

async function benchNights(
  kind: Kind,
  first: readonly RenderedFile[],
  second: readonly RenderedFile[],
): Promise<void> {
  const { store, counts } = counted(await kind.open());
  const place = placeOn(store);
  console.log(`\n${kind.name}: nights of ${first.length} files`);
  for (const [name, files] of [
    ["the first night", first],
    ["the next one", second],
    ["with nothing new", second],
    ["with nothing new, again", second],
  ] as const) {
    const before = { ...counts };
    const tookMs = await publishOn(place, files);
    console.log(`  ${name.padEnd(26)}${told(since(counts, before))}, ${(tookMs / 1000).toFixed(2)} s`);
  }
}

function told({ write, read, remove, list, writtenBytes }: Counts): string {
  const megabytes = (writtenBytes / 1e6).toFixed(1).padStart(6);
  return `${String(write).padStart(6)} puts ${megabytes} MB, ${String(read).padStart(4)} gets, ${remove} removals, ${list} listings`;
}

const editions = languageNames.map((language) => wholeEdition(language));
const rendered = editions.map((edition) => renderLanguage(edition, settings));
const next = editions.map((edition) => renderLanguage(dayAfter(edition), settings));
const ends: (() => Promise<void>)[] = [];
try {
  for (const kind of await kindsOfStore((end) => ends.unshift(end))) {
    await benchPuts(kind, rendered.slice(0, roundLanguages).flat());
    await benchNights(kind, rendered.flat(), next.flat());
  }
} finally {
  for (const end of ends) await end();
}
