// `almanac backup`: copies vault and site to another location, and reports files that could not be copied.
import { type BackedUp, backUp } from "../publish/backup/back-up.ts";
import { checkSnapshot, type LostCopy } from "../publish/backup/restore.ts";
import type { Publishing } from "../publish/state/publish-context.ts";
import {
  claimBackup,
  type NamedSnapshot,
  NotThisBackup,
  readSnapshot,
  requireBackupOf,
  snapshotsIn,
} from "../publish/backup/snapshots.ts";
import { utcMinute } from "../readings/calendar.ts";
import { type Opening, openSite, requireOwnVault } from "../worker/opened-site.ts";
import {
  openPublisher,
  type BackupLocation,
  openBackupLocation,
  requirePrivate,
} from "../worker/publisher.ts";
import type { Define } from "./terminal/command.ts";
import { exitCodes, WrongUsage } from "./terminal/errors.ts";
import { noteSuccess } from "./terminal/findings.ts";
import {
  counted,
  firstLines,
  type Lines,
  plainLine,
  printAs,
  say,
  sentence,
  sizeInWords,
  styled,
} from "./terminal/output.ts";
import { progressOf } from "./terminal/progress.ts";

export const define: Define = (command) => {
  command
    .argument(
      "[to]",
      "Private location outside the vault and the site, such as file:/mnt/copies/almanac or s3://bucket/prefix. Default: ALMANAC_BACKUP",
    )
    .option(
      "--check",
      "Check the files of the newest snapshot against their hashes, instead of making a backup",
    )
    .addHelpText(
      "after",
      `
It copies new files, then writes a snapshot of vault and site at one moment, even while workers run. After an
interruption, run it again: it continues. It removes snapshots older than publishing.keepDays, and the copies that only
they need. It changes neither vault nor site. \`almanac restore\` restores a snapshot.

Example: back up to a bucket, after the nightly run:
  almanac backup s3://example-backup/almanac`,
    )
    .action(async (given, { check = false, json }) => {
      const opening = await openSite();
      const to = given ?? opening.environment.backup;
      if (to === undefined)
        throw new WrongUsage(
          "missing backup location. Run `almanac backup file:/mnt/copies/almanac`, or set ALMANAC_BACKUP",
        );
      const location = openBackupLocation(to, opening);
      if (check) return await printCheck(location, opening, json);
      const { backup, address } = location;
      await requireOwnVault(opening);
      await claimBackup(backup, opening.configuration.site.id);
      await requirePrivate(location, opening, say);
      await using publisher = await openPublisher(opening, "almanac backup", say, { isTrial: true });
      const done = await backedUp(publisher.publishing, location);
      printAs(json, { to: address, ...done }, backupLines(done, address));
      if (done.refusal !== undefined) say(done.refusal);
      else if (done.damaged.length === 0) await noteSuccess(opening, "backup", publisher.publishing.now());
      if (done.damaged.length > 0 || done.refusal !== undefined) process.exitCode = exitCodes.incomplete;
    });
};

async function backedUp(publishing: Publishing, { backup }: BackupLocation): Promise<BackedUp> {
  using progress = progressOf("copied");
  const { keepDays } = publishing.configuration.publishing;
  return await backUp(publishing, backup, keepDays, progress.tell);
}

function backupLines({ snapshot, files, added, forgotten, damaged }: BackedUp, address: string): Lines {
  const { version } = snapshot;
  const site = version === 0 ? "an unpublished site" : `version ${version} of the site`;
  return [
    firstLines(damaged, plainLine),
    damaged.length > 0 &&
      sentence(
        `next: ${counted(damaged.length, "file is", "files are")} damaged or missing in vault or site. Their earlier copies stay in the backup. \`almanac repair\` repairs the site, and \`almanac restore\` restores missing files of the vault`,
      ),
    `saved ${snapshotWords(snapshot)} to ${address}: ${counted(files, "file")} of the vault and ${site}`,
    forgotten.snapshots > 0 &&
      `deleted ${counted(forgotten.snapshots, "snapshot")} older than publishing.keepDays, and ${counted(forgotten.copies, "copy", "copies")} that no other snapshot needs`,
    styled("green", `copied ${counted(added.files, "new file")}, ${sizeInWords(added.bytes)}`),
  ];
}

async function printCheck(
  location: BackupLocation,
  opening: Opening,
  json: boolean | undefined,
): Promise<void> {
  const named = await snapshotNamed(location, opening);
  const { keepDays } = opening.configuration.publishing;
  const snapshot = await readSnapshot(location.backup, named);
  using progress = progressOf("checked");
  const { copies, lost } = await checkSnapshot(location.backup, snapshot, keepDays, progress.tell);
  progress[Symbol.dispose]();
  const isSound = lost.length === 0;
  printAs(
    json,
    { from: location.address, snapshot: named.number, at: named.at, copies, lost, sound: isSound },
    [
      lostLines(lost),
      `${location.address}, ${snapshotWords(named)}: ${counted(copies, "copy", "copies")}`,
      isSound
        ? styled("green", "sound")
        : styled("red", `${counted(lost.length, "file")} cannot be restored`),
    ],
  );
  if (!isSound) process.exitCode = exitCodes.failed;
}

/** The newest snapshot of this site's backup, or the newest that was made at this instant or before it. */
export async function snapshotNamed(
  location: BackupLocation,
  { configuration }: Opening,
  at?: string,
): Promise<NamedSnapshot> {
  const all = await snapshotsOf(location, configuration.site.id);
  const found = all.findLast((one) => at === undefined || one.at <= at);
  if (found !== undefined) return found;
  const first = all[0];
  if (first === undefined)
    throw new NotThisBackup(`no complete snapshot at ${location.address}. Run \`almanac backup\` to its end`);
  throw new NotThisBackup(
    `no snapshot at or before that instant: the first one is of ${first.at}. \`--list\` lists all`,
  );
}

/** Oldest first. */
export async function snapshotsOf(
  { backup, address }: BackupLocation,
  site: string,
): Promise<NamedSnapshot[]> {
  await requireBackupOf(backup, site, address);
  return snapshotsIn(backup);
}

export function snapshotWords({ number, at }: Pick<NamedSnapshot, "number" | "at">): string {
  return `snapshot ${number} of ${utcMinute(at)}`;
}

export function lostLines(lost: readonly LostCopy[]): Lines {
  return firstLines(lost, ({ path, reason }) => [styled("bold", plainLine(path)), sentence(reason, "  ")]);
}
