// Where a site is published: the two stores, a clock, a log, and what signs and names the work.
import type { KeyObject } from "node:crypto";
import type { Store } from "../../store/store.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Log } from "../../vault/log.ts";
import type { Pictures } from "../../service/pictures/kept-pictures.ts";
import type { Vault } from "../../vault/vault.ts";

/** What the stable paths came to show. */
export interface ShownChange {
  readonly manifest: string;
  readonly version: number;
  /** Written or removed. */
  readonly paths: readonly string[];
}

export interface PublishingPlace {
  readonly site: Store;
  /** The private store: it notes what the stable paths show, what is withheld, and what a clean-up removes. */
  readonly vault: { readonly store: Store };
  /** The only clock: here it decides which date is shown, there between `today` and `tomorrow` at the moment of a call. */
  readonly now: () => Date;
  readonly log: Log;
  /** What presses here: templates, settings, Unicode data. */
  readonly fingerprint: string;
  /** Tells caches which addresses show something else now; may be told twice of the same, and never fails. */
  readonly announce?: ((shown: ShownChange) => Promise<void>) | undefined;
  /** Ed25519; without one the pointer is not signed. */
  readonly signer?: KeyObject | undefined;
}

/** What publishing from the vault needs besides. */
export interface Publishing extends PublishingPlace {
  readonly configuration: Configuration;
  readonly vault: Vault;
  /** Copies of the cards' pictures; without it they stay linked as they are. */
  readonly pictures?: Pictures | undefined;
  /** What reads and judges here, as one word (fingerprint.ts); without it nothing is known to stand (standing.ts). */
  readonly workings?: string | undefined;
}
