// Forecast of a night's calls and whether they fit: rate, answer times, calls in flight, the run's deadline and the day's
// ceiling. It is made for each endpoint, because calls queue there, and for each language, because its readers wait.
// readings/forecast-words.ts puts it into sentences.
import {
  type CallPace,
  floorMs,
  paceBounds,
  spacingMsFor,
  startMs,
  type PlanLine,
  byUrgency,
} from "./plan-order.ts";
import { type Language, type EndpointName, endpointNames } from "./tables.ts";

interface ForecastInput {
  readonly instant: Date;
  /** Lines to request, in the plan's order. */
  readonly due: readonly PlanLine[];
  readonly leftOut: readonly PlanLine[];
  readonly paces: Record<EndpointName, CallPace>;
  readonly deadlineHours: number;
  readonly callsToday: number;
  readonly callsPerDay: number | undefined;
  /** Every language of the run with its next local midnight. */
  readonly midnights: ReadonlyMap<Language, Date>;
}

export type EndpointForecast = ReturnType<typeof forecastEndpoint>;
export type LanguageForecast = ReturnType<typeof forLanguage>;
export type Forecast = ReturnType<typeof forecast>["forecast"];

/** Covers every language of the run and the endpoints with due or left-out calls; `foreseen` has the due lines in order. */
export function forecast(input: ForecastInput) {
  const { due, leftOut, instant } = input;
  const deadline = deadlineOf(instant, input.deadlineHours);
  const foreseen = foresee(due, input.paces, { instant, deadline });

  const requested = Map.groupBy(foreseen, ({ line }) => line.endpoint);
  const over = Map.groupBy(leftOut, ({ endpoint }) => endpoint);
  const endpoints = endpointNames
    .filter((endpoint) => requested.has(endpoint) || over.has(endpoint))
    .map((endpoint) =>
      forecastEndpoint(endpoint, requested.get(endpoint) ?? [], over.get(endpoint) ?? [], input),
    );

  const requestedIn = Map.groupBy(foreseen, ({ line }) => line.request.language);
  const overIn = Map.groupBy(leftOut, ({ request }) => request.language);
  const languages = [...input.midnights].map(([language, midnight]) => {
    const [planned, misses] = [requestedIn.get(language) ?? [], overIn.get(language) ?? []];
    return forLanguage(language, midnight, planned, misses, endpoints);
  });
  const changes = mergedChanges(endpoints.map((endpoint) => endpoint.changes));
  const fits = leftOut.length === 0 && endpoints.every((endpoint) => endpoint.fits);
  const counts = { calls: due.length, leftOut: leftOut.length, doneAt: latest(foreseen) };
  return { forecast: { instant, deadline, ...counts, fits, endpoints, languages, changes }, foreseen };
}

function forecastEndpoint(
  endpoint: EndpointName,
  requested: readonly ForeseenLine[],
  over: readonly PlanLine[],
  input: ForecastInput,
) {
  const { instant, paces, deadlineHours } = input;
  const pace = paces[endpoint];
  const fates = countFates(requested);
  // If the ceiling is raised, the lines that it leaves out are requested as well.
  const lines = [...requested.map(({ line }) => line), ...over];
  return {
    ...pace,
    endpoint,
    calls: requested.length,
    // The limit that determines the duration: the rate of calls, or the time that answers take.
    bound: pace.concurrency * spacingMsFor(pace.ratePerSecond) < pace.latencyMs ? "latency" : "rate",
    floorMs: floorMs(requested.length, pace),
    doneAt: latest(requested) ?? instant,
    fates,
    leftOut: over.length,
    fits: over.length === 0 && fates["in time"] === requested.length,
    // Setting changes that would make all calls fit here; undefined if no setting is enough.
    changes: mergedChanges([
      changesToFit(endpoint, lines, pace, instant, deadlineHours),
      over.length > 0 ? ceilingChange(input) : [],
    ]),
  };
}

function forLanguage(
  language: Language,
  midnight: Date,
  requested: readonly ForeseenLine[],
  leftOut: readonly PlanLine[],
  endpoints: readonly EndpointForecast[],
) {
  const fates = countFates(requested);
  const dueAtMidnight = requested.filter(({ line }) => line.dueAt.getTime() === midnight.getTime());
  const unfit = requested.filter(({ fate }) => fate !== "in time").map(({ line }) => line);
  const trouble = new Set([...unfit, ...leftOut].map(({ endpoint }) => endpoint));
  return {
    language,
    calls: requested.length,
    // The language's next local midnight, at which its pages change, and when everything due then is stored.
    midnight,
    midnightDoneAt: latest(dueAtMidnight),
    doneAt: latest(requested),
    fates,
    leftOut: leftOut.length,
    fits: trouble.size === 0,
    // The changes of those endpoints on which the language's calls don't fit.
    changes: mergedChanges(
      endpoints.filter(({ endpoint }) => trouble.has(endpoint)).map(({ changes }) => changes),
    ),
  };
}

function ceilingChange({ due, leftOut, callsToday, callsPerDay }: ForecastInput) {
  if (callsPerDay === undefined || leftOut.length === 0) return [];
  const to = callsToday + due.length + leftOut.length;
  return [{ setting: "service.callsPerDay", from: callsPerDay, to }];
}

/** Each setting once, with the greater value where two changes name it; undefined where one can't be made to fit. */
export function mergedChanges(
  all: readonly (readonly SettingChange[] | undefined)[],
): readonly SettingChange[] | undefined {
  const bySetting = new Map<string, SettingChange>();
  for (const changes of all) {
    if (changes === undefined) return undefined;
    for (const change of changes) {
      const known = bySetting.get(change.setting);
      if (known === undefined || known.to < change.to) bySetting.set(change.setting, change);
    }
  }
  return [...bySetting.values()];
}

function latest(foreseen: readonly ForeseenLine[]) {
  let found: Date | undefined;
  for (const { doneAt } of foreseen) if (found === undefined || doneAt > found) found = doneAt;
  return found;
}

// The settings that would make a night fit: the least change, tried on the plan itself.
export interface SettingChange {
  /** The setting's name in almanac.config.ts: `service.concurrency.translator`. */
  readonly setting: string;
  readonly from: number;
  readonly to: number;
}

const hourMs = 3_600_000;
const mostInFlight = paceBounds.concurrency.most;
/** A longer run would overlap the run of the next night. */
const longestHours = 24;

/** Empty when nothing needs to change, undefined when no change is enough. */
function changesToFit(
  endpoint: EndpointName,
  lines: readonly PlanLine[],
  pace: CallPace,
  instant: Date,
  deadlineHours: number,
): SettingChange[] | undefined {
  const ordered = lines.toSorted(byUrgency);
  const fits = (tried: Partial<CallPace>, hours = deadlineHours) =>
    fitsAll(ordered, { ...pace, ...tried }, instant, hours);
  if (fits({})) return [];

  const { ratePerSecond: rate, concurrency } = pace;
  const rateTo = (to: number) => changeOf(`ratePerSecond.${endpoint}`, rate, to);
  const concurrencyTo = (to: number) => changeOf(`concurrency.${endpoint}`, concurrency, to);
  const leastConcurrency = (tried: Partial<CallPace>) =>
    least(concurrency, mostInFlight, (inFlight) => fits({ ...tried, concurrency: inFlight }));
  // The rate is searched in hundredths of a call a second, so that the search is over whole numbers.
  const leastRate = (tried: Partial<CallPace>) =>
    least(Math.ceil(rate * 100), paceBounds.ratePerSecond.most * 100, (part) =>
      fits({ ...tried, ratePerSecond: part / 100 }),
    );

  // More in flight costs the service nothing that the rate does not allow already.
  const inFlight = leastConcurrency({});
  if (inFlight !== undefined) return [concurrencyTo(inFlight)];
  // A longer run costs readers nothing if the texts that they wait for arrive in time.
  const neededMs = startMs(ordered.length - 1, pace) + pace.latencyMs;
  const hours = Math.ceil((neededMs / hourMs) * 10) / 10;
  if (hours <= longestHours && fits({}, hours)) {
    return [{ setting: "schedule.deadlineHours", from: deadlineHours, to: hours }];
  }
  // The rate last, because it may not be the operator's to raise.
  const faster = leastRate({});
  if (faster !== undefined) return [rateTo(faster / 100)];
  const fastest = leastRate({ concurrency: mostInFlight });
  if (fastest === undefined) return undefined;
  const ratePerSecond = fastest / 100;
  return [rateTo(ratePerSecond), concurrencyTo(leastConcurrency({ ratePerSecond }) ?? mostInFlight)];
}

function changeOf(limit: string, from: number, to: number) {
  return { setting: `service.${limit}`, from, to };
}

function fitsAll(ordered: readonly PlanLine[], pace: CallPace, instant: Date, deadlineHours: number) {
  const span = { instant, deadline: deadlineOf(instant, deadlineHours) };
  return ordered.every((line, place) => {
    const fate = fateOf(line, startMs(place, pace), pace, span);
    // A line that is due in less than an answer's time is late even as the first call: no setting helps, so it decides nothing.
    return fate === "in time" || (fate === "late" && fateOf(line, 0, pace, span) === "late");
  });
}

export function deadlineOf(instant: Date, deadlineHours: number): Date {
  return new Date(instant.getTime() + Math.round(deadlineHours * hourMs));
}

/** The smallest whole number that fits, if every larger one fits too. */
function least(low: number, high: number, willDo: (tried: number) => boolean) {
  if (!willDo(high)) return undefined;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (willDo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Fates of a plan's lines if their calls go out in order at a pace.
/**
 * `late`: answered after it is due. `unfinished`: not answered by the run's deadline, so the next run requests it.
 * `lost`: its last moment passes before its turn.
 */
type LineFate = "in time" | "late" | "unfinished" | "lost";

interface RunSpan {
  readonly instant: Date;
  readonly deadline: Date;
}

export interface ForeseenLine {
  readonly line: PlanLine;
  readonly doneAt: Date;
  readonly fate: LineFate;
}

/** Takes the lines in the plan's order, each endpoint at its own pace. */
function foresee(
  lines: readonly PlanLine[],
  paces: Record<EndpointName, CallPace>,
  span: RunSpan,
): ForeseenLine[] {
  const requested = { english: 0, translator: 0, legacy: 0 };
  return lines.map((line) => {
    const pace = paces[line.endpoint];
    const offsetMs = startMs(requested[line.endpoint]++, pace);
    // Rounded up: a time that is a fraction too early could make a late reading look as if it came in time.
    const doneAt = new Date(Math.ceil(span.instant.getTime() + offsetMs + pace.latencyMs));
    return { line, doneAt, fate: fateOf(line, offsetMs, pace, span) };
  });
}

/** Fate of a line whose call starts `offsetMs` after the run does. */
function fateOf(line: PlanLine, offsetMs: number, pace: CallPace, { instant, deadline }: RunSpan): LineFate {
  const startsAt = instant.getTime() + offsetMs;
  const doneAt = startsAt + pace.latencyMs;
  if (startsAt >= line.lastMoment.getTime()) return "lost";
  if (doneAt > deadline.getTime()) return "unfinished";
  // A line that is due at once is requested as soon as possible, so it can't be late.
  if (line.dueAt > instant && doneAt > line.dueAt.getTime()) return "late";
  return "in time";
}

export type FateCounts = Record<LineFate, number>;

function countFates(foreseen: readonly ForeseenLine[]): FateCounts {
  const counts: FateCounts = { "in time": 0, late: 0, unfinished: 0, lost: 0 };
  for (const { fate } of foreseen) counts[fate]++;
  return counts;
}
