// A night in a tracing backend: one trace, from the run down to each call, without readers' data or secrets.
import { DefaultLogger, Runtime, Worker } from "@temporalio/worker";
import { expect, test } from "vitest";
import { shownAttributes } from "../../worker/traces/telemetry.ts";
import { bundleWorkflows } from "../../worker/bundle.ts";
import { responsesIn, dataOf, historiesOf, quickService } from "../support/looks.ts";
import { countsIn, createWorld, type RunningWorker, until, type World } from "../support/night.ts";
import {
  type ReceivedSpan,
  startOtlpReceiver,
  startSilentServer,
  traceTree,
} from "../support/otlp-receiver.ts";
import { sandboxProse } from "../support/prose.ts";
import { sharedTemporal } from "../support/temporal.ts";

Runtime.install({ logger: new DefaultLogger("WARN") });
const temporal = await sharedTemporal();
const person = { id: "reader-1", fullName: "Zyxwvut Qponmlk", birthDate: "1987-06-05" };
const night = {
  languages: ["en" as const, "hi" as const],
  operations: ["daily-horoscope" as const, "daily-tarot" as const, "which-animal-are-you-reading" as const],
  people: [person],
  service: quickService,
};
/** 54 requests, of which one gets an empty text and one an error. */
const expectedTree = `RunWorkflow:nightly
  RunActivity:plan
  RunActivity:publish
  RunActivity:report
  RunWorkflow:edition en
    RunActivity:callBatch  (2 of these)
      call daily-horoscope english en Fit 200  (12 of these)
    RunActivity:callBatch
      call daily-tarot english en Fit 200
    RunActivity:callBatch
      call daily-tarot english en Fit 200 attempt 2
    RunActivity:callBatch
      call daily-tarot english en Unfit 200
    RunActivity:callBatch
      call which-animal-are-you-reading english en Fit 200
    RunActivity:planPage
  RunWorkflow:edition hi
    RunActivity:callBatch  (2 of these)
      call daily-horoscope translator hi Fit 200  (12 of these)
    RunActivity:callBatch
      call daily-tarot translator hi Fit 200
    RunActivity:callBatch
      call daily-tarot translator hi Fit 200 attempt 2
    RunActivity:callBatch
      call daily-tarot translator hi Unavailable 500
    RunActivity:callBatch
      call which-animal-are-you-reading translator hi Fit 200
    RunActivity:planPage`;

const isPublish = ({ name }: ReceivedSpan): boolean => name === "RunActivity:publish";
const isCall = ({ name }: ReceivedSpan): boolean => name.startsWith("call ");

test("a night is one trace down to each call, without texts, secrets or personal data", async () => {
  const collector = await startOtlpReceiver();
  const world = await createWorld(temporal, night);
  const telemetry = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=stars",
    OTEL_SERVICE_NAME: "stars",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
  };
  Object.assign(world.env, telemetry);
  await world.sandbox.faults([
    { match: { operation: "daily-tarot", language: "en" }, fault: "empty", times: 1 },
    { match: { operation: "daily-tarot", language: "hi" }, fault: "http500", times: 1 },
  ]);
  const worker = await world.worker();
  const run = await world.nightly();
  const ended = await run.result();
  expect(ended.state).toBe("done");
  expect(await worker.stop()).toBe(0);

  expect(collector.refused).toEqual([]);
  expect(collector.headers.every((headers) => headers["x-tenant"] === "stars")).toBe(true);
  expect(collector.resources[0]).toMatchObject({ "service.name": "stars", "deployment.environment": "test" });
  const root = collector.spans.find(({ name }) => name === "RunWorkflow:nightly");
  const spans = collector.spans.filter(({ trace_id: id }) => id === root?.trace_id);
  expect(
    traceTree(spans)
      .split("\n")
      .filter((line) => !line.startsWith(" ")),
  ).toEqual(["RunWorkflow:nightly"]);
  const calls = spans.filter(isCall);
  expect(calls).toHaveLength((await world.sandbox.stats()).calls);
  expect(calls.filter(({ attributes }) => attributes["almanac.outcome"] === "Fit")).toHaveLength(
    countsIn(ended).stored,
  );
  const overheadMs: number[] = [];
  for (const { kind, attributes, start_time_unix_nano: beganMs, end_time_unix_nano: endedMs } of calls) {
    expect(kind).toBe(3);
    const toldMs = Number(attributes["almanac.waited_ms"]) + Number(attributes["almanac.answered_ms"]);
    overheadMs.push(endedMs - beganMs - toldMs);
    expect(attributes["almanac.period"]).toMatch(/^(?:\d{4}-\d\d-\d\d|always)$/);
  }
  // A span is as long as the waiting and the answer that it tells of, but where the machine held the process up in between.
  expect(Math.min(...overheadMs)).toBeGreaterThan(-2);
  expect(overheadMs.toSorted((one, other) => one - other)[overheadMs.length >> 1]).toBeLessThan(2);
  const failed = calls
    .filter(({ status }) => status.code === 2)
    .map(({ attributes }) => attributes["error.type"]);
  expect(new Set(failed)).toEqual(new Set(["Unavailable", "Unfit"]));
  expect(failed).toHaveLength(2);

  const keys = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
  expect([...keys].filter((key) => !shownAttributes.some((shown) => shown === key))).toEqual([]);
  for (const { events, links, status } of collector.spans)
    expect({ events, links, message: status.message ?? "" }).toEqual({ events: [], links: [], message: "" });
  const sent = Buffer.concat(collector.bodies);
  expect(sent.includes("daily-horoscope")).toBe(true);
  expect(await saidIn(sent, world)).toEqual([]);

  const firstPublish = spans.find(isPublish); // a busy machine takes long enough for a second one
  expect(traceTree(spans.filter((span) => !isPublish(span) || span === firstPublish))).toBe(expectedTree);

  // Its histories equal those of a night without traces, and it continues such a night's workflows.
  const given = (await historiesOf(world, 3)).map((one) => ({ ...one, name: one.workflowId }));
  const workflowBundle = await bundleWorkflows();
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, given))
    expect(error).toBeUndefined();
});

/** The service's texts, credentials and personal data that occur in it. */
async function saidIn(bytes: Buffer, world: World): Promise<string[]> {
  const { token, apiKey } = world.sandbox;
  const texts = [...(await responsesIn(world)).values()].flatMap((response) => textsIn(dataOf(response)));
  const prose = [...sandboxProse("en"), ...sandboxProse("hi")];
  expect(texts.length).toBeGreaterThan(50);
  const hidden = [token, apiKey, person.fullName, person.birthDate, person.id, ...prose, ...texts];
  return hidden.filter((text) => text.length > 7 && bytes.includes(text));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return /\s/.test(value.trim()) ? [value, value.slice(0, 30)] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

async function stopMsOf(worker: RunningWorker): Promise<number> {
  const beganMs = performance.now();
  expect(await worker.stop()).toBe(0);
  return performance.now() - beganMs;
}

test("a collector that never responds costs a night nothing, delays a worker's stop only briefly, and is logged once", async () => {
  const world = await createWorld(temporal, { ...night, languages: ["en"] });
  Object.assign(world.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: await startSilentServer(),
    OTEL_EXPORTER_OTLP_TIMEOUT: "300",
    OTEL_BSP_MAX_QUEUE_SIZE: "8",
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "4",
  });
  const worker = await world.worker();
  const ended = await (await world.nightly()).result();
  expect(countsIn(ended)).toMatchObject({ stored: ended.planned, skipped: 0 });
  const calm = await (await createWorld(temporal, { ...night, languages: ["en"] })).worker();
  const [tookMs, calmMs] = [await stopMsOf(worker), await stopMsOf(calm)];
  expect(tookMs).toBeLessThan(calmMs + 20_000);
  const word = "the collector accepts no traces";
  await until("a word of it", async () => (await world.log()).includes(word));
  expect((await world.log()).split(word).length).toBe(2);
});
