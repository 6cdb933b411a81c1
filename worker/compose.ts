// Composition root: builds the activities' dependencies from the environment and the configuration.
import type { Store } from "../store/store.ts";
import { type MetricMeter, noopMetricMeter } from "@temporalio/common";
import type { Dependencies } from "../activities/dependencies.ts";
import { createMetrics, type StoreName } from "../activities/metrics.ts";
import { MergedCalls } from "../service/merged-calls.ts";
import { createMirror } from "../service/pictures/mirror.ts";
import { fingerprintOf, workingsOf } from "../publish/render/fingerprint.ts";
import { listedPictureHosts } from "../readings/picture-hosts.ts";
import { createService, settingsFrom } from "../service/service.ts";
import { siteSettingsOf } from "../site/edition.ts";
import { endpointNames } from "../readings/endpoint-names.ts";
import { Leases } from "../store/lease.ts";
import { createVault, type Vault } from "../vault/vault.ts";
import { countedStore } from "./monitor/counted-store.ts";
import type { Notifying } from "./notifiers/notifying.ts";
import type { Environment } from "./settings/environment.ts";
import type { RealService } from "./settings/location.ts";
import { createTimeRequest } from "./time-request.ts";
import { createEndpoints } from "./owned-endpoints.ts";

type ComposeInput = Pick<
  Dependencies,
  | "configuration"
  | "theme"
  | "site"
  | "leases"
  | "log"
  | "alert"
  | "signer"
  | "publicKeys"
  | "timeSource"
  | "now"
> &
  Partial<Pick<Dependencies, "wentWell" | "temporalUrl" | "traceCall">>;

export interface Parts extends ComposeInput, RealService {
  readonly proxies: Environment["proxies"];
  readonly vault: Store;
  /** Notifiers for the changes of a publish, if any are configured. */
  readonly notifying?: Notifying;
  /** Meter for the metrics; without it, nothing is counted. */
  readonly meter?: MetricMeter;
  /** Whether the sandbox answers. Pictures may then come from this machine too. */
  readonly isSandbox?: boolean;
}

export function compose(parts: Parts) {
  const { configuration, theme, log, alert, signer, publicKeys, timeSource } = parts;
  const { now, wentWell = async () => undefined } = parts;
  const service = createService({
    ...settingsFrom(configuration),
    endpoints: parts.endpoints,
    credentials: parts.credentials,
    proxies: parts.proxies,
    now,
    onTime: timeSource?.record,
  });
  const metrics = createMetrics(parts.meter ?? noopMetricMeter);
  const watched = (name: StoreName, store: Store) => countedStore(name, store, { metrics, alert, now });
  const vault = createVault(watched("vault", parts.vault), configuration.site.id);
  const leases = parts.leases ?? new Leases({ store: vault.store, where: "this process", log });
  const purpose = "almanac worker";
  const endpoints = createEndpoints({ configuration, vault, alert, log, metrics, leases, purpose });
  const dependencies: Dependencies = {
    configuration,
    theme,
    vault,
    site: watched("site", parts.site),
    leases: parts.leases,
    fingerprint: fingerprintOf(siteSettingsOf(configuration, theme)),
    signer,
    publicKeys,
    pictures: mirrorFor(parts, vault, now),
    workings: workingsOf(),
    service,
    endpoints,
    merged: new MergedCalls(),
    wentWell,
    ...publishingHooks(parts),
    metrics,
    unstored: new Map(),
    takenOn: new Map(),
    timeSource,
    requestTime: timeSource && createTimeRequest(parts, timeSource),
    temporalUrl: parts.temporalUrl,
    log,
    now,
  };
  const close = async (): Promise<void> => {
    await Promise.all(endpointNames.map((endpoint) => endpoints[endpoint].close()));
    await service.close();
  };
  return { dependencies, close };
}

/** Outgoing messages: alerts, notifiers of a publish with the site's id, and the tracing of calls. */
function publishingHooks({ alert, notifying, traceCall, configuration }: Parts) {
  return { alert, ...notifying, traceCall, siteId: configuration.site.id };
}

function mirrorFor(
  { configuration: { pictures }, log, isSandbox = false }: Parts,
  vault: Vault,
  now: () => Date,
) {
  if (!pictures.mirror) return undefined;
  const hosts = listedPictureHosts(pictures);
  return createMirror({ ...pictures.mirror, hosts, loopback: isSandbox, store: vault.store, log, now });
}
