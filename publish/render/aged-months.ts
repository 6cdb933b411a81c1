// The months whose pages are to be rendered again because the index policy decides otherwise on them than when they were rendered: a
// month has passed an age, or the configuration has changed. The manifest has a hash of the decisions for each month. A step renders
// one such month of a language, and each month that it changes anyway, so that all pages of a month and its sitemap agree. The texts
// are those that the site shows: nothing is validated again, and a text without another decision keeps its bytes.
import { pathsInGroup, type PublishedSite } from "../state/published-files.ts";
import type { Language } from "../../readings/tables.ts";
import { decisionsOn } from "../../site/index-policy.ts";
import { groupNamed, parsePath } from "../../site/paths.ts";
import { sha256 } from "../../vault/files.ts";
import type { Manifest } from "../../site/manifest.schema.ts";
import type { RenderSettings } from "../state/publish-context.ts";
import { wantedBy } from "./leaving-paths.ts";
import { type DatedSet, knownMonths } from "./neighbour-pages.ts";

/** For each of a language's months a hash of today's decisions on its pages, by the name of its group. */
export function decisionHashes(
  language: Language,
  months: Iterable<string>,
  date: string,
  site: RenderSettings,
): Map<string, string> {
  const { indexing } = site.configuration;
  const exists = wantedBy(site);
  const hashOf = (month: string) =>
    sha256(decisionsOn({ language, month, date }, indexing, exists)).slice(0, 8);
  return new Map(Array.from(months, (month) => [groupNamed(language, month), hashOf(month)]));
}

/** The published months that were rendered with other decisions than those of this date, the newest first. */
export function staleMonths(
  language: Language,
  date: string,
  site: RenderSettings & { readonly manifest: Manifest | undefined },
): string[] {
  const months = knownMonths(language, site).sort().toReversed();
  const hashes = decisionHashes(language, months, date, site);
  return months.filter((month) => {
    const group = groupNamed(language, month);
    return site.manifest?.dependencies?.[group] !== hashes.get(group);
  });
}

/** The sets with dated pages in these months. */
export async function datedSetsIn(
  language: Language,
  months: readonly string[],
  published: PublishedSite,
): Promise<DatedSet[]> {
  const paths = await Promise.all(
    months.map((month) => pathsInGroup(published, groupNamed(language, month))),
  );
  const sets = paths.flat().flatMap((path): [string, DatedSet][] => {
    const at = parsePath(path);
    if (at?.row !== "datedPage") return [];
    const operation = `${at.kind}-horoscope` as const;
    return [[`${operation} ${at.key}`, { operation, period: at.key }]];
  });
  return [...new Map(sets).values()];
}
