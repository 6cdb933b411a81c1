// `npm run bench:month`: the cost of a month of nights in a bucket: the counted calls of publishing, and those of the plan's own
// requests, at list prices.
import { languageNames } from "../readings/tables.ts";
import type { RenderedFile } from "../site/edition.ts";
import { settings, wholeEdition, renderLanguage } from "../test/site/editions.ts";
import { openMemory } from "../test/support/memory.ts";
import { counted, type Counts, since } from "./counted-store.ts";
import { dayAfter } from "./day-after.ts";
import { storePrices } from "./prices.ts";
import { placeOn, publishOn } from "./puts.ts";
import { nights, vaultMonth } from "./vault-month.ts";

const publishesADay = 96;

/** The night after the first one, and a publish with nothing due. */
async function countedNights(): Promise<{ readonly night: Counts; readonly publish: Counts }> {
  const editions = languageNames.map((language) => wholeEdition(language));
  const { store, counts } = counted(openMemory());
  const place = placeOn(store);
  const spentOn = async (files: readonly RenderedFile[]): Promise<Counts> => {
    const before = { ...counts };
    await publishOn(place, files);
    return since(counts, before);
  };
  await spentOn(editions.flatMap((edition) => renderLanguage(edition, settings)));
  const next = editions.flatMap((edition) => renderLanguage(dayAfter(edition), settings));
  return { night: await spentOn(next), publish: await spentOn(next) };
}

const { night, publish } = await countedNights();
const writes = nights * (night.write + night.list) + nights * publishesADay * publish.write;
const reads = nights * night.read + nights * publishesADay * publish.read;
const gigabytes = (nights * night.writtenBytes) / 1e9;
const vault = await vaultMonth();
const { requests, batches, render } = vault;
console.log(
  `a month of ${nights} nights with all languages and ${publishesADay} publishes per day, without the first night:\n` +
    `  site: ${count(writes)} writes and listings, ${count(reads)} reads, ${gigabytes.toFixed(1)} GB written\n` +
    `  vault, for ${count(requests)} requests in ${count(batches)} batches: ${count(vault.writes)} writes, ` +
    `${count(vault.reads)} reads; for rendering ${count(render.lists)} listings, ${count(render.reads)} reads`,
);
for (const [name, { aMillionWrites, aMillionReads, aGigabyteMonth }] of Object.entries(storePrices)) {
  const allWrites = writes + vault.writes + render.lists;
  const allReads = reads + vault.reads + render.reads;
  const calls = (allWrites * aMillionWrites + allReads * aMillionReads) / 1e6;
  const kept = gigabytes * aGigabyteMonth;
  console.log(`  ${name}: $${calls.toFixed(2)} for requests, $${kept.toFixed(2)} for storage`);
}

function count(calls: number): string {
  return Math.round(calls).toLocaleString("en");
}
