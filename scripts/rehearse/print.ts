// A rehearsal for a person at a terminal: a row a language, and in the end an answer to each question.
import { minuteOf } from "../../readings/instant-words.ts";
import { counted, type Lines, sentence, styled, tableLines } from "../terminal/output.ts";
import { durationWords } from "../terminal/progress.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { verdictsOf } from "./verdicts.ts";

export function rehearsalLines(of: Rehearsal): Lines {
  const rows = tableLines(
    ["language", "midnight", "least lead", "late", "usual age", "worst age", "lost", "calls"],
    of.figures.languages.map(({ language, turns, leadSeconds, late, days, ageSeconds, lost, calls }) => [
      language,
      turns.at(-1)?.dueAt.slice(11, 16) ?? "-",
      leadSeconds === null ? "-" : leadWords(leadSeconds.least),
      days === 0 ? "-" : late,
      ageWords(ageSeconds?.usual, days),
      ageWords(ageSeconds?.worst, days),
      lost,
      calls,
    ]),
  );
  return [
    sentence(headOf(of)),
    "",
    rows,
    "",
    verdictsOf(of).map(({ question, isWell, answer }) => [
      styled("bold", question),
      sentence(answer, "  ").map((line) => (isWell ? line : styled("yellow", line))),
    ]),
  ];
}

export function headOf({ wish, settings, figures }: Rehearsal): string {
  const { languages, service } = wish.configuration;
  const rates = new Set(Object.values(service.ratePerSecond));
  const rate =
    rates.size === 1 ? `${[...rates].join("")} a second on each address` : "each address at its own rate";
  const wrong = [
    ...settings.outages.map((outage) => `no answer ${outage}${outage.includes("/") ? "" : " every day"}`),
    ...(settings.refused.length > 0 ? [`${settings.refused.join(", ")} refused`] : []),
  ];
  const nights = counted(wish.days, "night");
  return [
    `${nights} from ${minuteOf(figures.from)} on, in ${counted(languages.length, "language")}, with an empty vault to begin with`,
    rate,
    ...wrong,
    "all times in UTC",
  ].join("; ");
}

/** An age in words, also for a language that never had an edition or has no daily one. */
export function ageWords(seconds: number | undefined, days: number): string {
  if (seconds === undefined) return days === 0 ? "-" : "never";
  return durationWords(seconds);
}

/** Rounded down, so that the lead is never overstated. */
function leadWords(seconds: number) {
  return seconds < 0 ? `${durationWords(-seconds)} late` : durationWords(seconds);
}
