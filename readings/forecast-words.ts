// A forecast in sentences, for `almanac plan`, a run's report and its details in Temporal.
import type { EndpointForecast, FateCounts, Forecast, LanguageForecast, SettingChange } from "./forecast.ts";

/** `translator: 4182 calls, done 04:12 UTC; answers of 27 s with 32 in flight set the time, 59 min` */
function endpointSentence(of: EndpointForecast, { instant }: Forecast) {
  const { endpoint, calls, leftOut, doneAt, bound, latencyMs, concurrency, ratePerSecond } = of;
  const limit =
    bound === "rate"
      ? `limited by the rate of ${ratePerSecond} per second`
      : `limited by ${concurrency} concurrent calls of ${seconds(latencyMs)} s`;
  const cost =
    calls === 0
      ? `${endpoint}: no calls`
      : `${endpoint}: ${calls} ${calls === 1 ? "call" : "calls"}, done ${clock(doneAt, instant)} UTC; ` +
        `${limit}, ${duration(doneAt.getTime() - instant.getTime())}`;
  return of.fits ? cost : `${cost}; does not fit: ${trouble(of.fates, leftOut)}; ${advice(of.changes)}`;
}

/** `hi due 18:30 UTC, done 16:02`, or what does not fit and the setting that would help. */
export function languageSentence(of: LanguageForecast, { instant }: Forecast): string {
  const { language, midnight, midnightDoneAt, doneAt } = of;
  const due = `due ${clock(midnight, instant)} UTC`;
  const done = midnightDoneAt ?? doneAt;
  const when = done === undefined ? `${due}, nothing to request` : `${due}, done ${clock(done, instant)}`;
  if (of.fits) return `${language} ${when}`;
  return `${language} does not fit (${when}; ${trouble(of.fates, of.leftOut)}): ${advice(of.changes)}`;
}

/** The endpoints first, then the languages that need a person's eye. */
export function forecastSentences(of: Forecast): string[] {
  if (of.calls + of.leftOut === 0) return ["nothing to request"];
  return [
    ...of.endpoints.map((endpoint) => endpointSentence(endpoint, of)),
    ...of.languages.filter(({ fits }) => !fits).map((language) => languageSentence(language, of)),
  ];
}

function trouble(fates: FateCounts, leftOut: number) {
  const counts = [
    [fates.late, "answered too late"],
    [fates.unfinished, "left for the next run at the deadline"],
    [fates.lost, "out of reach before they are sent"],
    [leftOut, "over the daily ceiling"],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(", ");
}

function advice(changes: readonly SettingChange[] | undefined) {
  if (changes === undefined || changes.length === 0) {
    return "no service setting is sufficient, start the run earlier (schedule.nightly)";
  }
  return `raise ${changes.map(({ setting, to }) => `${setting} to ${to}`).join(" and ")}`;
}

/** `16:02` on the run's own UTC day, else with its date. Rounded up to a whole minute, so that it is never too early. */
function clock(at: Date, instant: Date) {
  const text = new Date(Math.ceil(at.getTime() / 60_000) * 60_000).toISOString();
  const time = text.slice(11, 16);
  return text.slice(0, 10) === instant.toISOString().slice(0, 10) ? time : `${text.slice(0, 10)} ${time}`;
}

/** `27`, `27.4`, `0.137` */
function seconds(timeMs: number) {
  return timeMs < 1000 ? timeMs / 1000 : Math.round(timeMs / 100) / 10;
}

function duration(timeMs: number) {
  const minutes = Math.ceil(timeMs / 60_000);
  if (timeMs < 60_000) return `${Math.ceil(timeMs / 1000)} s`;
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
