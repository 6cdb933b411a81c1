// `almanac backup`: copies vault and site to another location, and reports files that could not be copied.
import { type BackedUp, backUp } from "../publish/backup/back-up.ts";
import { checkSnapshot, type LostCopy } from "../publish/backup/restore.ts";
import type { Publishing } from "../publish/state/publishing-place.ts";
import {
  claimBackup,
  type NamedSnapshot,
  NotThisBackup,
  readSnapshot,
  requireBackupOf,
  snapshotsIn,
} from "../publish/backup/snapshots.ts";
import { utcMinute } from "../readings/instant-words.ts";
import { type Opening, openSite } from "../worker/opened-site.ts";
import { openPublisher } from "../worker/publisher.ts";
import { type BackupPlace, backupPlace, requirePrivate } from "../worker/backup-place.ts";
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
      "file:/mnt/copies/almanac or s3://bucket/prefix: private, and neither in the vault nor in the site (ALMANAC_BACKUP unless given)",
    )
    .option("--check", "copy nothing: read every copy that the newest snapshot needs against its hash")
    .addHelpText(
      "after",
      `
It copies what the backup does not have yet, and ends with a snapshot: vault and site as they were at one moment, also
while workers are at work. Run it again where it was cut off: it goes on where it stood. Snapshots older than
publishing.keepDays are removed, with the copies that no other snapshot needs. It changes neither vault nor
site, and \`almanac restore\` puts a snapshot back.

Example: each day, when the night is over:
  almanac backup s3://example-backup/almanac`,
    )
    .action(async (given, { check = false, json }) => {
      const opening = await openSite();
      const to = given ?? opening.environment.backup;
      if (to === undefined)
        throw new WrongUsage(
          "name where the backup is: `almanac backup file:/mnt/copies/almanac`, or set ALMANAC_BACKUP",
        );
      const place = backupPlace(to, opening);
      if (check) return await printCheck(place, opening, json);
      const { backup, address } = place;
      await claimBackup(backup, opening.configuration.site.id);
      await requirePrivate(place, opening, say);
      await using publisher = await openPublisher(opening, "almanac backup", say, { isTrial: true });
      const done = await backedUp(publisher.publishing, place);
      printAs(json, { to: address, ...done }, backupLines(done, address));
      if (done.refusal !== undefined) say(done.refusal);
      else if (done.damaged.length === 0) await noteSuccess(opening, "backup", publisher.publishing.now());
      if (done.damaged.length > 0 || done.refusal !== undefined) process.exitCode = exitCodes.incomplete;
    });
};

async function backedUp(publishing: Publishing, { backup }: BackupPlace): Promise<BackedUp> {
  using progress = progressOf("copied");
  const { keepDays } = publishing.configuration.publishing;
  return await backUp(publishing, backup, keepDays, progress.tell);
}

function backupLines({ snapshot, files, added, forgotten, damaged }: BackedUp, address: string): Lines {
  const { version } = snapshot;
  const site = version === 0 ? "a site that was never published" : `version ${version} of the site`;
  return [
    firstLines(damaged, plainLine),
    damaged.length > 0 &&
      sentence(
        `next: ${counted(damaged.length, "file is", "files are")} damaged or missing where they should be; what was copied of them before stays in the backup. \`almanac repair\` mends the site, and \`almanac restore\` puts back what the vault lacks`,
      ),
    `${address} has ${snapshotWords(snapshot)}: ${counted(files, "file")} of the vault and ${site}`,
    forgotten.snapshots > 0 &&
      `removed ${counted(forgotten.snapshots, "snapshot")} older than publishing.keepDays, and ${counted(forgotten.copies, "copy", "copies")} that no other needs`,
    styled("green", `${counted(added.files, "copy", "copies")} new, ${sizeInWords(added.bytes)}`),
  ];
}

async function printCheck(place: BackupPlace, opening: Opening, json: boolean | undefined): Promise<void> {
  const named = await snapshotNamed(place, opening);
  const { keepDays } = opening.configuration.publishing;
  const snapshot = await readSnapshot(place.backup, named);
  using progress = progressOf("checked");
  const { copies, lost } = await checkSnapshot(place.backup, snapshot, keepDays, progress.tell);
  progress[Symbol.dispose]();
  const isSound = lost.length === 0;
  printAs(json, { from: place.address, snapshot: named.number, at: named.at, copies, lost, sound: isSound }, [
    lostLines(lost),
    `${place.address}, ${snapshotWords(named)}: ${counted(copies, "copy", "copies")}`,
    isSound ? styled("green", "sound") : styled("red", `${counted(lost.length, "file")} can't be restored`),
  ]);
  if (!isSound) process.exitCode = exitCodes.failed;
}

/** The newest snapshot of this site's backup, or the newest that was made at this instant or before it. */
export async function snapshotNamed(
  place: BackupPlace,
  { configuration }: Opening,
  at?: string,
): Promise<NamedSnapshot> {
  const all = await snapshotsOf(place, configuration.site.id);
  const found = all.findLast((one) => at === undefined || one.at <= at);
  if (found !== undefined) return found;
  const first = all[0];
  if (first === undefined)
    throw new NotThisBackup(`${place.address} has no snapshot: no \`almanac backup\` came to its end there`);
  throw new NotThisBackup(`--at: the first snapshot is of ${first.at}; \`--list\` shows all`);
}

/** Oldest first. */
export async function snapshotsOf({ backup }: BackupPlace, site: string): Promise<NamedSnapshot[]> {
  await requireBackupOf(backup, site);
  return snapshotsIn(backup);
}

export function snapshotWords({ number, at }: Pick<NamedSnapshot, "number" | "at">): string {
  return `snapshot ${number} of ${utcMinute(at)}`;
}

export function lostLines(lost: readonly LostCopy[]): Lines {
  return firstLines(lost, ({ path, reason }) => [styled("bold", plainLine(path)), sentence(reason, "  ")]);
}
