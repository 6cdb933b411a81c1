// `almanac restore`: restores the files that vault and site lack from a backup, then repairs the site.
import { type Repaired, repair } from "../publish/repair/repair.ts";
import { type Restored, restore } from "../publish/backup/restore.ts";
import { readSnapshot, type NamedSnapshot } from "../publish/backup/snapshots.ts";
import type { Publishing } from "../publish/state/publish-context.ts";
import { pointerPath } from "../publish/state/state.ts";
import { lookAtSite, StateRefused } from "../publish/step/site-state.ts";
import { utcMinute } from "../readings/calendar.ts";
import { type Opening, openSite } from "../worker/opened-site.ts";
import { openPublisher, type BackupLocation, openBackupLocation } from "../worker/publisher.ts";
import type { Define } from "./terminal/command.ts";
import { exitCodes } from "./terminal/errors.ts";
import { counted, type Lines, printAs, say, sentence, styled } from "./terminal/output.ts";
import { findingLines } from "./terminal/findings.ts";
import { typedInstant } from "./terminal/dates.ts";
import { progressOf } from "./terminal/progress.ts";
import { lostLines, snapshotNamed, snapshotsOf, snapshotWords } from "./backup.ts";

export const define: Define = (command) => {
  command
    .argument("<from>", "Location of the backup")
    .option("--list", "List the snapshots, and restore nothing")
    .option(
      "--at <time>",
      "Restore the newest snapshot at or before this time. Default: the newest",
      (text) => typedInstant("--at", text),
    )
    .option("--dry-run", "List the files to restore, and write nothing")
    .addHelpText(
      "after",
      `
Stop the workers first. It restores the files that vault and site lack, checks each against its hash, and keeps readable files.
Then it repairs the site as \`almanac repair\` does. A lost site is published under a version above all that it can have had since
the snapshot. It makes no call. After an interruption, run it again.

Example: list the files that a restore would write:
  almanac restore file:/mnt/copies/almanac --dry-run`,
    )
    .action(async (from, { list = false, at, dryRun = false, json }) => {
      const opening = await openSite();
      const location = openBackupLocation(from, opening);
      if (list) return await printList(location, opening, json);
      const named = await snapshotNamed(location, opening, at);
      await using publisher = await openPublisher(opening, "almanac restore", say, { isTrial: dryRun });
      const { publishing } = publisher;
      const restored = await putBack(publishing, location, named);
      const result = dryRun ? undefined : await repairRestored(publishing);
      const { number, at: since } = named;
      const refusal = result !== undefined && "remedy" in result ? result : undefined;
      const repaired = result !== undefined && "version" in result ? result : undefined;
      printAs(
        json,
        {
          dryRun,
          snapshot: number,
          at: since,
          ...restored,
          version: repaired?.version ?? null,
          refusal: refusal?.message ?? null,
          notRepaired: repaired?.lost ?? [],
        },
        [restoreLines(restored, named, dryRun), repaired && repairedLines(repaired)],
      );
      if (refusal !== undefined) say(sentence(refusal.message));
      const isWhole = restored.lost.length === 0 && (repaired?.lost.length ?? 0) === 0;
      if (!isWhole) process.exitCode = exitCodes.failed;
      else if (refusal !== undefined) process.exitCode = exitCodes.incomplete;
    });
};

async function putBack(
  publishing: Publishing,
  { backup }: BackupLocation,
  named: NamedSnapshot,
): Promise<Restored> {
  using progress = progressOf("restored");
  return await restore(publishing, backup, await readSnapshot(backup, named), progress.tell);
}

/**
 * Repairs the site. Returns a refusal if the site is newer than the vault, because a person has to choose which state to keep; undefined
 * if nothing was ever published.
 */
async function repairRestored(publishing: Publishing): Promise<Repaired | StateRefused | undefined> {
  const { refusal, stored, pointer, record } = await lookAtSite(publishing);
  const { current, highest } = record.value;
  if (stored === undefined && current === null) return undefined;
  if (refusal === undefined || stored === undefined) return repair(publishing, false);
  if (current === null || pointer === undefined || pointer.version <= highest) return refusal;
  return new StateRefused(
    refusal.seen,
    `choose the state to keep. \`almanac repair\` returns to version ${current.version}. To keep version ${pointer.version}, ` +
      `check its pages, then run \`almanac repair --accept ${pointer.manifest}\``,
  );
}

async function printList(
  location: BackupLocation,
  { configuration }: Opening,
  json: boolean | undefined,
): Promise<void> {
  const snapshots = (await snapshotsOf(location, configuration.site.id)).toReversed();
  const listed = snapshots.map(({ number, at }) => ({ number, at }));
  printAs(json, { from: location.address, snapshots: listed }, [
    listed.map(({ number, at }) => `${String(number).padStart(7)}  ${at}`),
    listed.length === 0 && "no complete snapshot. Run `almanac backup` to its end",
  ]);
}

function restoreLines(
  { vault, site, same, newer, lost }: Restored,
  named: NamedSnapshot,
  dryRun: boolean,
): Lines {
  const would = dryRun ? "would be restored" : "restored";
  const kept =
    newer.length === 0
      ? ""
      : `; ${counted(newer.length, "file")} of the vault differ from the backup and were kept`;
  return [
    lostLines(lost),
    `${snapshotWords(named)}: ${counted(vault, "file")} of the vault and ${counted(site, "file")} of the site ${would}, ${counted(same, "file")} already there${kept}`,
    lost.length > 0 && styled("red", `${counted(lost.length, "file")} could not be restored`),
    sentence(
      `this snapshot does not contain decisions made after ${utcMinute(named.at)}. Repeat withdrawals, rollbacks and acceptances before you start the workers`,
    ),
  ];
}

function repairedLines({ version, repairs, lost }: Repaired): Lines {
  const done =
    repairs.length === 0
      ? "nothing to repair"
      : `${counted(repairs.length, "file")} repaired, including ${pointerPath} and public paths`;
  const verdict = `the site is at version ${version}: ${done}`;
  return [
    lost.length > 0 && findingLines(lost),
    lost.length > 0 && styled("red", `${counted(lost.length, "file")} could not be repaired`),
    styled("green", verdict),
  ];
}
