// Describes every error that reaches the top level: the failure, the next step, and the exit code.
import { CommanderError } from "@commander-js/extra-typings";
import type { Failure } from "../../readings/answer.ts";

export const exitCodes = { done: 0, failed: 1, wrong: 2, incomplete: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Thrown if the command line is invalid. */
export class WrongUsage extends Error {
  override readonly name = "WrongUsage";
  /** Suggested correction. */
  readonly meant: string | undefined;

  /** `shown` replaces the correction in the message; `allowed` is a sentence that lists the choices. */
  constructor(what: string, meant?: string, { shown = meant, allowed }: Choice = {}) {
    const guess = shown === undefined ? [] : [`Did you mean ${shown}?`];
    super(joined(what, [...guess, ...(allowed === undefined ? [] : [allowed])]));
    this.meant = meant;
  }
}

interface Choice {
  readonly shown?: string;
  readonly allowed?: string;
}

function joined(what: string, sentences: readonly string[]) {
  return sentences.length === 0 ? what : `${what}. ${sentences.join(" ")}`;
}

/** Thrown if a variable or a credential is missing; the message explains how to set it. */
export class NotSetUp extends Error {
  override readonly name = "NotSetUp";
}

/** The description that `--json` prints under `error`, and that a person reads. */
export interface Described {
  readonly type: string;
  readonly message: string;
  readonly next?: string;
  readonly facts?: Readonly<Record<string, string | number | undefined>>;
  readonly code: ExitCode;
}

/** Errors of wrong usage, by name, so that --help need not load the modules that throw them. */
const wrongTypes: ReadonlySet<string> = new Set([
  "WrongUsage",
  "NotSetUp",
  "NotCorrectable",
  "WrongRequest",
  "OutOfReach",
  "EndpointNotConfigured",
  "WrongSettings",
  "WrongConfiguration",
  "TemplateFault",
  "CredentialsUnreadable",
  "WrongStoreAddress",
  "StoreIgnoresConditions",
  "MonitorUnavailable",
  "RunUnderWay",
  "NoProject",
  "NoTemporal",
  "WrongInstallation",
  "NotThisBackup",
  "TracesNotInstalled",
]);

export function describe(error: unknown): Described {
  if (isFailure(error)) return describeFailure(error);
  if (!(error instanceof Error)) return { type: "Error", message: String(error), code: exitCodes.failed };
  const { name: type, message } = error;
  const facts = error instanceof WrongUsage ? { meant: error.meant } : undefined;
  // The worker library's own name for a Temporal that was there and is not any more.
  const next = type === "TransportError" ? temporalGone : undefined;
  return { type, message, next, facts, code: wrongTypes.has(type) ? exitCodes.wrong : exitCodes.failed };
}

/** Whether the error is commander's way to end after help or version. */
export function isDone(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

/** A guard by name, so that --help need not load the schemas of answers. */
function isFailure(error: unknown): error is Failure {
  return error instanceof Error && Object.hasOwn(nextSteps, error.name) && "facts" in error;
}

function describeFailure(error: Failure): Described {
  const { type, message, facts } = error;
  const rule = "rule" in error && typeof error.rule === "string" ? error.rule : undefined;
  const waitMs =
    "retryAfterMs" in error && typeof error.retryAfterMs === "number" ? error.retryAfterMs : undefined;
  return {
    type,
    message,
    next: nextSteps[type],
    facts: { ...facts, rule, retryAfterMs: waitMs },
    code: exitCodes.failed,
  };
}

const temporalGone =
  "wait until `almanac check` reaches Temporal, then start it again; stored readings are not requested again";

const nextSteps: Record<Failure["type"], string> = {
  CredentialsRefused:
    "compare READING_SERVICE_TOKEN and READING_SERVICE_API_KEY, or their files, with your account at the service",
  Rejected:
    "try again: the service sometimes rejects valid requests. If it rejects this one every time, your subscription probably does not include it",
  Unavailable: "try again later. If it still fails, check the URL above",
  Unfit: "try again. Nothing was stored. If the same text comes back, report it to the service",
};
