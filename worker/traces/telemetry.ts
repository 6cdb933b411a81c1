// OpenTelemetry in a worker: activity spans from Temporal's interceptor, spans of workflow runs as workflows/trace.ts reports them, and
// spans of calls to the reading service. They wait in one bounded queue. If the collector is slow or down, the queue fills up and
// later spans are dropped: no night waits for it.
import { setTimeout as delay } from "node:timers/promises";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { envDetectorSync, Resource } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  RandomIdGenerator,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-node";
import { OpenTelemetryActivityInboundInterceptor } from "@temporalio/interceptors-opentelemetry";
import type { ActivityInterceptorsFactory, InjectedSinks } from "@temporalio/worker";
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
  type Attributes,
} from "@opentelemetry/api";
import type { TraceCall } from "../../activities/dependencies.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { Log } from "../../vault/vault.ts";
import type { TraceSinks, TracedRun } from "../../workflows/trace.ts";
import type { TraceSettings } from "../settings/environment-problems.ts";

/** Tracing hooks of a worker. They need the traced bundle, which contains workflows/trace.ts. */
export interface Traces {
  readonly activities: ActivityInterceptorsFactory;
  readonly sinks: InjectedSinks<TraceSinks>;
  readonly traceCall: TraceCall;
  /** Flushes the remaining spans, with a time limit. */
  readonly close: () => Promise<void>;
}

/** Time limit of the last flush, after all work has ended. Spans that the collector has not accepted by then are lost. */
const flushMs = 1_500;

export function startTelemetry({ sampled }: TraceSettings, log: Log): Traces {
  const own = new Resource({ "service.name": "almanac", "service.version": packageJson.version });
  const idGenerator = givenIds();
  const provider = new NodeTracerProvider({
    resource: own.merge(envDetectorSync.detect()),
    sampler: samplerFor(sampled),
    idGenerator,
    spanProcessors: [new BatchSpanProcessor(careful(new OTLPTraceExporter(), log))],
  });
  provider.register(); // an activity's span is found by what it calls
  const tracer = provider.getTracer("almanac", packageJson.version);
  const ended = runSpans(tracer, idGenerator);
  return {
    activities: (context) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(context, { tracer }) }),
    sinks: { traces: { ended: { fn: (_, run) => ended(run) } } },
    traceCall: callSpans(tracer),
    async close() {
      const sent = provider.shutdown().then(
        () => true,
        () => false,
      );
      const isSent = await Promise.race([sent, delay(flushMs, false, { ref: false })]);
      if (!isSent) log.warn({}, "cannot send the last traces");
    },
  };
}

/** Samples by trace id only, so that all workers make the same decision for a night and its child spans. */
function samplerFor(sampled: TraceSettings["sampled"]) {
  if (sampled === "always") return new AlwaysOnSampler();
  return sampled === "never" ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(sampled.ratio);
}

/** Lets out what may be seen, and says once that the collector is away, and once that it is back. */
function careful(exporter: SpanExporter, log: Log): SpanExporter {
  let isAway = false;
  return {
    export(spans, done) {
      exporter.export(spans.map(shownSpan), (result) => {
        const { error } = result;
        if (error !== undefined && !isAway)
          log.warn({ reason: error.message }, "the collector accepts no traces; some are lost");
        if (error === undefined && isAway) log.info({}, "the collector accepts traces again");
        isAway = error !== undefined;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

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

export const shownAttributes = [
  "almanac.endpoint",
  "almanac.answered_ms",
  "almanac.attempt",
  "almanac.language",
  "almanac.operation",
  "almanac.outcome",
  "almanac.period",
  "almanac.waited_ms",
  "error.type",
  "http.request.method",
  "http.response.status_code",
  "run_id",
  "temporalActivityId",
  "temporalWorkflowId",
] as const;

/** Error class names and declared failure types are one word; anything else may be a message. */
const word = /^\w{1,60}$/;

/** The span without events and messages. An error is reduced to its type. */
export function shownSpan(span: ReadableSpan): ReadableSpan {
  const { name, kind, parentSpanId, startTime, endTime, duration, ended, resource } = span;
  return {
    name,
    kind,
    spanContext: () => span.spanContext(),
    parentSpanId,
    startTime,
    endTime,
    duration,
    ended,
    resource,
    instrumentationLibrary: span.instrumentationLibrary,
    status: { code: span.status.code },
    attributes: shownOf(span),
    events: [],
    links: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function shownOf({ attributes, events }: ReadableSpan): Attributes {
  const thrown = events
    .map((event) => event.attributes?.["exception.type"])
    .find((type) => type !== undefined);
  const all: Attributes = { "error.type": thrown ?? undefined, ...attributes };
  const shown = shownAttributes.flatMap((name) => {
    const value = all[name];
    const isShown = value !== undefined && (name !== "error.type" || word.test(String(value)));
    return isShown ? [[name, value] as const] : [];
  });
  return Object.fromEntries(shown);
}
