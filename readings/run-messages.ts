// What travels between workflows and activities: keys, hashes and counts. Never a body, never a secret, never a name.
import type { ServiceAddress } from "./service-addresses.ts";
import type { FailureType } from "./failures.ts";
import type { Language } from "./languages.ts";
import type { Operation } from "./operations.ts";
import type { RequestKey } from "./request.ts";

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

/** An operation that the service refuses alike, whatever is asked of it: most likely it is not in the subscription. */
export interface RefusedOperation {
  readonly operation: Operation;
  /** The service's words, the same each time. */
  readonly reason: string;
  readonly languages: readonly Language[];
  /** Requests that this run asked in vain. */
  readonly asked: number;
  /** Requests that were left out for it. */
  readonly notAsked: number;
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

/** Why a request has no reading: one of the four failures, no time or no call left to ask it, or a fault of our own. */
export type SetAsideType = FailureType | "OutOfReach" | "OverCeiling" | "Deadline" | "Fault";

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

/** Counts of one operation in one edition. */
export interface Counts {
  planned: number;
  kept: number;
  held: number;
  retried: number;
  setAside: number;
  /** Calls made for requests that were kept or set aside. */
  calls: number;
  /** Planned requests to which no answer came or that were not asked. */
  unanswered: number;
  /** The times of all kept answers, added up. */
  answerMs: number;
}
export type Tally = Partial<Record<Operation, Counts>>;

export interface EditionResult {
  readonly language: Language;
  readonly date: string;
  readonly tally: Tally;
  /** The first of the requests set aside; the vault's quarantine has all of them. */
  readonly setAside: readonly SetAside[];
  /** Operations to which the service answered with refusals alone, all alike. */
  readonly refused?: readonly Omit<RefusedOperation, "languages">[];
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

/** How far a run has come: what a query answers and the report keeps. */
export interface RunProgress {
  readonly run: string;
  readonly startedAt: string;
  readonly asOf: string;
  /** `failed`: it could not be planned or brought to its end, or no language of it could be published. */
  readonly state: "planning" | "gathering" | "done" | "cancelled" | "failed";
  /** Why the run itself failed. */
  readonly failure?: string;
  readonly planned: number;
  readonly held: number;
  readonly outOfReach: number;
  readonly leftOut: number;
  readonly languages: Partial<Record<Language, Tally>>;
  /** The first of the requests set aside, without those of a refused operation. */
  readonly setAside: readonly SetAside[];
  readonly refused: readonly RefusedOperation[];
  readonly broken: Partial<Record<Language, string>>;
  readonly published: { readonly version: number; readonly languages: readonly Language[] }[];
}
