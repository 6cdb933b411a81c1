// The gauges of one worker: its connections, whether it takes work, its certificate's validity, its process, and the free space of
// stores that are folders on its machine. Alert rules combine the gauges of all workers of a site.
import { X509Certificate } from "node:crypto";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { statfs } from "node:fs/promises";
import type { MetricMeter } from "@temporalio/common";
import { gaugesOn } from "../../activities/metrics.ts";
import type { TemporalCredentials } from "../temporal/renewed-connection.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { Log } from "../../vault/vault.ts";
import { type SiteLocation, machineLocation } from "../opened-site.ts";

const parts = ["temporal", "vault", "site"] as const;

export function createFleetGauges(meter: MetricMeter) {
  const gauge = gaugesOn(meter);
  const reachable = gauge("almanac_reachable", "1 if this worker reaches Temporal, the vault, the site");
  const works = gauge("almanac_worker_polling", "1 if this worker accepts work");
  const begins = gauge(
    "almanac_certificate_not_before_timestamp_seconds",
    "Start of a certificate's validity",
  );
  const ends = gauge("almanac_certificate_not_after_timestamp_seconds", "End of a certificate's validity");
  return {
    ready(readiness: Readonly<Record<"worker" | (typeof parts)[number], string>>) {
      for (const part of parts) reachable.set(readiness[part] === "away" ? 0 : 1, { part });
      works.set(readiness.worker === "works" ? 1 : 0, {});
    },
    /** The client's certificate that is in use; none if Temporal requires none. */
    certificate({ tls }: Partial<TemporalCredentials>) {
      const pair = typeof tls === "object" ? tls?.clientCertPair : undefined;
      if (pair === undefined || pair === null) return;
      const { validFromDate, validToDate } = new X509Certificate(Buffer.from(pair.crt));
      begins.set(validFromDate.getTime() / 1000, { certificate: "temporal" });
      ends.set(validToDate.getTime() / 1000, { certificate: "temporal" });
    },
  };
}

/** Sampling interval: short enough to show a stall of 100 ms, long enough to cost next to nothing. */
const resolutionMs = 20;
/** Length of the measuring window. Scrapes within one window all see the figures of the one before. */
const stretchMs = 10_000;
const quantiles = [0.5, 0.99, 1] as const;

/** Returns a function that updates the process gauges; the monitor calls it on each scrape. */
export function createProcessFigures(meter: MetricMeter, buildId: string | undefined): () => void {
  const gauge = gaugesOn(meter);
  const delay = gauge("almanac_event_loop_delay_seconds", "Delay of the event loop in the last ten seconds");
  const busy = gauge(
    "almanac_event_loop_utilization_ratio",
    "Busy share of the event loop in the last ten seconds",
  );
  const heapUsed = gauge("almanac_heap_used_bytes", "Used JavaScript heap");
  const heapLimit = gauge("almanac_heap_limit_bytes", "Limit of the JavaScript heap");
  const resident = gauge("almanac_resident_memory_bytes", "Resident memory of the process");
  gauge("almanac_build_info", "1, labeled with the version").set(1, {
    version: packageJson.version,
    build: buildId ?? "",
    node: process.version,
  });
  gauge("almanac_started_timestamp_seconds", "Start time of the process").set(
    performance.timeOrigin / 1000,
    {},
  );
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let stretch = { sinceMs: Number.NEGATIVE_INFINITY, loop: performance.eventLoopUtilization() };
  return () => {
    heapUsed.set(process.memoryUsage().heapUsed, {});
    heapLimit.set(getHeapStatistics().heap_size_limit, {});
    resident.set(process.memoryUsage.rss(), {});
    const nowMs = performance.now();
    if (nowMs - stretch.sinceMs < stretchMs) return;
    // The histogram measures a timer's whole wait, so its interval is subtracted. An empty histogram has no percentiles.
    for (const quantile of quantiles) {
      const waitedMs = delays.count === 0 ? 0 : delays.percentile(quantile * 100) / 1e6;
      delay.set(Math.max(0, waitedMs - resolutionMs) / 1000, { quantile: String(quantile) });
    }
    busy.set(performance.eventLoopUtilization(stretch.loop).utilization, {});
    delays.reset();
    stretch = { sinceMs: nowMs, loop: performance.eventLoopUtilization() };
  };
}

export function createRoomLook(
  location: Pick<SiteLocation, "vault" | "site">,
  meter: MetricMeter,
  log: Log,
): () => Promise<void> {
  const free = gaugesOn(meter)(
    "almanac_store_free_ratio",
    "Free share of the file system of a folder store, in bytes and in inodes",
  );
  const folders = (["vault", "site"] as const).flatMap((store) => {
    const folder = machineLocation(location[store])?.folder;
    return folder === undefined ? [] : [{ store, folder }];
  });
  return async () => {
    for (const { store, folder } of folders) {
      try {
        const { bavail, blocks, ffree, files } = await statfs(folder);
        if (blocks > 0) free.set(bavail / blocks, { store, of: "bytes" });
        if (files > 0) free.set(ffree / files, { store, of: "inodes" }); // some file systems count none
      } catch (error) {
        log.warn({ store }, `cannot read the free space of the ${store}: ${String(error)}`);
      }
    }
  };
}
