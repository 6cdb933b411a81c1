// The time in tests. Tests without Temporal begin at a fixed instant, in every process. Tests with a real Temporal run on the
// machine's time, far from every midnight: that of a language's zone, where its days turn, and that in UTC, by which runs are
// named and calls counted.
import { setTimeout as delay } from "node:timers/promises";
import { deep } from "./deep.ts";
import { languageNames } from "../../readings/tables.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A Wednesday in the middle of a month, before the time of any machine: files are never older than it by chance. */
const beginMs = Date.parse("2026-11-18T12:00:00Z");
const offsetMs = beginMs - Date.now();

/** The time in a test without Temporal. It passes as the machine's time does. */
export function testNow(): Date {
  return new Date(Date.now() + offsetMs);
}

/** That time, less so many days. */
export function daysAgo(days: number): Date {
  return new Date(testNow().getTime() - days * dayMs);
}

/** The date in UTC at which each test without Temporal begins. */
export const testDate = new Date(beginMs).toISOString().slice(0, 10);

/** The variables that move a process's clock. Without the second one, which a test run sets, it refuses the first. */
export function clockMovedBy(byMs: number) {
  const run = process.env["ALMANAC_TEST_RUN"] ?? "no folder";
  return { ALMANAC_TEST_CLOCK_OFFSET_MS: String(byMs), ALMANAC_TEST_RUN: run };
}

/**
 * Variables that speed up the clock of leases, endpoints and rate limiters: events that take a minute in production take seconds, in
 * the same order.
 */
export function clockSpedUp(speed: number) {
  const run = process.env["ALMANAC_TEST_RUN"] ?? "no folder";
  return { ALMANAC_TEST_CLOCK_SPEED: String(deep ? 1 : speed), ALMANAC_TEST_RUN: run };
}

/** The variables that give a child process the time of tests without Temporal. */
export const testClock = clockMovedBy(offsetMs);

/** For each language, a zone where it is between noon and one o'clock. */
export function zonesAtNoon(now = new Date()): Record<string, string> {
  const hours = 12 - now.getUTCHours();
  // Signs are the wrong way round in these names: in Etc/GMT-12 it is twelve hours later than in UTC.
  const zone = hours === 0 ? "UTC" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
  return Object.fromEntries(languageNames.map((language) => [language, zone]));
}

const nearMs = { before: 5 * minuteMs, after: minuteMs };

/** Waits where midnight in UTC is near; at the top of a file, which has no time-out. */
export async function awayFromMidnight(now = new Date()): Promise<void> {
  const sinceMs = (now.getTime() + nearMs.before) % dayMs;
  const leftMs = nearMs.before + nearMs.after - sinceMs;
  if (leftMs > 0) await delay(leftMs);
}
