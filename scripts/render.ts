// `almanac render`: renders past editions from the vault and publishes them again, without a call.
import { type ArchiveInput, type RenderedArchive, renderArchive } from "../publish/archive.ts";
import { countChanges } from "../publish/history/past-states.ts";
import { utcMinute } from "../readings/instant-words.ts";
import { countsInWords, passedOverLines, changeLines, sayBatch } from "./terminal/findings.ts";
import type { Define } from "./terminal/command.ts";
import { exitCodes } from "./terminal/errors.ts";
import { counted, type Lines, type CommandResult, printResult, say, styled } from "./terminal/output.ts";
import { openSite, requireOwnVault } from "../worker/opened-site.ts";
import { openPublisher, type Publisher } from "../worker/publisher.ts";
import { requirePart, languagesIn } from "./terminal/options.ts";
import { typedDate, pastDates } from "./terminal/dates.ts";

export const define: Define = (command) => {
  command
    .option("--languages <codes>", "only these, such as en,hi", languagesIn)
    .option(
      "--from <date>",
      "from this local date on; the current pages alone unless said",
      typedDate("--from"),
    )
    .option("--to <date>", "up to this local date (today unless said)", typedDate("--to"))
    .option(
      "--clock-is-right",
      "render as of this machine's date, even where no server confirms it, or a later date is published",
    )
    .option("--dry-run", "list every path that would change, with its reason, and change nothing")
    .option("--yes", "also take away what the configuration has dropped, even an unusual share of the site")
    .addHelpText(
      "after",
      `
Of each date it renders the sets that begin on it, and always the current pages. A set that the vault does not have
whole, or can't read, stays as it is and is named (exit code 3). What a rollback holds in these languages is let go of.

Examples: a template was mended; a month of Hindi from a repaired reader; publish what was rolled back today; take back a date
that a wrong clock has published:
  almanac render --from 2026-11-01 --dry-run
  almanac render --languages hi --from 2026-11-01 --to 2026-11-30
  almanac render --languages hi
  almanac render --languages hi --clock-is-right`,
    )
    .action(async ({ languages, from, to, dryRun = false, yes = false, clockIsRight, json }) => {
      const opening = await openSite();
      const { configuration } = opening;
      requirePart(configuration, { languages });
      const dates = pastDates(from, to);
      await requireOwnVault(opening);
      await using publisher = await openPublisher(opening, "almanac render", say, { isTrial: dryRun });
      const input = { languages: languages ?? configuration.languages, dates, evenMany: yes };
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
  const { changes, passedOver, left } = archive;
  const plan = dryRun ? changes : undefined;
  return {
    document: { dryRun, ...archive, changes: countChanges(changes), plan },
    lines: [written && changeLines(changes, written), wordsFor(archive, dryRun)],
    code: passedOver.length > 0 || left > 0 ? exitCodes.incomplete : exitCodes.done,
  };
}

function wordsFor(
  { version, files, changes, lifted, passedOver, left }: RenderedArchive,
  dryRun: boolean,
): Lines {
  const rendered = `${counted(files, "file")} rendered`;
  const published = styled("green", `version ${version} is published`);
  return [
    changes.length === 0
      ? `${rendered}, none of them different: the site stays at version ${version}`
      : !dryRun && [`${published}: ${rendered}`, `  ${countsInWords(countChanges(changes))}`],
    [...new Map(lifted.map(({ language, at }) => [language, at]))].map(([language, at]) => {
      const then = dryRun ? "would be held no longer" : "is held no longer: it follows the vault again";
      return `${language}, rolled back at ${utcMinute(at)}, ${then}`;
    }),
    passedOverLines(passedOver),
    left > 0 && `${counted(left, "file")} that the configuration has dropped: --yes takes them away`,
  ];
}
