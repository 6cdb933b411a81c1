// Answers that were set aside, for a person at a terminal.
import type { Quarantined } from "../../vault/capture.schema.ts";
import { readingFrom } from "../../vault/editions.ts";
import { captureOf } from "../../vault/quarantine.ts";
import { minuteOf } from "../../readings/instant-words.ts";
import { counted } from "../terminal/findings.ts";
import { type Lines, plainLine, styled } from "../terminal/output.ts";
import { readingLines } from "../reading/print.ts";
import { tableLines } from "../terminal/table.ts";

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
  ];
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

/** The text as a reader would see it; an answer that can't be read as it came. */
function textLines(entry: Quarantined, columns: number) {
  if (entry.body === undefined) return ["nothing came that was kept"];
  try {
    return readingLines(readingFrom(captureOf(entry)).reading, [], columns);
  } catch {
    return ["no reading can be made of it; as it came:", ...entry.body.split(/\r?\n/).map(plainLine)];
  }
}
