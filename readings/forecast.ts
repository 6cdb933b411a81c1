// What a night will cost and whether it fits: rate, answer times, calls in flight, the run's deadline and the day's
// ceiling. It is made for each address, where calls queue, and for each language, where readers wait.
// readings/forecast-words.ts says it in sentences.
import { type ServiceAddress, serviceAddresses } from "./service-addresses.ts";
import { countFates, foresee, type ForeseenLine } from "./line-fates.ts";
import type { Language } from "./languages.ts";
import { floorMs, type CallPace, spacingMsFor } from "./call-pace.ts";
import type { PlanLine } from "./plan-line.ts";
import { type SettingChange, changesToFit, deadlineOf } from "./fitting-settings.ts";

export interface ForecastInput {
  readonly instant: Date;
  /** The lines to ask, in the plan's order. */
  readonly due: readonly PlanLine[];
  readonly leftOut: readonly PlanLine[];
  readonly paces: Record<ServiceAddress, CallPace>;
  readonly deadlineHours: number;
  readonly callsToday: number;
  readonly callsPerDay: number | undefined;
  /** Every language of the run with its next local midnight. */
  readonly midnights: ReadonlyMap<Language, Date>;
}

export type AddressForecast = ReturnType<typeof forAddress>;
export type LanguageForecast = ReturnType<typeof forLanguage>;
export type Forecast = ReturnType<typeof forecast>["forecast"];

/** Of every language of the run, and of the addresses with anything to ask; `foreseen` has the due lines in their order. */
export function forecast(input: ForecastInput) {
  const { due, leftOut, instant } = input;
  const deadline = deadlineOf(instant, input.deadlineHours);
  const foreseen = foresee(due, input.paces, { instant, deadline });

  const asked = Map.groupBy(foreseen, ({ line }) => line.address);
  const over = Map.groupBy(leftOut, ({ address }) => address);
  const addresses = serviceAddresses
    .filter((address) => asked.has(address) || over.has(address))
    .map((address) => forAddress(address, asked.get(address) ?? [], over.get(address) ?? [], input));

  const askedIn = Map.groupBy(foreseen, ({ line }) => line.request.language);
  const overIn = Map.groupBy(leftOut, ({ request }) => request.language);
  const languages = [...input.midnights].map(([language, midnight]) => {
    const [asks, misses] = [askedIn.get(language) ?? [], overIn.get(language) ?? []];
    return forLanguage(language, midnight, asks, misses, addresses);
  });
  const changes = mergedChanges(addresses.map((address) => address.changes));
  const fits = leftOut.length === 0 && addresses.every((address) => address.fits);
  const counts = { calls: due.length, leftOut: leftOut.length, doneAt: latest(foreseen) };
  return { forecast: { instant, deadline, ...counts, fits, addresses, languages, changes }, foreseen };
}

function forAddress(
  address: ServiceAddress,
  asked: readonly ForeseenLine[],
  over: readonly PlanLine[],
  input: ForecastInput,
) {
  const { instant, paces, deadlineHours } = input;
  const pace = paces[address];
  const fates = countFates(asked);
  // If the ceiling is raised, the lines that it leaves out are asked as well.
  const lines = [...asked.map(({ line }) => line), ...over];
  return {
    ...pace,
    address,
    calls: asked.length,
    // Which limit sets the time: evenly spaced calls, or answers that are waited for.
    bound: pace.concurrency * spacingMsFor(pace.ratePerSecond) < pace.latencyMs ? "latency" : "rate",
    floorMs: floorMs(asked.length, pace),
    doneAt: latest(asked) ?? instant,
    fates,
    leftOut: over.length,
    fits: over.length === 0 && fates["in time"] === asked.length,
    // What would make everything wanted fit here; undefined when no setting is enough.
    changes: mergedChanges([
      changesToFit(address, lines, pace, instant, deadlineHours),
      over.length > 0 ? ceilingChange(input) : [],
    ]),
  };
}

function forLanguage(
  language: Language,
  midnight: Date,
  asked: readonly ForeseenLine[],
  leftOut: readonly PlanLine[],
  addresses: readonly AddressForecast[],
) {
  const fates = countFates(asked);
  const atTurn = asked.filter(({ line }) => line.dueAt.getTime() === midnight.getTime());
  const unfit = asked.filter(({ fate }) => fate !== "in time").map(({ line }) => line);
  const trouble = new Set([...unfit, ...leftOut].map(({ address }) => address));
  return {
    language,
    calls: asked.length,
    // The language's next local midnight, at which its pages turn, and when all that is due at it is there.
    midnight,
    turnDoneAt: latest(atTurn),
    doneAt: latest(asked),
    fates,
    leftOut: leftOut.length,
    fits: trouble.size === 0,
    // The changes of those addresses on which the language's calls don't fit.
    changes: mergedChanges(
      addresses.filter(({ address }) => trouble.has(address)).map(({ changes }) => changes),
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
