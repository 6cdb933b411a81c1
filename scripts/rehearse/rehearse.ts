// `almanac rehearse`: this configuration through simulated nights, in seconds; no Temporal, no store, no call.
import { perAddress } from "../../service/limits.ts";
import type { Assumptions } from "../../insight/simulated-night.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { seededRandom } from "../../sandbox/random.ts";
import type { Define, NewCommand } from "../terminal/command.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { readSettings } from "../../worker/opened-site.ts";
import {
  requirePart,
  concurrencyIn,
  languagesIn,
  numberIn,
  rateIn,
  wholeIn,
  paced,
} from "../terminal/options.ts";
import { instantIn } from "../terminal/dates.ts";
import { savePage } from "../terminal/operator-page.ts";
import { printAs, say } from "../terminal/output.ts";
import { documentOf, rehearsalOf } from "./rehearsal.ts";
import { outageIn, refusedIn } from "./options.ts";
import { rehearsalPage } from "./page.ts";
import { rehearsalLines } from "./print.ts";
import { verdictsOf } from "./verdicts.ts";
import { now } from "../../worker/settings/clock.ts";

const withOptions = (command: NewCommand) =>
  command
    .option("--days <nights>", "how many nights (30 unless said)", wholeIn("--days", { least: 1, most: 366 }))
    .option("--languages <codes>", "as if the site had these languages, such as en,hi", languagesIn)
    .option("--rate <calls>", "calls a second, per address", rateIn)
    .option("--concurrency <calls>", "calls in flight, per address", concurrencyIn)
    .option(
      "--answers <seconds>",
      "what an answer takes (1 s in English, 27 s translated unless said)",
      numberIn("--answers", { least: 0.001, most: 600 }),
    )
    .option(
      "--outage <span>",
      "no answer from 02:00-07:00 UTC every day, or once: 2026-11-25T02:00/2026-11-26T07:00; also several times",
      outageIn,
    )
    .option(
      "--refuse <names>",
      "languages and operations that the service refuses, such as hi,daily-tarot",
      refusedIn,
    )
    .option("--as-of <instant>", "begin with the first night after it (now unless said)", instantIn)
    .option(
      "--seed <number>",
      "draws the pauses between tries (1 unless said)",
      wholeIn("--seed", { least: 0, most: 2 ** 32 - 1 }),
    )
    .option("--page <file>", "also write it as a page, with a picture");

export const define: Define = (command) => {
  withOptions(command)
    .addHelpText(
      "after",
      `
It begins with an empty vault, asks what a night would ask, at the pace at which a night would, and turns each language's
page at its own midnight. The same seed gives the same figures. "least lead" is how long before its midnight an edition was
there on the worst day, "age" how old the newest edition grew before the next one was published.

Examples: can I add ten languages at 5 a second; what does an outage cost; and what if an operation is refused?
  almanac rehearse --languages en,hi,ja,de,fr,es,it,pt,ru,zh,ar,nl --rate 5
  almanac rehearse --outage 02:00-07:00 --page rehearsal.html
  almanac rehearse --refuse daily-tarot --days 60 --json`,
    )
    .action(async ({ page, json, ...typed }) => {
      const { configuration } = await readSettings();
      const rehearsal = await rehearsalOf(...wishIn(typed, configuration));
      if (page !== undefined) {
        await savePage(page, rehearsalPage(rehearsal));
        say(`the rehearsal is in ${page}`);
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
    latencyMs: answers === undefined ? undefined : perAddress(() => answers * 1000),
    newChance: () => seededRandom(seed),
  };
  const outages = outage.map(({ text }) => text);
  return [wish, { seed, outages, refused: [...refused.languages, ...refused.operations] }] as const;
}

/** Throws for a refused language or operation that is not configured, which would silently change nothing. */
function requireThere(refused: Assumptions["refused"], { languages, operations }: Configuration) {
  const language = refused.languages.find((one) => !languages.includes(one));
  const operation = refused.operations.find((one) => !operations.includes(one));
  const missing = language ?? operation;
  if (missing === undefined) return;
  const has = language === undefined ? operations : languages;
  throw new WrongUsage(`--refuse: this rehearsal asks for nothing in ${missing}`, undefined, {
    allowed: `it has ${has.join(", ")}`,
  });
}
