// Which text a published path shows: its own, the newest of its kind, or that of its pair's season.
import { type PublishedSite, publishedDocument, publishedSummary } from "./published-files.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { documents } from "../../site/data.schema.ts";
import { pathOf, type ShownText } from "../../site/paths.ts";

/** Undefined where the state does not have the path's newest set, or the pair's data. */
export async function requestShownBy(
  shown: ShownText,
  published: PublishedSite,
): Promise<ReadingRequest | undefined> {
  switch (shown.kind) {
    case "text":
      return shown.request;
    case "current": {
      const summary = await publishedSummary(published, shown.language);
      return shown.at(summary?.newest[shown.operation] ?? "");
    }
    case "pair": {
      const pair = await publishedDocument(published, pathOf(shown.data), documents.pair);
      return shown.at(pair?.reading.period ?? "");
    }
  }
}
