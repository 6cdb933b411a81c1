// HTTP server of a worker for metrics, liveness and readiness. Temporal's exporter, which also exports our metrics, listens on a
// local port and is proxied here, so that only one port with one set of limits is open.
import { setTimeout as delay } from "node:timers/promises";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { MetricMeter } from "@temporalio/common";
import type { NativeConnection } from "@temporalio/worker";
import type { Dependencies } from "../../activities/dependencies.ts";
import type { SiteLocation } from "../opened-site.ts";
import type { Environment } from "../settings/environment.ts";
import type { WorkerConnection } from "../temporal/temporal-client.ts";
import { cachedFor, createLooking, createNextEditionLook } from "./edition-gauges.ts";
import { createFleetGauges, createProcessFigures, createRoomLook } from "./worker-gauges.ts";
import { codeOf } from "../../store/folder-faults.ts";
import type { Store } from "../../store/store.ts";
import type { Log } from "../../vault/vault.ts";
import { layout } from "../../vault/files.ts";
import { pointerPath } from "../../publish/state/state.ts";

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
    createLooking(dependencies, meter, environment.backup !== undefined),
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

export interface MonitorSettings {
  readonly at: { readonly host: string; readonly port: number };
  /** Local port of Temporal's Prometheus exporter. */
  readonly metricsPort: number;
  /** Updates the gauges that are computed only on request. */
  readonly refresh: () => Promise<void>;
  readonly readiness: () => Promise<Readiness>;
}

/** Thrown if the listen address is taken or does not belong to this machine. */
export class MonitorUnavailable extends Error {
  override readonly name = "MonitorUnavailable";
}

const exporterMs = 5_000;
/** A client that takes longer to send its request is no monitor. */
const requestMs = 5_000;
const mostConnections = 64;
const mostHeaderBytes = 8_192;

export async function startMonitor(settings: MonitorSettings) {
  const limits = {
    maxHeaderSize: mostHeaderBytes,
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    keepAliveTimeout: requestMs,
    connectionsCheckingInterval: 1_000,
  };
  const server = createServer(limits, (request, response) => void answer(settings, request, response));
  server.maxConnections = mostConnections;
  const { host, port } = settings.at;
  await once(server.listen(port, host), "listening").catch((error: unknown) => {
    const seen = `cannot listen on ${host}:${port} (${codeOf(error) ?? String(error)})`;
    throw new MonitorUnavailable(`ALMANAC_MONITOR_ADDRESS: ${seen}. Set another port, or unset it`);
  });
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(settings: MonitorSettings, request: IncomingMessage, response: ServerResponse) {
  request.resume(); // a body is not wanted, and not kept
  const [status, type, body] = await answerTo(settings, request).catch(() => unreadable);
  response.writeHead(status, {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(request.method === "HEAD" ? "" : body);
}

type MonitorReply = readonly [status: number, type: string, body: string];

const unreadable: MonitorReply = [503, "text/plain", "cannot read the metrics; see the worker's log\n"];

async function answerTo(settings: MonitorSettings, { method, url }: IncomingMessage): Promise<MonitorReply> {
  if (method !== "GET" && method !== "HEAD") return [405, "text/plain", "GET or HEAD only\n"];
  // Compared as it came: nothing is decoded, so nothing can be disguised.
  switch (url) {
    case "/livez":
      return [200, "text/plain", "alive\n"];
    case "/readyz": {
      const readiness = await settings.readiness();
      return [readiness.ready ? 200 : 503, "application/json", `${JSON.stringify(readiness)}\n`];
    }
    case "/metrics":
      return metricsOf(settings);
    default:
      return [404, "text/plain", "not found; use /metrics, /livez or /readyz\n"];
  }
}

async function metricsOf({ metricsPort, refresh }: MonitorSettings): Promise<MonitorReply> {
  await refresh();
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, {
    signal: AbortSignal.timeout(exporterMs),
  });
  return [response.status, response.headers.get("content-type") ?? "text/plain", await response.text()];
}

/** Public response: contains no URLs and no third-party messages. */
export type Readiness = Awaited<ReturnType<ReturnType<typeof createReadiness>>>;

export interface ReadinessSettings {
  /** Current connection of the workers. */
  readonly connection: () => Pick<NativeConnection, "workflowService" | "withDeadline">;
  readonly namespace: string;
  readonly vault: Store;
  readonly site: Store;
  readonly workerState: () => "starts" | "works" | "stops";
  readonly log: Log;
}

/** Timeout of a probe, shorter than the usual timeout of a monitor. */
const lookMs = 2_000;
const goodForMs = 3_000;

export function createReadiness(settings: ReadinessSettings) {
  const { connection, namespace, vault, site, workerState, log } = settings;
  const temporal = watchedPart("temporal", log, () => {
    const used = connection();
    // A call that needs the database: Temporal's frontend answers others even if its database is down and no work continues.
    const ask = () => used.workflowService.describeNamespace({ namespace });
    return used.withDeadline(Date.now() + lookMs, ask);
  });
  const vaultPart = watchedPart("vault", log, () => vault.read(layout.lease("english")));
  const sitePart = watchedPart("site", log, () => site.read(pointerPath));
  const look = cachedFor(goodForMs, () => Promise.all([temporal(), vaultPart(), sitePart()]));
  return async () => {
    const answers = await look();
    const [temporalIs, vaultIs, siteIs] = answers;
    const worker = workerState();
    const ready = worker === "works" && !answers.includes("away");
    return { ready, worker, temporal: temporalIs, vault: vaultIs, site: siteIs };
  };
}

/** Probes a part, and logs each change. */
function watchedPart(part: string, log: Log, ask: () => Promise<unknown>) {
  let before = "answers";
  return async () => {
    const seen = await within(lookMs, ask());
    const state = seen === undefined ? "answers" : "away";
    if (state !== before) {
      if (seen === undefined) log.info({ part }, `${part} answers again`);
      else log.error({ part }, `${part} is unreachable, so this worker is not ready: ${seen}`);
    }
    before = state;
    return state;
  };
}

/** A sentence about what was wrong; undefined when the answer came in time. */
async function within(mostMs: number, asked: Promise<unknown>) {
  const answered = asked.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return Promise.race([answered, delay(mostMs, `no answer within ${mostMs / 1000} s`, { ref: false })]);
}
