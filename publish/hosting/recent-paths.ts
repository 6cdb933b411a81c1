// Which paths of a state a host with few files gets: all current ones, and of the dated ones those of each language's last days. A
// week, month or year counts by its last day, so that a text that still holds is never left out.
import { dayNumber, spanOf } from "../../readings/periods.ts";
import type { Language } from "../../readings/languages.ts";
import { parsePath } from "../../site/paths.ts";
import type { TreePath } from "../../site/tree.ts";
import { type PublishedSite, publishedSummary } from "../state/published-files.ts";
import { groupsIn, languageGroup } from "../state/parts.ts";

/** With how many days of the archive a path is copied: 0 for what is always. */
export type DaysOf = (path: string) => number;

/** Less would leave out what the front page of a language leads to that is a few days late. */
export const leastDays = 7;

/** The days of each language are counted back from the one that it shows. */
export async function daysIn(published: PublishedSite): Promise<DaysOf> {
  const shown = new Map<Language, number>();
  for (const group of groupsIn(published.manifest)) {
    const language = languageGroup(group)?.language;
    if (language === undefined || shown.has(language)) continue;
    const date = (await publishedSummary(published, language))?.date;
    if (date !== undefined) shown.set(language, dayNumber(date));
  }
  return (path) => {
    const at = parsePath(path);
    if (at === undefined || !("language" in at)) return 0;
    const [last, today] = [lastDayOf(at), shown.get(at.language)];
    return last === undefined || today === undefined ? 0 : Math.max(0, today - dayNumber(last) + 1);
  };
}

/** Undefined for what has no date of its own. A month's sitemap lists what is left of its month (relinked.ts). */
function lastDayOf(at: TreePath): string | undefined {
  if ("key" in at) return spanOf(at.kind, at.key).last;
  if ("date" in at) return at.date;
  return at.row === "archivePage" ? spanOf("monthly", at.month).last : undefined;
}
