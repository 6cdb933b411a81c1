// From when readers see a text: since the publish that first showed it as it stands, and never before its day has begun. Feeds,
// sitemaps, pages and data are dated by it, so that a reader of recent changes gets each text once. It is not
// when the text was received, which is up to a day before.
//
// The vault knows it of what it saw published. Of what it does not know, as a publisher may have died before it noted that, the
// published data says it; and what neither knows is shown from now.
import {
  type PublishingOn,
  type PublishedSite,
  publishedReading,
  publishedSummary,
  believedTime,
} from "../state/published-files.ts";
import { rowOf } from "../../readings/tables.ts";
import { isPeriodKind, validity } from "../../readings/calendar.ts";
import type { Reading } from "../../readings/reading.schema.ts";
import { requestKey } from "../../readings/request.ts";
import { uncorrected } from "../../readings/corrections.ts";
import { textHash, timesOfOne } from "../../site/data.ts";
import type { ReceivedReading, ReadingSet } from "../../site/edition.ts";
import type { Home } from "../../site/context.ts";
import { inParallel } from "../../store/store.ts";
import { unlessDamaged } from "../../vault/files.ts";
import { correctionsOf } from "../../vault/text-decisions.ts";
import type { Withheld } from "../../vault/withheld.ts";
import { readNote } from "../../vault/note.ts";
import { periodOfKey, shownNote } from "../../vault/site-notes.ts";
import type { Publishing } from "../state/publish-context.ts";

/** `news`: the texts that the vault does not know yet, which are noted once they are published. */
export async function withShownFrom(
  sets: readonly ReadingSet[],
  home: Home,
  withheld: Withheld,
  publishing: PublishingOn,
) {
  const [now, noted] = await Promise.all([believedTime(publishing), notedTexts(sets, publishing)]);
  const fromNow = inWholeSeconds(now.getTime());
  const news = new Map<string, { hash: string; shownFrom: string }>();
  const shownFrom = async ({ reading }: ReceivedReading): Promise<string> => {
    const startMs = startOf(reading, home.zone);
    const from = startMs > now.getTime() ? inWholeSeconds(startMs) : fromNow; // one text for all: a night has many
    if (isAhead(reading, home.date)) return from;
    // A corrected text is the same entry for a reader of feeds as before.
    const key = requestKey(reading);
    const edits = (await unlessDamaged(() => correctionsOf(key, withheld))) ?? [];
    const hashOf = (one: Reading) => textHash(uncorrected(one, edits));
    const hash = hashOf(reading);
    const known = noted.get(key);
    if (known?.hash === hash) return known.shownFrom;
    const since = (await saidBySite(reading, hash, hashOf, publishing)) ?? from;
    news.set(key, { hash, shownFrom: since });
    return since;
  };
  const dated = await inParallel(sets, async (set) => {
    const readings = await inParallel(set.readings, async (one) => {
      const since = await shownFrom(one);
      const corrected = one.reading.corrected && inWholeSeconds(Date.parse(one.reading.corrected.at));
      return corrected === undefined || corrected <= since
        ? { ...one, shownFrom: since }
        : { ...one, shownFrom: corrected, firstShown: since };
    });
    return { ...set, readings };
  });
  return { sets: dated, news };
}

/** The vault's notes on the periods of these sets, by the texts' keys. */
async function notedTexts(sets: readonly ReadingSet[], { vault }: Publishing) {
  const keys = sets.flatMap(({ readings: [first] }) =>
    first === undefined ? [] : requestKey(first.reading),
  );
  const notes = await inParallel(new Set(keys.map(periodOfKey)), (period) =>
    readNote(vault.own, shownNote(period)),
  );
  return new Map(notes.flatMap(({ texts }) => Object.entries(texts)));
}

/** Feeds give no parts of a second: rounded down, a text would be older than the look before it came. */
function inWholeSeconds(instantMs: number): string {
  return new Date(Math.ceil(instantMs / 1000) * 1000).toISOString();
}

/** Start of the period; 0 if the text has no dates. */
function startOf({ operation, period }: Reading, zone: string): number {
  const { due } = rowOf(operation);
  return isPeriodKind(due) ? validity(due, period, zone).from.getTime() : 0;
}

/** Whether the text is of a day that has not begun: it is shown before it, where the owner wishes it, and as the day's only then. */
function isAhead({ operation, period }: Reading, date: string): boolean {
  return rowOf(operation).due === "daily" && period > date;
}

/** A text that the site has shown ahead of its day was not the day's text yet. */
async function saidBySite(
  reading: Reading,
  hash: string,
  hashOf: (reading: Reading) => string,
  published: PublishedSite,
): Promise<string | undefined> {
  const found = await unlessDamaged(() => publishedReading(published, reading));
  if (found === undefined || hashOf(found.reading) !== hash) return undefined;
  const summary = await unlessDamaged(() => publishedSummary(published, reading.language));
  if (summary !== undefined && isAhead(reading, summary.date)) return undefined;
  return timesOfOne(found).shownFrom;
}
