// What almanac-pull.js gives to programs; by itself it is a command: `node almanac-pull.js --help`.
import type { AlmanacError, AlmanacOptions, SiteState } from "./almanac.js";

/**
 * Brings the JSON of a published site into a folder: checked, of one state of the site. Rejects with an `AlmanacError` where
 * nothing is there yet and the site can't be had.
 */
export function pull(options: PullOptions): Promise<Pulled>;

export interface PullOptions extends ChoiceOptions {
  /** Where `v1/en/daily/latest.json` and the others come to lie, and `pulled.json`, which says what they are. */
  folder: string;
}

/**
 * What `pull` would bring, for loaders that keep it by themselves. Rejects where the site can't be had, and with `RolledBack`
 * where it is older than `version`.
 */
export function chosenState(options: ChoiceOptions, version?: number): Promise<SiteState>;

/** Reads these documents of a state, some at once. */
export function eachDocument(
  state: SiteState,
  paths: readonly string[],
  take: (path: string, document: unknown) => unknown,
): Promise<void>;

export interface ChoiceOptions extends Omit<AlmanacOptions, "storage"> {
  /** All unless said. */
  languages?: readonly string[];
  /** Also the texts of dates from then on, such as `2026-11-01`; the current ones alone unless said. */
  since?: string;
}

export interface Pulled {
  /** The number of the site's state that is in the folder. */
  version: number;
  /** Whether it is an earlier one, because the site could not be had or was refused. */
  stale: boolean;
  reason?: AlmanacError;
  /** How many files there are. */
  files: number;
  /** The paths that were written, and those that were taken away. */
  changed: readonly string[];
  removed: readonly string[];
}
