// Which text a published path shows: its own, the newest of its kind, or that of its pair's season.
import type { ReadingRequest } from "../../readings/request.ts";
import { documents } from "../../site/data.schema.ts";
import type { Standing } from "../../site/showing.ts";
import { type PublishedSite, publishedDocument, publishedSummary } from "./published-files.ts";

export type OneText = Exclude<Standing, { kind: "twelve" }>;

/** Undefined where the state does not have the path's newest sheet, or the pair's data. */
export async function requestShownBy(
  path: string,
  standing: OneText,
  published: PublishedSite,
): Promise<ReadingRequest | undefined> {
  switch (standing.kind) {
    case "text":
      return standing.request;
    case "current": {
      const summary = await publishedSummary(published, standing.language);
      return standing.at(summary?.newest[standing.operation] ?? "");
    }
    case "pair": {
      const data = path.startsWith("v1/") ? path : `v1/${path.replace(/\/index\.html$/, ".json")}`;
      const pair = await publishedDocument(published, data, documents.pair);
      return standing.at(pair?.reading.period ?? "");
    }
  }
}
