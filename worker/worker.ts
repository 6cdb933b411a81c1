// The workers of one process: one for workflows and everything that makes no call, and one for each endpoint, which takes as many
// batches as the endpoint permits (service/endpoint.ts).
import { setFlagsFromString } from "node:v8";
import { hostname } from "node:os";
import {
  type ActivitySlotInfo,
  type CustomSlotSupplier,
  type NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkerTuner,
  type ActivityInterceptors,
} from "@temporalio/worker";
import { ApplicationFailure, defaultPayloadConverter } from "@temporalio/common";
import { type EndpointName, endpointNames } from "../readings/tables.ts";
import type { Dependencies } from "../activities/dependencies.ts";
import { beatEveryMs } from "../activities/heartbeat.ts";
import { createActivities } from "../activities/index.ts";
import { bundleWorkflows } from "./bundle.ts";
import type { Closing } from "./shutdown.ts";
import type { Permits } from "../service/concurrency-limit.ts";
import {
  callQueue,
  mainQueue,
  type Queue,
  queues,
  installationField,
  themeWord,
  workerIdentity,
} from "../workflows/names.ts";
import { vaultOf } from "../vault/installation.ts";
import type { Environment } from "./settings/environment.ts";
import type { Traces } from "./traces/telemetry.ts";
import type { Log } from "../vault/vault.ts";
import { type Clock, processClock, realMs } from "../store/clock.ts";
import type { Endpoint } from "../service/endpoint.ts";

/** A night has one per language and four more, a backfill the same; what was put out comes back by its history. */
const mostCachedWorkflows = 100;

/**
 * A workflow that this code can't go on with, because another version began it or because of an error of ours, fails, and the
 * next run takes from the vault what was kept. It would be tried for ever otherwise, and the schedule, which starts no night
 * beside another, would start none any more.
 */
const endsWhatCannotGoOn: WorkerOptions["workflowFailureErrorTypes"] = { "*": ["Error"] };

const youngObjects = "--max-semi-space-size=";

/** The end of the drain time, reserved for canceling the remaining calls and reporting them to Temporal. */
const cancellingMs = 3_000;

export type Workers = Awaited<ReturnType<typeof startWorkers>>;

export interface WorkersOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly workflowBundle: NonNullable<WorkerOptions["workflowBundle"]>;
  /** Time limit from the stop signal to the exit of all workers. */
  readonly drainMs: number;
  readonly version?: Environment["version"];
  /** Tracing of runs and calls. Requires the traced `workflowBundle`. */
  readonly traces?: Traces;
  /** Queues to poll. Default: all. */
  readonly queues?: readonly Queue[];
}

/** Starts the workers with their bundle; they stop when `closing` closes them. */
export async function startWorking(
  options: Omit<WorkersOptions, "workflowBundle">,
  dependencies: Dependencies,
  closing: Closing,
) {
  const workflowBundle = await bundleWorkflows(options.traces !== undefined);
  const workers = await startWorkers({ ...options, workflowBundle }, dependencies);
  closing.add("the worker", async () => {
    workers.stop();
    await workers.done;
  });
  return workers;
}

export async function startWorkers(options: WorkersOptions, dependencies: Dependencies) {
  const workers: Worker[] = [];
  // The workers are made one after the other, that for workflows last: it starts threads before it calls Temporal, and if Temporal
  // is gone by then, nobody can end them. The first worker calls Temporal for all.
  await withSmallThreads(async () => {
    for (const each of settingsFor(options, dependencies)) workers.push(await Worker.create(each));
  });
  let used = options.connection;
  const endWatch = watchTemporal(
    () => used,
    options.namespace,
    dependencies.endpoints,
    dependencies.leases?.clock,
  );
  /** Begins a graceful stop: no new work, calls in flight may end, then they are cancelled. */
  const stop = () => {
    endWatch();
    // The lease goes at once, and what is in flight has the drain time.
    for (const endpoint of endpointNames) void dependencies.endpoints[endpoint].close();
    for (const worker of workers) if (worker.getState() === "RUNNING") worker.shutdown();
  };
  /** Settles when all have stopped; rejects when one failed. */
  const done = Promise.all(workers.map((worker) => worker.run())).then(
    () => undefined,
    (error: unknown) => {
      stop();
      throw error;
    },
  );
  /** Whether all workers take work. */
  const areRunning = () => workers.every((worker) => worker.getState() === "RUNNING");
  /** Switches running workers to a new connection. Tasks in flight end on the old one; stopping workers keep theirs. */
  const useConnection = (connection: NativeConnection) => {
    used = connection;
    for (const worker of workers) if (worker.getState() === "RUNNING") worker.connection = connection;
  };
  return { done, stop, areRunning, useConnection };
}

/**
 * The workflows' thread begins with little room for young objects, and gives it back sooner: it needs no more, and a process's
 * threads take what the process itself was started with (scripts/almanac.js).
 */
async function withSmallThreads(begin: () => Promise<void>): Promise<void> {
  const own = process.execArgv.findLast((word) => word.startsWith(youngObjects));
  if (own === undefined) return begin();
  setFlagsFromString(`${youngObjects}2`);
  try {
    await begin();
  } finally {
    setFlagsFromString(own); // else the code that is kept for the next start would be taken for that of another Node
  }
}

function settingsFor(
  {
    connection,
    namespace,
    workflowBundle,
    drainMs,
    version,
    traces,
    queues: wanted = queues,
  }: WorkersOptions,
  dependencies: Dependencies,
): WorkerOptions[] {
  const { configuration, endpoints } = dependencies;
  const site = configuration.site.id;
  const { callBatch, ...main } = createActivities(dependencies);
  const { installation, theme, log } = dependencies;
  const interceptorsFor = (part: "vault" | "both") => ({
    activity: [
      ...(traces === undefined ? [] : [traces.activities]),
      ...(installation === undefined ? [] : [installationGuard(installation, log, part)]),
    ],
  });
  const common = {
    connection,
    namespace,
    // Calls in flight may end by themselves; then they are canceled, and made again by the next owner.
    shutdownGraceTime: Math.max(0, drainMs - cancellingMs),
    shutdownForceTime: drainMs,
    identity: workerIdentity({
      where: `${process.pid}@${hostname()}`,
      theme: themeWord(theme),
      installation,
    }),
    sinks: traces?.sinks,
    maxHeartbeatThrottleInterval: beatEveryMs, // else a cancellation takes ten seconds to arrive
  };
  const forMain: WorkerOptions = {
    ...common,
    ...deploymentOptions(site, version),
    interceptors: interceptorsFor("both"),
    taskQueue: mainQueue(site),
    workflowBundle,
    maxCachedWorkflows: mostCachedWorkflows,
    workflowFailureErrorTypes: endsWhatCannotGoOn,
    activities: main,
    maxConcurrentActivityTaskExecutions: 200,
  };
  // No version: the owner of an endpoint makes the calls of runs of every build (readings/run-messages.ts).
  const forEndpoint = (endpoint: EndpointName): WorkerOptions => ({
    ...common,
    interceptors: interceptorsFor("vault"),
    taskQueue: callQueue(vaultOf(installation), endpoint),
    activities: { callBatch },
    tuner: tunerFor(endpoints[endpoint].permits),
    // A poll that is under way can't be recalled when another process becomes the owner: the fewer, the better.
    activityTaskPollerBehavior: { type: "simple-maximum", maximum: 2 },
  });
  const taken = new Set(wanted);
  const forEndpoints = endpointNames.filter((endpoint) => taken.has(endpoint)).map(forEndpoint);
  return taken.has("main") ? [...forEndpoints, forMain] : forEndpoints;
}

/** Takes batches from Temporal as the endpoint permits: how many requests one has is known only when it is here. */
function tunerFor(permits: Permits): WorkerTuner {
  const other = { type: "fixed-size", numSlots: 1 } as const;
  const activityTaskSlotSupplier: CustomSlotSupplier<ActivitySlotInfo> = {
    type: "custom",
    async reserveSlot(_, signal) {
      await permits.reserve(signal);
      return {};
    },
    tryReserveSlot: () => (permits.tryReserve() ? {} : null),
    markSlotUsed: () => undefined,
    releaseSlot: () => permits.release(),
  };
  return {
    activityTaskSlotSupplier,
    workflowTaskSlotSupplier: { type: "fixed-size", numSlots: 2 },
    localActivityTaskSlotSupplier: other,
    nexusTaskSlotSupplier: other,
  };
}

/**
 * Pins a run to the version that it began with; workflows/scheduled.ts opts out. All workers of a site are one deployment, by default
 * with the name that its queues begin with.
 */
export function deploymentOptions(site: string, version: Environment["version"]) {
  if (version === undefined) return {};
  const { buildId, deployment = site } = version;
  return {
    workerDeploymentOptions: {
      useWorkerVersioning: true as const,
      version: { deploymentName: deployment, buildId },
      defaultVersioningBehavior: "PINNED" as const,
    },
  };
}

/** Retry delay of a refused activity, after which another worker may take it. */
const againAfterMs = 5_000;

/** Calls are checked against the vault only, all other activities against vault and site. */
export function installationGuard(own: string, log: Log, part: "vault" | "both"): () => ActivityInterceptors {
  return () => ({
    inbound: {
      async execute(input, next) {
        const header = input.headers[installationField];
        const installation: unknown = header && defaultPayloadConverter.fromPayload(header);
        if (installation === undefined || installation === own) return next(input);
        if (part === "vault" && typeof installation === "string" && vaultOf(installation) === vaultOf(own))
          return next(input);
        const message =
          `this run is for another vault or site (${JSON.stringify(installation)}) than this worker's (${own}). ` +
          "Start a worker with the run's ALMANAC_VAULT and ALMANAC_SITE, or cancel the run. `almanac check` shows both";
        log.error({ installation, own }, message);
        throw ApplicationFailure.create({
          type: "AnotherInstallation",
          message,
          nextRetryDelay: againAfterMs,
        });
      },
    },
  });
}

const everyMs = 5_000;
const longestMs = 2_000;

/** Probes as worker/monitor/monitor.ts does, but only while the process owns an endpoint. Returns a function that ends the watch. */
export function watchTemporal(
  connection: () => NativeConnection,
  namespace: string,
  endpoints: Readonly<Record<EndpointName, Endpoint>>,
  clock: Clock = processClock,
): () => void {
  const look = async (): Promise<void> => {
    const owned = endpointNames.filter((name) => endpoints[name].state === "owner");
    if (owned.length === 0) return;
    const used = connection();
    await used.withDeadline(Date.now() + longestMs, () =>
      used.workflowService.describeNamespace({ namespace }),
    );
    for (const name of owned) endpoints[name].heardFromTemporal();
  };
  const looking = setInterval(() => void look().catch(() => undefined), realMs(clock, everyMs)); // silence is enough
  looking.unref();
  return () => clearInterval(looking);
}
