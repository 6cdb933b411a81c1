// `almanac review`: reads texts before they are published.
import { nextSteps } from "../insight/next-steps.ts";
import { statesOn } from "../insight/set-states.ts";
import { readTexts } from "../insight/set-texts.ts";
import { openSources } from "../insight/why-facts.ts";
import { firstDayOf, isPeriodKind, startOfDay } from "../readings/calendar.ts";
import { zoneOf } from "../readings/catalogue.ts";
import { type Language, rowOf } from "../readings/tables.ts";
import { type Opening, openSite } from "../worker/opened-site.ts";
import { editorPage, type ToRead } from "./review/page.ts";
import { addSubcommand, type Define } from "./terminal/command.ts";
import { dateAhead } from "./terminal/dates.ts";
import { savePage } from "./terminal/operator-page.ts";
import { languageIn, requirePart } from "./terminal/options.ts";
import { printAs } from "./terminal/output.ts";

export const define: Define = (command) => {
  addSubcommand(command, "page", "Write a page with the texts of a date, for an editor without a terminal")
    .requiredOption("--language <code>", "Language, such as hi", languageIn)
    .option("--date <date>", "Local date. Default: tomorrow", dateAhead, dateAhead("tomorrow"))
    .requiredOption("--out <file>", "HTML file to write")
    .action(async ({ language, date, out }, self) => {
      const opening = await openSite();
      requirePart(opening.configuration, { languages: [language] });
      const page = await toRead(language, date(zoneOf(opening.configuration, language)), opening);
      await savePage(out, editorPage(page));
      const document = { ...page, out };
      printAs(
        self.optsWithGlobals().json,
        document,
        `texts of ${page.date} in ${language} written to ${out}`,
      );
    });
  command.addHelpText(
    "after",
    `
The page shows the texts that are new on a date, next to English. It marks the sentences that the text before has, too, and lists
missing, quarantined and withdrawn texts with their commands. It is one file, which needs no network. It makes no call.

Example: write tomorrow's Hindi texts for an editor:
  almanac review page --language hi --out hindi.html`,
  );
};

/** The texts that are new on a date, and those of which something is to be decided. */
export async function toRead(
  language: Language,
  date: string,
  { configuration, vault, site }: Pick<Opening, "configuration" | "vault" | "site">,
): Promise<ToRead> {
  const now = startOfDay(zoneOf(configuration, language), date);
  const look = await openSources({ configuration, vault, site, now });
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
