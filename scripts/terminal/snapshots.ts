// The snapshots of a backup that `backup` and `restore` are about, and how the two tell of them.
import type { LostCopy } from "../../publish/backup/restore.ts";
import {
  NotThisBackup,
  requireBackupOf,
  type NamedSnapshot,
  snapshotsIn,
} from "../../publish/backup/snapshots.ts";
import { utcMinute } from "../../readings/instant-words.ts";
import type { BackupPlace } from "../../worker/backup-place.ts";
import type { Opening } from "../../worker/opened-site.ts";
import { type Lines, plainLine, sentence, styled } from "./output.ts";

/** The newest snapshot of this site's backup, or the newest that was made at this instant or before it. */
export async function snapshotNamed(
  { backup, address }: BackupPlace,
  { configuration }: Opening,
  at?: string,
): Promise<NamedSnapshot> {
  const all = await snapshotsOf({ backup, address }, configuration.site.id);
  const found = all.findLast((one) => at === undefined || one.at <= at);
  if (found !== undefined) return found;
  const first = all[0];
  if (first === undefined)
    throw new NotThisBackup(`${address} has no snapshot: no \`almanac backup\` came to its end there`);
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

const mostShown = 30;

export function lostLines(lost: readonly LostCopy[]): Lines {
  const more = lost.length - mostShown;
  return [
    lost
      .slice(0, mostShown)
      .map(({ path, reason }) => [styled("bold", plainLine(path)), sentence(reason, "  ")]),
    more > 0 && `and ${more} more: --json has them all`,
  ];
}
