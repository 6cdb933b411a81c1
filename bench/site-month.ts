// Monthly use of Temporal and of the stores by a site, from figures that other commands have measured and the pages quote, and from
// the billed events in the saved histories of scheduled work.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

export const place = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
export const fileAt = (path: string) => readFileSync(place(path));
export const nights = 30;
const publishesADay = 96;
/** A start by a schedule is billed as two actions in addition to the start itself (bench/nights/actions.ts). */
const bySchedule = 2;
const saved = z.object({ history: z.object({ events: z.array(z.object({ eventType: z.string() })) }) });
const billed: Readonly<Record<string, number>> = {
  EVENT_TYPE_WORKFLOW_EXECUTION_STARTED: 1,
  EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED: 2,
  EVENT_TYPE_ACTIVITY_TASK_SCHEDULED: 1,
  EVENT_TYPE_TIMER_STARTED: 1,
};

function actionsIn(name: string): number {
  const text = gunzipSync(fileAt(`test/nights/histories/${name}.1.json.gz`)).toString();
  const { events } = saved.parse(JSON.parse(text)).history;
  return events.reduce((sum, { eventType }) => sum + (billed[eventType] ?? 0), 0);
}

/** Numbers in a page's text that the pattern captures. */
export function quoted(page: string, pattern: RegExp): number[] {
  const found = pattern.exec(fileAt(page).toString());
  if (found === null) throw new Error(`${page} has nothing like ${pattern.source}`);
  return found.slice(1).map((figure) => Number(figure.replaceAll(",", "")));
}

export const actionsPerReading = /Almanac, responses after 27 s +\| ([\d.]+) actions/;

export function siteMonth() {
  const [perReading = 0] = quoted("docs/performance.md", actionsPerReading);
  const [writes = 0, reads = 0, gigabytes = 0] = quoted(
    "bench/README.md",
    /site: ([\d,]+) writes and listings, ([\d,]+) reads, ([\d.]+) GB written/,
  );
  const [requests = 0, vaultWrites = 0, vaultReads = 0, renderLists = 0, renderReads = 0] = quoted(
    "bench/README.md",
    /vault, for ([\d,]+) requests in [\d,]+ batches: ([\d,]+) writes, ([\d,]+) reads; for rendering ([\d,]+) listings, ([\d,]+) reads/,
  );
  const publish = bySchedule + actionsIn("backfill.publish");
  const scrub = bySchedule + actionsIn("scheduled.scrub");
  // The start of its night is part of the cost per reading.
  const night = bySchedule + actionsIn("scheduled.scheduled") - 1;
  return {
    requests,
    actions: requests * perReading + nights * (publishesADay * publish + scrub + night),
    writes: writes + vaultWrites + renderLists,
    reads: reads + vaultReads + renderReads,
    gigabytes,
  };
}

export const whole = (figure: number): string => Math.round(figure).toLocaleString("en");
export const dollars = (figure: number): string => `$${figure.toFixed(2)}`;
