// Growth of a night with the age of its site: the next night of a site of 1, 30 and 365 days, rendered and published into a folder.
// Only with bench:long.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LanguageEdition } from "../../site/edition.ts";
import { openFolder } from "../../store/folder.ts";
import { settings, wholeEdition, renderLanguage } from "../../test/site/editions.ts";
import { counted } from "../counted-store.ts";
import { dayAfter } from "../day-after.ts";
import { placeOn, publishOn } from "../puts.ts";
import { ourName } from "../nights/contender.ts";
import { type Line, type Measure, medianOf } from "./measure.ts";

const days = [1, 30, 365] as const;
/** Consecutive nights, close enough to count as the same age. */
const nightsOfAnAge = 15;

export const growthOfSites: Measure = {
  name: "growth-days",
  about:
    "growth: the next night of a site of 1, 30 and 365 days in one language, rendered and published into a folder; milliseconds",
  boundSeconds: 600,
  long: true,
  async run({ share, atEnd }): Promise<Line[]> {
    const folder = await mkdtemp(join(tmpdir(), "almanac-growth-"));
    atEnd(() => rm(folder, { recursive: true }));
    const { store, counts } = counted(openFolder(folder));
    const place = placeOn(store);
    const lines: Line[] = [];
    let edition: LanguageEdition = wholeEdition("en");
    let first: number | undefined;
    let age = 0;
    const nights = async (count: number): Promise<number[]> => {
      const tookMs: number[] = [];
      for (let night = 0; night < count; night += 1) {
        const beganMs = performance.now();
        await publishOn(place, renderLanguage(edition, settings));
        edition = dayAfter(edition);
        tookMs.push(performance.now() - beganMs);
      }
      age += count;
      return tookMs;
    };
    for (const day of days) {
      const wanted = Math.max(1, Math.round(day * share));
      await nights(Math.max(0, wanted - age));
      const before = { ...counts };
      const figures = await nights(nightsOfAnAge);
      const median = medianOf(figures);
      const puts = ((counts.write - before.write) / nightsOfAnAge).toFixed(0);
      const gets = ((counts.read - before.read) / nightsOfAnAge).toFixed(0);
      const ratios = first === undefined ? undefined : [median / first];
      const note = `${puts} puts and ${gets} gets per run`;
      lines.push({
        what: `${ourName}, ${wanted} day${wanted === 1 ? "" : "s"}`,
        unit: "ms",
        digits: 0,
        figures,
        ratios,
        note,
      });
      first ??= median;
    }
    return lines;
  },
};
