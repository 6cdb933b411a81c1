// `almanac press`: past editions pressed and published again from the vault, without a call.
import { type Batch, type PressedArchive, pressArchive } from "../activities/publish/archive.ts";
import { countChanges } from "../activities/publish/history.ts";
import { dayNumber } from "../readings/periods.ts";
import { minute } from "../readings/minute.ts";
import { countsInWords, passedOverLines, planLines } from "./changes-print.ts";
import type { Define } from "./command.ts";
import { exitCodes, WrongUsage } from "./errors.ts";
import { counted } from "./findings-print.ts";
import { onlyPublisher, openSite, publishingOf, requirePart } from "./opening.ts";
import { dateIn, languagesIn, requireOrder } from "./options.ts";
import { print, printJson, say, styled } from "./output.ts";
import { onTrial } from "./trial.ts";

export const define: Define = (command) => {
  command
    .option("--languages <codes>", "only these, such as en,hi", languagesIn)
    .option("--from <date>", "from this local date on; the current pages alone unless said", dateIn("--from"))
    .option("--to <date>", "up to this local date (today unless said)", dateIn("--to"))
    .option("--dry-run", "list every path that would change, with its reason, and change nothing")
    .option("--yes", "also take away what the configuration has dropped, even an unusual share of the site")
    .addHelpText(
      "after",
      `
Of each date it presses the sheets that begin on it, and always the current pages. A sheet that the vault does not have
whole, or can't read, stays as it is and is named (exit code 3). What a rollback holds back in these languages is let go.

Examples: a template was mended; a month of Hindi from a repaired reader; publish what was rolled back today:
  almanac press --from 2026-11-01 --dry-run
  almanac press --languages hi --from 2026-11-01 --to 2026-11-30
  almanac press --languages hi`,
    )
    .action(async ({ languages, from, to, dryRun = false, yes = false, json = false }) => {
      const opening = await openSite();
      const { configuration } = opening;
      requirePart(configuration, { languages });
      const dates = datesFrom(from, to);
      await using _turn = await onlyPublisher(opening, "almanac press", dryRun);
      const real = publishingOf(opening);
      const { publishing, written } = dryRun ? onTrial(real) : { publishing: real };
      const input = {
        languages: languages ?? configuration.languages,
        dates,
        evenMany: yes,
        onBatch: sayBatch,
      };
      const archive = await pressArchive(input, publishing);
      if (archive.passedOver.length > 0 || archive.left > 0) process.exitCode = exitCodes.setAside;
      if (json) {
        const { changes, ...rest } = archive;
        printJson({ dryRun, ...rest, changes: countChanges(changes), ...(dryRun ? { plan: changes } : {}) });
        return;
      }
      if (written !== undefined) print(...planLines(archive.changes, written));
      print(...wordsFor(archive, dryRun));
    });
};

function sayBatch({ number, of, pressed, files, version }: Batch): void {
  if (of === 1) return;
  const [first = "", ...more] = pressed;
  const what = more.length === 0 ? first : `${first} and ${more.length} more`;
  say(`${number} of ${of}: ${what}, ${counted(files, "file")} pressed, version ${version}`);
}

/** As far as the service ever reaches, and as much as a plan takes. */
const longestDays = 3 * 366;

function datesFrom(from: string | undefined, to: string | undefined) {
  requireOrder({ from, to });
  if (from === undefined) {
    if (to !== undefined) throw new WrongUsage(`--to ${to} takes a --from with it`);
    return undefined;
  }
  // Somewhere it is tomorrow already.
  const last = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  if (from > last)
    throw new WrongUsage(`--from ${from} has not begun anywhere yet: only what has is published`);
  const days = dayNumber(to ?? last) - dayNumber(from);
  if (days >= longestDays)
    throw new WrongUsage(`--from ${from} is too far back: at most ${longestDays} days at a time`);
  return { from, to };
}

function wordsFor(
  { version, files, changes, lifted, passedOver, left }: PressedArchive,
  dryRun: boolean,
): string[] {
  const counts = countsInWords(countChanges(changes));
  const nothing = `${counted(files, "file")} pressed, none of them different: the site stays at version ${version}`;
  const published = styled("green", `version ${version} is published`);
  const done = dryRun ? [] : [`${published}: ${counted(files, "file")} pressed`, `  ${counts}`];
  return [
    ...(changes.length === 0 ? [nothing] : done),
    ...[...new Map(lifted.map(({ language, at }) => [language, at]))].map(([language, at]) => {
      const then = dryRun ? "would be held no longer" : "is held no longer: it follows the vault again";
      return `${language}, rolled back at ${minute(at)}, ${then}`;
    }),
    ...passedOverLines(passedOver),
    ...(left === 0
      ? []
      : [`${counted(left, "file")} that the configuration has dropped: --yes takes them away`]),
  ];
}
