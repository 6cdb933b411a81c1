// `almanac rehearse`: simulates nights with this configuration, in seconds. Uses no Temporal and no store, and makes no call.
import type { Configuration } from "../../readings/configuration.schema.ts";
import {
  isLanguage,
  isOperation,
  type Language,
  languageNames,
  namedLanguage,
  type Operation,
  operationNames,
} from "../../readings/tables.ts";
import { parseDate } from "../../readings/calendar.ts";
import { seededRandom } from "../../packages/sandbox/random.ts";
import { rehearsalPage } from "./page.ts";
import { documentOf, rehearsalLines, rehearsalOf, verdictsOf } from "./results.ts";
import type { Define, NewCommand } from "../terminal/command.ts";
import { instantIn } from "../terminal/dates.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { savePage } from "../terminal/operator-page.ts";
import {
  requirePart,
  concurrencyIn,
  languagesIn,
  listOf,
  numberIn,
  oneOf,
  rateIn,
  wholeIn,
  paced,
} from "../terminal/options.ts";
import { printAs, say } from "../terminal/output.ts";
import { mapEndpoints } from "../../service/limits.ts";
import { readSettings } from "../../worker/opened-site.ts";
import { now } from "../../worker/settings/environment.ts";
import { nearestLanguage, nearestName } from "../../worker/settings/nearest-name.ts";
import type { Assumptions, Outage, AlwaysRefused } from "../../insight/simulated-night.ts";

const withOptions = (command: NewCommand) =>
  command
    .option(
      "--days <nights>",
      "Number of nightly runs. Default: 30",
      wholeIn("--days", { least: 1, most: 366 }),
    )
    .option(
      "--languages <codes>",
      "Languages of the simulated site, such as en,hi. Default: the configured ones",
      languagesIn,
    )
    .option("--rate <calls>", "Calls per second to each endpoint", rateIn)
    .option("--concurrency <calls>", "Concurrent calls to each endpoint", concurrencyIn)
    .option(
      "--answers <seconds>",
      "Response time of the service. Default: 1 s for English, 27 s for the translator",
      numberIn("--answers", { least: 0.001, most: 600 }),
    )
    .option(
      "--outage <span>",
      "Simulate an outage (UTC): 02:00-07:00 each day, or 2026-11-25T02:00/2026-11-26T07:00 once. You can repeat this option",
      outageIn,
    )
    .option(
      "--refuse <names>",
      "Languages and operations that the service rejects, such as hi,daily-tarot",
      refusedIn,
    )
    .option("--as-of <time>", "Start with the first nightly run after this time. Default: now", instantIn)
    .option(
      "--seed <number>",
      "Random seed for retry delays. Default: 1",
      wholeIn("--seed", { least: 0, most: 2 ** 32 - 1 }),
    )
    .option("--page <file>", "Also write the results as an HTML page with a chart");

export const define: Define = (command) => {
  withOptions(command)
    .addHelpText(
      "after",
      `
The simulation begins with an empty vault, requests readings at the configured rate, and publishes each language at its own
midnight. It makes no call. The same seed gives the same figures. "minimum lead" is the shortest time between an edition's
completion and its midnight, and is negative if the edition was late. "age" is the age of the newest edition when the next one
is published.

Examples: add ten languages at 5 calls per second; simulate an outage; simulate a rejected operation:
  almanac rehearse --languages en,hi,ja,de,fr,es,it,pt,ru,zh,ar,nl --rate 5
  almanac rehearse --outage 02:00-07:00 --page rehearsal.html
  almanac rehearse --refuse daily-tarot --days 60 --json`,
    )
    .action(async ({ page, json, ...typed }) => {
      const { configuration } = await readSettings();
      const rehearsal = await rehearsalOf(...wishIn(typed, configuration));
      if (page !== undefined) {
        await savePage(page, rehearsalPage(rehearsal));
        say(`rehearsal written to ${page}`);
      }
      printAs(json, { ...documentOf(rehearsal), verdicts: verdictsOf(rehearsal) }, rehearsalLines(rehearsal));
    });
};

type Typed = ReturnType<ReturnType<typeof withOptions>["opts"]>;

function wishIn(typed: Typed, configured: Configuration) {
  const { days = 30, languages, answers, outage = [], asOf, seed = 1 } = typed;
  const configuration = paced(languages === undefined ? configured : { ...configured, languages }, typed);
  requirePart(configuration, {});
  const refused = typed.refuse ?? { languages: [], operations: [] };
  requireThere(refused, configuration);
  const wish: Assumptions = {
    configuration,
    from: asOf === undefined ? now() : new Date(asOf),
    days,
    outages: outage.map((one) => one.outage),
    refused,
    latencyMs: answers === undefined ? undefined : mapEndpoints(() => answers * 1000),
    newChance: () => seededRandom(seed),
  };
  const outages = outage.map(({ text }) => text);
  return [wish, { seed, outages, refused: [...refused.languages, ...refused.operations] }] as const;
}

/** Throws if a language or operation in `--refuse` is not configured, because it would silently change nothing. */
function requireThere(refused: Assumptions["refused"], { languages, operations }: Configuration) {
  const has: readonly string[] = [...languages, ...operations];
  const missing = [...refused.languages, ...refused.operations].find((one) => !has.includes(one));
  if (missing === undefined) return;
  throw new WrongUsage(`--refuse: this rehearsal does not include ${missing}`, undefined, {
    allowed: `Choose ${has.join(", ")}`,
  });
}

/** Parsed `--outage`, such as `02:00-07:00`, with its text. */
interface TypedOutage {
  readonly text: string;
  readonly outage: Outage;
}

/** Parses one `--outage` and adds it to those before it. */
export function outageIn(text: string, before: readonly TypedOutage[] = []) {
  const outage = dailyIn(text) ?? onceIn(text);
  if (outage !== undefined) return [...before, { text, outage }];
  throw new WrongUsage(
    `--outage: "${text}" is not a time span. Use UTC: 02:00-07:00 for each day, or 2026-11-25T02:00/2026-11-25T07:00 for one outage`,
  );
}

const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const daySpan = new RegExp(`^(${time})-(${time})$`);
const instant = new RegExp(String.raw`^(\d{4}-\d\d-\d\d)(?:T(${time})Z?)?$`);

function dailyIn(text: string): Outage | undefined {
  const [, from, until] = daySpan.exec(text) ?? [];
  if (from === undefined || until === undefined) return undefined;
  if (from !== until) return { kind: "daily", fromMinute: minuteOf(from), untilMinute: minuteOf(until) };
  throw new WrongUsage(`--outage: ${text} is empty. For a whole day, use 00:00-23:59`);
}

function onceIn(text: string): Outage | undefined {
  const [from, until, ...more] = text.split("/").map(instantOf);
  if (from === undefined || until === undefined || more.length > 0) return undefined;
  if (from < until) return { kind: "once", from, until };
  throw new WrongUsage(`--outage: ${text} ends before it begins, or at the same time. Swap the times`);
}

/** A date without a time means its first moment, in UTC. */
function instantOf(text: string) {
  const [, date = "", at = "00:00"] = instant.exec(text) ?? [];
  return parseDate(date) === undefined ? undefined : new Date(`${date}T${at}:00Z`);
}

function minuteOf(at: string) {
  return Number(at.slice(0, 2)) * 60 + Number(at.slice(3));
}

const namesIn = listOf(
  oneOf<Language | Operation>("language or operation", [...languageNames, ...operationNames], "", {
    understand: (word) => namedLanguage(word) ?? operationNames.find((one) => one === word.toLowerCase()),
    guess: (word) => nearestName(word.toLowerCase(), operationNames) ?? nearestLanguage(word),
  }),
);

function refusedIn(text: string): AlwaysRefused {
  const names = namesIn(text);
  return { languages: names.filter(isLanguage), operations: names.filter(isOperation) };
}
