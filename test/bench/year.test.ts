// Eleven weeks of `npm run year`, or twelve with test:deep, in memory: files other than those of dated pages stop growing after twice
// keepDays, once the record lists its maximum of states.
import { expect, test } from "vitest";
import { type Room, simulatedYear, type YearRow } from "../../bench/simulated-year.ts";
import { deep } from "../support/deep.ts";
import { openMemory } from "../support/memory.ts";

const { weeks, keepDays, settledAfter } = deep
  ? { weeks: 12, keepDays: 30, settledAfter: 60 }
  : { weeks: 11, keepDays: 7, settledAfter: 50 };

/** On 1 March, the pages of January leave the sitemaps and are rendered again. Two weeks later, gc has removed the replaced files, also from the backup. */
const cleaning = deep ? [] : [63, 70];

test("site, vault and backup stop growing once they have settled, except for dated pages, and gc never asks for confirmation", async () => {
  const rows: YearRow[] = [];
  const open = (_: string, now: () => Date) => openMemory(now);
  for await (const row of simulatedYear({ days: 7 * weeks, keepDays, open })) rows.push(row);
  expect(rows.filter(({ asks }) => asks)).toEqual([]);
  const late = rows.filter(({ day }) => day > settledAfter && !cleaning.includes(day));
  expect(late.map(({ day }) => day)).toEqual(deep ? [63, 70, 77, 84] : [56, 77]);
  for (const store of ["site", "vault", "backup"] as const) {
    const rooms = late.map((row) => row[store].lasting);
    const files = rooms.map(({ files: count }: Room) => count);
    const growth = Math.max(...files) - Math.min(...files);
    expect(growth, `files of the ${store}`).toBeLessThan(Math.max(fewFiles, 0.1 * Math.min(...files)));
    expect(spread(rooms.map(({ bytes }: Room) => bytes)), `bytes of the ${store}`).toBeLessThan(1.1);
  }
}, 900_000);

/** Allowed change in the number of files, where there are only a few dozen. */
const fewFiles = 10;

function spread(figures: readonly number[]) {
  return Math.max(...figures) / Math.min(...figures);
}
