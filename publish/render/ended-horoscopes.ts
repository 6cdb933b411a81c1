// Horoscopes that the configuration no longer includes, while the site still has their current pages (site/pages/sign-page.ts).
import { type PublishedSite, pathsInGroup } from "../state/published-files.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/languages.ts";
import { type PeriodKind, periodKinds } from "../../readings/calendar.ts";
import { signs } from "../../readings/signs.ts";
import { groupNamed, pathOf } from "../../site/paths.ts";
import type { ArchiveMonth, LanguageDocument, LanguageEdition } from "../../site/render.ts";
import { newestArchive } from "./archive-months.ts";
import type { DatedSet } from "./neighbour-pages.ts";

export async function endedIn(
  language: Language,
  published: PublishedSite,
  { operations }: Configuration,
): Promise<PeriodKind[]> {
  const current = new Set(await pathsInGroup(published, groupNamed(language)));
  const isThere = (kind: PeriodKind) =>
    signs.some((sign) => current.has(pathOf({ row: "signPage", language, kind, sign })));
  return periodKinds.filter((kind) => !operations.includes(`${kind}-horoscope`) && isThere(kind));
}

/** The last sets of ended horoscopes: from here on search engines are to find their dated pages too. */
export function lastOf(ended: readonly PeriodKind[], shown: LanguageDocument | undefined): DatedSet[] {
  return ended.flatMap((kind) => {
    const operation = `${kind}-horoscope` as const;
    const period = shown?.newest[operation];
    return period === undefined ? [] : [{ operation, period }];
  });
}

/** The ended horoscopes with the newest month of the archive, to which their pages lead. */
export async function withArchive(
  language: Language,
  kinds: readonly PeriodKind[],
  months: readonly ArchiveMonth[],
  published: PublishedSite,
): Promise<{ readonly ended: LanguageEdition["ended"]; readonly archive: readonly string[] }> {
  if (kinds.length === 0) return { ended: [], archive: [] };
  const month = await newestArchive(language, months, published);
  const archive = month === undefined ? [] : await pathsInGroup(published, groupNamed(language, month));
  return { ended: kinds.map((kind) => ({ kind, month })), archive };
}
