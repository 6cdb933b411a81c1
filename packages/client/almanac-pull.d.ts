// What almanac-pull.js gives to programs; by itself it is a command: `node almanac-pull.js --help`.
import type { AlmanacError, AlmanacOptions, SiteState } from "./almanac.js";

/**
 * Brings the JSON of a published site into a folder: checked, of one state of the site. Rejects with an `AlmanacError` where
 * nothing is there yet and the site can't be had.
 */
export function pull(options: PullOptions): Promise<Pulled>;

export interface PullOptions extends ChoiceOptions {
  /** The folder of `v1/en/daily/latest.json` and the others, and of `pulled.json`, which says what they are. */
  folder: string;
  /** Accepts the site as it is now, although the folder has a newer state, or another site's. */
  reset?: boolean;
}

/**
 * The state that `pull` would write, for loaders that keep files by themselves. Rejects if the site can't be had or is refused.
 * The `storage` keeps only the newest version that was seen.
 */
export function chosenState(
  options: ChoiceOptions & Pick<AlmanacOptions, "storage">,
): Promise<SiteState & Pick<Pulled, "unpublished">>;

/** Reads these documents of a state, some at once. */
export function eachDocument(
  state: SiteState,
  paths: readonly string[],
  take: (path: string, document: unknown) => unknown,
): Promise<void>;

export interface ChoiceOptions extends Omit<AlmanacOptions, "storage"> {
  /** Default: all. */
  languages?: readonly string[];
  /** Also the texts of dates from then on, such as `2026-11-01`. Default: only current texts. */
  since?: string;
}

/** The published paths in a folder, by its note. */
export function pulledPaths(folder: string): Promise<string[]>;

/** Whether the reason of a stale answer can be expected to end without anybody's help. */
export function willPass(reason: AlmanacError, pulledAt?: number | string, now?: number): boolean;

/** The text of a public key, from a PEM file or as base64; undefined if it is neither. */
export function keyIn(given: string): Promise<string | undefined>;

/** The error message if `keyIn` finds no key. */
export function keyProblem(given: string): string;

/** A pull in one line, for a terminal. */
export function summaryOf(pulled: Pulled, folder: string): string;

export interface Pulled {
  /** The number of the site's state that is in the folder. */
  version: number;
  /** Whether it is an earlier one, because the site could not be had or was refused. */
  stale: boolean;
  reason?: AlmanacError;
  /** Whether that reason can be expected to end without anybody's help: an outage of less than two weeks, a publish under way. */
  passes?: boolean;
  /** The number of files in the folder. */
  files: number;
  /** The paths that were written, and those that were removed. */
  changed: readonly string[];
  removed: readonly string[];
  /** The chosen languages that the site does not publish. */
  unpublished: readonly string[];
}
