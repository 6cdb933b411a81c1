// How the patrol stands, for a person: when it went last, what it read, and what it found.
import { minuteOf } from "../../readings/instant-words.ts";
import type { Patrol } from "../../vault/patrol-note.ts";
import { counted, sizeInWords, type Lines, styled } from "../terminal/output.ts";
import { findingLines } from "../terminal/findings.ts";

export function patrolLines(patrol: Patrol): Lines {
  const { startedAt, endedAt, files, sizeBytes, slowDays, findings } = patrol;
  const when =
    endedAt === undefined ? `under way since ${minuteOf(startedAt)}` : `ended ${minuteOf(endedAt)}`;
  const found =
    findings.length === 0
      ? "nothing is damaged"
      : styled("red", `${counted(findings.length, "file")} not as kept`);
  return [
    `patrol ${when} UTC: ${counted(files, "file")}, ${sizeInWords(sizeBytes)}; ${found}`,
    slowDays !== undefined &&
      styled("yellow", `  a round takes it ${slowDays} days: raise schedule.patrolMegabytes`),
    findings.length > 0 && findingLines(findings),
  ];
}
