// Puts a worker's monitor together: what is looked at whenever somebody asks for its figures.
import { setTimeout as delay } from "node:timers/promises";
import type { MetricMeter } from "@temporalio/common";
import type { Dependencies } from "../../activities/dependencies.ts";
import type { SiteLocation } from "../settings/location.ts";
import type { Environment } from "../settings/environment.ts";
import type { WorkerConnection } from "../temporal/temporal-client.ts";
import { createFleetGauges } from "./fleet-gauges.ts";
import { createLooking } from "./gauges.ts";
import { type MonitorSettings, startMonitor } from "./monitor.ts";
import { createNextEditionLook } from "./next-editions.ts";
import { createProcessFigures } from "./process-figures.ts";
import { createRoomLook } from "./store-room.ts";
import { createReadiness, type ReadinessSettings } from "./readiness.ts";

interface Watched
  extends Pick<MonitorSettings, "at" | "metricsPort">, Pick<ReadinessSettings, "workerState" | "namespace"> {
  readonly meter: MetricMeter;
  readonly connection: WorkerConnection;
  readonly dependencies: Dependencies;
  readonly environment: Pick<Environment, "version" | "backup">;
  readonly location: SiteLocation;
}

/** A store that hangs must not keep a monitor from all other figures. */
const looksMs = 3_000;

export async function openMonitor({
  meter,
  connection,
  dependencies,
  environment,
  location,
  ...watched
}: Watched) {
  const { vault, site, log } = dependencies;
  const { current } = connection;
  const readiness = createReadiness({ ...watched, connection: current, vault: vault.store, site, log });
  const gauges = createFleetGauges(meter);
  const lookAtProcess = createProcessFigures(meter, environment.version?.buildId);
  const looks = [
    createLooking(dependencies, environment.backup !== undefined),
    createNextEditionLook(dependencies, meter),
    createRoomLook(location, meter, log),
  ];
  const refresh = async () => {
    lookAtProcess();
    gauges.certificate(connection.credentials());
    gauges.ready(await readiness());
    await Promise.race([Promise.all(looks.map((look) => look())), delay(looksMs, undefined, { ref: false })]);
  };
  return startMonitor({ ...watched, refresh, readiness });
}
