// Describes a run in words: its progress and outcome, the reasons for a standstill, and the requests that the service refused.
import { minuteOf } from "../../readings/calendar.ts";
import type {
  PlannedRefusal,
  PublishResult,
  RefusedOperation,
  RunProgress,
} from "../../readings/run-messages.ts";
import type { RequestKey } from "../../readings/request.ts";
import { mostProbesOfStopped } from "../../service/unfit-responses.ts";
import { type OpenBreaker, remedyFor, scopeWords, type StoppedLanguage } from "../../vault/call-notes.ts";
import { layout } from "../../vault/files.ts";
import type { Report } from "../../vault/runs.ts";
import { exitCodes } from "./errors.ts";
import { counted, firstLines, type Lines, plainLine } from "./output.ts";
import { paceWords, type RunPace, totalsOf } from "./progress.ts";

/** One line: how much is done, how fast, and how long it still takes. */
export function summaryLine(progress: RunProgress, pace: RunPace): string {
  const totals = totalsOf(Object.values(progress.languages));
  const isAsking = progress.state === "gathering" && totals.done < totals.planned;
  const state = progress.state === "gathering" && !isAsking ? "publishing" : progress.state;
  const publishes = progress.published.length;
  const parts = [
    totals.planned === 0 ? state : `${state}: ${totals.done} of ${totals.planned}`,
    ...(isAsking ? paceWords(pace) : []),
    ...(totals.retried > 0 ? [`${totals.retried} retried`] : []),
    ...(totals.skipped > 0 ? [`${totals.skipped} skipped`] : []),
    ...(publishes > 0 ? [`published ${counted(publishes, "time")}`] : []),
  ];
  return parts.join(", ");
}

export function endLines(ended: RunProgress): Lines {
  const { skipped } = totalsOf(Object.values(ended.languages));
  const broken = Object.entries(ended.broken).map(([language, why]) => `  ${language} ended early: ${why}`);
  const how = isWhole(ended) && broken.length === 0 ? "complete" : "done, but incomplete";
  return [
    `${ended.run}: ${ended.state === "failed" ? "failed" : how}`,
    broken,
    refusedLines(ended.refused).map((line) => `  ${line}`),
    damagedLines(ended).map((line) => `  ${line}`),
    rejectedLines(ended).map((line) => `  ${line}`),
    skipped > 0 && `  ${skipped} skipped. \`almanac quarantine list\` lists rejected responses`,
    ended.leftOut > 0 && `  ${ended.leftOut} left out over the daily ceiling (service.callsPerDay)`,
  ];
}

/** The exit code distinguishes a complete night from one with skipped requests, or requests left out for the ceiling or the subscription. */
export function exitCodeOf(ended: RunProgress) {
  const { state, broken } = ended;
  if (state === "failed" || state === "cancelled" || Object.keys(broken).length > 0) return exitCodes.failed;
  return isWhole(ended) ? exitCodes.done : exitCodes.incomplete;
}

function isWhole({ languages, leftOut, refused, damaged, rejectedSets = [] }: RunProgress) {
  const { skipped } = totalsOf(Object.values(languages));
  const isAll = skipped === 0 && leftOut === 0 && refused.length === 0;
  return isAll && damaged === undefined && rejectedSets.length === 0;
}

export type EndedRun = RunProgress & Pick<Report, "endedAt">;

/** A line for each earlier start. */
export function earlierLines(earlier: readonly EndedRun[]): string[] {
  return earlier.map((one) => {
    const { done, skipped } = totalsOf(Object.values(one.languages));
    return plainLine(
      `earlier start: ${spanWords(one)}, ${one.state}, ${done - skipped} stored, ${skipped} skipped`,
    );
  });
}

/** `2026-11-22 03:05 to 05:17 UTC`, with the day once more if it ended on another. */
export function spanWords({ startedAt, endedAt }: Pick<EndedRun, "startedAt" | "endedAt">): string {
  const ended = minuteOf(endedAt);
  const began = minuteOf(startedAt);
  const isSameDay = began.slice(0, 10) === ended.slice(0, 10);
  return `${began} to ${isSameDay ? ended.slice(11) : ended} UTC`;
}

export function breakerWords(breaker: OpenBreaker): string {
  const { probes, nextProbeAt } = breaker;
  return `${breakerReason(breaker)}; probed ${counted(probes, "time")}, next at ${minuteOf(nextProbeAt)} UTC`;
}

/** Sentence on an open circuit breaker. It omits the probes, so that it stays the same and a followed run shows it once. */
export function breakerReason(breaker: OpenBreaker): string {
  const { endpoint, openedAt, seen, away } = breaker;
  const since = `since ${minuteOf(openedAt)} UTC (${seen})`;
  const is =
    away === undefined
      ? `has refused the credentials ${since}. Set READING_SERVICE_TOKEN and READING_SERVICE_API_KEY to credentials that work`
      : `has given no responses${scopeWords(breaker)} ${since}. Waiting runs continue by themselves`;
  return plainLine(`the ${endpoint} endpoint ${is}`);
}

export function stopWords({ language, stoppedAt, rule, seen, probes, nextProbeAt }: StoppedLanguage): string {
  const probing =
    probes < mostProbesOfStopped
      ? `next probe at ${minuteOf(nextProbeAt)} UTC`
      : `its ${probes} probes were rejected too, and this run sends no more`;
  return plainLine(
    `${language} has been stopped since ${minuteOf(stoppedAt)} UTC, because the rule "${rule}" rejected all of its responses (${seen}); ` +
      `${probing}. Next: ${remedyFor(rule)}`,
  );
}

const sooner = "tried again on the next UTC day, or after `almanac quarantine retry` of one";

/** A line for each operation that the service refuses alike, however many requests of it a run has. */
export function refusedLines(refused: readonly RefusedOperation[]): string[] {
  return refused.map((one) => {
    const requested = one.requested === 0 ? "" : `, ${counted(one.requested, "request")} rejected`;
    const left = one.notRequested === 0 ? "" : `, ${one.notRequested} not sent`;
    return plainLine(`${refusalWords(one)}${requested}${left}; ${sooner}`);
  });
}

/** The same for a plan. */
export function plannedRefusalLines(refusals: readonly PlannedRefusal[]): string[] {
  return refusals.map((one) => {
    const left = `${counted(one.notRequested, "request")} left out`;
    if (one.probe === 0) return plainLine(`${refusalWords(one)}: ${left}; ${sooner}`);
    return plainLine(
      `${refusalWords(one)}: ${counted(one.probe, "request")} sent as a test, ${left} until it is answered`,
    );
  });
}

/** Maximum number of languages to name; the rest are counted. */
const mostNamed = 5;

function refusalWords({ operation, languages, reason }: RefusedOperation) {
  const where = languages.length > mostNamed ? `${languages.length} languages` : languages.join(", ");
  return `${operation} is not in your subscription (${where}: ${reason})`;
}

/** Lines on the stored responses that a run found damaged. */
export function damagedLines({ damaged = [] }: Pick<RunProgress | PublishResult, "damaged">): string[] {
  const title = `${counted(damaged.length, "stored response")} unreadable. \`almanac verify --vault\` checks the whole vault`;
  return titledLines(title, damaged, ({ key, reason }) => `${key}  ${reason}`, 5);
}

/** Two lines for each set that a set rule rejects although a person accepted a response of it. */
export function rejectedLines({
  rejectedSets = [],
}: Pick<RunProgress | PublishResult, "rejectedSets">): string[] {
  return rejectedSets.flatMap(({ key, reason }) => [
    plainLine(`the set of ${key} is not published, although the response was accepted: ${reason}`),
    `next: ${rejectedRemedy(key)}`,
  ]);
}

export function rejectedRemedy(key: RequestKey): string {
  return `to request the text again, delete ${layout.response(key)} from the vault. To publish it anyway, set this rule to "warn" in quality.rules`;
}

/** A line for each request that was skipped, and where to find the rest. */
export function skippedLines({ skipped }: Pick<RunProgress, "skipped">, most: number): string[] {
  const title = "skipped (`almanac quarantine list` lists all):";
  return titledLines(title, skipped, ({ key, type, reason }) => `${key}  ${type}: ${reason}`, most);
}

function titledLines<Item>(
  title: string,
  items: readonly Item[],
  lineOf: (item: Item) => string,
  most: number,
) {
  if (items.length === 0) return [];
  const lines = firstLines(items, (item) => plainLine(`  ${lineOf(item)}`), { most, indent: "  ", rest: "" });
  return [title, ...lines];
}
