// Publishing by commands, without Temporal: the publisher of commands that change the site by themselves, and the location of a backup.
// A backup must be private, and separate from vault and site.
import { fingerprintOf } from "../publish/render/fingerprint.ts";
import type { Publishing } from "../publish/state/publish-context.ts";
import { keptPictures } from "../service/pictures/kept-pictures.ts";
import { openTrial } from "../store/trial.ts";
import { type Log, createVault } from "../vault/vault.ts";
import { type Opening, openLeases, requireObedientVault } from "./opened-site.ts";
import { notifyingFor } from "./notifiers/notifying.ts";
import { publicKeysOf, signerFor } from "./settings/credentials.ts";
import { beginningOf } from "../site/paths.ts";
import { siteSettingsOf } from "../site/edition.ts";
import { now, WrongSettings } from "./settings/environment.ts";
import { NotThisBackup } from "../publish/backup/snapshots.ts";
import { kindOf, openStore } from "../store/kinds.ts";
import type { Store } from "../store/store.ts";

interface PublisherOptions {
  /** The real thing on stores that take nothing; `forgets` unless said otherwise. */
  readonly isTrial: boolean;
  readonly forgets?: boolean;
  /** False for what writes no pointer, whose machine may be without the key. */
  readonly signs?: boolean;
  /** Refuses to start without the key on a signed site: a worker that has the key can publish later. */
  readonly needsKey?: boolean;
}

export type WrittenCounts = ReturnType<typeof onTrial>["written"];

/** Publishing dependencies of a command; `written` is set only in a dry run. */
export interface Publisher {
  readonly publishing: Publishing;
  readonly written?: WrittenCounts | undefined;
}

/** Opens a publisher. `command` is shown to others who wait for the site; `say` prints log lines at the terminal. */
export async function openPublisher(
  opening: Opening,
  command: string,
  say: (line: string) => void,
  { isTrial, forgets, signs = true, needsKey = false }: PublisherOptions,
) {
  const real = { ...publishingOf(opening, say, signs), waiting: { purpose: command } };
  if (isTrial) return { ...onTrial(real, forgets), [Symbol.asyncDispose]: async () => undefined };
  requireObedientVault(opening);
  if (signs && real.signer === undefined && opening.configuration.publishing.publicKeys.length > 0) {
    if (needsKey) throw new WrongSettings([{ name: "ALMANAC_SIGNING_KEY_FILE", problem: missing }]);
    say(noKey);
  }
  return { publishing: real, written: undefined, [Symbol.asyncDispose]: async () => real.notifyChanges?.() };
}

const missing =
  "not set, and this site is signed. Set it, or let a worker publish with `almanac schedule trigger publish`";
const noKey =
  "no signing key is set here: clients that pin a key reject each new version until a worker with the key signs it. To sign it at once, set ALMANAC_SIGNING_KEY_FILE";

function publishingOf(
  { environment, configuration, theme, location, vault, site, timeSource }: Opening,
  say: (line: string) => void,
  signs: boolean,
): Publishing {
  const log: Log = {
    info: () => undefined,
    warn: (_, message) => say(message),
    error: (_, message) => say(message),
  };
  return {
    configuration,
    theme,
    vault,
    site,
    leases: openLeases({ environment, location }, log),
    timeSource,
    pictures: configuration.pictures.mirror && keptPictures(vault.store, log),
    siteId: configuration.site.id,
    ...notifyingFor({ environment, configuration, location, site, log, now }, vault.own, async ({ text }) =>
      say(text),
    ),
    now,
    log,
    fingerprint: fingerprintOf(siteSettingsOf(configuration, theme)),
    signer: signs ? signerFor(environment, configuration) : undefined,
    publicKeys: publicKeysOf(configuration.publishing.publicKeys),
  };
}

const unnotified = { noteChange: undefined, notifyChanges: undefined, leases: undefined };

/** `forgets`: what it writes is more than a machine holds, and it reads none of it again. */
export function onTrial(publishing: Publishing, forgets = true) {
  /** The objects that a trial run would have written. */
  const written = { objects: 0, bytes: 0 };
  const tell = (key: string, sizeBytes: number) => {
    if (!key.startsWith(beginningOf("object"))) return;
    written.objects += 1;
    written.bytes += sizeBytes;
  };
  const site = openTrial(publishing.site, { tell, forgets });
  const vault = createVault(openTrial(publishing.vault.store, { forgets }), publishing.vault.siteId);
  return { publishing: { ...publishing, ...unnotified, site, vault }, written };
}

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
      const where = root.startsWith(own) ? "is inside" : "contains";
      throw new NotThisBackup(
        `${address} ${where} the ${name} (${location[name]}). Use a separate location for the backup, best on another disk or in another account`,
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
