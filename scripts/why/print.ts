// What `almanac why` found, for a person at a terminal: one fact a line, the next step where something is missing.
import type { Absence, NamedPath, PublishedFile, TextFacts, Why } from "../../insight/why-answer.ts";
import { utcMinute } from "../../readings/instant-words.ts";
import { counted, sizeInWords, type Lines, plainLine, styled, tableLines } from "../terminal/output.ts";
import { fact, textLines, told } from "./text.ts";

/** More would scroll away what came first; --json has them all. */
const mostShown = 30;

export function whyLines(why: Why): Lines {
  const { path, file, shows, parts, absence, dateAhead, damaged } = why;
  return [
    styled("bold", path) + (file === undefined ? " is not on the site" : ""),
    "",
    // What has no text and is not there would show nothing.
    (file !== undefined || shows.kind !== "none") &&
      told(file === undefined ? "would show" : "shows", shows.words),
    absence && absenceLines(absence),
    publishedLines(why),
    dateAhead && [
      fact("but", styled("yellow", "its date lies ahead")),
      told("", dateAhead.seen),
      told("next", dateAhead.remedy),
    ],
    isOfVault(why) && vaultLines(why),
    partLines(parts),
    damaged.map(({ file: name, reason }) => [fact("damaged", styled("yellow", name)), told("", reason)]),
  ];
}

/** Of what is not there the vault is of interest only where it has something of it. */
function isOfVault({ file, sheet, texts }: Why) {
  const isKnown = texts.some(({ capture, quarantined }) => (capture ?? quarantined) !== undefined);
  return file !== undefined || isKnown || (sheet !== undefined && sheet.readings > 0);
}

function vaultLines(why: Why): Lines {
  const [only, other] = why.texts;
  return [
    sheetLines(why),
    only && (other === undefined ? textLines(only, why.absence, isDamaged(only, why)) : textTable(only, why)),
  ];
}

function absenceLines({ kind, reason, next, missing = [] }: Absence): Lines {
  return [
    fact("because", styled("yellow", kind)),
    told("", reason),
    missing
      .slice(0, mostShown)
      .map((one) => [fact("missing", one.key), told("", `${one.kind}: ${one.reason}`)]),
    next !== undefined && told("next", next),
  ];
}

function publishedLines({ site, file, entry }: Why): Lines {
  if (site === undefined)
    return told("published", "nothing yet: `almanac local` or `almanac nightly` does it");
  const state = `version ${site.version} since ${utcMinute(site.publishedAt)}, manifest ${site.manifest.slice(0, 12)}`;
  return [
    fact(file === undefined ? "looked in" : "published", state),
    file && fileLines(file),
    entry && told("feeds", entry.feeds.join(", ") || "none has this entry: they hold the current day alone"),
  ];
}

function fileLines({ part, object, sizeBytes, since }: PublishedFile): Lines {
  const { version, asOf, run, isKnown } = since;
  const by = isKnown ? `, as of ${utcMinute(asOf)}, by ${run}` : " or an earlier one";
  return [
    fact("part", part),
    fact("since", plainLine(`version ${version}${by}`)),
    fact("object", `${object} (${sizeInWords(sizeBytes)})`),
  ];
}

function sheetLines({ sheet, file }: Why): Lines {
  if (sheet === undefined) return false;
  const { readings, of, hindrance } = sheet;
  const count = of === 1 ? "" : `, ${readings} of ${of} readings in the vault`;
  return [
    fact("sheet", `${sheet.sheet}${count}`),
    // Of a sheet that is not there the reason is told already.
    hindrance !== undefined &&
      file !== undefined &&
      told("", `from the vault it could not be pressed now: ${hindrance}`),
  ];
}

/** Of several texts one line each. */
function textTable(example: TextFacts, why: Why): Lines {
  const rows = why.texts.map((text) => [
    text.key.slice(text.key.lastIndexOf("/") + 1),
    text.capture === undefined ? "" : utcMinute(text.capture.receivedAt),
    text.capture?.tries ?? "",
    plainLine(text.capture?.run ?? ""),
    plainLine(verdictOn(text, why)),
  ]);
  return [
    "",
    tableLines(["", "received", "tries", "run", "gates"], rows),
    "",
    `more of one: almanac why ${example.data ?? example.key}`,
  ];
}

function isDamaged({ key }: TextFacts, { damaged }: Why) {
  return damaged.some(({ file }) => file.endsWith(`/${key}.json`));
}

function verdictOn(text: TextFacts, why: Why) {
  const { capture, gates, withdrawn, quarantined } = text;
  if (withdrawn !== undefined) return "withdrawn";
  if (capture === undefined) {
    if (isDamaged(text, why)) return "can't be read";
    return quarantined === undefined ? "not in the vault" : "quarantined";
  }
  if (gates?.waived !== undefined) return `accepted by ${gates.waived.by}`;
  const notes = gates?.noted.length ?? 0;
  return notes === 0 ? "passed" : `passed, ${counted(notes, "note")}`;
}

function partLines(parts: readonly NamedPath[]): Lines {
  if (parts.length === 0) return false;
  const rows = parts.slice(0, mostShown).map(({ name, path }) => [plainLine(name), path]);
  const more = parts.length - mostShown;
  return [
    "",
    tableLines(["made of", "more of it: almanac why ..."], rows),
    more > 0 && `and ${more} more: --json has them all`,
  ];
}
