// `almanac render`: renders past editions from the vault and publishes them again, without a call.
import { type ArchiveInput, type RenderedArchive, renderArchive } from "../publish/archive.ts";
import { countChanges } from "../publish/history/past-states.ts";
import { utcMinute } from "../readings/calendar.ts";
import { changeResult, countsInWords, passedOverLines, sayBatch } from "./terminal/findings.ts";
import { addAttribution, type Define } from "./terminal/command.ts";
import { exitCodes } from "./terminal/errors.ts";
import { counted, type Lines, type CommandResult, printResult, say, styled } from "./terminal/output.ts";
import { openSite, requireOwnVault } from "../worker/opened-site.ts";
import { openPublisher, type Publisher } from "../worker/publisher.ts";
import { attributionIn, requirePart, languagesIn } from "./terminal/options.ts";
import { typedDate, pastDates } from "./terminal/dates.ts";

export const define: Define = (command) => {
  addAttribution(command)
    .option("--languages <codes>", "Limit to these languages, such as en,hi", languagesIn)
    .option("--from <date>", "First local date. Default: only the current pages", typedDate("--from"))
    .option("--to <date>", "Last local date. Default: today", typedDate("--to"))
    .option(
      "--clock-is-right",
      "Trust this machine's clock, even if no time source confirms it or the site already shows a later date",
    )
    .option("--dry-run", "List the paths that would change, with reasons, and change nothing")
    .option(
      "--yes",
      "Also remove pages that the configuration no longer includes, even if they are a large share of the site",
    )
    .addHelpText(
      "after",
      `
For each date it renders the sets that begin on it, and always the current pages. A set that is incomplete or damaged in the
vault keeps its published text and is listed (exit code 3). Pins of a rollback in these languages are removed. It makes no
call.

Examples: preview the effect of a changed template; render a month of Hindi again; publish readings that were rolled back
today; return from a date that a wrong clock published:
  almanac render --from 2026-11-01 --dry-run
  almanac render --languages hi --from 2026-11-01 --to 2026-11-30
  almanac render --languages hi
  almanac render --languages hi --clock-is-right`,
    )
    .action(async ({ languages, from, to, dryRun = false, yes = false, clockIsRight, json, ...said }) => {
      const opening = await requireOwnVault(await openSite());
      requirePart(opening.configuration, { languages });
      const dates = pastDates(from, to);
      await using publisher = await openPublisher(opening, "almanac render", say, { isTrial: dryRun });
      const by = attributionIn(said, opening.environment);
      const input = { languages: languages ?? opening.configuration.languages, dates, evenMany: yes, by };
      const publishing = { ...publisher.publishing, clockIsRight };
      printResult(json, await renderAgain(input, { ...publisher, publishing }));
    });
};

/** Renders and publishes the past editions in the vault. */
export async function renderAgain(
  input: Omit<ArchiveInput, "onBatch">,
  { publishing, written }: Publisher,
): Promise<CommandResult> {
  const dryRun = written !== undefined;
  const archive = await renderArchive({ ...input, onBatch: sayBatch }, publishing);
  const result = changeResult(archive, archive, written, wordsFor(archive, dryRun));
  return archive.left > 0 ? { ...result, code: exitCodes.incomplete } : result;
}

function unchangedWords(files: number, version: number): string {
  if (version === 0) return "nothing to publish: the vault has no readings yet. Run `almanac nightly`";
  const rendered = files === 0 ? "nothing to render" : `${counted(files, "file")} rendered without changes`;
  return `${rendered}. The site stays at version ${version}`;
}

function wordsFor(
  { version, files, changes, lifted, passedOver, left }: RenderedArchive,
  dryRun: boolean,
): Lines {
  const rendered = `${counted(files, "file")} rendered`;
  const published = styled("green", `published version ${version}`);
  return [
    changes.length === 0
      ? unchangedWords(files, version)
      : !dryRun && [`${published}: ${rendered}`, `  ${countsInWords(countChanges(changes))}`],
    [...new Map(lifted.map(({ language, at }) => [language, at]))].map(([language, at]) => {
      const then = dryRun ? "would no longer be pinned" : "is no longer pinned and follows the vault again";
      return `${language}, rolled back at ${utcMinute(at)}, ${then}`;
    }),
    passedOverLines(passedOver),
    left > 0 &&
      `${counted(left, "file")} left that the configuration no longer contains. To remove them, add --yes`,
  ];
}
