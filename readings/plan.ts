// The plan of a run: what readings/catalogue.ts wants less what the vault holds, in order, with the reason of every line, what
// can't be made, and a forecast. It is pure and makes no call. workflows/edition.ts has the lines of its language next.
import type { EndpointName, Operation, Language } from "./tables.ts";
import {
  type DateSpan,
  catalogue,
  languagesWanted,
  type PlanFilter,
  type WantedSet,
  type CatalogueSettings,
  zoneOf,
} from "./catalogue.ts";
import type { Configuration } from "./configuration.schema.ts";
import { type Forecast, forecast, type ForeseenLine } from "./forecast.ts";
import {
  isFurtherDraw,
  type ReadingRequest,
  type RequestKey,
  requestKey,
  selectEndpoint,
} from "./request.ts";
import {
  type DueSet,
  inPlanOrder,
  lostLast,
  type PlanLine,
  type PlanReason,
  type CallPace,
  pacesOf,
} from "./plan-order.ts";
import { addDays, localDate, startOfDay } from "./calendar.ts";

export interface PlanInput {
  readonly configuration: CatalogueSettings & {
    readonly service: Pick<Configuration["service"], "ratePerSecond" | "concurrency" | "callsPerDay">;
    readonly schedule: Pick<Configuration["schedule"], "deadlineHours">;
  };
  readonly instant: Date;
  readonly held: (key: RequestKey) => boolean;
  /** A quarantined request is due once in the next run, and waits after that. */
  readonly quarantined?: (key: RequestKey) => "due" | "wait" | undefined;
  /** Whether the request is of an operation that the service refuses alike and that this run does not call. */
  readonly refused?: (request: ReadingRequest) => boolean;
  /** Calls already made on this UTC day. */
  readonly callsToday?: number;
  /** Measured answer times; default: the usual time. */
  readonly latencyMs?: Partial<Record<EndpointName, number>>;
  readonly only?: PlanFilter;
  /** The dates of a backfill. */
  readonly dates?: DateSpan;
  /** Further draws for decks, requested after everything else (readings/further-draws.ts). */
  readonly draws?: readonly WantedSet[];
}

interface PlanRow {
  readonly language: Language;
  readonly operation: Operation;
  /** Requests that are wanted, in reach and not held; `calls` of them are made, the others are over the ceiling. */
  due: number;
  calls: number;
  held: number;
  outOfReach: number;
  /** Requests in quarantine that this run does not repeat. */
  waiting: number;
  refused: number;
  doneAt: Date | undefined;
}

export interface Plan {
  /** In the order of the calls. */
  readonly due: readonly PlanLine[];
  readonly leftOut: readonly PlanLine[];
  readonly outOfReach: readonly PlanLine[];
  readonly waiting: readonly PlanLine[];
  readonly refused: readonly PlanLine[];
  readonly held: number;
  readonly rows: readonly PlanRow[];
  /** Paces that the order and the forecast are based on. */
  readonly paces: Readonly<Record<EndpointName, CallPace>>;
  readonly forecast: Forecast;
}

export function makePlan(input: PlanInput): Plan {
  const { configuration, instant, only, callsToday = 0 } = input;
  const { sets, outOfReach, waiting, refused, rows } = sortOut(input);
  const paces = pacesOf(configuration.service, input.latencyMs);
  const ordered = lostLast(inPlanOrder(sets), instant, paces);

  const { callsPerDay } = configuration.service;
  const allowed = callsPerDay === undefined ? ordered.length : Math.max(0, callsPerDay - callsToday);
  const due = ordered.slice(0, allowed);
  // Further draws over the ceiling are dropped: no page needs them.
  const leftOut = ordered
    .slice(allowed)
    .filter(({ request }) => !isFurtherDraw(request))
    .map(overCeiling);

  const midnights = new Map(
    languagesWanted(configuration, only).map((language) => [language, nextMidnight(language, input)]),
  );
  const { deadlineHours } = configuration.schedule;
  const estimated = forecast({
    instant,
    due,
    leftOut,
    paces,
    deadlineHours,
    callsToday,
    callsPerDay,
    midnights,
  });
  countCalls(rows, estimated.foreseen);
  const perRow = Object.values(rows);
  const held = perRow.reduce((sum, row) => sum + row.held, 0);
  return {
    due,
    leftOut,
    outOfReach,
    waiting,
    refused,
    held,
    rows: perRow,
    paces,
    forecast: estimated.forecast,
  };
}

function overCeiling(line: PlanLine): PlanLine {
  return { ...line, reason: "over the ceiling" };
}

function nextMidnight(language: Language, { configuration, instant }: PlanInput): Date {
  const zone = zoneOf(configuration, language);
  return startOfDay(zone, addDays(localDate(zone, instant), 1));
}

interface SortedCatalogue {
  readonly sets: DueSet[];
  readonly outOfReach: PlanLine[];
  readonly waiting: PlanLine[];
  readonly refused: PlanLine[];
  readonly rows: Record<string, PlanRow>;
}

/** The lists of readings that are not requested; everything else is due. */
const listOf: Partial<Record<PlanReason, "outOfReach" | "waiting" | "refused">> = {
  "out of reach": "outOfReach",
  waiting: "waiting",
  refused: "refused",
};

/** Puts every wanted request into exactly one of the lists. */
function sortOut(input: PlanInput): SortedCatalogue {
  const { configuration, instant, only, dates, draws = [] } = input;
  const sorted: SortedCatalogue = { sets: [], outOfReach: [], waiting: [], refused: [], rows: {} };
  for (const wanted of [...catalogue(configuration, instant, only, dates), ...draws]) {
    const { language, operation, dueAt, reach } = wanted;
    const lastMoment = reach.until;
    const row = planRowOf(sorted.rows, language, operation);
    const lines: PlanLine[] = [];
    for (const request of wanted.requests) {
      const key = requestKey(request);
      const reason = reasonFor(key, request, wanted, input);
      if (reason === undefined) {
        row.held++;
        continue;
      }
      const endpoint = selectEndpoint(request);
      const line = { key, request, endpoint, group: wanted.group, reason, dueAt, lastMoment };
      const list = listOf[reason];
      if (list === undefined) lines.push(line);
      else sorted[list].push(line);
      row[list ?? "due"]++;
    }
    if (lines.length > 0) sorted.sets.push({ language, operation, dueAt, lastMoment, lines });
  }
  return sorted;
}

/** Undefined for a request that is held. */
function reasonFor(
  key: RequestKey,
  request: ReadingRequest,
  { reach, previousPeriod }: WantedSet,
  { instant, held, quarantined, refused }: PlanInput,
): PlanReason | undefined {
  if (held(key)) return undefined;
  if (instant < reach.from || instant >= reach.until) return "out of reach";
  if (refused?.(request) === true) return "refused";
  const quarantine = quarantined?.(key);
  if (quarantine !== undefined) return quarantine === "due" ? "retried" : "waiting";
  if (previousPeriod === undefined) return "missing";
  return held(requestKey({ ...request, period: previousPeriod })) ? "expired" : "missing";
}

function countCalls(rows: Record<string, PlanRow>, foreseen: readonly ForeseenLine[]): void {
  for (const { line, doneAt } of foreseen) {
    const row = planRowOf(rows, line.request.language, line.request.operation);
    row.calls++;
    if (row.doneAt === undefined || doneAt > row.doneAt) row.doneAt = doneAt;
  }
}

function planRowOf(rows: Record<string, PlanRow>, language: Language, operation: Operation): PlanRow {
  const counts = { due: 0, calls: 0, held: 0, outOfReach: 0, waiting: 0, refused: 0, doneAt: undefined };
  return (rows[`${language} ${operation}`] ??= { language, operation, ...counts });
}
