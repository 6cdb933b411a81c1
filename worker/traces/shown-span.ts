// Allowlist of the span attributes that leave the worker. Temporal's interceptors record error messages and all that is known of
// a workflow, so anything that is not listed here is dropped.
import type { Attributes } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";

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
