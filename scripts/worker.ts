// `almanac worker`: a worker for production, until it is told to stop.
import { flushCompileCache } from "node:module";
import { type NativeConnection, Runtime } from "@temporalio/worker";
import { z } from "zod";
import { judging } from "../activities/ask.ts";
import type { Dependencies } from "../activities/dependencies.ts";
import type { Log } from "../vault/log.ts";
import type { Environment } from "../worker/settings/environment.ts";
import { createLog, installRuntime } from "../worker/monitor/logs.ts";
import { watchLateness } from "../worker/monitor/lateness.ts";
import { createLooking } from "../worker/monitor/gauges.ts";
import { startMonitor } from "../worker/monitor/monitor.ts";
import { placeFor } from "../worker/settings/place.ts";
import { freePorts } from "../worker/temporal/ports.ts";
import { createReadiness } from "../worker/monitor/readiness.ts";
import { temporalFor } from "../worker/temporal/temporal-client.ts";
import type { Workers } from "../worker/worker.ts";
import type { Queue } from "../workflows/names.ts";
import { Closing, endForCertain } from "./terminal/closing.ts";
import type { Define } from "./terminal/command.ts";
import { NotSetUp } from "./terminal/errors.ts";
import { open } from "./opening.ts";
import { queuesIn } from "./terminal/options.ts";
import { startWorking } from "./working.ts";

/** For the connections, when the work has ended; what is not closed by then ends with the process. */
const closingMs = 2_000;

export const define: Define = (command) => {
  command
    .option(
      "--queues <list>",
      "take work of these alone: main (workflows, presses, publishes) and the calls to english, translator, legacy",
      queuesIn,
    )
    .addHelpText(
      "after",
      `
With ALMANAC_MONITOR_ADDRESS (such as 9464, which is this machine's alone) it shows /metrics for Prometheus, /livez, and
/readyz, which says whether Temporal, vault and site can be reached. On SIGTERM or Ctrl-C it takes no more work, lets
calls in flight end, and exits within ALMANAC_DRAIN_SECONDS (25).`,
    )
    .action(async ({ queues }) => {
      await work(queues);
    });
};

async function work(queues: readonly Queue[] | undefined): Promise<void> {
  const settings = { ...(await settle()), queues };
  const { log, environment } = settings;
  const { drainMs } = environment;
  const closing = new Closing(
    () => log.warn({}, "stopped at once: told so twice"),
    () => undefined,
  );
  let why: string | undefined; // one that could not start is told like any command that fails
  let hardStop: NodeJS.Timeout | undefined;
  try {
    const workers = await startAll(settings, closing);
    why = "it failed";
    const signal = await Promise.race([closing.stopped, workers.done]);
    why = signal === undefined ? "its workers ended" : `told to stop by ${signal}`;
    hardStop = stopHard(why, settings);
    log.info({ why, drainMs }, "stopping: no more work is taken, calls in flight may end");
  } catch (error) {
    why &&= error instanceof Error ? error.message : String(error);
    if (why !== undefined) log.error({ why }, "the worker ends");
    throw error;
  } finally {
    await closing.all((what, error) => log.warn({ error: String(error) }, `could not close ${what}`));
    clearTimeout(hardStop);
    if (why !== undefined) log.info({ why }, "stopped");
    endForCertain();
  }
}

type Settings = Awaited<ReturnType<typeof settle>> & { readonly queues: readonly Queue[] | undefined };

/** What is known before anything is asked or opened. */
async function settle() {
  const { environment, configuration, stateFolder } = await open();
  const { place, service } = placeFor(environment, stateFolder);
  if (service === undefined) {
    throw new NotSetUp(
      "a worker asks a real service: set READING_SERVICE_URL, READING_SERVICE_TRANSLATOR_URL, READING_SERVICE_TOKEN and READING_SERVICE_API_KEY (`almanac sandbox` prints some to try with)",
    );
  }
  const log = createLog(undefined, environment.log);
  const [metricsPort] = environment.monitor === undefined ? [] : await freePorts([undefined]);
  installRuntime(log, metricsPort);
  return { environment, configuration, stateFolder, place, service, log, metricsPort };
}

/** The monitor before the workers, so that whoever looks sees how the start goes. */
async function startAll(settings: Settings, closing: Closing): Promise<Workers> {
  const { environment, configuration, stateFolder, place, service, log, metricsPort, queues } = settings;
  const { connectNative, namespace, address } = await temporalFor(environment, stateFolder);
  const connection = await connectNative();
  const now = movedClock(environment.testClockOffsetMs, log);
  const meter = metricsPort === undefined ? undefined : Runtime.instance().metricMeter;
  let working: Workers | undefined;
  const beside = (dependencies: Dependencies): Promise<void> => {
    closing.add("the look at late editions", watchLateness(dependencies));
    const isWorking = (): boolean => working?.areRunning() ?? false;
    return openMonitor({ environment, dependencies, connection, metricsPort, isWorking }, closing);
  };
  const { version, drainMs } = environment;
  const parts = { environment, configuration, place, service, log, connection, namespace, meter, now };
  working = await startWorking({ ...parts, beside, version, queues, drainMs: drainMs - closingMs }, closing);
  // What judges answers is loaded while the first ones are under way. The compiled code is kept at an orderly end only,
  // and a worker may be killed. Where it can't be loaded, the first answer says so.
  void judging().then(
    () => flushCompileCache(),
    () => undefined,
  );
  const site = configuration.site.id;
  log.info({ site, temporal: address, namespace, build: version?.buildId, queues }, `working for ${site}`);
  return working;
}

function stopHard(why: string, { log, environment: { drainMs } }: Settings): NodeJS.Timeout {
  return setTimeout(() => {
    log.error({ why, drainMs }, "could not stop in the time that it has (ALMANAC_DRAIN_SECONDS)");
    process.exit(1);
  }, drainMs);
}

interface Monitored {
  readonly environment: Environment;
  readonly dependencies: Dependencies;
  readonly connection: NativeConnection;
  readonly metricsPort: number | undefined;
  readonly isWorking: () => boolean;
}

async function openMonitor(
  { environment, dependencies, connection, metricsPort, isWorking }: Monitored,
  closing: Closing,
): Promise<void> {
  const at = environment.monitor;
  if (at === undefined || metricsPort === undefined) return;
  const { vault, site, log } = dependencies;
  const monitor = await startMonitor({
    at,
    metricsPort,
    refresh: createLooking(dependencies),
    readiness: createReadiness({ connection, vault: vault.store, site, isWorking, log }),
  });
  closing.add("the monitor", () => monitor.close());
  log.info({ url: monitor.url }, "metrics and health are shown");
}

function movedClock(offsetMs: number | undefined, log: Log): (() => Date) | undefined {
  if (offsetMs === undefined) return undefined;
  log.warn({ offsetMs }, "a test's clock: moved (ALMANAC_TEST_CLOCK_OFFSET_MS)");
  let movedMs = offsetMs;
  // Whoever started this process with a channel moves it on, so that one worker lives through many nights.
  process.on("message", (message) => {
    movedMs = clockMove.safeParse(message).data?.clockOffsetMs ?? movedMs;
  });
  process.channel?.unref();
  return () => new Date(Date.now() + movedMs);
}

const clockMove = z.object({ clockOffsetMs: z.int() });
