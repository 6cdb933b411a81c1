// The context of a publish: the two stores, a clock, a log, and the key that signs the pointer.
import type { KeyObject } from "node:crypto";
import type { Leases } from "../../store/lease.ts";
import type { Store } from "../../store/store.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Theme } from "../../site/theme/theme.ts";
import type { Log, Vault } from "../../vault/vault.ts";
import type { Pictures } from "../../service/pictures/kept-pictures.ts";
import type { TimeSource } from "../../vault/time-source.ts";

/** A state that the public paths now show, with the paths that changed. */
export interface ShownChange {
  readonly manifest: string;
  readonly version: number;
  /** The paths that were written or removed. */
  readonly paths: readonly string[];
}

/** How to wait for the site's lease. */
export interface SiteWaiting {
  /** Message for people who wait for this process, in place of the operation's own. */
  readonly purpose?: string;
  readonly signal?: AbortSignal;
  readonly maxWaitMs?: number;
  /** Called within 5 s of waiting, then every 30 s. */
  readonly onWait?: (words: string) => void;
}

export interface PublishContext {
  readonly site: Store;
  /** The private store, which has the record of the site's states and what is withheld. */
  readonly vault: Pick<Vault, "store" | "own" | "siteId">;
  /** The leases in the vault. Without them the site is owned already, or this is a trial run (step/site-owner.ts). */
  readonly leases?: Leases | undefined;
  readonly waiting?: SiteWaiting;
  /** The only clock. In publishing, it decides which date is shown. */
  readonly now: () => Date;
  /** The latest time reported by a server elsewhere; without it, the clock is trusted. */
  readonly timeSource?: TimeSource;
  /** Requests the service's time, without credentials. False if that is impossible, or was done recently. */
  readonly requestTime?: () => Promise<boolean>;
  readonly log: Log;
  /** A hash of everything that decides how files are rendered: templates, settings, Unicode data. */
  readonly fingerprint: string;
  /** Adds a change to the backlog of caches, hub and webhook in the vault; it may be called twice for the same one. */
  readonly noteChange?: (shown: ShownChange) => Promise<void>;
  /** Notifies them of the backlog. It never fails: a failed notification stays in the backlog. */
  readonly notifyChanges?: () => Promise<void>;
  /** The beginning of the tags by which caches know its files; without it they have none. */
  readonly siteId?: string;
  /** An Ed25519 key; without one the pointer is not signed. */
  readonly signer?: KeyObject;
  /** The keys of which one must have signed a state that the record does not know. */
  readonly publicKeys?: readonly KeyObject[];
}

/** The settings that decide which pages a site has, and how they look. */
export type RenderSettings = Pick<Publishing, "configuration" | "theme">;

/** The further parts that publishing from the vault needs. */
export interface Publishing extends PublishContext {
  readonly configuration: Configuration;
  /** The owner's theme. Default: our design. */
  readonly theme?: Theme;
  readonly vault: Vault;
  /** Copies of the cards' pictures. Without them, pictures of listed hosts stay linked. */
  readonly pictures?: Pictures;
  /** A hash of the code that reads and validates (fingerprint.ts); without it no language counts as unchanged (unchanged-languages.ts). */
  readonly workings?: string;
  /** An operator's confirmation that the clock is right: each language moves to its date, forward or back. */
  readonly clockIsRight?: boolean;
}
