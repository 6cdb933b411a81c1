// OpenTelemetry in a worker: activity spans from Temporal's interceptor, spans of workflow runs and calls from spans.ts. They wait
// in one bounded queue. If the collector is slow or down, the queue fills up and later spans are dropped: no night waits for it.
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
} from "@opentelemetry/sdk-trace-node";
import { OpenTelemetryActivityInboundInterceptor } from "@temporalio/interceptors-opentelemetry";
import type { ActivityInterceptorsFactory, InjectedSinks } from "@temporalio/worker";
import type { TraceCall } from "../../activities/call-trace.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { Log } from "../../vault/log.ts";
import type { TraceSinks } from "../../workflows/trace.ts";
import type { TraceSettings } from "../settings/environment-problems.ts";
import { shownSpan } from "./shown-span.ts";
import { callSpans, givenIds, runSpans } from "./spans.ts";

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
