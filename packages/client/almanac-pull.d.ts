// Types of almanac-pull.js, which is also a command: `node almanac-pull.js --help`.
import type { AlmanacError, AlmanacOptions, SiteState } from "./almanac.js";

/**
 * Downloads the JSON of a published site into a folder. All files are verified and belong to one state of the site. Rejects with
 * an `AlmanacError` if the site is unreachable and the folder has no earlier state.
 */
export function pull(options: PullOptions): Promise<Pulled>;

export interface PullOptions extends ChoiceOptions {
  /** The folder for `v1/en/daily/latest.json` and the other files, and for `pulled.json`, which lists them. */
  folder: string;
  /** Accepts the current state, even if the folder has a newer state or another site. */
  reset?: boolean;
}

/**
 * The state that `pull` would write, for loaders that store the files themselves. Rejects if the site is unreachable or invalid.
 * `storage` stores only the highest version.
 */
export function chosenState(
  options: ChoiceOptions & Pick<AlmanacOptions, "storage">,
): Promise<SiteState & Pick<Pulled, "unpublished">>;

/** Reads documents of a state, several at the same time. */
export function eachDocument(
  state: SiteState,
  paths: readonly string[],
  take: (path: string, document: unknown) => unknown,
): Promise<void>;

export interface ChoiceOptions extends Omit<AlmanacOptions, "storage"> {
  /** Default: all. */
  languages?: readonly string[];
  /** Also downloads the texts from this date on, such as `2026-11-01`. Default: only current texts. */
  since?: string;
}

/** The published paths in a folder, as listed in its `pulled.json`. */
export function pulledPaths(folder: string): Promise<string[]>;

/** Whether the cause of a stale result is expected to end without action. */
export function willPass(reason: AlmanacError, pulledAt?: number | string, now?: number): boolean;

/** Whether `key` is one of the pinned keys, or none is pinned. */
export function isTrusted(key: string | undefined, options: Pick<AlmanacOptions, "keys">): boolean;

/** The text of a public key, from a PEM file or a base64 string. Undefined if `given` is neither. */
export function keyIn(given: string): Promise<string | undefined>;

/** The error message if `keyIn` finds no key. */
export function keyProblem(given: string): string;

/** A one-line summary of a pull, for a terminal. */
export function summaryOf(pulled: Pulled, folder: string): string;

export interface Pulled {
  /** The version of the state in the folder. */
  version: number;
  /** Whether it is an earlier version, because the site was unreachable or invalid. */
  stale: boolean;
  reason?: AlmanacError;
  /**
   * Whether `reason` is expected to end without action: an outage of less than two weeks, or a publish in progress. False if none of
   * the keys signed the files in the folder.
   */
  passes?: boolean;
  /** The number of files in the folder. */
  files: number;
  /** The written paths, and the removed paths. */
  changed: readonly string[];
  removed: readonly string[];
  /** The chosen languages that the site does not publish. */
  unpublished: readonly string[];
}
