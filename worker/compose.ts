// The composition root: from environment and configuration to everything the activities close over.
import type { Store } from "../store/store.ts";
import type { ServiceAddress } from "../readings/service-addresses.ts";
import { type MetricMeter, noopMetricMeter } from "@temporalio/common";
import type { Dependencies } from "../activities/dependencies.ts";
import { createGate } from "../vault/credentials-gate.ts";
import { createMetrics, type StoreName } from "../activities/metrics.ts";
import { perAddress } from "../service/limits.ts";
import { createMirror } from "../service/pictures/mirror.ts";
import { fingerprintOf, workingsOf } from "../publish/press/fingerprint.ts";
import { createService, settingsFrom, type CredentialSource } from "../service/service.ts";
import { createVault } from "../vault/vault.ts";
import { publishingId } from "../workflows/names.ts";
import { countedStore } from "./monitor/counted-store.ts";
import type { Environment } from "./settings/environment.ts";
import { createPacer } from "./pacer.ts";

type ComposeInput = Pick<Dependencies, "configuration" | "site" | "log" | "alert" | "announce" | "signer"> &
  Partial<Pick<Dependencies, "wentWell" | "now">>;

export interface Parts extends ComposeInput {
  readonly addresses: Record<ServiceAddress, string | undefined>;
  readonly credentials: CredentialSource;
  readonly proxies: Environment["proxies"];
  readonly vault: Store;
  /** Where metrics are counted; without one they are not. */
  readonly meter?: MetricMeter;
  /** Whether our own sandbox answers, so that pictures may come from this machine, too. */
  readonly isSandbox?: boolean;
  /** The site's store knows no conditional writes. */
  readonly oneAtATime?: boolean;
}

export function compose(parts: Parts) {
  const { configuration, log, alert, signer, announce, oneAtATime = false } = parts;
  const { now = () => new Date(), wentWell = async () => undefined } = parts;
  const service = createService({
    ...settingsFrom(configuration),
    addresses: parts.addresses,
    credentials: parts.credentials,
    proxies: parts.proxies,
    now,
  });
  const metrics = createMetrics(parts.meter ?? noopMetricMeter);
  const watched = (name: StoreName, store: Store) => countedStore(name, store, { metrics, alert, now });
  const vault = createVault(watched("vault", parts.vault));
  const pacers = perAddress((address) => createPacer(configuration.service.ratePerSecond[address]));
  const gate = createGate(vault, now);
  const fingerprint = fingerprintOf(configuration.site);
  const site = watched("site", parts.site);
  const { mirror } = configuration.pictures;
  const loopback = parts.isSandbox ?? false;
  const pictures =
    mirror === undefined ? undefined : createMirror({ ...mirror, loopback, store: vault.store, log, now });
  const onlyPublisher = oneAtATime ? publishingId(configuration.site.id) : undefined;
  const dependencies: Dependencies = {
    configuration,
    vault,
    site,
    fingerprint,
    signer,
    pictures,
    workings: workingsOf(),
    service,
    gate,
    pacers,
    alert,
    wentWell,
    announce,
    metrics,
    unstored: new Map(),
    onlyPublisher,
    log,
    now,
  };
  return { dependencies, close: () => service.close() };
}
