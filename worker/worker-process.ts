// The process of `almanac worker`: runs the workers and the monitor until it gets a stop signal.
import { flushCompileCache } from "node:module";
import { Runtime } from "@temporalio/worker";
import { z } from "zod";
import { Client } from "@temporalio/client";
import type { MetricMeter } from "@temporalio/common";
import { judging } from "../activities/call.ts";
import type { Log } from "../vault/vault.ts";
import { type Queue, scheduleIds } from "../workflows/names.ts";
import { Closing, endForCertain } from "./shutdown.ts";
import { watchLateness } from "./monitor/edition-gauges.ts";
import { createLog, installRuntime } from "./monitor/logs.ts";
import { openMonitor } from "./monitor/monitor.ts";
import { freePorts } from "./temporal/ports.ts";
import { temporalFor, type WorkerConnection } from "./temporal/temporal-client.ts";
import { now, type Environment } from "./settings/environment.ts";
import { watchUnownedBatches } from "./call-owners.ts";
import { openTraces } from "./traces/traces.ts";
import { startWorking, type Workers } from "./worker.ts";
import { type Answered, composeFor } from "./compose.ts";
import type { Dependencies } from "../activities/dependencies.ts";
import { gaugesOn } from "../activities/metrics.ts";
import { areSchedulesRemoved } from "../vault/site-notes.ts";
import { createMissingSchedules, describeSchedules, scheduleNames } from "./temporal/schedules.ts";

/** Time limit for closing connections after the work has ended. The process exit closes the rest. */
const closingMs = 2_000;

interface Process {
  readonly opening: Answered;
  readonly log: ReturnType<typeof createLog>;
  /** Local port of Temporal's Prometheus exporter; undefined without a monitor. */
  readonly metricsPort: number | undefined;
  readonly closing: Closing;
}

export async function work(opening: Answered, queues: readonly Queue[] | undefined): Promise<void> {
  const { drainMs, log: logging, monitor } = opening.environment;
  const log = createLog(undefined, logging);
  const [metricsPort] = monitor === undefined ? [] : await freePorts([undefined]);
  const site = opening.configuration.site.id;
  installRuntime(log, metricsPort === undefined ? undefined : { port: metricsPort, site });
  const closing = new Closing(
    () => log.warn({}, "stopped at once after a second signal"),
    () => undefined,
  );
  let why: string | undefined; // one that could not start is reported like any command that fails
  let hardStop: NodeJS.Timeout | undefined;
  try {
    const workers = await start({ opening, log, metricsPort, closing }, queues);
    why = "it failed";
    const signal = await Promise.race([closing.stopped, workers.done]);
    why = signal === undefined ? "its workers stopped" : `stopped by ${signal}`;
    hardStop = stopHard(why, log, drainMs);
    log.info({ why, drainMs }, "worker stopping: finishing calls in flight");
  } catch (error) {
    why &&= error instanceof Error ? error.message : String(error);
    if (why !== undefined) log.error({ why }, "worker failed");
    throw error;
  } finally {
    await closing.all((what, error) => log.warn({ error: String(error) }, `cannot close ${what}`));
    clearTimeout(hardStop);
    if (why !== undefined) log.info({ why }, "worker stopped");
    endForCertain();
  }
}

/** Starts the monitor before the workers, so that it shows the progress of the start. */
async function start(parts: Process, queues: readonly Queue[] | undefined) {
  const { opening, log, metricsPort, closing } = parts;
  const { environment, configuration, stateFolder } = opening;
  const traces = environment.traces && (await openTraces(environment.traces, log, closing));
  const { connectNative, namespace, address, url } = await temporalFor(environment, stateFolder);
  const connection = await connectNative();
  closing.add("the worker's connection to Temporal", connection.close);
  const clock = movedClock(environment, log);
  const meter = metricsPort === undefined ? undefined : Runtime.instance().metricMeter;
  const dependencies = await composeFor(
    opening,
    { log, namespace, meter, now: clock, temporalUrl: url, traces },
    closing,
  );
  closing.add("the watch for late editions", watchLateness(dependencies));
  let working: Workers | undefined;
  const workerState = () => (working === undefined ? "starts" : working.areRunning() ? "works" : "stops");
  const at = environment.monitor;
  if (at !== undefined && metricsPort !== undefined && meter !== undefined) {
    const watched = {
      connection,
      namespace,
      dependencies,
      workerState,
      environment,
      location: opening.location,
    };
    const monitor = await openMonitor({ ...watched, at, metricsPort, meter });
    closing.add("the monitor", () => monitor.close());
    log.info({ url: monitor.url }, "monitoring server listening");
  }
  if (queues === undefined || queues.includes("main")) {
    closing.add("the schedule watch", watchSchedules(connection, namespace, dependencies, meter));
    closing.add("the watch for waiting batches", watchUnownedBatches(connection, namespace, dependencies));
  }
  const { version } = environment;
  const drainMs = environment.drainMs - closingMs;
  const options = { connection: connection.current(), namespace, version, queues, traces, drainMs };
  working = await startWorking(options, dependencies, closing);
  connection.watch(working.useConnection, log);
  // Loads the rules while the first calls are in flight. Flushes the compile cache, because Node writes it only at an orderly exit,
  // and a worker may be killed. If the rules can't be loaded, the first response reports it.
  void judging().then(
    () => flushCompileCache(),
    () => undefined,
  );
  const site = configuration.site.id;
  log.info({ site, temporal: address, namespace, build: version?.buildId, queues }, "worker started");
  return working;
}

function stopHard(why: string, log: Log, drainMs: number): NodeJS.Timeout {
  return setTimeout(() => {
    log.error({ why, drainMs }, "worker did not stop within ALMANAC_DRAIN_SECONDS");
    process.exit(1);
  }, drainMs);
}

function movedClock(moved: Pick<Environment, "testClockOffsetMs">, log: Log): (() => Date) | undefined {
  if (moved.testClockOffsetMs === undefined) return undefined;
  log.warn({ offsetMs: moved.testClockOffsetMs }, "test clock set (ALMANAC_TEST_CLOCK_OFFSET_MS)");
  let clock = moved;
  // In tests, a parent process advances the clock over the IPC channel, so that one worker runs many nights.
  process.on("message", (message) => {
    clock = clockMove.safeParse(message).data ?? clock;
  });
  process.channel?.unref();
  return () => now(clock);
}

const clockMove = z.object({ testClockOffsetMs: z.int() });

const everyMs = 15_000;
const answerMs = 10_000;

/** Returns a function that ends the watch. */
function watchSchedules(
  connection: Pick<WorkerConnection, "current">,
  namespace: string,
  { configuration, installation, vault, log }: Dependencies,
  meter: MetricMeter | undefined,
): () => void {
  const { id: site } = configuration.site;
  const nextNight =
    meter &&
    gaugesOn(meter)(
      "almanac_next_night_start_timestamp_seconds",
      "Scheduled start of the next nightly run; 0 if there is none",
    );

  async function look() {
    const client = new Client({ connection: connection.current(), namespace });
    await client.withDeadline(Date.now() + answerMs, async () => {
      let schedules = await describeSchedules(client, site);
      if (schedules.length < scheduleNames.length && !(await areSchedulesRemoved(vault.own))) {
        const created = await createMissingSchedules(client, configuration, installation);
        if (created.length > 0) log.warn({ created }, "missing schedules created");
        schedules = await describeSchedules(client, site);
      }
      const nightly = schedules.find(({ scheduleId }) => scheduleId === scheduleIds.nightly(site));
      const [next] = nightly === undefined || nightly.state.paused ? [] : nightly.info.nextActionTimes;
      nextNight?.set((next?.getTime() ?? 0) / 1000, {});
    });
  }

  const lookOrLog = () =>
    look().catch((error: unknown) => log.warn({}, `cannot read the schedules: ${String(error)}`));
  const timer = setInterval(() => void lookOrLog(), everyMs);
  void lookOrLog();
  return () => clearInterval(timer);
}
