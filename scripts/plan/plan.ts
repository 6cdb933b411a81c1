// `almanac plan`: what a run would ask now, what it would cost and whether it fits; no call, and no Temporal.
import type { RunRequest } from "../../readings/run-messages.ts";
import { planFor, type RunPlanInput } from "../../insight/plan.ts";
import { forecastSentences } from "../../readings/forecast-words.ts";
import { backfillId, nightlyId } from "../../workflows/names.ts";
import type { Define } from "../terminal/command.ts";
import { open, type Opening } from "../../worker/opened-site.ts";
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
} from "../terminal/options.ts";
import { printAs, say } from "../terminal/output.ts";
import { instantIn, typedDate } from "../terminal/dates.ts";
import { planLines, requestLines, wholePlanLines } from "./print.ts";
import { now } from "../../worker/settings/clock.ts";

const sandboxIsFaster = `reckoned at the configured pace; \`almanac local\` asks the sandbox faster: --rate ${sandboxPace.rate} --concurrency ${sandboxPace.concurrency}`;

export const define: Define = (command) => {
  command
    .option(
      "--as-of <instant>",
      "as if it were then, such as 2026-11-21T03:05:00Z (now unless said)",
      instantIn,
    )
    .option("--languages <codes>", "only these, such as en,hi", languagesIn)
    .option("--operations <names>", "only these, such as daily-horoscope,daily-tarot", operationsIn)
    .option("--from <date>", "as a backfill from this local date on", typedDate("--from"))
    .option("--to <date>", "as a backfill up to this local date", typedDate("--to"))
    .option("--rate <calls>", "calls a second, per address (as configured unless said)", rateIn)
    .option(
      "--concurrency <calls>",
      "calls in flight, per address (as configured unless said)",
      concurrencyIn,
    )
    .option("--all", "a row for each operation and language, and each language's lead")
    .option("--lines", "each request, with its reason and its last moment")
    .addHelpText(
      "after",
      "\nExample: what the night of 22 November would ask in Hindi:\n  almanac plan --languages hi --as-of 2026-11-22T03:05:00Z",
    )
    .action(async ({ all = false, lines = false, json, rate, concurrency, ...request }) => {
      requireOrder(request);
      const opening = await open();
      requirePart(opening.configuration, request);
      const input = inputFor(opening, request);
      const configuration = paced(opening.configuration, { rate, concurrency });
      const plan = await wrongDates(planFor(input, { ...opening, configuration, now }));
      const head = { run: input.run, asOf: input.request.asOf, vault: opening.place.vault };
      const document = { ...head, ...plan, sentences: forecastSentences(plan.forecast) };
      printAs(
        json,
        document,
        lines ? requestLines(plan) : all ? wholePlanLines(head, plan) : planLines(head, plan),
      );
      const isPaced = opening.place.kind !== "sandbox" || (rate ?? concurrency) !== undefined;
      if (!json && !lines && !isPaced) say(sandboxIsFaster);
    });
};

/** The input for a run that would start now: requests that a run itself has set aside wait for a later one. */
function inputFor({ configuration }: Opening, request: RunRequest): RunPlanInput {
  const { id: site } = configuration.site;
  const asOf = request.asOf ?? now().toISOString();
  const day = asOf.slice(0, 10);
  const backfill = request.from !== undefined || request.to !== undefined;
  return backfill
    ? { kind: "backfill", run: backfillId(site, day, request.languages), request: { ...request, asOf } }
    : { kind: "nightly", run: nightlyId(site, day), request: { ...request, asOf } };
}
