// Answers that were set aside, for a person at a terminal.
import type { Quarantined } from "../../vault/capture.schema.ts";
import { readingFrom } from "../../vault/editions.ts";
import { captureOf, type Offence, offencesIn } from "../../vault/quarantine.ts";
import { requestOf } from "../../readings/request.ts";
import { refusedAlikeAfter } from "../../readings/retry-rules.ts";
import { remedyFor } from "../../vault/endpoint-note.ts";
import { minuteOf } from "../../readings/instant-words.ts";
import { counted, type Lines, plainLine, sentence, styled, tableLines } from "../terminal/output.ts";
import { readingLines } from "../reading/print.ts";

export function quarantineLines(entries: readonly Quarantined[]): Lines {
  if (entries.length === 0) return "nothing is in quarantine";
  const rows = entries.map(({ key, type, rule = "", tries, at, reason }) => [
    key,
    type,
    rule,
    tries,
    minuteOf(at),
    plainLine(reason),
  ]);
  return [
    tableLines(["request", "type", "rule", "tries", "when (UTC)", "reason"], rows),
    `${entries.length} set aside: \`almanac quarantine show <request>\` shows one`,
    alikeLines(entries),
  ];
}

/** A line for each language of which one rule refused a sheet's worth of answers or more: they have one remedy. */
function alikeLines(entries: readonly Quarantined[]): string[] {
  const groups = Map.groupBy(entries, ({ key, rule = "" }) => `${requestOf(key)?.language ?? ""} ${rule}`);
  return [...groups].flatMap(([name, { length }]) => {
    const [language = "", rule = ""] = name.split(" ");
    if (length < refusedAlikeAfter || language === "" || rule === "") return [];
    return [`${language}: ${length} are refused by the rule "${rule}". Next: ${remedyFor(rule)}`];
  });
}

export function entryLines(entry: Quarantined, columns: number): string[] {
  const { key, type, rule, reason, at, tries, run, address } = entry;
  return [
    styled("bold", key),
    `${rule === undefined ? type : `${type} (${rule})`}: ${plainLine(reason)}`,
    plainLine(`asked ${counted(tries, "time")} by ${run}, last ${at}, at ${address}`),
    "",
    ...textLines(entry, columns),
  ];
}

/** What the rules have against an answer, each with its place in the text as it came. */
export function offenceLines(entry: Quarantined): Lines {
  return [styled("bold", entry.key, process.stderr), offencesIn(entry).map(linesOfOffence)];
}

function linesOfOffence({ reason, paragraphs }: Offence): Lines {
  const excerpt = excerptOf(reason, paragraphs);
  return [styled("yellow", plainLine(reason), process.stderr), excerpt !== "" && sentence(excerpt, "  ")];
}

const mostShown = 240;
const before = 80;

/** The words that the reason quotes, with those around them; without such words the beginning of the text. */
function excerptOf(reason: string, paragraphs: readonly string[]): string {
  const quoted = /“([^”]{1,40})/.exec(reason)?.[1]?.trim() ?? "";
  const paragraph = paragraphs.find((one) => one.includes(quoted)) ?? paragraphs[0] ?? "";
  const from = quoted === "" ? 0 : Math.max(0, paragraph.indexOf(quoted) - before);
  const shown = paragraph.slice(from, from + mostShown);
  return `${from > 0 ? "…" : ""}${shown}${from + mostShown < paragraph.length ? "…" : ""}`;
}

/** The text as a reader would see it; an answer that can't be read as it came. */
function textLines(entry: Quarantined, columns: number) {
  if (entry.body === undefined) return ["nothing came that was kept"];
  try {
    return readingLines(readingFrom(captureOf(entry)).reading, [], columns);
  } catch {
    return ["no reading can be made of it; as it came:", ...entry.body.split(/\r?\n/).map(plainLine)];
  }
}
