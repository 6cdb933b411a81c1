// Temporal as in a first sample: one workflow with Promise.all over its activities, and one worker. Configured as its
// documentation recommends for production: the workflow bundle built in advance
// (https://docs.temporal.io/develop/typescript/core-application), as many activity slots as calls in flight
// (https://docs.temporal.io/develop/worker-performance), and the queue's own rate limit, if there is a rate.
import { fileURLToPath } from "node:url";
import { Client, Connection } from "@temporalio/client";
import { bundleWorkflowCode, NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { beAPeer } from "./peer.js";
import { createWork } from "./work.js";

await beAPeer(async (settings) => {
  const { calls, concurrency, ratePerSecond, temporalAddress, empty } = settings;
  const taskQueue = `night-${process.pid}`;
  const quiet = () => undefined;
  const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet };
  Runtime.install({ logger, telemetryOptions: { logging: { forward: {}, filter: "ERROR" } } });
  const workflowsPath = fileURLToPath(new URL("workflows.js", import.meta.url));
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger });
  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address: temporalAddress }),
    taskQueue,
    workflowBundle,
    activities: { ask: empty ? async () => undefined : createWork(settings) },
    maxConcurrentActivityTaskExecutions: concurrency,
    ...(ratePerSecond === undefined ? {} : { maxTaskQueueActivitiesPerSecond: ratePerSecond }),
  });
  worker.run().catch((error) => {
    console.error(error);
    process.exit(1);
  });
  const client = new Client({ connection: await Connection.connect({ address: temporalAddress }) });
  return () => client.workflow.execute("night", { taskQueue, workflowId: taskQueue, args: [calls] });
});
