// The product's own meters, in the same registry as Temporal's metrics. Their names are in
// docs/monitoring.md; nothing here carries a request key, a text or a secret.
import type { StoreFacts } from "../store/store.ts";
import type { EndpointName, Language } from "../readings/tables.ts";
import type { MetricMeter } from "@temporalio/common";
import type { FailureType } from "../readings/answer.ts";
import type { ReadingRequest } from "../readings/request.ts";
import type { UpkeepTask } from "../vault/site-notes.ts";
import type { RunProgress } from "../readings/run-messages.ts";

/** `Cancelled`: the worker or the run was stopped while the call was in flight. */
export type CallOutcome = "Fit" | FailureType | "Cancelled";
export type StoreName = "vault" | "site";

/** A language's newest edition in figures, for alerts about a late one. */
export interface EditionFigures {
  readonly language: Language;
  readonly ageSeconds: number | undefined;
  readonly overdueSeconds: number | undefined;
  /** When the next edition is due, and this one ends. */
  readonly endsAt: Date | undefined;
  readonly missing: number;
}

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

function instrumentsOn(meter: MetricMeter) {
  const seconds = (name: string, about: string) => meter.createHistogram(name, "float", undefined, about);
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
    callSeconds: seconds(
      "almanac_call_duration_seconds",
      "Duration of a call, from the request to the complete response",
    ),
    waitSeconds: seconds(
      "almanac_rate_limiter_wait_seconds",
      "Wait of a call for the rate and concurrency limits",
    ),
    publishSeconds: seconds(
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
    breakerOpen: gauge(
      "almanac_breaker_open",
      "1 if an endpoint refuses the credentials or gives no responses",
    ),
    refused: gauge("almanac_credentials_refused", "1 if an endpoint refuses the credentials"),
    age: gauge("almanac_edition_age_seconds", "Age of a language's newest edition"),
    overdue: gauge("almanac_edition_overdue_seconds", "Delay of a language's next edition"),
    ends: gauge("almanac_edition_ends_timestamp_seconds", "End of a language's newest edition"),
    looked: gauge("almanac_status_read_timestamp_seconds", "Time of this worker's last look at the site"),
    missing: gauge("almanac_edition_missing_operations", "Operations whose newest reading is missing"),
    reserved: gauge("almanac_budget_used_calls", "Calls reserved by runs on this UTC day"),
    ceiling: gauge("almanac_budget_calls", "service.callsPerDay, if set"),
    upkeep: gauge(
      "almanac_maintenance_succeeded_timestamp_seconds",
      "Last success of gc, verify and backup; 0 if never",
    ),
    quarantine: gauge("almanac_quarantine_entries", "Responses in quarantine after a run"),
  };
}

export function createMetrics(meter: MetricMeter) {
  const on = instrumentsOn(meter);
  return {
    called({ operation }: ReadingRequest, endpoint: EndpointName, outcome: CallOutcome, elapsedMs: number) {
      on.calls.add(1, { endpoint, operation, outcome });
      on.callSeconds.record(elapsedMs / 1000, { endpoint });
    },
    waited(endpoint: EndpointName, elapsedMs: number) {
      on.waitSeconds.record(elapsedMs / 1000, { endpoint });
    },
    stored({ language, operation }: ReadingRequest, afterTries: number) {
      on.stored.add(1, { language, operation });
      on.tries.record(afterTries, {});
    },
    quarantined(language: Language, rule: string) {
      on.quarantined.add(1, { language, rule });
    },
    put(store: StoreName, sizeBytes: number) {
      on.puts.add(1, { store });
      on.putBytes.add(sizeBytes, { store });
    },
    storeFailed(store: StoreName, doing: StoreFacts["doing"]) {
      on.storeFailures.add(1, { store, doing });
    },
    published(kind: "run" | "due", elapsedMs: number) {
      on.publishSeconds.record(elapsedMs / 1000, { kind });
    },
    ranTo(state: RunProgress["state"], inQuarantine: number) {
      on.runs.add(1, { state });
      on.quarantine.set(inQuarantine, {});
    },
    owner(endpoint: EndpointName, isOwner: boolean) {
      on.owner.set(isOwner ? 1 : 0, { endpoint });
    },
    breaker(endpoint: EndpointName, open: "away" | "refused" | undefined) {
      on.breakerOpen.set(open === undefined ? 0 : 1, { endpoint });
      on.refused.set(open === "refused" ? 1 : 0, { endpoint });
    },
    edition({ language, ageSeconds, overdueSeconds, endsAt, missing: count }: EditionFigures) {
      if (endsAt !== undefined) on.ends.set(endsAt.getTime() / 1000, { language });
      if (ageSeconds !== undefined) on.age.set(ageSeconds, { language });
      if (overdueSeconds !== undefined) on.overdue.set(overdueSeconds, { language });
      on.missing.set(count, { language });
    },
    looked(at: Date) {
      on.looked.set(at.getTime() / 1000, {});
    },
    upkeep(task: UpkeepTask, succeededAt: string | undefined) {
      on.upkeep.set(succeededAt === undefined ? 0 : Date.parse(succeededAt) / 1000, { task });
    },
    budget(usedCalls: number, callsPerDay: number | undefined) {
      on.reserved.set(usedCalls, {});
      if (callsPerDay !== undefined) on.ceiling.set(callsPerDay, {});
    },
  };
}
