// The time that a publisher believes, and the languages whose published date lies ahead of it: a publisher with a wrong clock brought
// it, and no night brings another before it has come. `almanac status`, `check` and `why` show it, and the publish raises an alert.
import { zoneOf } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { liesAhead, utcMinute, mostAheadMs } from "../../readings/calendar.ts";
import type { Language } from "../../readings/tables.ts";
import { type Store, StoreFailure } from "../../store/store.ts";
import { UnreadableFile } from "../../vault/files.ts";
import { createPartReader } from "./parts.ts";
import { publishedDates } from "./published-files.ts";
import { readState } from "./state.ts";
import type { PublishContext } from "./publish-context.ts";

interface DateAhead {
  readonly language: Language;
  readonly date: string;
}

interface DatesAhead {
  readonly dates: readonly DateAhead[];
  readonly seen: string;
  readonly remedy: string;
}

/** Undefined if no date is in the future, or if the site can't be read, which other checks report. */
export async function datesAhead(
  site: Store,
  configuration: Configuration,
  now: Date,
): Promise<DatesAhead | undefined> {
  try {
    const manifest = (await readState(site))?.manifest;
    const published = await publishedDates({ site, manifest, reader: createPartReader(site) });
    return datesAheadIn(published, configuration, now);
  } catch (error) {
    if (error instanceof UnreadableFile || error instanceof StoreFailure) return undefined;
    throw error;
  }
}

export function datesAheadIn(
  published: ReadonlyMap<Language, string>,
  configuration: Configuration,
  now: Date,
): DatesAhead | undefined {
  const dates = configuration.languages.flatMap((language) => {
    const date = published.get(language);
    const isAhead = date !== undefined && liesAhead(date, zoneOf(configuration, language), now);
    return isAhead ? [{ language, date }] : [];
  });
  if (dates.length === 0) return undefined;
  const languages = dates.map(({ language }) => language).join(",");
  const list = dates.map(({ language, date }) => `${language} (${date})`).join(", ");
  return {
    dates,
    seen: `published dates are in the future by this machine's clock (${utcMinute(now)}): ${list}. Nothing earlier is published`,
    remedy: `if this clock is right, return to today with \`almanac render --clock-is-right --languages ${languages}\`; else set the clock`,
  };
}

/** The clock's time, but not earlier than the time source's, and not later than it confirms. */
export async function believedTime({
  now,
  timeSource,
  vault,
}: Pick<PublishContext, "now" | "timeSource" | "vault">): Promise<Date> {
  const at = now();
  const known = await timeSource?.newest(vault.store);
  if (known === undefined) return at;
  const firstMs = known.at.getTime();
  return new Date(Math.min(Math.max(at.getTime(), firstMs), firstMs + mostAheadMs));
}
