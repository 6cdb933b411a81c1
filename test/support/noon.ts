// For tests that run by the real clock: far from every midnight, that of a language's zone, where its days turn, and that
// in UTC, by which runs are named and calls counted.
import { setTimeout as delay } from "node:timers/promises";
import { languageNames } from "../../readings/languages.ts";

/** For each language a zone in which it is the hour after noon. */
export function zonesAtNoon(now = new Date()): Record<string, string> {
  const hours = 12 - now.getUTCHours();
  // Signs are the wrong way round in these names: in Etc/GMT-12 it is twelve hours later than in UTC.
  const zone = hours === 0 ? "UTC" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
  return Object.fromEntries(languageNames.map((language) => [language, zone]));
}

/** How many weeks' sheets are due at noon: the week's, and on its last two days, Friday and Saturday, the next one's too. */
export function weeksDue(now = new Date()): number {
  return now.getUTCDay() < 5 ? 1 : 2;
}

const minuteMs = 60_000;
const nearMs = { before: 5 * minuteMs, after: minuteMs };

/** Waits where midnight in UTC is near; at the top of a file, which has no time-out. */
export async function awayFromMidnight(now = new Date()): Promise<void> {
  const sinceMs = (now.getTime() + nearMs.before) % (24 * 60 * minuteMs);
  const leftMs = nearMs.before + nearMs.after - sinceMs;
  if (leftMs > 0) await delay(leftMs);
}
