import { once } from "node:events";
import { connect } from "node:net";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { endpointNote, type OutageNote } from "../../vault/call-notes.ts";
import { changeNote } from "../../vault/note.ts";
import { startMonitor } from "../../worker/monitor/monitor.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { type Received, startCollector } from "../support/collector.ts";
import { pathsOn, quickService } from "../support/looks.ts";
import { countsIn, createWorld, until, type World } from "../support/night.ts";
import { clockMovedBy } from "../support/noon.ts";
import { sharedTemporal } from "../support/temporal.ts";
import { fileEnd } from "../support/ends.ts";
import { readBacklog } from "../../worker/notifiers/notifying.ts";

/** A worker's metrics as Prometheus would read them: every series by its name and labels. */
interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

async function scrape(port: number): Promise<Series[]> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}: ${body}`);
  return body.split("\n").flatMap((line) => {
    const found = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (found === null) return [];
    const [, name = "", labels = "", value = ""] = found;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", text = ""]) => [
      key,
      text,
    ]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** Sum over all series with that name and these labels. */
function sumOf(all: readonly Series[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  const wanted = Object.entries(labels);
  return all
    .filter((one) => one.name === name && wanted.every(([key, text]) => one.labels[key] === text))
    .reduce((sum, { value }) => sum + value, 0);
}

const temporal = await sharedTemporal();
const atEnd = fileEnd();

/** 30 requests, of three shapes, on two endpoints. */
const configuration: ConfigurationInput = {
  languages: ["en", "hi"],
  operations: ["daily-horoscope", "daily-tarot", "wisdom-reading"],
  service: { ...quickService, callsPerDay: 1_000 },
};

const monitoringFiles = ["rules.yaml", "dashboard.json"].map((name) =>
  fileURLToPath(new URL(`../../deploy/monitoring/${name}`, import.meta.url)),
);

async function worldWith(
  settings: Record<string, string>,
  only: ConfigurationInput = {},
): Promise<{ world: World; port: number }> {
  const world = await createWorld(temporal, { ...configuration, ...only }, atEnd);
  const [port = 0] = await freePorts([undefined]);
  Object.assign(world.env, { ALMANAC_MONITOR_ADDRESS: String(port), ...settings });
  return { world, port };
}

const pathsTold = z.object({ kind: z.literal("published"), site: z.string(), paths: z.array(z.string()) });
/** Note of an endpoint without requests in this night. */
const refusedAt: OutageNote = {
  openedAt: new Date().toISOString(),
  run: "an-earlier-night",
  key: "daily/2026-11-21/en/daily-tarot-legacy/reading",
  seen: "Invalid authorization token or api key",
  probes: 1,
  nextProbeAt: new Date().toISOString(),
  isLong: false,
  forgivenAt: new Date().toISOString(),
};
/** Note of an endpoint with valid credentials that gives no responses in a language. */
const awayAt: OutageNote = { ...refusedAt, seen: "no response", away: [{ language: "hi" }] };
const logLine = z.object({
  level: z.string(),
  time: z.iso.datetime(),
  msg: z.string(),
  run: z.string().optional(),
  language: z.string().optional(),
  key: z.string().optional(),
  attempt: z.number().optional(),
  alert: z.string().optional(),
});
const tagsTold = z.object({ kind: z.literal("purge"), tags: z.array(z.string()) });
const readiness = z.object({
  ready: z.boolean(),
  worker: z.string(),
  temporal: z.string(),
  vault: z.string(),
  site: z.string(),
});

async function readyAt(port: number): Promise<{ status: number } & z.infer<typeof readiness>> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  return { status: response.status, ...readiness.parse(await response.json()) };
}

describe("after a night with faults", () => {
  let site: string;
  let world: World;
  let port: number;
  let outside: Awaited<ReturnType<typeof startCollector>>;
  let all: Series[];
  let first: Awaited<ReturnType<typeof readyAt>>;
  let ended: Awaited<ReturnType<Awaited<ReturnType<World["nightly"]>>["result"]>>;

  test("every figure has the site's id, including Temporal's own", () => {
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter(({ labels }) => labels["site"] !== site)).toEqual([]);
  });

  beforeAll(async () => {
    outside = await startCollector(atEnd);
    const hook = (path: string) => `${outside.url}/hooks/${path}?key=very-secret`;
    ({ world, port } = await worldWith({
      ALMANAC_ALERT_URL: hook("alert"),
      ALMANAC_PING_URL: hook("ping"),
      ALMANAC_PUBLISHED_URL: hook("published"),
      ALMANAC_PURGE_URL: hook("purge"),
    }));
    site = world.id;
    await world.sandbox.faults([
      { match: { operation: "daily-tarot", language: "en" }, fault: "http400", times: 2 },
      { match: { operation: "daily-tarot", language: "hi" }, fault: "http503", times: 3, retryAfter: 0 },
      { match: { operation: "wisdom-reading", language: "en" }, fault: "html200" },
      { match: { operation: "daily-horoscope", language: "hi", sign: "leo" }, fault: "empty", times: 1 },
    ]);
    const starting = world.worker();
    first = await until("an answer", async () => readyAt(port).catch(() => undefined));
    await starting;
    ended = await (await world.nightly()).result();
    for (const [endpoint, outage] of [["legacy", refusedAt] as const, ["translator", awayAt] as const])
      await changeNote(world.vault.store, endpointNote(endpoint), (note) => ({ ...note, outage }));
    all = await scrape(port);
  });

  test("a starting worker reports that, and is not ready", async () => {
    expect(first).toMatchObject({ status: 503, ready: false, worker: "starts" });
    expect(await readyAt(port)).toMatchObject({ status: 200, ready: true, worker: "works" });
  });

  test("every call that the service counted is counted, by endpoint and outcome", async () => {
    const stats = await world.sandbox.stats();
    expect(stats.calls).toBeGreaterThan(ended.planned);
    expect(sumOf(all, "almanac_calls_total")).toBe(stats.calls);
    for (const endpoint of ["english", "translator"] as const) {
      const { calls } = stats.byEndpoint[endpoint];
      expect(calls).toBeGreaterThan(0);
      expect(sumOf(all, "almanac_calls_total", { endpoint: endpoint }), endpoint).toBe(calls);
      expect(sumOf(all, "almanac_call_duration_seconds_count", { endpoint: endpoint }), endpoint).toBe(calls);
      expect(sumOf(all, "almanac_rate_limiter_wait_seconds_count", { endpoint: endpoint }), endpoint).toBe(
        calls,
      );
    }
    const calls = (outcome: string) => sumOf(all, "almanac_calls_total", { outcome });
    expect(calls("Rejected")).toBe(stats.byStatus["400"]);
    expect(calls("Rejected")).toBe(2);
    expect(sumOf(all, "almanac_calls_total", { operation: "daily-tarot", outcome: "Unavailable" })).toBe(3);
    expect(calls("Fit")).toBe((await world.held()).length);
    expect(calls("Fit") + calls("Unfit") + calls("Rejected") + calls("Unavailable")).toBe(stats.calls);
  });

  test("stored readings, tries, and quarantined responses by rule add up to the run's own report", async () => {
    const counts = countsIn(ended);
    expect(counts.skipped).toBeGreaterThan(0);
    expect(sumOf(all, "almanac_readings_stored_total")).toBe(counts.stored);
    expect(sumOf(all, "almanac_reading_attempts_count")).toBe(counts.stored);
    expect(sumOf(all, "almanac_reading_attempts_sum")).toBeGreaterThan(counts.stored);
    expect(sumOf(all, "almanac_responses_quarantined_total", { language: "en", rule: "Rejected" })).toBe(2);
    expect(sumOf(all, "almanac_responses_quarantined_total", { language: "hi", rule: "empty" })).toBe(1);
    const unfit = sumOf(all, "almanac_calls_total", { outcome: "Unfit" });
    expect(sumOf(all, "almanac_responses_quarantined_total")).toBe(unfit + 2);
    expect(sumOf(all, "almanac_quarantine_entries")).toBe((await world.vault.inQuarantine("")).length);
    expect(sumOf(all, "almanac_runs_total", { state: "done" })).toBe(1);
  });

  test("editions have an age and no delay, an open breaker is seen, the budget is used by what was planned and what was asked again", () => {
    for (const language of ["en", "hi"]) {
      const age = sumOf(all, "almanac_edition_age_seconds", { language });
      expect(age).toBeGreaterThan(0);
      expect(age).toBeLessThan(120);
      expect(all).toContainEqual({
        name: "almanac_edition_overdue_seconds",
        labels: { site, language },
        value: 0,
      });
    }
    expect(sumOf(all, "almanac_edition_missing_operations", { language: "en" })).toBe(1); // wisdom-reading
    for (const [endpoint, open, refused] of [
      ["english", 0, 0],
      ["translator", 1, 0],
      ["legacy", 1, 1],
    ] as const) {
      expect(all).toContainEqual({ name: "almanac_breaker_open", labels: { site, endpoint }, value: open });
      expect(all).toContainEqual({
        name: "almanac_credentials_refused",
        labels: { site, endpoint },
        value: refused,
      });
    }
    expect(sumOf(all, "almanac_budget_used_calls")).toBe(ended.planned + countsIn(ended).retried);
    expect(sumOf(all, "almanac_budget_calls")).toBe(1_000);
  });

  test("the worker reports its connections, missing readings of coming editions, and its own state", () => {
    for (const part of ["temporal", "vault", "site"])
      expect(all).toContainEqual({ name: "almanac_reachable", labels: { site, part }, value: 1 });
    expect(all).toContainEqual({ name: "almanac_worker_polling", labels: { site }, value: 1 });
    const one = (name: string, labels = {}) => sumOf(all, name, labels);
    const nowSeconds = Date.now() / 1000;
    for (const language of ["en", "hi"]) {
      // English lacks one reading, which is in quarantine.
      const value = language === "en" ? 1 : 0;
      for (const what of ["missing", "quarantined"])
        expect(all).toContainEqual({
          name: `almanac_next_edition_${what}_readings`,
          labels: { site, language },
          value,
        });
      const dueIn = one("almanac_next_edition_due_timestamp_seconds", { language }) - nowSeconds;
      expect(dueIn).toBeGreaterThan(0);
      expect(dueIn).toBeLessThan(25 * 3600);
      expect(one("almanac_edition_ends_timestamp_seconds", { language })).toBeGreaterThan(nowSeconds);
    }
    expect(Math.abs(one("almanac_status_read_timestamp_seconds") - nowSeconds)).toBeLessThan(120);
    expect(nowSeconds - one("almanac_started_timestamp_seconds")).toBeGreaterThan(0);
    expect(all.find(({ name }) => name === "almanac_build_info")).toMatchObject({
      labels: { site, version: expect.stringMatching(/^\d/), node: process.version },
      value: 1,
    });
    expect(one("almanac_heap_used_bytes")).toBeLessThan(one("almanac_heap_limit_bytes"));
    expect(one("almanac_resident_memory_bytes")).toBeGreaterThan(one("almanac_heap_used_bytes"));
    const delays = all.filter(({ name }) => name === "almanac_event_loop_delay_seconds");
    expect(new Set(delays.map(({ labels }) => labels["quantile"]))).toEqual(new Set(["0.5", "0.99", "1"]));
    expect(one("almanac_event_loop_utilization_ratio")).toBeLessThanOrEqual(1);
  });

  test("publishes and their writes are counted, and Temporal's own figures appear next to ours", async () => {
    expect(sumOf(all, "almanac_publish_duration_seconds_count", { kind: "run" })).toBeGreaterThan(0);
    const written: string[] = [];
    for await (const { key } of world.site.list("")) written.push(key);
    expect(sumOf(all, "almanac_store_puts_total", { store: "site" })).toBeGreaterThanOrEqual(written.length);
    expect(sumOf(all, "almanac_store_put_bytes_total", { store: "site" })).toBeGreaterThan(100_000);
    expect(sumOf(all, "temporal_activity_execution_failed_total")).toBeGreaterThan(0);
    expect(sumOf(all, "temporal_num_pollers")).toBeGreaterThan(0);
  });

  test("the dashboard and the alert rules name only metrics of a worker", async () => {
    const files = await Promise.all(monitoringFiles.map((file) => readFile(file, "utf8")));
    const named = new Set(files.join("\n").match(/\b(?:almanac|temporal)_\w+/g));
    expect(named.size).toBeGreaterThan(20);
    const present = new Set(all.map(({ name }) => name));
    // A Temporal without TLS has no certificate metrics: test/worker/renewed-connection.test.ts checks those.
    for (const name of ["not_before", "not_after"])
      present.add(`almanac_certificate_${name}_timestamp_seconds`);
    expect([...named].filter((name) => !present.has(name))).toEqual([]);
    // And each of our metrics is used somewhere.
    const ours = new Set([...present].map((name) => name.replace(/_(?:bucket|sum|count)$/, "")));
    const shown = new Set([...named].map((name) => name.replace(/_(?:bucket|sum|count)$/, "")));
    expect([...ours].filter((name) => name.startsWith("almanac_") && !shown.has(name))).toEqual([]);
  });

  test("each call has one line in the log, with run, language, key and attempt, and a level that says what it means", async () => {
    const lines = (await world.log())
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => logLine.parse(JSON.parse(line)));
    const calls = lines.filter(({ key }) => key !== undefined);
    expect(calls).toHaveLength((await world.sandbox.stats()).calls);
    for (const line of calls) {
      expect(line).toMatchObject({ run: ended.run, language: expect.stringMatching(/^(?:en|hi)$/) });
      expect(line.attempt).toBeGreaterThan(0);
      expect(line.level).toBe(line.msg === "reading stored" ? "info" : "warn");
    }
    const told = (msg: string) => calls.filter((line) => line.msg === msg).length;
    expect(told("reading stored")).toBe(sumOf(all, "almanac_readings_stored_total"));
    expect(told("no response")).toBe(3);
    expect(lines.filter(({ level }) => level === "error").map(({ alert }) => alert)).toEqual([
      "edition-incomplete",
    ]);
    const others = lines.filter(({ level, key }) => level === "warn" && key === undefined);
    expect(others).toEqual([]);
    const stored = await world.vault.response((await world.held())[0] ?? "");
    expect(stored?.body.length).toBeGreaterThan(200);
    expect(await world.log()).not.toContain(stored?.body.slice(60, 120));
  });

  test("no series contains a request's key or a secret", () => {
    const text = JSON.stringify(all);
    for (const word of [world.sandbox.token, world.sandbox.apiKey, "/daily-horoscope/", "/leo"])
      expect(text).not.toContain(word);
  });

  test("whoever waits for a good night is asked once, and what is missing is one alert that says what to do next", async () => {
    await until("the alert", async () => alertsIn(outside.received).length > 0);
    const pingsIn = () => outside.received.filter(({ url }) => url === "/hooks/ping?key=very-secret");
    const pings = await until("the ping", () => pingsIn().length > 0 && pingsIn());
    expect(pings.map(({ method, body }) => [method, body])).toEqual([["GET", ""]]);
    const told = alertsIn(outside.received);
    expect(told.map(({ kind }) => kind)).toEqual(["edition-incomplete"]);
    expect(told[0]?.text).toMatch(
      / is incomplete: \d readings? rejected in en\. Complete sets are published, .* Next: run `almanac status`/,
    );
    expect(await world.log()).not.toMatch(/very-secret|hooks\/alert/);
  });

  test("a cache is notified of every new path, and never of the whole site", async () => {
    const told = outside.received.filter(({ url }) => url.startsWith("/hooks/published"));
    const paths = new Set(told.flatMap(({ body }) => pathsTold.parse(JSON.parse(body)).paths));
    const whole = [...paths].filter((path) => path.endsWith("/*"));
    expect(whole).toContain("/en/*");
    expect(paths).not.toContain("/*");
    for (const path of (await pathsOn(world.site)).keys()) {
      const isTold = paths.has(`/${path}`) || whole.some((one) => `/${path}`.startsWith(one.slice(0, -1)));
      expect(isTold, path).toBe(true);
    }
    expect(paths).toContain("/v1/pointer.json");
  });

  test("a cache is notified of whole languages after each publish, in at most sixty tags, and no backlog remains", async () => {
    const told = outside.received.filter(({ url }) => url.startsWith("/hooks/purge"));
    const tags = told.map(({ body }) => tagsTold.parse(JSON.parse(body)).tags);
    const parts = tags.flat().map((tag) => tag.slice(tag.indexOf(".") + 1));
    expect(parts).toEqual(expect.arrayContaining(["en", "hi", "shared"]));
    for (const some of tags) expect(some.length).toBeLessThanOrEqual(60);
    expect(await readBacklog(world.vault.own)).toEqual(new Map());
  });

  test("an edition that is not published in time causes one alert for all its languages, and a figure for its delay", async () => {
    const [latePort = 0] = await freePorts([undefined]);
    const threeDaysMs = 3 * 86_400_000;
    const env = { ...world.env, ALMANAC_MONITOR_ADDRESS: String(latePort) };
    Object.assign(world.env, { ...env, ...clockMovedBy(threeDaysMs) });
    const late = await world.worker();
    const figures = await scrape(latePort);
    for (const language of ["en", "hi"]) {
      const overdue = sumOf(figures, "almanac_edition_overdue_seconds", { language });
      expect(overdue).toBeGreaterThan(86_400);
      expect(overdue).toBeLessThan(threeDaysMs / 1000);
    }
    await until("the alert", async () =>
      alertsIn(outside.received).some(({ kind }) => kind === "night-late"),
    );
    const told = alertsIn(outside.received).filter(({ kind }) => kind === "night-late");
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toMatch(
      /^The next edition is more than 45 minutes late: en \(due .*, hi \(due .* Next: run `almanac status`/,
    );
    await late.kill();
  });

  test("it is alive and ready, and refuses all other paths, however they are written", async () => {
    expect(await readyAt(port)).toEqual({
      status: 200,
      ready: true,
      worker: "works",
      temporal: "answers",
      vault: "answers",
      site: "answers",
    });
    const status = async (path: string, method = "GET") =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status;
    expect(await status("/livez")).toBe(200);
    expect(await status("/livez", "HEAD")).toBe(200);
    expect(await status("/livez", "POST")).toBe(405);
    for (const path of ["/", "/livez/", "/livez?x", "/%6Civez", "//livez", "/metrics%2f"])
      expect(await status(path), path).toBe(404);
    for (const raw of [
      "GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET http://127.0.0.1:1/metrics HTTP/1.1\r\nHost: x\r\n\r\n",
    ])
      expect(await answerTo(port, raw), raw).toMatch(/^HTTP\/1\.1 404 /);
    expect(await answerTo(port, "\u0000\u0001 nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    const long = `GET /livez HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`;
    expect(await answerTo(port, long)).toMatch(/^HTTP\/1\.1 431 /);
    expect(await status("/livez")).toBe(200);
  });

  test("a client that sends a request slowly is cut off, and other clients do not wait", async () => {
    const slow = connect(port, "127.0.0.1");
    slow.on("error", () => undefined);
    slow.write("GET /livez HTT");
    const closed = once(slow, "close");
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    slow.resume();
    await closed; // with the test's own time-out
  });

  test("it is not ready while the vault is unreachable, logs that, and becomes ready again", async () => {
    const vault = join(world.folder, "vault");
    await rename(vault, `${vault}-away`);
    await writeFile(vault, "a file where the folder was");
    await until("not ready", async () => (await readyAt(port)).status === 503);
    expect(await readyAt(port)).toMatchObject({
      ready: false,
      temporal: "answers",
      vault: "away",
      site: "answers",
    });
    await rm(vault);
    await rename(`${vault}-away`, vault);
    await until("ready again", async () => (await readyAt(port)).ready);
    expect(await world.log()).toMatch(
      /"part":"vault","msg":"vault is unreachable, so this worker is not ready: cannot read/,
    );
  });
});

function alertsIn(received: readonly Received[]) {
  return received
    .filter(({ url }) => url.startsWith("/hooks/alert"))
    .map(({ body }) => z.object({ kind: z.string(), text: z.string() }).parse(JSON.parse(body)));
}

async function answerTo(port: number, raw: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.write(raw);
  const first = Promise.race([once(socket, "data"), once(socket, "close")]);
  await first;
  socket.destroy();
  return Buffer.concat(chunks).toString("latin1");
}

test("an address in use is reported with the remedy", async () => {
  const [port = 0] = await freePorts([undefined]);
  const settings = {
    at: { host: "127.0.0.1", port },
    metricsPort: 1, // nothing listens there: the metrics show that, and all else works
    refresh: async () => undefined,
    readiness: () => Promise.reject(new Error("not asked for")),
  };
  const first = await startMonitor(settings);
  await expect(startMonitor(settings)).rejects.toThrow(
    `ALMANAC_MONITOR_ADDRESS: cannot listen on 127.0.0.1:${port} (EADDRINUSE). Set another port, or unset it`,
  );
  expect((await fetch(`${first.url}metrics`)).status).toBe(503);
  expect((await fetch(`${first.url}readyz`)).status).toBe(503);
  expect((await fetch(`${first.url}livez`)).status).toBe(200);
  await first.close();
});

test("told to stop in mid-night it lets calls in flight end, is not ready meanwhile, and says why it goes; the next one, whose credentials file is empty, says so once and goes on when it is filled", async () => {
  const { world, port } = await worldWith(
    { ALMANAC_DRAIN_SECONDS: "20" },
    { languages: ["en"], operations: ["daily-horoscope"] },
  );
  await world.sandbox.latency({ english: { fixedMs: 1_500 }, translator: { fixedMs: 1_500 } });
  const first = await world.worker();
  const run = await world.nightly();
  await until("calls in flight", async () => (await world.sandbox.stats()).calls >= 8);
  const stopping = first.stop();
  await until("not ready", async () => (await readyAt(port)).worker === "stops");
  expect((await readyAt(port)).status).toBe(503);
  expect(await stopping).toBe(0);
  const asked = (await world.sandbox.stats()).calls;
  expect(await world.held()).toHaveLength(asked); // every call that was made is stored
  expect(await world.log()).toMatch(/"why":"stopped by SIGTERM".*"msg":"worker stopped"/);
  await world.sandbox.latency({ english: { fixedMs: 0 }, translator: { fixedMs: 0 } });
  const token = join(world.folder, "token");
  await writeFile(token, "");
  delete world.env["READING_SERVICE_TOKEN"];
  world.env["READING_SERVICE_TOKEN_FILE"] = token;
  await world.worker();
  const unreadable =
    /"alert":"credentials-unreadable","msg":"READING_SERVICE_TOKEN_FILE: .* is empty\. Write only the credential/g;
  await until("the alert", async () => unreadable.test(await world.log()));
  await writeFile(token, world.sandbox.token);
  const ended = await run.result();
  expect((await world.log()).match(unreadable)?.length).toBeLessThan(3); // once an hour, which may turn meanwhile
  expect(countsIn(ended)).toMatchObject({ skipped: 0 });
  expect((await world.sandbox.stats()).calls).toBe(ended.planned); // none lost, none twice
});
