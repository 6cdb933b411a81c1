// Twelve weeks of `npm run year`, in memory: what is not of dated pages grows no more once keepDays are over twice.
import { expect, test } from "vitest";
import { type Room, simulatedYear, type YearRow } from "../../bench/simulated-year.ts";
import { openMemory } from "../support/memory.ts";

test("site, vault and backup take the same room from day 60 on, but for dated pages, and gc never asks", async () => {
  const rows: YearRow[] = [];
  const open = (_: string, now: () => Date) => openMemory(now);
  for await (const row of simulatedYear({ days: 84, keepDays: 30, open })) rows.push(row);
  expect(rows.filter(({ asks }) => asks)).toEqual([]);
  const late = rows.filter(({ day }) => day > 60);
  expect(late.map(({ day }) => day)).toEqual([63, 70, 77, 84]);
  for (const store of ["site", "vault", "backup"] as const) {
    const rooms = late.map((row) => row[store].lasting);
    const files = rooms.map(({ files: count }: Room) => count);
    const growth = Math.max(...files) - Math.min(...files);
    expect(growth, `files of the ${store}`).toBeLessThan(Math.max(fewFiles, 0.1 * Math.min(...files)));
    expect(spread(rooms.map(({ bytes }: Room) => bytes)), `bytes of the ${store}`).toBeLessThan(1.1);
  }
}, 900_000);

/** So many files may come and go where there are only a few dozen. */
const fewFiles = 10;

function spread(figures: readonly number[]) {
  return Math.max(...figures) / Math.min(...figures);
}
