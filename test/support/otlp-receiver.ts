// Replacement for a collector: receives spans by OTLP over HTTP, and decodes them with OpenTelemetry's own protocol definition
// (opentelemetry/proto/trace/v1/trace.proto), independent of the library that wrote them.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import protobuf from "protobufjs";
import { z } from "zod";
import { atItsEnd, type AtEnd, listen } from "./ends.ts";

const { root } = protobuf.parse(
  `syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
  message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; string schema_url = 3; }
  message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; fixed32 flags = 16;
    string name = 5; int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9; uint32 dropped_attributes_count = 10;
    repeated Event events = 11; uint32 dropped_events_count = 12;
    repeated Link links = 13; uint32 dropped_links_count = 14; Status status = 15;
  }
  message Event { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; }
  message Link { bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; repeated KeyValue attributes = 4; }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string = 1; bool bool = 2; int64 int = 3; double double = 4; } }`,
  { keepCase: true },
);
const request = root.lookupType("Request");

const hex = z.instanceof(Uint8Array).transform((bytes) => Buffer.from(bytes).toString("hex"));
const nanoseconds = z.string().transform((text) => Number(BigInt(text) / 1_000n) / 1_000);
const attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    }),
  )
  .default([])
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]])));
const spanShape = z.object({
  trace_id: hex,
  span_id: hex,
  parent_span_id: hex.optional(),
  name: z.string(),
  kind: z.number(),
  start_time_unix_nano: nanoseconds,
  end_time_unix_nano: nanoseconds,
  attributes,
  events: z.array(z.unknown()).default([]),
  links: z.array(z.unknown()).default([]),
  status: z.object({ message: z.string().optional(), code: z.number().default(0) }).default({ code: 0 }),
});
const requestShape = z.object({
  resource_spans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scope_spans: z.array(z.object({ spans: z.array(spanShape) })),
    }),
  ),
});
export type ReceivedSpan = z.output<typeof spanShape>;

export async function startOtlpReceiver(atEnd: AtEnd = atItsEnd) {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const resources: unknown[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const refused: string[] = [];
  const server = createServer((asked, response) => void receive(asked, response));
  server.keepAliveTimeout = 600_000; // with Node's 5 s, a slow exporter writes to a closed connection
  async function receive(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(asked);
    const line = `${asked.method} ${asked.url} ${asked.headers["content-type"]}`;
    if (line !== "POST /v1/traces application/x-protobuf") {
      refused.push(line);
      response.writeHead(415).end();
      return;
    }
    const decoded = request.toObject(request.decode(body), { longs: String });
    for (const one of requestShape.parse(decoded).resource_spans) {
      resources.push(one.resource.attributes);
      spans.push(...one.scope_spans.flatMap((scope) => scope.spans));
    }
    bodies.push(body);
    headers.push(asked.headers);
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  }
  const url = `http://127.0.0.1:${await listen(server, atEnd)}`;
  return { url, spans, bodies, resources, headers, refused };
}

/** Takes connections and never answers. */
export async function startSilentServer(atEnd: AtEnd = atItsEnd): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(), atEnd)}`;
}

/** The tree of spans as lines, without dates and ids; equal lines are merged with their count. */
export function traceTree(spans: readonly ReceivedSpan[]): string {
  const of = new Set(spans.map(({ span_id: id }) => id));
  const under = Map.groupBy(spans, ({ parent_span_id: id }) =>
    id !== undefined && of.has(id) ? id : "root",
  );
  const linesOf = (id: string, indent: string): string[] => {
    const trees = (under.get(id) ?? []).map((span) => {
      const lines = [indent + labelOf(span), ...linesOf(span.span_id, `${indent}  `)];
      return { text: lines.join("\n"), first: lines[0] ?? "" };
    });
    const same = [...Map.groupBy(trees, ({ text }) => text)];
    return same
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([text, all]) => {
        const [first = "", ...rest] = text.split("\n");
        return all.length === 1 ? [first, ...rest] : [`${first}  (${all.length} of these)`, ...rest];
      });
  };
  return linesOf("root", "").join("\n");
}

function labelOf({ name, attributes: of }: ReceivedSpan): string {
  const words = ["almanac.endpoint", "almanac.language", "almanac.outcome", "http.response.status_code"];
  const said = words.flatMap((word) => of[word] ?? []);
  const attempt =
    of["almanac.attempt"] === undefined || of["almanac.attempt"] === "1"
      ? []
      : [`attempt ${of["almanac.attempt"]}`];
  return [name, ...said, ...attempt].join(" ");
}
