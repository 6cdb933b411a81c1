// Watches the site's schedules on Temporal: creates missing ones, for example after Temporal lost its database, and records the
// start of the next night.
import { Client } from "@temporalio/client";
import type { MetricMeter } from "@temporalio/common";
import type { Dependencies } from "../activities/dependencies.ts";
import { gaugesOn } from "../activities/metrics.ts";
import { areSchedulesRemoved } from "../vault/site-notes.ts";
import { scheduleIds } from "../workflows/names.ts";
import { createMissingSchedules, describeSchedules, scheduleNames } from "./temporal/schedules.ts";
import type { WorkerConnection } from "./temporal/temporal-client.ts";

const everyMs = 15_000;
const answerMs = 10_000;

interface ScheduleWatch {
  readonly connection: Pick<WorkerConnection, "current">;
  readonly namespace: string;
  readonly dependencies: Pick<Dependencies, "configuration" | "installation" | "vault" | "log">;
  readonly meter: MetricMeter | undefined;
}

/** Returns a function that ends the watch. */
export function watchSchedules({ connection, namespace, dependencies, meter }: ScheduleWatch): () => void {
  const { configuration, installation, vault, log } = dependencies;
  const { id: site } = configuration.site;
  const nextNight = meter && nextNightGauge(meter);

  async function look() {
    const client = new Client({ connection: connection.current(), namespace });
    await client.withDeadline(Date.now() + answerMs, async () => {
      let schedules = await describeSchedules(client, site);
      if (schedules.length < scheduleNames.length && !(await areSchedulesRemoved(vault.own))) {
        const created = await createMissingSchedules(client, configuration, installation);
        if (created.length > 0) log.warn({ created }, "missing schedules created");
        schedules = await describeSchedules(client, site);
      }
      const nightly = schedules.find(({ scheduleId }) => scheduleId === scheduleIds.nightly(site));
      const [next] = nightly === undefined || nightly.state.paused ? [] : nightly.info.nextActionTimes;
      nextNight?.set((next?.getTime() ?? 0) / 1000, {});
    });
  }

  const lookOrLog = () =>
    look().catch((error: unknown) => log.warn({}, `cannot read the schedules: ${String(error)}`));
  const timer = setInterval(() => void lookOrLog(), everyMs);
  void lookOrLog();
  return () => clearInterval(timer);
}

function nextNightGauge(meter: MetricMeter) {
  return gaugesOn(meter)(
    "almanac_next_night_start_timestamp_seconds",
    "Scheduled start of the next nightly run; 0 if there is none",
  );
}
