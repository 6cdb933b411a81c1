// Spans of finished work: workflow runs, as reported by workflows/trace.ts, and calls to the reading service, as children of their
// activity.
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Tracer } from "@opentelemetry/api";
import { RandomIdGenerator } from "@opentelemetry/sdk-trace-node";
import type { TraceCall } from "../../activities/call-trace.ts";
import type { TracedRun } from "../../workflows/trace.ts";

export function callSpans(tracer: Tracer): TraceCall {
  return ({ request, endpoint, attempt, outcome, status, ...at }) => {
    const beganMs = Date.now() - performance.now(); // the origin of performance.now() may have drifted from the clock
    const attributes = {
      "http.request.method": "POST",
      "http.response.status_code": status,
      "almanac.endpoint": endpoint,
      "almanac.operation": request.operation,
      "almanac.language": request.language,
      "almanac.period": request.period,
      "almanac.attempt": attempt,
      "almanac.outcome": outcome,
      "almanac.waited_ms": Math.round(at.calledMs - at.queuedAtMs),
      "almanac.answered_ms": Math.round(at.endedMs - at.calledMs),
      ...(outcome === "Fit" ? {} : { "error.type": outcome }),
    };
    const options = { kind: SpanKind.CLIENT, startTime: beganMs + at.queuedAtMs, attributes };
    const span = tracer.startSpan(`call ${request.operation}`, options);
    span.setStatus({ code: outcome === "Fit" ? SpanStatusCode.OK : SpanStatusCode.ERROR });
    span.end(beganMs + at.endedMs);
  };
}

export function runSpans(tracer: Tracer, ids: GivenIds): (run: TracedRun) => void {
  return (run) => {
    const { traceId, parentSpanId: spanId, failure } = run;
    const above = { traceId, spanId: spanId ?? "", traceFlags: TraceFlags.SAMPLED, isRemote: true };
    const parent = spanId === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above);
    const attributes = {
      temporalWorkflowId: run.workflowId,
      run_id: run.runId,
      "almanac.language": run.language,
      "error.type": failure,
    };
    const options = { startTime: run.beganMs, attributes };
    const span = ids.as(run, () => tracer.startSpan(`RunWorkflow:${run.workflow}`, options, parent));
    span.setStatus({ code: failure === undefined ? SpanStatusCode.OK : SpanStatusCode.ERROR });
    span.end(run.endedMs);
  };
}

type GivenIds = ReturnType<typeof givenIds>;

/** Id generator: random ids, except for workflow runs, which bring their own. */
export function givenIds() {
  const random = new RandomIdGenerator();
  let given: Pick<TracedRun, "traceId" | "spanId"> | undefined;
  return {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    as<Made>(those: NonNullable<typeof given>, make: () => Made): Made {
      given = those;
      try {
        return make();
      } finally {
        given = undefined;
      }
    },
  };
}
