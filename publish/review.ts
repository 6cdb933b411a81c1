// Records that a person has approved or rejected texts, and publishes approved ones whose day has come.
import { zoneOf } from "../readings/catalogue.ts";
import { firstDayOf, isPeriodKind, localDate } from "../readings/calendar.ts";
import { requestKey } from "../readings/request.ts";
import type { ReviewDecision } from "../readings/review.ts";
import { rowOf } from "../readings/tables.ts";
import { textHash } from "../site/data.ts";
import type { ReceivedReading } from "../site/edition.ts";
import { sha256 } from "../vault/files.ts";
import { type Attribution, recordDecision } from "../vault/journal.ts";
import { periodOfKey } from "../vault/site-notes.ts";
import type { Publishing } from "./state/publish-context.ts";
import { publishDecided, type Republished } from "./withdraw.ts";

/** A short hash of texts as a person sees them: other texts, or one that has changed since, have another. */
export function hashSeen(readings: readonly ReceivedReading[]): string {
  const texts = readings.map(({ reading }) => `${requestKey(reading)} ${textHash(reading)}`);
  return sha256(texts.sort().join("\n")).slice(0, 12);
}

/** Records the decision on these texts as they are. From then on, every publish obeys it. */
export async function recordReview(
  kind: ReviewDecision,
  readings: readonly ReceivedReading[],
  said: Attribution,
  { vault, now }: Publishing,
): Promise<void> {
  const at = now().toISOString();
  const groups = Map.groupBy(readings, ({ reading }) => periodOfKey(requestKey(reading)));
  for (const [group, own] of groups) {
    const texts = Object.fromEntries(own.map(({ reading }) => [requestKey(reading), textHash(reading)]));
    await recordDecision(vault.own, { ...said, kind, at, subject: { group }, texts });
  }
}

/** Publishes the languages of approved texts whose day has come, one after the other. */
export async function publishApproved(
  readings: readonly ReceivedReading[],
  publishing: Publishing,
): Promise<Republished[]> {
  const { configuration, now } = publishing;
  const due = readings.flatMap(({ reading }) => {
    const { language, operation, period } = reading;
    const kind = rowOf(operation).due;
    const today = localDate(zoneOf(configuration, language), now());
    const isAhead = isPeriodKind(kind) && firstDayOf(kind, period) > today && !configuration.site.tomorrow;
    return isAhead ? [] : [{ language, operation, period, isDated: isPeriodKind(kind) }];
  });
  const published: Republished[] = [];
  for (const [language, own] of Map.groupBy(due, (one) => one.language)) {
    const sets = own.filter(({ isDated }) => isDated);
    published.push(
      await publishDecided("review approve", "publish approved texts", language, sets, publishing),
    );
  }
  return published;
}
