// `npm run bench:costs`: what sites cost a month in Temporal's cloud and on Amazon S3, of what other commands have measured and the
// pages quote, and of the billed events in the saved histories of what runs by the clock. It writes its table into docs/deployment.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { table, withPart } from "../scripts/generate/markdown.ts";
import { storePrices, temporalPrices } from "./prices.ts";

const place = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const fileAt = (path: string) => readFileSync(place(path));
const nights = 30;
const turnsADay = 96;
/** A start by a schedule is billed as two actions beside the start itself (bench/nights/actions.ts). */
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

/** What stands in a page between the words around it. */
function quoted(page: string, pattern: RegExp): number[] {
  const found = pattern.exec(fileAt(page).toString());
  if (found === null) throw new Error(`${page} has nothing like ${pattern.source}`);
  return found.slice(1).map((figure) => Number(figure.replaceAll(",", "")));
}

function siteMonth() {
  const [perReading = 0] = quoted("docs/performance.md", /\| Almanac, answers of 27 s +\| ([\d.]+) actions/);
  const [writes = 0, reads = 0, gigabytes = 0] = quoted(
    "docs/store.md",
    /site: ([\d,]+) writes and listings, ([\d,]+) reads, ([\d.]+) GB written/,
  );
  const [requests = 0, vaultWrites = 0, vaultReads = 0, pressLists = 0, pressReads = 0] = quoted(
    "docs/store.md",
    /vault, for ([\d,]+) requests in [\d,]+ bundles: ([\d,]+) writes, ([\d,]+) reads; for the press ([\d,]+) listings, ([\d,]+) reads/,
  );
  const turn = bySchedule + actionsIn("backfill.turn");
  const patrol = bySchedule + actionsIn("scheduled.patrol");
  // The start of the night that it makes is counted in what a reading costs.
  const night = bySchedule + actionsIn("scheduled.scheduled") - 1;
  return {
    requests,
    actions: requests * perReading + nights * (turnsADay * turn + patrol + night),
    writes: writes + vaultWrites + pressLists,
    reads: reads + vaultReads + pressReads,
    gigabytes,
  };
}

const page = "docs/deployment.md";

/** The page with the costs of so many sites each. */
export function renewedCosts(): string {
  return withPart(page, fileAt(page).toString(), "costs", costsTable([1, 10, 100]));
}

function costsTable(counts: readonly number[]): string {
  const site = siteMonth();
  const { aMillionWrites, aMillionReads, aGigabyteMonth } = storePrices["Amazon S3"];
  const cloud = (site.actions / 1e6) * temporalPrices.aMillionActions * (1 + temporalPrices.planShare);
  const calls = (site.writes * aMillionWrites + site.reads * aMillionReads) / 1e6;
  const kept = site.gigabytes * aGigabyteMonth;
  const rows = counts.map((sites) => [
    `${sites}`,
    whole(sites * site.requests),
    whole(sites * site.actions),
    dollars(sites * cloud),
    whole(sites * site.writes),
    whole(sites * site.reads),
    dollars(sites * (calls + kept)),
    dollars(sites * (cloud + calls + kept)),
  ]);
  const head = [
    "sites",
    "readings",
    "actions",
    "Temporal Cloud",
    "writes, listings",
    "reads",
    "Amazon S3",
    "together",
  ];
  return table(head, rows);
}

const whole = (figure: number): string => Math.round(figure).toLocaleString("en");
const dollars = (figure: number): string => `$${figure.toFixed(2)}`;

if (import.meta.main) {
  writeFileSync(place(page), renewedCosts());
  console.log(`${page} has the costs of today's figures`);
}
