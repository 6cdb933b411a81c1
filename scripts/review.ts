// `almanac review`: the texts that a person is to review before or after they are published.
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { setsToReview } from "../insight/review-list.ts";
import { statesOn, nextSteps } from "../insight/set-states.ts";
import { readTexts } from "../insight/set-texts.ts";
import { openSources } from "../insight/why-facts.ts";
import { firstDayOf, isPeriodKind, startOfDay } from "../readings/calendar.ts";
import { zoneOf } from "../readings/catalogue.ts";
import type { ReviewDecision } from "../readings/review.ts";
import { type Language, rowOf } from "../readings/tables.ts";
import { type Opening, openSite, requireOwnVault } from "../worker/opened-site.ts";
import { openPublisher } from "../worker/publisher.ts";
import { now } from "../worker/settings/environment.ts";
import { decide, reviewLines, wishIn } from "./review/decide.ts";
import { editorPage, type ToRead } from "./review/page.ts";
import { addAttribution, addSubcommand, type Define } from "./terminal/command.ts";
import { dateAhead } from "./terminal/dates.ts";
import { asking } from "./terminal/interview.ts";
import { attributionIn, languageIn, languagesIn, operationsIn, requirePart } from "./terminal/options.ts";
import { savePage } from "./terminal/operator-page.ts";
import { progressOf } from "./terminal/progress.ts";
import { printAs, printResult, say } from "./terminal/output.ts";

const options = {
  date: ["--date <date>", "Local date, or `tomorrow`. Default: today and later"],
  operations: ["--operations <names>", "Limit to these operations"],
} as const;

export const define: Define = (command) => {
  addSubcommand(command, "list", "List unapproved sets")
    .argument("[languages]", "Languages, such as hi,ar", languagesIn)
    .option(...options.date, dateAhead)
    .option(...options.operations, operationsIn)
    .action(async (languages, { date: dateIn, operations }, self) => {
      const opening = await requireOwnVault(await openSite());
      requirePart(opening.configuration, { languages, operations });
      using progress = progressOf("reading sets");
      const filter = { languages, operations, dateIn };
      const sets = await setsToReview(filter, { ...opening, now: now() }, progress.show);
      const { document, lines } = reviewLines(sets, opening.configuration);
      const next = "next: `almanac review approve`, or `almanac review reject`, with a language or a set";
      printAs(self.optsWithGlobals().json, document, [lines, sets.length > 0 && next]);
    });
  addDecision(command, "approve", "Approve sets");
  addDecision(command, "reject", "Reject sets, so that they are not published");
  addSubcommand(command, "page", "Write a page with the texts of a date, for an editor without a terminal")
    .requiredOption("--language <code>", "Language, such as hi", languageIn)
    .option("--date <date>", "Local date. Default: tomorrow", dateAhead, dateAhead("tomorrow"))
    .requiredOption("--out <file>", "HTML file to write")
    .action(async ({ language, date, out }, self) => {
      const opening = await requireOwnVault(await openSite());
      requirePart(opening.configuration, { languages: [language] });
      const page = await toRead(language, date(zoneOf(opening.configuration, language)), opening);
      await savePage(out, editorPage(page));
      const done = `texts of ${page.date} in ${language} written to ${out}`;
      printAs(self.optsWithGlobals().json, { ...page, out }, done);
    });
  command.addHelpText(
    "after",
    `
The setting \`review\` lists the texts that need review. Approved texts are published at once if their day has begun, otherwise at
midnight in their language's time zone. \`page\` writes one file that works offline, with the new texts of a date next to English.

Examples: list the waiting texts; write tomorrow's for an editor; approve them; reject one set:
  almanac review list
  almanac review page --language hi --out hindi.html
  almanac review approve hi --date tomorrow
  almanac review reject daily/2026-11-22/hi/daily-horoscope --reason "wrong tone"`,
  );
};

function addDecision(command: CommandUnknownOpts, kind: ReviewDecision, about: string): void {
  addAttribution(addSubcommand(command, kind, about))
    .argument("<texts>", "Languages, such as hi,ar, or a set from the list")
    .option(...options.date, dateAhead)
    .option(...options.operations, operationsIn)
    .option("--seen <hash>", "Refuse if the texts no longer have this hash")
    .option("--dry-run", "List the sets, and change nothing")
    .option("--yes", "Don't ask for confirmation")
    .action(async (named, { date: dateIn, dryRun = false, yes = false, seen, ...given }, self) => {
      const opening = await requireOwnVault(await openSite());
      const wish = wishIn(named, { ...given, dateIn }, opening.configuration);
      const said = attributionIn(given, opening.environment);
      await using publisher = await openPublisher(opening, `almanac review ${kind}`, say, {
        isTrial: dryRun,
        forgets: false,
      });
      const outcome = await decide({ kind, wish, seen, said }, asking(yes || dryRun), publisher);
      printResult(self.optsWithGlobals().json, outcome);
    });
}

/** The texts that are new on a date, and those of which something is to be decided. */
export async function toRead(
  language: Language,
  date: string,
  { configuration, vault, site }: Pick<Opening, "configuration" | "vault" | "site">,
): Promise<ToRead> {
  const starts = startOfDay(zoneOf(configuration, language), date);
  const look = await openSources({ configuration, vault, site, now: starts });
  const reading = (await statesOn(language, date, look)).map(async (state) => {
    const [first] = state.requests;
    if (first === undefined) return [];
    const { operation, period } = first;
    const { due } = rowOf(operation);
    const steps = nextSteps(state);
    const isNew = isPeriodKind(due) && firstDayOf(due, period) === date;
    const texts = isNew || steps.length > 0 ? await readTexts(state, look) : [];
    return [{ set: state.set, operation, steps, texts }];
  });
  const all = (await Promise.all(reading)).flat();
  const sets = all.filter(({ texts }) => texts.length > 0);
  const read = new Set(sets.map(({ operation }) => operation));
  const unchanged = [...new Set(all.map(({ operation }) => operation))].filter((one) => !read.has(one));
  return { language, date, sets, unchanged };
}
