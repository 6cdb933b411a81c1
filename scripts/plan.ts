// `almanac plan`: the requests that a run would send now, their cost, and whether they fit. Makes no call and needs no Temporal.
import { forecastSentences } from "../readings/forecast-words.ts";
import type { Forecast, LanguageForecast } from "../readings/forecast.ts";
import { minuteOf } from "../readings/calendar.ts";
import type { Plan } from "../readings/plan.ts";
import { isFurtherDraw } from "../readings/request.ts";
import type { RunRequest } from "../readings/run-messages.ts";
import type { Define } from "./terminal/command.ts";
import { instantIn, typedDate } from "./terminal/dates.ts";
import {
  requirePart,
  wrongDates,
  concurrencyIn,
  languagesIn,
  operationsIn,
  rateIn,
  requireOrder,
  paced,
  sandboxPace,
} from "./terminal/options.ts";
import {
  printAs,
  say,
  counted,
  figureOf,
  type Lines,
  sentence,
  styled,
  tableLines,
} from "./terminal/output.ts";
import { plannedRefusalLines } from "./terminal/run-words.ts";
import { open, type Opening, requireOwnVault } from "../worker/opened-site.ts";
import { now } from "../worker/settings/environment.ts";
import { backfillId, nightlyId } from "../workflows/names.ts";
import type { PageCounts } from "../insight/page-counts.ts";
import { planFor, type RunPlanInput, type NightPlan } from "../insight/plan.ts";

const sandboxIsFaster = `estimated at the configured rate. \`almanac local\` calls the sandbox faster: --rate ${sandboxPace.rate} --concurrency ${sandboxPace.concurrency}`;

export const define: Define = (command) => {
  command
    .option("--as-of <time>", "Plan for this time, such as 2026-11-21T03:05:00Z. Default: now", instantIn)
    .option("--languages <codes>", "Limit to these languages, such as en,hi", languagesIn)
    .option(
      "--operations <names>",
      "Limit to these operations, such as daily-horoscope,daily-tarot",
      operationsIn,
    )
    .option("--from <date>", "Plan a backfill from this local date", typedDate("--from"))
    .option("--to <date>", "Plan a backfill to this local date", typedDate("--to"))
    .option("--rate <calls>", "Calls per second to each endpoint. Default: the configured rate", rateIn)
    .option(
      "--concurrency <calls>",
      "Concurrent calls to each endpoint. Default: the configured concurrency",
      concurrencyIn,
    )
    .option(
      "--all",
      "Print one row for each operation and language, and how long before its midnight each language finishes",
    )
    .option("--pages", "Count the pages that search engines list, by kind, now and after a year")
    .option("--lines", "List each request with its reason and the latest time to send it")
    .addHelpText(
      "after",
      "\nIt makes no call.\n\nExample: list the Hindi requests of the run of 22 November:\n  almanac plan --languages hi --as-of 2026-11-22T03:05:00Z",
    )
    .action(async ({ all = false, lines = false, pages = false, json, rate, concurrency, ...request }) => {
      requireOrder(request);
      const opening = await requireOwnVault(await open());
      if (pages) return printPages(opening, request, json);
      requirePart(opening.configuration, request);
      const input = inputFor(opening, request);
      const configuration = paced(opening.configuration, { rate, concurrency });
      const plan = await wrongDates(planFor(input, { ...opening, configuration, now }));
      const head = { run: input.run, asOf: input.request.asOf, vault: opening.location.vault };
      const document = { ...head, ...plan, sentences: forecastSentences(plan.forecast) };
      printAs(
        json,
        document,
        lines ? requestLines(plan) : all ? wholePlanLines(head, plan) : planLines(head, plan),
      );
      const isPaced = opening.location.kind !== "sandbox" || (rate ?? concurrency) !== undefined;
      if (!json && !lines && !isPaced) say(sandboxIsFaster);
    });
};

/** Loaded lazily: it needs the templates, which a plan of requests does not. */
async function printPages(
  { configuration, theme, site }: Opening,
  { languages = configuration.languages, asOf }: RunRequest,
  json: boolean | undefined,
): Promise<void> {
  requirePart(configuration, { languages });
  const { countPages, decisions } = await import("../insight/page-counts.ts");
  const only = { site, theme, configuration: { ...configuration, languages: [...languages] } };
  const pages = await countPages(only, asOf === undefined ? now() : new Date(asOf));
  const row = (name: string, counts: readonly PageCounts[]) => [
    name,
    ...(["now", "afterAYear"] as const).flatMap((when) =>
      decisions.map((decision) => counts.reduce((sum, one) => sum + one[when][decision], 0)),
    ),
  ];
  const heads = ["kind of page", ...decisions, "in a year: listed", "noindex", "canonical"];
  const rows = [...pages.map((one) => row(one.page, [one])), row("all", pages)];
  printAs(json, { pages }, [tableLines(heads, rows)]);
}

/** The input for a run that would start now: requests that a run itself has skipped wait for a later one. */
function inputFor({ configuration }: Opening, request: RunRequest): RunPlanInput {
  const { id: site } = configuration.site;
  const asOf = request.asOf ?? now().toISOString();
  const day = asOf.slice(0, 10);
  const backfill = request.from !== undefined || request.to !== undefined;
  return backfill
    ? { kind: "backfill", run: backfillId(site, day, request.languages), request: { ...request, asOf } }
    : { kind: "nightly", run: nightlyId(site, day), request: { ...request, asOf } };
}

interface Head {
  readonly run: string;
  readonly asOf: string;
  readonly vault: string;
}

/** On one screen: the sum, what bounds it, how much there is of what, and whose midnight comes soonest after it. */
function planLines(head: Pick<Head, "run" | "asOf">, plan: NightPlan): Lines {
  const { due, refusals, forecast } = plan;
  const unfit = forecast.languages.filter(({ fits }) => !fits).map(({ language }) => language);
  return [
    sumLine(plan),
    `${head.run}, as of ${minuteOf(head.asOf)} UTC`,
    "",
    forecastSentences({ ...forecast, languages: [] }).map((one) => sentence(one)),
    unfit.length > 0 && sentence(`does not fit: ${unfit.join(" ")}. --all lists the settings to raise`),
    due.length > 0 && ["", countLines(due, "language"), countLines(due, "operation")],
    tightestLine(forecast),
    plannedRefusalLines(refusals),
    "",
    "--all prints a row per operation and language, --lines prints each request",
  ];
}

/** More groups of as many calls than these are only summed up. */
const mostGroups = 6;

/** `by language: en 230, 228 each of hi zh ja, ...`, the most first. */
function countLines(due: Plan["due"], by: "language" | "operation"): Lines {
  const counts = new Map<string, number>();
  for (const { request } of due) counts.set(request[by], (counts.get(request[by]) ?? 0) + 1);
  const groups = [...Map.groupBy(counts, ([, count]) => count)]
    .toSorted(([one], [other]) => other - one)
    .map(([count, alike]) => ({ count, names: alike.map(([name]) => name) }));
  const shown = groups.slice(0, groups.length > mostGroups ? mostGroups - 1 : mostGroups);
  const rest = groups.slice(shown.length).flatMap(({ names, count }) => names.map(() => count));
  const words = shown.map(({ count, names }) =>
    names.length === 1
      ? `${names.join()} ${figureOf(count)}`
      : `${figureOf(count)} each of ${names.join(" ")}`,
  );
  const sum = figureOf(rest.reduce((one, other) => one + other, 0));
  return sentence(
    `by ${by}: ${[...words, ...(rest.length > 0 ? [`${sum} in the other ${rest.length}`] : [])].join(", ")}`,
  );
}

/** The language whose pages change soonest after their texts are there. */
function tightestLine({ languages }: Forecast): Lines {
  const leads = languages.flatMap((one) => {
    const at = one.midnightDoneAt ?? one.doneAt;
    return at === undefined ? [] : [{ ...one, at, leadMs: one.midnight.getTime() - at.getTime() }];
  });
  const [tightest] = leads.toSorted((one, other) => one.leadMs - other.leadMs);
  if (tightest === undefined || tightest.leadMs < 0) return false; // late requests are listed above
  const { language, midnight, leadMs } = tightest;
  return sentence(
    `shortest lead: ${language}, ${leadInWords(leadMs)} before its midnight at ${minute(midnight)} UTC`,
  );
}

/** A row for each operation and language, and each language's lead. */
function wholePlanLines(head: Head, plan: NightPlan): Lines {
  const { refusals, rows, forecast } = plan;
  return [
    sumLine(plan),
    `${head.run}, as of ${head.asOf}; the vault is ${head.vault}`,
    "",
    forecastSentences(forecast).map((one) => sentence(one)),
    plannedRefusalLines(refusals),
    "",
    tableLines(
      ["language", "operation", "due", "stored", "out of reach", "calls", "done (UTC)"],
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
    tableLines(["language", "midnight (UTC)", "done (UTC)", "lead"], forecast.languages.map(leadRow)),
  ];
}

function sumLine({ due, held, outOfReach, waiting, leftOut, refused, damaged }: NightPlan): string {
  const draws = due.filter(({ request }) => isFurtherDraw(request)).length;
  const counts = [
    counted(due.length, "call"),
    draws > 0 && `${draws} of them for decks (decks.callsPerNight)`,
    `${held} already stored`,
    `${outOfReach.length} out of reach`,
    damaged.length > 0 && `${damaged.length} damaged in the vault, requested again`,
    waiting.length > 0 && `${waiting.length} in quarantine, for a later run`,
    leftOut.length > 0 && `${leftOut.length} over the daily ceiling`,
    refused.length > 0 && `${refused.length} not in your subscription`,
  ].filter((count) => count !== false);
  return styled("bold", counts.join(", "));
}

/** One line for each request, in the order of the calls, then those that are not sent. */
function requestLines({ due, leftOut, waiting, refused, outOfReach }: Plan): Lines {
  const lines = [...due, ...leftOut, ...waiting, ...refused, ...outOfReach];
  if (lines.length === 0) return "nothing to request";
  return tableLines(
    ["reason", "last moment (UTC)", "request"],
    lines.map(({ key, reason, lastMoment }) => [reason, minute(lastMoment), key]),
  );
}

function leadRow({ language, midnight, midnightDoneAt, doneAt }: LanguageForecast) {
  const at = midnightDoneAt ?? doneAt;
  const lead = at === undefined ? "nothing to request" : leadInWords(midnight.getTime() - at.getTime());
  return [language, minute(midnight), done(at), lead];
}

function leadInWords(leadMs: number) {
  const minutes = Math.floor(Math.abs(leadMs) / 60_000);
  const words = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return leadMs < 0 ? `${words} late` : words;
}

/** Rounds up to a whole minute, as the forecast's sentences do, so that the time is never too early. */
function done(at: Date | undefined) {
  return at === undefined ? "" : minute(new Date(Math.ceil(at.getTime() / 60_000) * 60_000));
}

/** `2026-11-21 16:02`; a reading that holds for good has no last moment. */
function minute(at: Date) {
  return at.getUTCFullYear() === 9999 ? "never" : minuteOf(at);
}
