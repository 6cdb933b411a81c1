// A plan for a person at a terminal: a row an operation and language, the cost, and each language's lead to its midnight.
import type { LanguageForecast } from "../../readings/forecast.ts";
import { forecastSentences } from "../../readings/forecast-words.ts";
import type { NightPlan } from "../../foresight/plan.ts";
import { isFurtherDraw } from "../../readings/request.ts";
import type { Plan } from "../../readings/plan.ts";
import { minuteOf } from "../../readings/instant-words.ts";
import { counted } from "../terminal/findings.ts";
import { type Lines, sentence, styled } from "../terminal/output.ts";
import { plannedRefusalLines } from "../terminal/run-words.ts";
import { tableLines } from "../terminal/table.ts";

interface Head {
  readonly run: string;
  readonly asOf: string;
  readonly vault: string;
}

export function planLines(head: Head, plan: NightPlan): Lines {
  const { due, held, outOfReach, waiting, leftOut, refused, refusals, damaged, rows, forecast } = plan;
  const draws = due.filter(({ request }) => isFurtherDraw(request)).length;
  const counts = [
    counted(due.length, "call"),
    draws > 0 && `${draws} of them for decks (decks.callsPerNight)`,
    `${held} held`,
    `${outOfReach.length} out of reach`,
    damaged.length > 0 && `${damaged.length} damaged in the vault, asked again`,
    waiting.length > 0 && `${waiting.length} in quarantine, for a later run`,
    leftOut.length > 0 && `${leftOut.length} over the day's ceiling`,
    refused.length > 0 && `${refused.length} not in your subscription`,
  ].filter((count) => count !== false);
  return [
    `${head.run}, as of ${head.asOf}; the vault is ${head.vault}`,
    "",
    tableLines(
      ["language", "operation", "due", "held", "out of reach", "calls", "done (UTC)"],
      rows.map((row) => [
        row.language,
        row.operation,
        row.due,
        row.held,
        row.outOfReach,
        row.calls,
        done(row.doneAt),
      ]),
    ),
    "",
    forecastSentences(forecast).map((one) => sentence(one)),
    "",
    tableLines(["language", "midnight (UTC)", "done (UTC)", "lead"], forecast.languages.map(leadRow)),
    "",
    styled("bold", counts.join(", ")),
    plannedRefusalLines(refusals),
  ];
}

/** One line for each request, in the order in which they are asked, then those that are not asked. */
export function requestLines({ due, leftOut, waiting, refused, outOfReach }: Plan): Lines {
  return tableLines(
    ["reason", "last moment (UTC)", "request"],
    [...due, ...leftOut, ...waiting, ...refused, ...outOfReach].map(({ key, reason, lastMoment }) => [
      reason,
      minute(lastMoment),
      key,
    ]),
  );
}

function leadRow({ language, midnight, turnDoneAt, doneAt }: LanguageForecast) {
  const at = turnDoneAt ?? doneAt;
  const lead = at === undefined ? "nothing to ask" : leadInWords(midnight.getTime() - at.getTime());
  return [language, minute(midnight), done(at), lead];
}

function leadInWords(leadMs: number) {
  const minutes = Math.floor(Math.abs(leadMs) / 60_000);
  const words = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return leadMs < 0 ? `${words} late` : words;
}

/** Rounded up to a whole minute, as in the forecast's sentences, so that it is never too early. */
function done(at: Date | undefined) {
  return at === undefined ? "" : minute(new Date(Math.ceil(at.getTime() / 60_000) * 60_000));
}

/** `2026-11-21 16:02`; a reading that holds for good has no last moment. */
function minute(at: Date) {
  return at.getUTCFullYear() === 9999 ? "never" : minuteOf(at);
}
