// The texts that a published state shows without a correction, or with one that was undone since. Every publish looks for them, as for
// withdrawn texts, so that a correction is shown even if its command died, and stays when the site is rolled back.
import { type PublishingOn, isPublished, publishedReading } from "../state/published-files.ts";
import type { Language } from "../../readings/tables.ts";
import { isFurtherDraw, type ReadingRequest, requestOf } from "../../readings/request.ts";
import { pathOf } from "../../site/paths.ts";
import { inParallel } from "../../store/store.ts";
import { correctedAsReviewed, type DecidedSource } from "../../vault/approvals.ts";
import { allCorrections } from "../../vault/corrections.ts";
import { unlessDamaged } from "../../vault/files.ts";

export async function outdated(
  language: Language,
  publishing: PublishingOn,
  source: DecidedSource,
): Promise<ReadingRequest[]> {
  const isOutdated = async (request: ReadingRequest) => {
    // A text without a data file may be outdated, and is rendered again.
    if ("person" in request)
      return isPublished(publishing, pathOf({ row: "personPage", language, person: request.person }));
    if (isFurtherDraw(request))
      return isPublished(publishing, pathOf({ row: "deckData", language, operation: request.operation }));
    const shown = await unlessDamaged(() => publishedReading(publishing, request));
    const now = shown && (await correctedAsReviewed(shown, source));
    return JSON.stringify(now?.reading) !== JSON.stringify(shown?.reading);
  };
  const keys = (await allCorrections(source.withheld, language)).keys();
  const found = await inParallel(keys, async (key) => {
    const request = requestOf(key);
    return request !== undefined && (await isOutdated(request)) ? [request] : [];
  });
  return found.flat();
}
