// `almanac rollback`: returns to an earlier state of the site, in seconds and without a call.
import { chooseState, type RollbackTarget, NoSuchState } from "../publish/history/rollback-target.ts";
import { countChanges } from "../publish/history/past-states.ts";
import { rollback, type RolledBack } from "../publish/history/rollback.ts";
import { findBase } from "../publish/step/site-state.ts";
import type { Attribution } from "../vault/journal.ts";
import type { Pin } from "../vault/withheld.ts";
import { utcMinute } from "../readings/calendar.ts";
import { changeResult, countsInWords, pinWords, renderCommand } from "./terminal/findings.ts";
import { addAttribution, type Define } from "./terminal/command.ts";
import { openSite, requireOwnVault } from "../worker/opened-site.ts";
import { openPublisher, type Publisher } from "../worker/publisher.ts";
import type { Language } from "../readings/tables.ts";
import { attributionIn, requirePart, wrongWhere, languagesIn } from "./terminal/options.ts";
import { type Lines, type CommandResult, printResult, say, sentence, styled } from "./terminal/output.ts";

export const define: Define = (command) => {
  addAttribution(command)
    .argument(
      "[manifest]",
      "Version number, or the first characters of its manifest's hash. Default: the previous version",
    )
    .option("--languages <codes>", "Roll back only these languages, such as en,hi", languagesIn)
    .option("--dry-run", "List the paths that would change, and change nothing")
    .option("--yes", "Roll back even if this removes an unusually large share of the site")
    .addHelpText(
      "after",
      `
A rollback publishes a new version with the files of the old one, and pins them: no run publishes that date again until you
run \`almanac render\`. The next date is published as usual. Withdrawn texts stay withdrawn. It makes no call.

Examples: undo the last publish; preview a rollback of Hindi only; return to version 41:
  almanac rollback
  almanac rollback --languages hi --dry-run
  almanac rollback 41`,
    )
    .action(async (manifest, { languages, dryRun = false, yes = false, json, ...said }) => {
      const opening = await requireOwnVault(await openSite());
      requirePart(opening.configuration, { languages });
      await using publisher = await openPublisher(opening, "almanac rollback", say, { isTrial: dryRun });
      const by = attributionIn(said, opening.environment);
      printResult(json, await rollBack(manifest, { languages, yes, by }, publisher));
    });
};

interface RollbackOptions {
  readonly languages?: readonly Language[] | undefined;
  readonly yes: boolean;
  readonly by: Attribution;
}

/** Goes back to a state; `wanted` is a version, or the beginning of a manifest's hash. */
export async function rollBack(
  wanted: string | undefined,
  { languages, yes, by }: RollbackOptions,
  { publishing, written }: Publisher,
): Promise<CommandResult> {
  const dryRun = written !== undefined;
  await findBase(publishing); // throws where the states that the pointer leads to are not ours
  const { site, now, configuration } = publishing;
  const among = { site, now: now(), keepDays: configuration.publishing.keepDays };
  const to = await wrongWhere(NoSuchState, chooseState(wanted, among));
  const back = await rollback({ to, languages, evenMany: yes || dryRun, by }, publishing);
  const target = { manifest: to.hash, version: to.manifest.version };
  const { version, pins, unusual } = back;
  return changeResult({ version, target, pins, unusual }, back, written, wordsFor(back, to, dryRun));
}

function wordsFor(
  { version, changes, pins, unusual, isDecided }: RolledBack,
  to: RollbackTarget,
  dryRun: boolean,
): Lines {
  const { version: old, asOf, run } = to.manifest;
  if (changes.length === 0) {
    const difference = isDecided
      ? "differs only in texts that were withdrawn, restored or corrected since (`almanac journal`), which a rollback does not change"
      : "has the same files";
    return sentence(
      `nothing to roll back: version ${old} ${difference}. The site stays at version ${version}. To go back further, name a version that \`almanac log\` lists`,
    );
  }
  const tree = `the files of version ${old} (as of ${utcMinute(asOf)}, by ${run})`;
  return [
    dryRun
      ? `would publish version ${version}: ${tree}`
      : styled("green", `published version ${version}: ${tree}`),
    !dryRun && `  ${countsInWords(countChanges(changes))}`,
    dryRun && unusual && styled("yellow", "this removes an unusual share of the site. To do it, add --yes"),
    pins.length > 0 && pinLines(pins, dryRun),
  ];
}

function pinLines(pins: readonly Pin[], dryRun: boolean): Lines {
  const words = `${dryRun ? "would be pinned" : "pinned"}: ${pinWords(pins)}`;
  return [
    sentence(words),
    `to remove the ${pins.length === 1 ? "pin" : "pins"} and publish the readings in the vault: \`${renderCommand(pins)}\``,
  ];
}
