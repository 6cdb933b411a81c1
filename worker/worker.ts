// The workers of one process: one for workflows and everything that makes no call, one for each address, which carries
// that address's rate and slots.
import { type NativeConnection, Worker, type WorkerOptions } from "@temporalio/worker";
import type { Dependencies } from "../activities/dependencies.ts";
import { beatEveryMs } from "../activities/heartbeat.ts";
import { createActivities } from "../activities/index.ts";
import { figuresOf, slotsFor } from "../activities/limits.ts";
import { addresses, taskQueue } from "../workflows/names.ts";

/** Time for calls in flight to end by themselves when the worker is told to stop. */
const shutdownGraceTime = "10s";

export interface Workers {
  /** Settles when all have stopped; rejects when one failed. */
  readonly done: Promise<void>;
  /** Begins a graceful stop: no new work, calls in flight may end, then they are cancelled. */
  stop(): void;
}

export async function startWorkers(
  connection: NativeConnection,
  namespace: string,
  workflowBundle: NonNullable<WorkerOptions["workflowBundle"]>,
  dependencies: Dependencies,
): Promise<Workers> {
  const { configuration } = dependencies;
  const site = configuration.site.id;
  const activities = createActivities(dependencies);
  const { capture, ...main } = activities;
  const common: Pick<
    WorkerOptions,
    "connection" | "namespace" | "shutdownGraceTime" | "maxHeartbeatThrottleInterval"
  > = {
    connection,
    namespace,
    shutdownGraceTime,
    maxHeartbeatThrottleInterval: beatEveryMs, // else a cancellation takes ten seconds to arrive
  };
  const workers = await Promise.all([
    Worker.create({
      ...common,
      taskQueue: taskQueue(site, "main"),
      workflowBundle,
      activities: main,
      maxConcurrentActivityTaskExecutions: 200, // watchers of the gate wait here, one an edition
    }),
    ...addresses.map((address) => {
      const figures = figuresOf(configuration, address);
      return Worker.create({
        ...common,
        taskQueue: taskQueue(site, address),
        activities: { capture },
        maxConcurrentActivityTaskExecutions: slotsFor(figures),
        maxTaskQueueActivitiesPerSecond: figures.ratePerSecond,
      });
    }),
  ]);
  const stop = (): void => {
    for (const worker of workers) if (worker.getState() === "RUNNING") worker.shutdown();
  };
  const done = Promise.all(workers.map((worker) => worker.run())).then(
    () => undefined,
    (error: unknown) => {
      stop();
      throw error;
    },
  );
  return { done, stop };
}
