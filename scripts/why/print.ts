// What `almanac why` found, for a person at a terminal: one fact a line, the next step where something is missing.
import type {
  Absence,
  NamedPath,
  PublishedFile,
  SheetFacts,
  TextFacts,
  Why,
} from "../../hindsight/why/answer.ts";
import type { Damaged } from "../../vault/json.ts";
import { utcMinute } from "../../readings/instant-words.ts";
import { counted, sizeInWords } from "../terminal/findings.ts";
import { plainLine, styled } from "../terminal/output.ts";
import { tableLines } from "../terminal/table.ts";
import { type FactLines, factsIn, textLines } from "./text.ts";

/** More would scroll away what came first; --json has them all. */
const mostShown = 30;

export function whyLines(why: Why, columns: number): string[] {
  const { path, file, parts, absence, damaged } = why;
  const facts = factsIn(columns);
  return [
    file === undefined ? `${styled("bold", path)} is not on the site` : styled("bold", path),
    "",
    ...showsLines(why, facts),
    ...(absence === undefined ? [] : absenceLines(absence, facts)),
    ...publishedLines(why, facts),
    ...(isOfVault(why) ? vaultLines(why, facts) : []),
    ...partLines(parts),
    ...damaged.flatMap(({ file: name, reason }) =>
      facts.line("damaged", styled("yellow", name)).concat(facts.said("", reason)),
    ),
  ];
}

/** What has no text and is not there would show nothing. */
function showsLines({ file, shows }: Why, facts: FactLines): string[] {
  if (file !== undefined) return facts.said("shows", shows.words);
  return shows.kind === "none" ? [] : facts.said("would show", shows.words);
}

/** Of what is not there the vault is of interest only where it has something of it. */
function isOfVault({ file, sheet, texts }: Why): boolean {
  const isKnown = texts.some(
    ({ capture, quarantined }) => capture !== undefined || quarantined !== undefined,
  );
  return file !== undefined || isKnown || (sheet !== undefined && sheet.readings > 0);
}

function vaultLines({ sheet, texts, file, absence, damaged }: Why, facts: FactLines): string[] {
  const [only] = texts;
  return [
    ...(sheet === undefined ? [] : sheetLines(sheet, file !== undefined, facts)),
    ...(texts.length === 1 && only !== undefined
      ? textLines(only, absence, isDamaged(only, damaged), facts)
      : textTable(texts, damaged)),
  ];
}

function absenceLines({ kind, reason, next, missing = [] }: Absence, facts: FactLines): string[] {
  return [
    ...facts.line("because", styled("yellow", kind)),
    ...facts.said("", reason),
    ...missing
      .slice(0, mostShown)
      .flatMap(({ key, kind: own, reason: said }) =>
        facts.line("missing", key).concat(facts.said("", `${own}: ${said}`)),
      ),
    ...(next === undefined ? [] : facts.said("next", next)),
  ];
}

function publishedLines({ site, file, entry }: Why, facts: FactLines): string[] {
  if (site === undefined)
    return facts.said("published", "nothing yet: `almanac local` or `almanac nightly` does it");
  const state = `version ${site.version} since ${utcMinute(site.publishedAt)}, manifest ${site.manifest.slice(0, 12)}`;
  return [
    ...(file === undefined ? facts.line("looked in", state) : facts.line("published", state)),
    ...(file === undefined ? [] : fileLines(file, facts)),
    ...(entry === undefined ? [] : facts.said("feeds", feedsInWords(entry.feeds))),
  ];
}

function fileLines({ part, object, sizeBytes, since }: PublishedFile, facts: FactLines): string[] {
  const { version, asOf, run, isKnown } = since;
  const by = plainLine(`as of ${utcMinute(asOf)}, by ${run}`);
  return [
    ...facts.line("part", part),
    ...facts.line("since", isKnown ? `version ${version}, ${by}` : `version ${version} or an earlier one`),
    ...facts.line("object", `${object} (${sizeInWords(sizeBytes)})`),
  ];
}

function feedsInWords(feeds: readonly string[]): string {
  if (feeds.length > 0) return feeds.join(", ");
  return "none has this entry: they hold the current day alone";
}

/** Of a sheet that is not there the reason is told already. */
function sheetLines(
  { sheet, readings, of, hindrance }: SheetFacts,
  isThere: boolean,
  facts: FactLines,
): string[] {
  const count = of === 1 ? "" : `, ${readings} of ${of} readings in the vault`;
  return [
    ...facts.line("sheet", `${sheet}${count}`),
    ...(hindrance === undefined || !isThere
      ? []
      : facts.said("", `from the vault it could not be pressed now: ${hindrance}`)),
  ];
}

/** Of several one line each. */
function textTable(texts: readonly TextFacts[], damaged: readonly Damaged[]): string[] {
  if (texts.length === 0) return [];
  const rows = texts.map((text) => [
    text.key.slice(text.key.lastIndexOf("/") + 1),
    text.capture === undefined ? "" : utcMinute(text.capture.receivedAt),
    text.capture?.tries ?? "",
    plainLine(text.capture?.run ?? ""),
    plainLine(verdictOn(text, damaged)),
  ]);
  const [example] = texts;
  return [
    "",
    ...tableLines(["", "received", "tries", "run", "gates"], rows),
    "",
    `more of one: almanac why ${example?.data ?? example?.key ?? ""}`,
  ];
}

function isDamaged({ key }: Pick<TextFacts, "key">, damaged: readonly Damaged[]): boolean {
  return damaged.some(({ file }) => file.endsWith(`/${key}.json`));
}

function verdictOn(
  { key, capture, gates, withdrawn, quarantined }: TextFacts,
  damaged: readonly Damaged[],
): string {
  if (withdrawn !== undefined) return "withdrawn";
  if (capture === undefined) {
    if (isDamaged({ key }, damaged)) return "can't be read";
    return quarantined === undefined ? "not in the vault" : "quarantined";
  }
  if (gates?.waived !== undefined) return `accepted by ${gates.waived.by}`;
  const notes = gates?.noted.length ?? 0;
  return notes === 0 ? "passed" : `passed, ${counted(notes, "note")}`;
}

function partLines(parts: readonly NamedPath[]): string[] {
  if (parts.length === 0) return [];
  const rows = parts.slice(0, mostShown).map(({ name, path }) => [plainLine(name), path]);
  const lines = tableLines(["made of", "more of it: almanac why ..."], rows);
  const more = parts.length - mostShown;
  return ["", ...lines, ...(more > 0 ? [`and ${more} more: --json has them all`] : [])];
}
