// What a rollback holds: for each language that goes back, its date, and every sheet of which the state that is left has
// something that the earlier one has not.
import { zoneOf } from "../../readings/catalogue.ts";
import { isLanguage, type Language } from "../../readings/languages.ts";
import { localDate } from "../../readings/zones.ts";
import { documents } from "../../site/data.schema.ts";
import { standingOn } from "../../site/showing.ts";
import { changesBetween } from "./history.ts";
import { inParallel } from "./in-parallel.ts";
import { type Manifest } from "./manifest.schema.ts";
import { groupOf } from "./parts.ts";
import { type Publishing } from "./place.ts";
import { publishedDocument, type Published } from "./shared.ts";
import { type Hold, sheetName } from "./withheld.ts";

/** `left` is the state that is gone back from. */
export async function holdsFor(
  left: Published,
  target: Manifest,
  at: string,
  { configuration, now }: Publishing,
): Promise<Hold[]> {
  const sheets = new Map<Language, Set<string>>();
  const data: string[] = [];
  for (const { path, reason } of await changesBetween(left.reader, target, left.manifest ?? target)) {
    const language = groupOf(path).split("/")[0] ?? "";
    if (!isLanguage(language)) continue;
    if (!sheets.has(language)) sheets.set(language, new Set());
    if (path.startsWith("v1/") && reason !== "gone") data.push(path);
  }
  await inParallel(data, async (path) => {
    const standing = standingOn(path);
    if (standing?.kind !== "text" && standing?.kind !== "pair") return; // the same sheets over again
    const request = standing.kind === "text" ? standing.request : standing.at(await seasonOf(left, path));
    if (request !== undefined) sheets.get(request.language)?.add(sheetName(request));
  });
  return [...sheets].map(([language, names]) => ({
    language,
    date: localDate(zoneOf(configuration, language), now()),
    sheets: [...names].sort(),
    at,
  }));
}

/** The path of a pair is the same in every season: its file says which one it has. */
async function seasonOf(published: Published, path: string): Promise<string> {
  return (await publishedDocument(published, path, documents.pair))?.reading.period ?? "";
}
