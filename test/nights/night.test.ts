import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { reportsOf } from "../../vault/runs.ts";
import { editionId } from "../../workflows/names.ts";
import { historiesOf, letPass, moveClock, workflowsOf } from "../support/looks.ts";
import { fileEnd } from "../support/ends.ts";
import { countsIn, createWorld, until } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

/** Small and quick: two languages on two endpoints, horoscopes, cards of two kinds, two pairs; 60 requests. */
const small: ConfigurationInput = {
  languages: ["en", "hi"],
  operations: ["daily-horoscope", "daily-tarot", "wisdom-reading", "love-compatibility"],
  pairs: [
    ["aries", "leo"],
    ["libra", "libra"],
  ],
  service: {
    ratePerSecond: { english: 100, translator: 100, legacy: 100 },
    concurrency: { english: 8, translator: 8, legacy: 2 },
    answerTimeoutSeconds: { english: 30, translator: 30, legacy: 30 },
  },
};

function textOf(data: Uint8Array | null | undefined): string {
  return new TextDecoder().decode(data ?? undefined);
}

test.concurrent("requests everything that is due, once, and nothing else; a second night requests nothing and changes no byte", async () => {
  const world = await createWorld(temporal, small, atEnd);
  await world.sharedWorker();
  const run = await world.nightly();
  const ended = await run.result();
  const counts = countsIn(ended);
  expect(ended.state).toBe("done");
  // A try that a busy machine held up on its way out is not sent, and counts as tried again; calls are counted below.
  expect(counts).toMatchObject({ planned: ended.planned, stored: ended.planned, held: 0, skipped: 0 });
  const stats = await world.sandbox.stats();
  expect(stats.calls).toBe(ended.planned);
  expect(await world.held()).toHaveLength(ended.planned);

  // Each page links to the other as its translation.
  for (const path of ["en/index.html", "hi/index.html"]) {
    const page = new TextDecoder().decode((await world.site.read(path))?.body);
    expect(page.match(/<link rel="alternate" hreflang="[^"]+"/g)).toEqual([
      '<link rel="alternate" hreflang="en"',
      '<link rel="alternate" hreflang="hi"',
      '<link rel="alternate" hreflang="x-default"',
    ]);
  }

  // A dozen signs are one activity, which lists its requests; Temporal gets the plan's order.
  const activities = (await historiesOf(world, 3)).map(({ history: { events = [] } }) =>
    (events ?? []).flatMap(({ userMetadata, activityTaskScheduledEventAttributes: asked }) =>
      asked?.activityType?.name === "callBatch"
        ? [{ priority: asked.priority?.priorityKey ?? 0, summary: textOf(userMetadata?.summary?.data) }]
        : [],
    ),
  );
  const summaries = activities.flat().map(({ summary }) => summary);
  expect(summaries.filter((one) => /daily-horoscope hi [-\d]+: 12 signs/.test(one))).not.toEqual([]);
  expect(summaries.length).toBeLessThan(ended.planned / 4);
  const editions = activities.map((own) => own.map(({ priority }) => priority));
  expect(new Set(editions.flat())).toEqual(new Set([1, 2, 3, 4, 5]));
  for (const own of editions) expect(own).toEqual(own.toSorted((one, other) => one - other));

  const pointer = await world.site.read(pointerPath);
  const again = await (await world.nightly()).result();
  expect(again.planned).toBe(0);
  expect((await world.sandbox.stats()).calls).toBe(ended.planned);
  expect((await world.site.read(pointerPath))?.version).toBe(pointer?.version);
  // The second start's report leaves the first one's as it was.
  const reports = await reportsOf(world.vault, run.id);
  expect(reports).toEqual([ended, again].map((one) => expect.objectContaining(one)));
});

test.concurrent("one failing sign holds back only its own set, and a randomly rejected response is requested again and stored", async () => {
  const world = await createWorld(temporal, small, atEnd);
  await world.sandbox.faults([
    { match: { operation: "daily-horoscope", language: "hi", sign: "leo" }, fault: "empty" },
    { match: { operation: "daily-tarot" }, fault: "http400", times: 2 },
    { match: { operation: "wisdom-reading" }, fault: "http500", times: 2 },
    { match: { operation: "love-compatibility" }, fault: "http429", times: 1, retryAfter: 1 },
  ]);
  await world.sharedWorker();
  const ended = await (await world.nightly()).result();
  expect(ended.skipped.map(({ key }) => key)).toEqual([
    expect.stringMatching(/hi\/daily-horoscope\/leo$/),
    expect.stringMatching(/hi\/daily-horoscope\/leo$/),
  ]);
  expect(ended.skipped[0]).toMatchObject({ type: "Unfit" });
  expect(countsIn(ended)).toMatchObject({ stored: ended.planned - 2, skipped: 2 });
  expect((await world.sandbox.stats()).calls).toBe(ended.planned + 4 + 5);
  expect(await world.site.read("en/daily/leo/index.html")).toBeDefined();
  expect(await world.site.read("hi/daily-tarot/index.html")).toBeDefined();
  expect(await world.site.read("hi/daily/aries/index.html")).toBeUndefined();
  const entries = await world.vault.inQuarantine("");
  expect(entries).toHaveLength(2);
});

test.concurrent("the daily ceiling applies to all starts of a night, and the report shows the omitted requests", async () => {
  const world = await createWorld(
    temporal,
    {
      ...small,
      operations: ["daily-tarot", "wisdom-reading", "love-compatibility"], // 12 requests
      service: { ...small.service, callsPerDay: 8 },
    },
    atEnd,
  );
  await world.sharedWorker();
  const first = await (await world.nightly()).result();
  expect(first.planned).toBe(8);
  expect(first.leftOut).toBeGreaterThan(0);
  const again = await (await world.nightly()).result();
  expect(again).toMatchObject({ planned: 0, held: 8, leftOut: first.leftOut });
  expect((await world.sandbox.stats()).calls).toBe(8);
});

test.concurrent("repeated requests count against the daily ceiling, in the same run and in later ones", async () => {
  const world = await createWorld(
    temporal,
    {
      ...small,
      operations: ["daily-tarot", "wisdom-reading", "love-compatibility"],
      service: { ...small.service, callsPerDay: 8 },
    },
    atEnd,
  );
  await world.sandbox.faults([{ match: { operation: "daily-tarot" }, fault: "empty", times: 4 }]);
  await world.sharedWorker();
  const first = await (await world.nightly({ languages: ["en"] })).result();
  // Both cards are refused, and then there is room for two more calls: for one card twice or for each once.
  expect(countsIn(first)).toMatchObject({ planned: 6, stored: 4, retried: 2, skipped: 2 });
  expect(first.skipped.map(({ type }) => type)).toEqual(["Unfit", "Unfit"]);
  expect((await world.sandbox.stats()).calls).toBe(8);
  expect(await world.log()).toContain("the daily ceiling of 8 calls (service.callsPerDay) is reached");
  const again = await (await world.nightly()).result();
  expect(again).toMatchObject({ planned: 0, held: 4, leftOut: 6 });
  expect((await world.sandbox.stats()).calls).toBe(8);
});

test.concurrent("a second start of the same night attaches to it; one for other languages is refused and names the run", async () => {
  const world = await createWorld(temporal, small, atEnd);
  const first = await world.nightly();
  const second = await world.nightly();
  expect(second).toMatchObject({ id: first.id, attached: true });
  await expect(world.nightly({ languages: ["hi"] })).rejects.toThrow(
    `${first.id} is already running with all languages`,
  );
  await first.cancel();
});

test.concurrent("near a week's end, a night's workflows are named by the dates that readers see next, although next week is gathered", async () => {
  const operations = ["daily-tarot", "weekly-horoscope"] as const;
  const world = await createWorld(temporal, { ...small, operations: [...operations], zones: {} }, atEnd);
  const asOf = "2026-11-20T03:05:00Z"; // a Friday in India, still Thursday in New York; the next week begins on the 22nd
  await moveClock(world, asOf);
  await world.sharedWorker();
  expect(await (await world.nightly({ asOf })).result()).toMatchObject({ state: "done", broken: {} });
  expect((await world.held()).filter((key) => key.startsWith("weekly/2026-11-22/hi/"))).toHaveLength(12);
  const workflows = (await workflowsOf(world, 3)).map(({ workflowId }) => workflowId);
  expect(workflows.filter((id) => id.includes("-edition-")).toSorted()).toEqual([
    `${world.id}-edition-en-2026-11-20`,
    `${world.id}-edition-hi-2026-11-21`,
  ]);
});

test.concurrent("one edition that a person cancels costs the other languages nothing, and the run says so; cancelling a night stops its calls before any is answered and keeps what was stored", async () => {
  const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
  const world = await createWorld(
    temporal,
    {
      languages: ["en", "hi"],
      operations: ["daily-tarot", "wisdom-reading", "power-life-reading"],
      service: { ratePerSecond: all(20), concurrency: all(4), answerTimeoutSeconds: all(120) },
    },
    atEnd,
  );
  // None ends by itself: a cancellation takes some six seconds to arrive, on a busy machine longer.
  await world.sandbox.latency({ translator: { fixedMs: 100_000 } });
  await world.sharedWorker();
  const run = await world.nightly();
  const calls = async () => (await world.sandbox.stats()).byEndpoint.translator.calls;
  await until("calls in Hindi", async () => (await calls()) > 0);
  const children = world.client.workflow.list({
    query: `WorkflowType = "edition" AND ExecutionStatus = "Running"`,
  });
  const hindi = await until("the Hindi edition", async () => {
    for await (const { workflowId } of children) {
      if (workflowId.startsWith(editionId(world.id, { kind: "nightly", id: run.id }, "hi", "")))
        return workflowId;
    }
    return undefined;
  });
  await world.client.workflow.getHandle(hindi).cancel();
  const ended = await run.result();
  expect(ended.state).toBe("done");
  expect(Object.keys(ended.broken)).toEqual(["hi"]);
  expect(ended.broken.hi).toMatch(/cancel/i);
  expect((await world.held()).filter((key) => key.includes("/en/"))).toHaveLength(6);
  expect(await world.site.read("en/daily-tarot/index.html")).toBeDefined();

  const hungUp = async () => (await world.sandbox.stats()).byStatus["none"] ?? 0;
  await until("the end of the cancelled edition's calls", async () => (await hungUp()) === (await calls()));
  await world.sandbox.clearStats();
  // Four calls go out; two wait for a place.
  await world.sandbox.latency({ translator: { fixedMs: 100_000 } });
  const before = await calls();
  const again = await world.nightly(); // for readings that Hindi still lacks
  await until("calls in flight", async () => (await calls()) === before + 4);
  await again.cancel();
  await expect(again.result()).rejects.toThrow();
  // The batches hear of it at their own heartbeats: until all have, one may take the place that another left.
  const inFlight = async () => (await calls()) - before - (await hungUp());
  await until("the end of the calls in flight", async () => (await inFlight()) === 0);
  expect((await world.sandbox.stats()).byStatus["200"] ?? 0).toBe(0);
  const stopped = await calls();
  await letPass(3_000);
  expect(await calls()).toBe(stopped);
  expect(await inFlight()).toBe(0);
  expect((await world.held()).filter((key) => key.includes("/en/"))).toHaveLength(6);
});
