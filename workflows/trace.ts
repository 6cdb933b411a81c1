// The spans of a night and its languages, and under which span each activity goes. It is in the bundle of a worker that traces,
// and only there (worker/bundle.ts). The interceptors that Temporal has for this bring all of OpenTelemetry into every workflow, and
// await more than once between a command and its result. The saved histories replay with them, but nothing keeps other orders of
// events from not doing so, and then a night that was begun without them stands still. This one awaits nothing that the workflow
// waits for, and draws no random numbers: a history is the same with it and without.
import { ApplicationFailure, defaultPayloadConverter, TemporalFailure } from "@temporalio/common";
import {
  ContinueAsNew,
  proxySinks,
  type Sinks,
  type WorkflowInterceptors,
  workflowInfo,
} from "@temporalio/workflow";

/** A run of a workflow that has ended: what worker/traces/ makes a span of. */
export interface TracedRun {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly workflow: string;
  readonly workflowId: string;
  readonly runId: string;
  readonly language: string | undefined;
  readonly beganMs: number;
  readonly endedMs: number;
  /** The failure's declared type; undefined where it went well. */
  readonly failure: string | undefined;
}

export interface TraceSinks extends Sinks {
  readonly traces: { ended(run: TracedRun): void };
}

/** Header in which Temporal's own activity interceptor looks for the parent span. */
const header = "_tracer-data";
const { traces } = proxySinks<TraceSinks>();

function tracing(): WorkflowInterceptors {
  return {
    inbound: [
      {
        execute(input, next) {
          const language = languageIn(input.args);
          const result = next(input);
          const tell = (failure?: string): void => traces.ended({ ...thisRun(), language, failure });
          result.then(
            () => tell(),
            (error: unknown) => tell(failureTypeOf(error)),
          );
          return result;
        },
      },
    ],
    outbound: [
      {
        scheduleActivity(input, next) {
          const { traceId, spanId } = thisRun();
          const carrier = { traceparent: `00-${traceId}-${spanId}-01` };
          const headers = { ...input.headers, [header]: defaultPayloadConverter.toPayload(carrier) };
          return next({ ...input, headers });
        },
      },
    ],
  };
}

export { tracing as interceptors }; // the name by which Temporal looks for it

/** A run's id is its span's, and that of the run at the root is the trace's: so all workers agree, and none has to say so. */
function thisRun() {
  const { root, parent, runId, workflowId, workflowType, firstExecutionRunId, runStartTime } = workflowInfo();
  return {
    traceId: hexOf(root?.runId ?? firstExecutionRunId),
    spanId: spanOf(runId),
    parentSpanId: parent && spanOf(parent.runId),
    workflow: workflowType,
    workflowId,
    runId,
    beganMs: runStartTime.getTime(),
    endedMs: Date.now(),
  };
}

/** Temporal's run ids are UUIDs: sixteen bytes, as a trace's id. */
function hexOf(runId: string): string {
  return runId.replaceAll("-", "").toLowerCase();
}

/** The end of it, which is random in UUIDs of every version. */
function spanOf(runId: string): string {
  return hexOf(runId).slice(-16);
}

/** An edition's input names its language. */
function languageIn([input]: readonly unknown[]): string | undefined {
  const isNamed = typeof input === "object" && input !== null && "language" in input;
  return isNamed && typeof input.language === "string" ? input.language : undefined;
}

function failureTypeOf(error: unknown): string | undefined {
  if (error instanceof ContinueAsNew) return undefined;
  const cause = error instanceof TemporalFailure && error.cause !== undefined ? error.cause : error;
  if (cause instanceof ApplicationFailure) return cause.type ?? cause.name;
  return cause instanceof Error ? cause.name : "Error";
}
