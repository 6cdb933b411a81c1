// The composition root: from environment and configuration to everything the activities close over.
import type { Store } from "../store/store.ts";
import { type MetricMeter, noopMetricMeter } from "@temporalio/common";
import type { Dependencies } from "../activities/dependencies.ts";
import { AddressGate } from "../vault/address-gate.ts";
import { createMetrics, type StoreName } from "../activities/metrics.ts";
import { addressFiguresOf, perAddress, slotsFor } from "../service/limits.ts";
import { createMirror } from "../service/pictures/mirror.ts";
import { fingerprintOf, workingsOf } from "../publish/press/fingerprint.ts";
import { listedPictureHosts } from "../readings/picture-hosts.ts";
import { createService, settingsFrom } from "../service/service.ts";
import { siteSettingsOf } from "../site/site-settings.ts";
import { createVault, type Vault } from "../vault/vault.ts";
import { publishingId } from "../workflows/names.ts";
import { countedStore } from "./monitor/counted-store.ts";
import type { Telling } from "./listeners/telling.ts";
import type { Environment } from "./settings/environment.ts";
import type { RealService } from "./settings/location.ts";
import { createSlots } from "./slots.ts";
import { SeenHolds } from "../vault/seen-holds.ts";
import { createTimeAsker } from "./time-asker.ts";
import { createSharedPacers } from "./shared-pacers.ts";

type ComposeInput = Pick<
  Dependencies,
  "configuration" | "theme" | "site" | "log" | "alert" | "signer" | "publicKeys" | "witness" | "now"
> &
  Partial<Pick<Dependencies, "wentWell" | "temporalUrl" | "traceCall">>;

export interface Parts extends ComposeInput, RealService {
  readonly proxies: Environment["proxies"];
  readonly vault: Store;
  /** Whom a publish tells what changed, where anybody listens. */
  readonly telling?: Telling;
  /** Where metrics are counted; without one they are not. */
  readonly meter?: MetricMeter;
  /** Whether our own sandbox answers, so that pictures may come from this machine, too. */
  readonly isSandbox?: boolean;
  /** The site's store knows no conditional writes. */
  readonly oneAtATime?: boolean;
  /** Nor does the vault's. */
  readonly isVaultHeedless?: boolean;
}

export function compose(parts: Parts) {
  const { configuration, theme, log, alert, signer, publicKeys, witness } = parts;
  const { oneAtATime = false } = parts;
  const { now, wentWell = async () => undefined } = parts;
  const service = createService({
    ...settingsFrom(configuration),
    addresses: parts.addresses,
    credentials: parts.credentials,
    proxies: parts.proxies,
    now,
    onTime: witness?.saw,
  });
  const metrics = createMetrics(parts.meter ?? noopMetricMeter);
  const watched = (name: StoreName, store: Store) => countedStore(name, store, { metrics, alert, now });
  const vault = createVault(watched("vault", parts.vault));
  const slots = perAddress((address) => createSlots(slotsFor(addressFiguresOf(configuration, address)), 0));
  const sharing = createSharedPacers({
    store: vault.store,
    configuration,
    isHeedless: parts.isVaultHeedless,
    log,
    onShare(address, share) {
      metrics.share(address, share);
      slots[address].keepTo(share);
    },
  });
  const dependencies: Dependencies = {
    configuration,
    theme,
    vault,
    site: watched("site", parts.site),
    fingerprint: fingerprintOf(siteSettingsOf(configuration, theme)),
    signer,
    publicKeys,
    pictures: mirrorFor(parts, vault, now),
    workings: workingsOf(),
    service,
    gate: new AddressGate(vault, now, JSON.stringify(configuration.quality.rules)),
    slots,
    leaving: new AbortController(),
    pacers: sharing.pacers,
    wentWell,
    ...toldOf(parts),
    metrics,
    unstored: new Map(),
    takenOn: new Map(),
    holds: new SeenHolds(),
    onlyPublisher: oneAtATime ? publishingId(configuration.site.id) : undefined,
    witness,
    askTime: witness && createTimeAsker(parts, witness),
    temporalUrl: parts.temporalUrl,
    log,
    now,
  };
  const close = async (): Promise<void> => {
    await sharing.close();
    await service.close();
  };
  return { dependencies, close };
}

/** What a publish tells, to whom, and under which name; and who is told of calls. */
function toldOf({ alert, telling, traceCall, configuration }: Parts) {
  return { alert, ...telling, traceCall, siteId: configuration.site.id };
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
