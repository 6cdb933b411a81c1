// BullMQ on a real Redis, set up as its documentation advises for production: no end to a worker's retries of a command,
// jobs that try again with growing pauses, and finished ones removed beyond a number
// (https://docs.bullmq.io/guide/going-to-production). The rate is its worker's limiter
// (https://docs.bullmq.io/guide/rate-limiting).
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { beAPeer } from "./peer.js";
import { createWork } from "./work.js";

await beAPeer(async (settings) => {
  const { calls, concurrency, ratePerSecond, redisPort } = settings;
  const work = createWork(settings);
  const name = `night-${process.pid}`;
  const connection = (options) => new Redis({ host: "127.0.0.1", port: redisPort, ...options });
  const queue = new Queue(name, {
    connection: connection({ enableOfflineQueue: false, lazyConnect: false }),
    defaultJobOptions: {
      attempts: 5,
      backoff: { type: "exponential", delay: 1000 },
      removeOnComplete: { count: 1000 },
      removeOnFail: { count: 5000 },
    },
  });
  await queue.waitUntilReady();
  const worker = new Worker(name, async ({ data }) => work(data), {
    connection: connection({ maxRetriesPerRequest: null }),
    concurrency,
    autorun: false,
    ...(ratePerSecond === undefined ? {} : { limiter: { max: ratePerSecond, duration: 1000 } }),
  });
  await worker.waitUntilReady();
  return () =>
    new Promise((resolve, reject) => {
      let done = 0;
      worker.on("completed", () => {
        done += 1;
        if (done === calls.length) resolve();
      });
      worker.on("failed", (_job, error) => reject(error));
      worker.on("error", reject);
      worker.run().catch(reject);
      queue.addBulk(calls.map((call) => ({ name: "call", data: call }))).catch(reject);
    });
});
