// From when readers see a text: since the publish that first showed it as it stands, and never before its day has begun. Feeds,
// sitemaps, pages and data are dated by it, so that whoever asks for what is new since last time gets each text once. It is not
// when the text was received, which is up to a day before.
//
// The vault knows it of what it saw published. Of what it does not know, as a publisher may have died before it noted that, the
// published data says it; and what neither knows is shown from now.
import { rowOf } from "../../readings/operations.ts";
import { isPeriodKind, validity } from "../../readings/periods.ts";
import type { Reading } from "../../readings/reading.schema.ts";
import { requestKey } from "../../readings/request.ts";
import { timesOfOne } from "../../site/data.ts";
import type { ReceivedReading, Sheet } from "../../site/edition.ts";
import type { Home } from "../../site/page-context.ts";
import { textHash } from "../../site/sheet-hash.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { unlessDamaged } from "../../vault/json.ts";
import { readNote } from "../../vault/note.ts";
import { periodOfKey, type DatedText, shownNote } from "../../vault/shown-texts.ts";
import { believedTime } from "../state/believed-time.ts";
import { type PublishedSite, publishedReading, publishedSummary } from "../state/published-files.ts";
import type { Publishing } from "../state/publishing-place.ts";

interface DatedSheets {
  readonly sheets: readonly Sheet[];
  /** What the vault does not know yet: to be noted when it is published. */
  readonly news: readonly DatedText[];
}

export async function withShownFrom(
  sheets: readonly Sheet[],
  home: Home,
  published: PublishedSite,
  publishing: Publishing,
): Promise<DatedSheets> {
  const [now, summary] = await Promise.all([
    believedTime(publishing),
    unlessDamaged(() => publishedSummary(published, home.language)),
  ]);
  const found = await inParallel(sheets, async (sheet): Promise<DatedSheets> => {
    const [first] = sheet.readings;
    if (first === undefined) return { sheets: [sheet], news: [] };
    const start = startOf(first.reading, home.zone);
    const from = new Date(wholeSeconds(Math.max(now.getTime(), start))).toISOString();
    if (isAhead(first.reading, home.date)) return { sheets: [datedAlike(sheet, from)], news: [] };
    const { texts } = await readNote(
      publishing.vault.store,
      shownNote(periodOfKey(requestKey(first.reading))),
    );
    const news: DatedText[] = [];
    const readings = await inParallel(sheet.readings, async (one): Promise<ReceivedReading> => {
      const [key, hash] = [requestKey(one.reading), textHash(one.reading)];
      const known = texts[key];
      if (known?.hash === hash) return { ...one, shownFrom: known.shownFrom };
      const shownFrom = (await saidBySite(one.reading, hash, summary?.date, published)) ?? from;
      news.push({ key, hash, shownFrom });
      return { ...one, shownFrom };
    });
    return { sheets: [{ ...sheet, readings }], news };
  });
  return { sheets: found.flatMap((one) => one.sheets), news: found.flatMap((one) => one.news) };
}

function datedAlike(sheet: Sheet, shownFrom: string): Sheet {
  return { ...sheet, readings: sheet.readings.map((one) => ({ ...one, shownFrom })) };
}

/** Feeds give no parts of a second: rounded down, a text would be older than the look before it came. */
function wholeSeconds(instantMs: number): number {
  return Math.ceil(instantMs / 1000) * 1000;
}

/** When the period begins; 0 where a text has no days of its own. */
function startOf({ operation, period }: Reading, zone: string): number {
  const { due } = rowOf(operation);
  return isPeriodKind(due) ? validity(due, period, zone).from.getTime() : 0;
}

/** Whether the text is of a day that has not begun: it is shown before it, where the owner wishes it, and as the day's only then. */
function isAhead({ operation, period }: Reading, date: string): boolean {
  return rowOf(operation).due === "daily" && period > date;
}

/** `date` is the published one: what the site has shown ahead of its day was not the day's text yet. */
async function saidBySite(
  reading: Reading,
  hash: string,
  date: string | undefined,
  published: PublishedSite,
): Promise<string | undefined> {
  if (date !== undefined && isAhead(reading, date)) return undefined;
  const found = await unlessDamaged(() => publishedReading(published, reading));
  return found !== undefined && textHash(found.reading) === hash ? timesOfOne(found).shownFrom : undefined;
}
