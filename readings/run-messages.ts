// Messages between workflows and activities: keys, hashes and counts. Never a body, never a secret, never a name.
import { z } from "zod";
import { type EndpointName, type Operation, operationNames, type Language, languageNames } from "./tables.ts";
import type { RequestKey } from "./request.ts";
import { failureTypes } from "./answer.ts";

/** Scope of a run; empty lists never occur. */
export interface RunRequest {
  /** The instant the run is for; the scheduled or the start time unless given. */
  readonly asOf?: string;
  readonly languages?: readonly Language[];
  readonly operations?: readonly Operation[];
  /** Backfills only: local dates, both counted in. */
  readonly from?: string;
  readonly to?: string;
}

/** Timeouts of calls to one endpoint, computed from its rate, concurrency and answer timeout. */
export interface CallTimeouts {
  /** The length of one attempt at a request. */
  readonly attemptMs: number;
  readonly startToCloseMs: number;
  readonly heartbeatMs: number;
}

export interface Window {
  /** How many requests of an edition Temporal has at once; the last batch of them may bring more. */
  readonly requests: number;
  /** How many requests a batch has at most. */
  readonly size: number;
  /** How many requests of an edition a worker has in flight at once. */
  readonly width: number;
}

export interface EditionPlan {
  readonly language: Language;
  /** The first local date that the edition publishes, by which it is named. */
  readonly date: string;
  /** The planned requests, by operation. */
  readonly tally: Tally;
  /** How many of them are further draws, by operation; absent in the plans of earlier versions. */
  readonly draws?: Partial<Record<Operation, number>>;
  /** The due requests lie in the vault, in the order in which they are to be asked: the name of their plan. */
  readonly plan: string;
  /** How many pages the plan has. */
  readonly pages: number;
  readonly window: Window;
}

/** An operation refused in an earlier run: on the same UTC day none of it is asked, on a later day `probe` requests are. */
export interface PlannedRefusal extends RefusedOperation {
  readonly probe: number;
}

export interface RunPlan {
  /** The id of the vault, by which the queues of calls are named. */
  readonly vault: string;
  /** Every language of the run, also one with nothing to request: its readings may be held but not published yet. */
  readonly languages: readonly Language[];
  readonly editions: readonly EditionPlan[];
  readonly limits: Readonly<Record<EndpointName, CallTimeouts>>;
  readonly deadlineMs: number;
  readonly held: number;
  readonly outOfReach: number;
  readonly leftOut: number;
  readonly refused: readonly PlannedRefusal[];
  /** The first of the damaged responses that are requested again; absent if there are none. */
  readonly damaged?: readonly DamagedAnswer[];
}

/** A contract between builds, as the input is (run-messages.ts). */
export interface BatchResult {
  readonly format: 1;
  /** In the order of the keys. */
  readonly outcomes: readonly BatchOutcome[];
  /** The first judgement of the batch's set, if all of its readings are stored. */
  readonly judged?: JudgedSet | undefined;
}

/** Outcome of one request of a batch. */
export type BatchOutcome = Gathered | CallFailed;

export interface Gathered {
  /** `held`: it was in the vault already, or another run requested it. */
  readonly kind: "stored" | "held";
  readonly tries: number;
  /** How long the answer took; absent where nothing was asked. */
  readonly answerMs?: number | undefined;
}

export interface CallFailed {
  readonly kind: "failed";
  /** `NotRequested` is no failure of the request. */
  readonly type: SkippedType | "NotRequested";
  readonly reason: string;
  readonly tries: number;
  /** The service's reason for a Rejected request, without the request itself. */
  readonly said?: string;
  /** How long to wait before it is asked again. */
  readonly pauseMs?: number;
}

/** A request without a reading. */
export interface SkippedRequest {
  readonly key: RequestKey;
  readonly type: SkippedType;
  readonly reason: string;
  /** The service's reason for a Rejected request, without the request itself. */
  readonly said?: string;
}

export type LostTexts = Readonly<Record<RequestKey, string>>;

export interface JudgedSet {
  /** Keys that lost their place and are to be requested again; empty when the set is good or was given up. */
  readonly again: readonly RequestKey[];
  readonly skipped: readonly SkippedRequest[];
  /** Hashes of the earlier period's texts that lost their place in this run: an answer with one of them is not good. */
  readonly lost?: LostTexts;
}

export interface EditionResult {
  readonly language: Language;
  readonly tally: Tally;
  /** The first of the skipped requests; the vault's quarantine has all of them. */
  readonly skipped: readonly SkippedRequest[];
  /** Operations to which the service answered with refusals alone, all alike. */
  readonly refused: readonly Omit<RefusedOperation, "languages">[];
  /** A fault that ended the edition early, in words. */
  readonly broken?: string;
}

export interface PublishInput {
  readonly run: string;
  readonly asOf: string;
  readonly languages: readonly Language[];
  /** Whether this is the run's last group: it also renders the pages of other languages that lack links to the new ones. */
  readonly last?: boolean;
}

export interface ScrubInput {
  /** Names this scrub, so that each of its calls goes on where the one before ended. */
  readonly id: string;
}

export interface ScrubResult {
  readonly isDone: boolean;
  readonly files: number;
  readonly sizeBytes: number;
  /** How many files are known not to be as they were stored. */
  readonly findings: number;
}

export interface PublishResult {
  readonly version: number;
  /** How many files are new or changed against the state before; 0 when nothing had to be written. */
  readonly changed: number;
  readonly languages: readonly Language[];
  /** The first of the responses that can't be read, whose sets stay as they were; absent if there are none. */
  readonly damaged?: readonly DamagedAnswer[];
  /** The accepted responses whose sets a set rule still rejects, with its reason; absent if there are none. */
  readonly rejectedSets?: readonly RejectedSet[];
  /** Languages that stay at the date that is published, because a clock is, or was, wrong. */
  readonly staying?: readonly StayingLanguage[];
}

interface StayingLanguage {
  readonly language: Language;
  readonly reason: string;
}

// How far a run has come, in keys and counts: the answer to a query, and what the vault keeps as the run's report.
const count = z.int().min(0);
/** Counts of one operation in one edition. */
const counts = z.object({
  planned: count,
  stored: count,
  held: count,
  retried: count,
  skipped: count,
  /** Calls for requests that were stored or skipped. */
  calls: count,
  /** Planned requests without a response, or that were not sent. */
  unanswered: count,
  /** The sum of the response times of all stored answers. */
  answerMs: count,
});
const language = z.enum(languageNames);

const tally = z.partialRecord(z.enum(operationNames), counts);

/** Why a request has no reading: one of the four failures, no time or no call left for it, or a fault of our own. */
const skippedType = z.enum([...failureTypes, "OutOfReach", "OverCeiling", "Deadline", "Fault"]);

/** An operation that the service refuses alike, whatever the request: most likely it is not in the subscription. */
const refusedOperation = z.object({
  operation: z.enum(operationNames),
  /** The service's words, the same each time. */
  reason: z.string(),
  languages: z.array(language).readonly(),
  /** Requests that this run sent in vain. */
  requested: count,
  /** Requests that were left out for it. */
  notRequested: count,
});

/** A stored response of the vault that can't be read. */
const damagedAnswer = z.object({ key: z.string(), reason: z.string() });

/** A response that a person accepted, and the reason why a set rule still rejects its set. */
const rejectedSet = z.object({ key: z.string(), reason: z.string() });

export const progressSchema = z.object({
  run: z.string(),
  startedAt: z.iso.datetime(),
  asOf: z.iso.datetime(),
  /** `failed`: it could not be planned or brought to its end, or no language of it could be published. */
  state: z.enum(["planning", "gathering", "done", "cancelled", "failed"]),
  /** Why the run itself failed. */
  failure: z.string().optional(),
  planned: count,
  held: count,
  outOfReach: count,
  leftOut: count,
  languages: z.partialRecord(language, tally),
  /** The first of the skipped requests, without those of a refused operation. */
  skipped: z.array(z.object({ key: z.string(), type: skippedType, reason: z.string() })).readonly(),
  refused: z.array(refusedOperation).readonly(),
  broken: z.partialRecord(language, z.string()),
  /** The first of the responses that the run found damaged; absent if it found none. */
  damaged: z.array(damagedAnswer).readonly().optional(),
  /** The sets that the run could not publish although a person accepted a response of them; absent if there are none. */
  rejectedSets: z.array(rejectedSet).readonly().optional(),
  published: z.array(z.object({ version: count, languages: z.array(language).readonly() })),
});

export type RunProgress = z.infer<typeof progressSchema>;
export type RejectedSet = Readonly<z.infer<typeof rejectedSet>>;
export type DamagedAnswer = Readonly<z.infer<typeof damagedAnswer>>;
type SkippedType = z.infer<typeof skippedType>;
export type RefusedOperation = Readonly<z.infer<typeof refusedOperation>>;
export type Counts = z.infer<typeof counts>;
export type Tally = z.infer<typeof tally>;

/** Requests of one language and endpoint that one activity makes, at most a dozen. */
export const plannedBatch = z.object({
  /** Request keys, packed by `packKeys`. */
  keys: z.array(z.string()).readonly(),
  /** From 1, which goes first, to 5. */
  priority: z.int(),
  /** Whether the plan saw that the vault has nothing of them: no response in quarantine, no note that they are refused. */
  isFresh: z.boolean(),
  /** Whether they are horoscopes and the plan saw nothing of the period before: the vault has none of it, and none is due. */
  isFirst: z.boolean().optional(),
});
export type Batch = z.infer<typeof plannedBatch>;

// The input of a batch of calls: a contract between builds, because a run that is pinned to one build has its calls made by the
// endpoint's owner, of whichever build that is. Only optional fields may be added to this format.
export const batchSchema = z.object({
  format: z.literal(1),
  run: z.string(),
  /** Request keys, packed by `packKeys`. */
  keys: z.array(z.string()),
  /** Maximum calls of the language in flight while other languages wait. */
  width: z.int().min(1),
  /** Whether the plan saw that the vault has nothing of them: no response in quarantine, no note that they are refused. */
  isFresh: z.boolean(),
  /** Whether they are horoscopes and the plan saw nothing of the period before. */
  isFirst: z.boolean().optional(),
  /** The calls that were made for them before. */
  triesBefore: z.int().min(0),
  /** The calls are beyond those that the plan counted under the day's ceiling. */
  isExtra: z.boolean(),
});
export type BatchInput = z.infer<typeof batchSchema>;
