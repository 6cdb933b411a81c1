// The product's own meters, in the same registry as Temporal's metrics. Their names are in
// docs/monitoring.md; nothing here carries a request key, a text or a secret.
import type { MetricMeter } from "@temporalio/common";
import type { FailureType } from "../readings/answer.ts";

/** `Cancelled`: the worker or the run was stopped while the call was in flight. */
export type CallOutcome = "Fit" | FailureType | "Cancelled";
export type StoreName = "vault" | "site";

export type Metrics = ReturnType<typeof createMetrics>;

/** Upper bounds of the histograms' buckets: answers take from a moment to a minute and a half. */
export const buckets: Record<string, number[]> = {
  almanac_call_duration_seconds: [0.05, 0.25, 1, 2.5, 5, 10, 20, 30, 45, 60, 90],
  almanac_rate_limiter_wait_seconds: [0.01, 0.1, 0.5, 1, 5, 15, 60, 300],
  almanac_reading_attempts: [1, 2, 3, 5, 10, 20],
  almanac_publish_duration_seconds: [0.1, 0.5, 1, 5, 15, 60, 300, 900],
};

/** These labels stand at zero from the start: Prometheus sees no increase from nothing to one. */
const endings = ["done", "cancelled", "failed"].map((state) => ({ state }));
const storeDoings = ["vault", "site"].flatMap((store) =>
  ["read", "write", "list", "remove"].map((doing) => ({ store, doing })),
);

export function gaugesOn(meter: MetricMeter) {
  return (name: string, about: string) => meter.createGauge(name, "float", undefined, about);
}

/** The instruments of a worker's activities; worker/monitor/ has the gauges that are computed when a monitor reads them. */
export function createMetrics(meter: MetricMeter) {
  const histogram = (name: string, about: string) => meter.createHistogram(name, "float", undefined, about);
  // The exporter adds `_total` to the name.
  const counter = (name: string, about: string, fromZero: readonly Record<string, string>[] = []) => {
    const created = meter.createCounter(name, undefined, about);
    for (const tags of fromZero) created.add(0, tags);
    return created;
  };
  const gauge = gaugesOn(meter);
  return {
    calls: counter("almanac_calls", "Calls to the reading service, by outcome"),
    stored: counter("almanac_readings_stored", "Responses accepted and stored"),
    quarantined: counter("almanac_responses_quarantined", "Responses quarantined, by rule"),
    puts: counter("almanac_store_puts", "Completed writes of a store"),
    putBytes: counter("almanac_store_put_bytes", "Bytes of completed writes of a store"),
    storeFailures: counter("almanac_store_failures", "Failed operations of a store", storeDoings),
    runs: counter("almanac_runs", "Reported runs, by outcome", endings),
    callSeconds: histogram(
      "almanac_call_duration_seconds",
      "Duration of a call, from the request to the complete response",
    ),
    waitSeconds: histogram(
      "almanac_rate_limiter_wait_seconds",
      "Wait of a call for the rate and concurrency limits",
    ),
    publishSeconds: histogram(
      "almanac_publish_duration_seconds",
      "Duration of rendering and publishing a group of languages",
    ),
    tries: meter.createHistogram(
      "almanac_reading_attempts",
      "int",
      undefined,
      "Attempts of a stored reading",
    ),
    owner: gauge("almanac_endpoint_owner", "1 if this process makes the calls of an endpoint"),
    quarantine: gauge("almanac_quarantine_entries", "Responses in quarantine after a run"),
  };
}
