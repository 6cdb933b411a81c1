// A plain script: undici and p-limit and, if there is a rate, calls at even intervals from the first.
import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import { beAPeer } from "./peer.js";
import { createWork } from "./work.js";

await beAPeer(async (settings) => {
  const { calls, concurrency, ratePerSecond } = settings;
  const work = createWork(settings);
  const limit = pLimit(concurrency);
  return async () => {
    const startedMs = performance.now();
    await limit.map(calls, async (call, index) => {
      if (ratePerSecond !== undefined) {
        const waitMs = startedMs + (index * 1000) / ratePerSecond - performance.now();
        if (waitMs > 0) await delay(waitMs);
      }
      await work(call);
    });
  };
});
