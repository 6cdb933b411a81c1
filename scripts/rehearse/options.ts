// The options for what goes wrong in a rehearsal: `--outage 02:00-07:00`, `--refuse hi,daily-tarot`.
import type { Outage, AlwaysRefused } from "../../insight/simulated-night.ts";
import { type Language, namedLanguage } from "../../readings/languages.ts";
import { isOperation, type Operation, operationNames } from "../../readings/operations.ts";
import { parseDate } from "../../readings/zones.ts";
import { nearestLanguage, nearestName } from "../../worker/settings/nearest-name.ts";
import { WrongUsage } from "../terminal/errors.ts";

interface TypedOutage {
  readonly text: string;
  readonly outage: Outage;
}

/** Parses one `--outage` and adds it to those before it. */
export function outageIn(text: string, before: readonly TypedOutage[] = []) {
  const outage = dailyIn(text) ?? onceIn(text);
  if (outage !== undefined) return [...before, { text, outage }];
  throw new WrongUsage(
    `--outage: "${text}" is no span of time: give 02:00-07:00 for every day, or 2026-11-25T02:00/2026-11-25T07:00 for once, in UTC`,
  );
}

function dailyIn(text: string): Outage | undefined {
  const [, from = "", until = ""] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? [];
  const [fromMinute, untilMinute] = [minuteIn(from), minuteIn(until)];
  if (fromMinute === undefined || untilMinute === undefined) return undefined;
  if (fromMinute !== untilMinute) return { kind: "daily", fromMinute, untilMinute };
  throw new WrongUsage(`--outage: ${text} ends when it begins; a whole day is 00:00-23:59`);
}

function onceIn(text: string): Outage | undefined {
  const instant = String.raw`(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)Z?)?`;
  // A date alone is its first moment, by UTC as all of it.
  const [whole, fromDate = "", fromTime = "00:00", date = "", time = "00:00"] =
    new RegExp(`^${instant}/${instant}$`).exec(text) ?? [];
  if (whole === undefined) return undefined;
  const [from, until] = [instantIn(fromDate, fromTime), instantIn(date, time)];
  if (from === undefined || until === undefined) return undefined;
  if (from < until) return { kind: "once", from, until };
  throw new WrongUsage(`--outage: ${text} ends before it begins, or at the same moment`);
}

function instantIn(date: string, time: string) {
  const [day, minute] = [parseDate(date), minuteIn(time)];
  return day === undefined || minute === undefined ? undefined : new Date(day.getTime() + minute * 60_000);
}

function minuteIn(time: string) {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) return undefined;
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

export function refusedIn(text: string): AlwaysRefused {
  const languages: Language[] = [];
  const operations: Operation[] = [];
  for (const word of text.split(",").map((one) => one.trim())) {
    const language = namedLanguage(word);
    const operation = word.toLowerCase();
    if (language !== undefined) languages.push(language);
    else if (isOperation(operation)) operations.push(operation);
    else throw unknown(word);
  }
  return { languages, operations };
}

function unknown(word: string): WrongUsage {
  const meant =
    word === "" ? undefined : (nearestName(word.toLowerCase(), operationNames) ?? nearestLanguage(word));
  return new WrongUsage(`--refuse: "${word}" is neither a language nor an operation`, meant, {
    allowed: `it takes codes and names with commas between them, such as hi,daily-tarot`,
  });
}
