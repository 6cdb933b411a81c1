// What travels between workflows and activities: keys, hashes and counts. Never a body, never a secret, never a name.
import type { ServiceAddress } from "./service-addresses.ts";
import type { Language } from "./languages.ts";
import type { Operation } from "./operations.ts";
import type { RequestKey } from "./request.ts";
import type { RefusedOperation, SetAsideType, Tally } from "./run-progress.schema.ts";

export type { Counts, RefusedOperation, RunProgress, SetAsideType, Tally } from "./run-progress.schema.ts";

/** What a run is asked to do; empty lists never occur. */
export interface RunRequest {
  /** The instant the run is for; the scheduled or the start time unless given. */
  readonly asOf?: string;
  readonly languages?: readonly Language[];
  readonly operations?: readonly Operation[];
  /** Backfills only: local dates, both counted in. */
  readonly from?: string;
  readonly to?: string;
}

/** The time-outs of captures on one address, computed from its rate, concurrency and answer time-out. */
export interface CaptureLimits {
  readonly startToCloseMs: number;
  readonly heartbeatMs: number;
}

export interface EditionPlan {
  readonly language: Language;
  /** The newest local date that the edition gathers for, by which it is named. */
  readonly date: string;
  /** Due requests, in the order in which they are to be asked, as `packKeys` makes them. */
  readonly keys: readonly string[];
  /** How many keys are of each priority from 1 on. */
  readonly bands: readonly number[];
  /** How many of the keys Temporal has at once. */
  readonly window: number;
}

/** An operation refused in an earlier run: on the same UTC day none of it is asked, on a later day `probe` requests are. */
export interface PlannedRefusal extends RefusedOperation {
  readonly probe: number;
}

export interface RunPlan {
  /** Every language of the run, also one with nothing to ask: its readings may be held but not published yet. */
  readonly languages: readonly Language[];
  readonly editions: readonly EditionPlan[];
  readonly limits: Readonly<Record<ServiceAddress, CaptureLimits>>;
  readonly deadlineMs: number;
  readonly held: number;
  readonly outOfReach: number;
  readonly leftOut: number;
  readonly refused: readonly PlannedRefusal[];
}

export interface CaptureInput {
  readonly run: string;
  readonly key: RequestKey;
  /** Which of the workflow's tries this is, from 1; Temporal's own retries count within one. */
  readonly attempt: number;
  /** The attempt is a call that the plan did not count under the day's ceiling. */
  readonly isExtra: boolean;
}

export interface CaptureSummary {
  readonly key: RequestKey;
  /** `held`: it was in the vault already, so nothing was asked. */
  readonly kind: "kept" | "held";
  readonly tries: number;
  /** How long the answer took; absent where nothing was asked. */
  readonly answerMs?: number;
}

/** A request without a reading. */
export interface SetAside {
  readonly key: RequestKey;
  readonly type: SetAsideType;
  readonly reason: string;
  /** What the service said of a Rejected request, without the request itself. */
  readonly said?: string;
}

export type LostTexts = Readonly<Record<RequestKey, string>>;

export interface JudgedSheet {
  /** Keys that lost their place and are to be asked again; empty when the sheet is good or was given up. */
  readonly again: readonly RequestKey[];
  readonly setAside: readonly SetAside[];
  /** Hashes of the earlier period's texts that lost their place in this run: an answer with one of them is not good. */
  readonly lost?: LostTexts;
}

export interface EditionResult {
  readonly language: Language;
  readonly date: string;
  readonly tally: Tally;
  /** The first of the requests set aside; the vault's quarantine has all of them. */
  readonly setAside: readonly SetAside[];
  /** Operations to which the service answered with refusals alone, all alike. */
  readonly refused: readonly Omit<RefusedOperation, "languages">[];
  /** A fault that ended the edition early, in words. */
  readonly broken?: string;
}

export interface PublishInput {
  readonly run: string;
  readonly asOf: string;
  readonly languages: readonly Language[];
  /** Whether this is the run's last batch: it also presses the pages of other languages that lack links to the new ones. */
  readonly last?: boolean;
}

export interface PublishResult {
  readonly version: number;
  /** How many files are new or changed against the state before; 0 when nothing had to be written. */
  readonly changed: number;
  readonly languages: readonly Language[];
}
