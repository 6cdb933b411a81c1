// Loaded into each worker of the soak before anything else: tells its memory when it is asked, after a collection.
import { setTimeout as delay } from "node:timers/promises";
import { memoryQuestion, type MemoryAnswer } from "./memory.ts";

/** Pause between collections, so that objects released by the first are collected by the next. */
const calmMs = 200;

process.on("message", (message) => {
  if (memoryQuestion.safeParse(message).success) void tell();
});
process.channel?.unref();

async function tell(): Promise<void> {
  for (let time = 0; time < 3; time += 1) {
    await globalThis.gc?.({ type: "major", execution: "async" });
    await delay(calmMs);
  }
  const { rss, heapUsed } = process.memoryUsage();
  const answer: MemoryAnswer = { kind: "memory", rss, heapUsed };
  process.send?.(answer);
}
