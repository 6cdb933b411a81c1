// Runs an activity as Temporal would, without Temporal.
import { asyncLocalStorage, Context, type Info } from "@temporalio/activity";
import { type Logger, noopMetricMeter } from "@temporalio/common";

export interface Attempt {
  readonly activity: string;
  readonly attempt: number;
  readonly run: string;
  readonly start: string;
  readonly atMs: number;
  readonly startToCloseMs: number;
  /** Details of the previous attempt's last heartbeat. */
  readonly beat: { details: unknown };
}

const { signal: never } = new AbortController();
const nothing = () => undefined;
const silent: Logger = {
  log: nothing,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};
const notCancelled = new Promise<never>(() => undefined);

export function asActivity<Result>(given: Attempt, work: () => Promise<Result>): Promise<Result> {
  const { beat } = given;
  const heartbeat = (details: unknown): void => void (beat.details = details);
  const context = new Context(
    infoOf(given),
    notCancelled,
    never,
    heartbeat,
    undefined,
    silent,
    noopMetricMeter,
    {},
  );
  return asyncLocalStorage.run(context, work);
}

function infoOf({ activity, attempt, run, start, atMs, startToCloseMs, beat }: Attempt): Info {
  return {
    taskToken: new Uint8Array(),
    base64TaskToken: "",
    activityId: activity,
    activityType: activity,
    activityNamespace: "default",
    namespace: "default",
    attempt,
    isLocal: false,
    inWorkflow: true,
    workflowExecution: { workflowId: run, runId: start },
    scheduledTimestampMs: atMs,
    currentAttemptScheduledTimestampMs: atMs,
    scheduleToCloseTimeoutMs: 0,
    startToCloseTimeoutMs: startToCloseMs,
    heartbeatTimeoutMs: 17_000,
    heartbeatDetails: beat.details,
    taskQueue: "main",
  };
}
