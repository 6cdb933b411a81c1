// Describes every error that reaches the top level: the failure, the next step, and the exit code.
import { CommanderError } from "@commander-js/extra-typings";
import { type Failure, isFailure } from "../../readings/failures.ts";
import { nearestName } from "../../worker/settings/nearest-name.ts";

export const exitCodes = { done: 0, failed: 1, wrong: 2, incomplete: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Thrown if the command line is invalid. */
export class WrongUsage extends Error {
  override readonly name = "WrongUsage";
  /** Suggested correction. */
  readonly meant: string | undefined;

  /** `shown` says more of what was meant; `allowed` is a clause on what there is to choose from. */
  constructor(what: string, meant?: string, { shown = meant, allowed }: Choice = {}) {
    const guess = shown === undefined ? what : `${what}: did you mean ${shown}?`;
    super(allowed === undefined ? guess : `${guess}${shown === undefined ? ";" : ""} ${allowed}`);
    this.meant = meant;
  }
}

interface Choice {
  readonly shown?: string;
  readonly allowed?: string;
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
  "WrongPlace",
  "NotThisBackup",
  "TracesNotInstalled",
]);

export function describe(error: unknown): Described {
  if (error instanceof CommanderError) return describe(usageOf(error));
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
  "start it again when Temporal answers, which `almanac check` tells; nothing that was stored is lost or asked for again";

const nextSteps: Record<Failure["type"], string> = {
  CredentialsRefused:
    "check READING_SERVICE_TOKEN and READING_SERVICE_API_KEY, or the files they are in, against the account",
  Rejected:
    "ask once more, as the service refuses at random now and then; refused each time, it is likely not in the subscription",
  Unavailable: "ask again later; if it stays so, check the address above",
  Unfit: "nothing was stored; ask again, and if the same text comes back, it is for the service to mend",
};

/** Commander's own words, without what stood after a stray word: it may be part of somebody's name. */
function usageOf(error: CommanderError): WrongUsage {
  switch (error.code) {
    case "commander.help":
      return new WrongUsage("name a command: `almanac --help` lists them");
    case "commander.excessArguments":
      return new WrongUsage(
        "there is a word too many: put quotes around a value with blanks, such as a full name",
      );
    case "commander.unknownOption":
      return new WrongUsage(plain(error.message).replace(/=.*(?=')/s, "=..."));
    default:
      return new WrongUsage(plain(error.message));
  }
}

/** `error: unknown command 'x'\n(Did you mean y?)` as one line. Commander also suggests names that are not near. */
function plain(message: string) {
  const line = message.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ");
  const [, what, word = "", suggested] = /^(.*?'(.*)') \(Did you mean (?:one of )?(.+)\?\)$/.exec(line) ?? [];
  if (what === undefined || suggested === undefined) return line;
  const meant = nearestName(word, suggested.split(", "));
  return meant === undefined ? what : `${what} (Did you mean ${meant}?)`;
}
