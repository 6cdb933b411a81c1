// Figures of the worker's own process: which version it is, since when it runs, how late its event loop is, what memory it takes.
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { MetricMeter } from "@temporalio/common";
import { gaugesOn } from "../../activities/metrics.ts";
import packageJson from "../../package.json" with { type: "json" };

/** So fine that a stall of a tenth of a second shows, so coarse that looking costs nothing. */
const resolutionMs = 20;
/** The stretch that delays are of: two who ask in turn are both told of the same one. */
const stretchMs = 10_000;
const quantiles = [0.5, 0.99, 1] as const;

/** Returns what brings the figures up to date, for whenever a monitor asks. */
export function createProcessFigures(meter: MetricMeter, buildId: string | undefined): () => void {
  const gauge = gaugesOn(meter);
  const delay = gauge(
    "almanac_event_loop_delay_seconds",
    "How late the event loop was, in the last ten seconds",
  );
  const busy = gauge("almanac_event_loop_busy_ratio", "The part of the last ten seconds in which it worked");
  const heapUsed = gauge("almanac_heap_used_bytes", "JavaScript's heap");
  const heapLimit = gauge("almanac_heap_limit_bytes", "What the heap may grow to");
  const resident = gauge("almanac_resident_memory_bytes", "The process in memory, native parts too");
  gauge("almanac_build_info", "1, with the version").set(1, {
    version: packageJson.version,
    build: buildId ?? "",
    node: process.version,
  });
  gauge("almanac_started_timestamp_seconds", "When the process began").set(performance.timeOrigin / 1000, {});
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let stretch = { sinceMs: Number.NEGATIVE_INFINITY, loop: performance.eventLoopUtilization() };
  return () => {
    heapUsed.set(process.memoryUsage().heapUsed, {});
    heapLimit.set(getHeapStatistics().heap_size_limit, {});
    resident.set(process.memoryUsage.rss(), {});
    const nowMs = performance.now();
    if (nowMs - stretch.sinceMs < stretchMs) return;
    // What it measures is a timer's whole wait; of an empty stretch it knows nothing.
    for (const quantile of quantiles) {
      const waitedMs = delays.count === 0 ? 0 : delays.percentile(quantile * 100) / 1e6;
      delay.set(Math.max(0, waitedMs - resolutionMs) / 1000, { quantile: String(quantile) });
    }
    busy.set(performance.eventLoopUtilization(stretch.loop).utilization, {});
    delays.reset();
    stretch = { sinceMs: nowMs, loop: performance.eventLoopUtilization() };
  };
}
