// What a worker says so that alerts can be raised over the fleet, and not by the view of one host: what it reaches, whether it takes
// work, when it last saw how the site stands, and how long its certificate for Temporal holds.
import { X509Certificate } from "node:crypto";
import type { MetricMeter } from "@temporalio/common";
import { gaugesOn } from "../../activities/metrics.ts";
import type { TemporalCredentials } from "../temporal/temporal-settings.ts";
import type { Readiness } from "./readiness.ts";

const parts = ["temporal", "vault", "site"] as const;

export function createFleetGauges(meter: MetricMeter) {
  const gauge = gaugesOn(meter);
  const reachable = gauge("almanac_reachable", "1 while this worker reaches Temporal, the vault, the site");
  const works = gauge("almanac_worker_takes_work", "1 while this worker takes work");
  const begins = gauge("almanac_certificate_begins_timestamp_seconds", "From when a certificate holds");
  const ends = gauge("almanac_certificate_ends_timestamp_seconds", "Until when it holds");
  return {
    ready(readiness: Readiness) {
      for (const part of parts) reachable.set(readiness[part] === "away" ? 0 : 1, { part });
      works.set(readiness.worker === "works" ? 1 : 0, {});
    },
    /** The client's certificate that is in use; of a Temporal that asks for none there is nothing to say. */
    certificate({ tls }: Partial<TemporalCredentials>) {
      const pair = typeof tls === "object" ? tls?.clientCertPair : undefined;
      if (pair === undefined || pair === null) return;
      const { validFromDate, validToDate } = new X509Certificate(Buffer.from(pair.crt));
      begins.set(validFromDate.getTime() / 1000, { certificate: "temporal" });
      ends.set(validToDate.getTime() / 1000, { certificate: "temporal" });
    },
  };
}
