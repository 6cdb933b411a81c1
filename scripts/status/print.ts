// Prints the progress of a run: a row per language, the open circuit breakers, and the requests that were skipped.
import type { OpenBreaker, StoppedLanguage } from "../../vault/call-notes.ts";
import type { LeftOutPictures } from "../../vault/site-notes.ts";
import type { RunProgress } from "../../readings/run-messages.ts";
import { ownerWords, unownedWords } from "../../worker/call-owners.ts";
import { languageLines, totalsOf, paceWords } from "../terminal/progress.ts";
import {
  damagedLines,
  earlierLines,
  refusedLines,
  rejectedLines,
  skippedLines,
  breakerWords,
  stopWords,
} from "../terminal/run-words.ts";
import { counted, type Lines, plainLine, sizeInWords, styled } from "../terminal/output.ts";
import type { Scrub } from "../../vault/scrub-note.ts";
import { findingLines } from "../terminal/findings.ts";
import { minuteOf } from "../../readings/calendar.ts";
import type { PendingActivity, Status } from "./found-run.ts";

/** The most skipped requests to list; `almanac quarantine list` has all. */
const mostListed = 10;

export function statusLines(
  status: Status | undefined,
  {
    breakers,
    stopped,
  }: { readonly breakers: readonly OpenBreaker[]; readonly stopped: readonly StoppedLanguage[] },
  warnings: readonly (Pick<LeftOutPictures, "seen" | "remedy"> | undefined)[] = [],
): Lines {
  const open = breakers.map((breaker) => styled("red", breakerWords(breaker)));
  const more = warnings.map(
    (one) => one && [styled("yellow", plainLine(one.seen)), plainLine(`next: ${one.remedy}`)],
  );
  if (status === undefined)
    return [
      warnings.some((one) => one !== undefined)
        ? "no run in this vault"
        : "no run yet. Start one with `almanac nightly`, or run everything here with `almanac local`",
      open,
      more,
    ];
  const { run, state, running, note, progress, pace, pending = [], earlier } = status;
  const { owners = [], unowned = [] } = status;
  const refusedSince = running ? credentialsRefusedSince(breakers) : undefined;
  const rate =
    refusedSince === undefined
      ? pace && paceWords({ ...pace, ...(stopped.length > 0 && { secondsLeft: undefined }) }).join(", ")
      : styled("red", `credentials refused since ${minuteOf(refusedSince).slice(-5)} UTC`);
  const of = progress === undefined ? "" : `, as of ${minuteOf(progress.asOf)} UTC`;
  return [
    `${styled("bold", run)}: ${state}${of}`,
    progress?.failure !== undefined && styled("red", plainLine(progress.failure)),
    note !== undefined && styled("yellow", plainLine(note)),
    pendingLines(pending).map((line) => styled("yellow", plainLine(line))),
    progress && progressLines(progress, rate),
    unowned.map((one) => styled("red", plainLine(unownedWords(one)))),
    owners.map((owner) => plainLine(ownerWords(owner))),
    breakers.length === 0 ? "reading service: available" : open,
    stopped.map((stop) => styled("red", stopWords(stop))),
    more,
    progress && skippedLines(progress, mostListed),
    earlierLines(earlier),
  ];
}

function progressLines(progress: RunProgress, rate: string | undefined): Lines {
  const { held, outOfReach, leftOut, published, broken } = progress;
  const { done, planned, retried, skipped } = totalsOf(Object.values(progress.languages));
  const counts = [
    planned > 0 ? `${done} of ${planned}` : "no requests",
    retried > 0 && `${retried} retried`,
    skipped > 0 && `${skipped} skipped`,
    held > 0 && `${held} already stored`,
    outOfReach > 0 && `${outOfReach} out of reach`,
    leftOut > 0 && `${leftOut} left out over the daily ceiling`,
  ].filter((count) => count !== false);
  const last = published.at(-1);
  return [
    languageLines(progress),
    counts.join(", "),
    rate,
    last === undefined
      ? "nothing published yet"
      : `published ${counted(published.length, "time")}, last version ${last.version}`,
    refusedLines(progress.refused).map((line) => styled("yellow", line)),
    damagedLines(progress).map((line) => styled("red", line)),
    rejectedLines(progress).map((line) => styled("yellow", line)),
    Object.entries(broken).map(([language, why]) =>
      styled("red", plainLine(`${language} ended early: ${why}`)),
    ),
  ];
}

/** Since when an endpoint refuses the credentials. */
export function credentialsRefusedSince(breakers: readonly OpenBreaker[]): string | undefined {
  return breakers.flatMap(({ away, openedAt }) => (away === undefined ? [openedAt] : [])).sort()[0];
}

/** `publish: attempt 7, vault can't be written: ...`, with the number of activities that fail alike. */
function pendingLines(pending: readonly PendingActivity[]): string[] {
  const alike = Map.groupBy(pending, ({ activity, failure }) => `${activity} ${failure}`);
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const attempt = Math.max(...group.map((one) => one.attempt));
    const what = first.activity === "callBatch" ? "batch of calls" : first.activity;
    const count = group.length === 1 ? "" : `${group.length} × `;
    return [`${count}${what}: attempt ${attempt}, ${first.failure}`];
  });
}

/** The last round of the scrub: its time, what it read, and what it found. */
export function scrubLines(scrub: Scrub): Lines {
  const { startedAt, endedAt, files, sizeBytes, slowDays, findings } = scrub;
  const when = endedAt === undefined ? `running since ${minuteOf(startedAt)}` : `ended ${minuteOf(endedAt)}`;
  const found =
    findings.length === 0 ? "no damage found" : styled("red", `${counted(findings.length, "file")} damaged`);
  return [
    `background check ${when} UTC: ${counted(files, "file")}, ${sizeInWords(sizeBytes)}; ${found}`,
    slowDays !== undefined &&
      styled("yellow", `  one pass takes ${slowDays} days. To shorten it, raise schedule.scrubMegabytes`),
    findings.length > 0 && findingLines(findings),
  ];
}
