// Opens a backup location after checking that it is private and separate from vault and site.
import { NotThisBackup } from "../publish/backup/snapshots.ts";
import { kindOf, openStore } from "../store/kinds.ts";
import type { Store } from "../store/store.ts";
import type { Opening } from "./opened-site.ts";

export interface BackupLocation {
  readonly address: string;
  readonly backup: Store;
}

/** Throws if the location is inside the vault or the site, or contains one of them. */
export function openBackupLocation(address: string, { environment, location }: Opening): BackupLocation {
  const root = kindOf(address).rootOf(address);
  for (const name of ["vault", "site"] as const) {
    const own = kindOf(location[name]).rootOf(location[name]);
    if (root.startsWith(own) || own.startsWith(root)) {
      throw new NotThisBackup(
        `${address} contains the ${name} (${location[name]}). Use a separate location for the backup, best on another disk or in another account`,
      );
    }
  }
  return { address, backup: openStore(address, { ...environment.s3, isPrivate: true }) };
}

/** Throws if the location is public, and warns if it could be: a backup contains all texts of the vault. */
export async function requirePrivate(
  { address }: BackupLocation,
  { environment }: Opening,
  say: (line: string) => void,
): Promise<void> {
  const exposure = await kindOf(address).exposureOf(address, environment.s3);
  switch (exposure.kind) {
    case "private":
      return;
    case "public":
      throw new NotThisBackup(
        `${exposure.seen}, and a backup contains the whole vault. Use a private location`,
      );
    case "machine":
      return say(`${exposure.seen}, and a backup contains the whole vault: ${exposure.remedy}`);
    case "unknown":
      return say(`${exposure.seen}: check yourself that nobody else can read the backup`);
  }
}
