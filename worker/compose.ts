// Composition root: builds the activities' dependencies from the environment and the configuration.
import { type MetricMeter, noopMetricMeter } from "@temporalio/common";
import { type Store, StoreFailure } from "../store/store.ts";
import type { Dependencies } from "../activities/dependencies.ts";
import { createMetrics, type StoreName } from "../activities/metrics.ts";
import { MergedCalls } from "../service/merged-calls.ts";
import { createMirror } from "../service/pictures/mirror.ts";
import { fingerprintOf, workingsOf } from "../publish/render/fingerprint.ts";
import { listedPictureHosts } from "../readings/picture-hosts.ts";
import { createService, settingsFrom } from "../service/service.ts";
import { siteSettingsOf } from "../site/edition.ts";
import { endpointNames } from "../readings/tables.ts";
import { Leases } from "../store/lease.ts";
import { createVault } from "../vault/vault.ts";
import { notifyingFor } from "./notifiers/notifying.ts";
import { type Environment, now as clock, type SecretFrom } from "./settings/environment.ts";
import { type RealService, requireConditions, openLeases, type Opening } from "./opened-site.ts";
import { createEndpoints } from "./owned-endpoints.ts";
import { fetchServerTime } from "../service/connection.ts";
import type { TimeSource } from "../vault/time-source.ts";
import { identify, installationId } from "../vault/installation.ts";
import { createAlerts } from "./alerts.ts";
import { webhookFrom } from "./webhook.ts";
import type { Closing } from "./shutdown.ts";
import type { createLog } from "./monitor/logs.ts";
import { publicKeysOf, signerFor } from "./settings/credentials.ts";
import type { Traces } from "./traces/telemetry.ts";

/** An opening with a service to call: the real one, or the sandbox in its place. */
export type Answered = Opening & { readonly service: RealService };

export interface ComposingOptions {
  readonly log: ReturnType<typeof createLog>;
  /** Temporal namespace. */
  readonly namespace: string;
  /** Prints alerts at the terminal if the log goes to a file. */
  readonly say?: (line: string) => void;
  /** Meter for the metrics; without it, nothing is counted. */
  readonly meter?: MetricMeter;
  /** Default: the environment's clock. */
  readonly now?: () => Date;
  /** Temporal's URL if it is reached over TLS. */
  readonly temporalUrl?: string;
  readonly traces?: Traces;
}

/** Composes the activities' dependencies from the site's own stores, signer and alerts. */
export async function composeFor(
  { environment, configuration, theme, location, service, vault, site, timeSource }: Answered,
  { log, namespace, say, meter, now = () => clock(environment), temporalUrl, traces }: ComposingOptions,
  closing: Closing,
) {
  await requireConditions({ environment, location, vault, site });
  const { alertUrl, alertForm: form, pingUrl, proxies } = environment;
  const isSandbox = location.kind === "sandbox";
  /** Undefined without a URL: nothing is sent then, or about a site of the sandbox. */
  const webhookOf = (name: string, from: SecretFrom | undefined) =>
    isSandbox ? undefined : webhookFrom(name, from, { proxies, log });
  const webhook = webhookOf("ALMANAC_ALERT_URL", alertUrl);
  const toAlerts = { site: configuration.site, vault: vault.own, webhook, form, log, say, now };
  const { settled, alert } = createAlerts(toAlerts);
  const ping = webhookOf("ALMANAC_PING_URL", pingUrl);
  const composition = compose({
    configuration,
    theme,
    ...service,
    proxies,
    vault: vault.store,
    site,
    leases: openLeases({ environment, location }, log),
    isSandbox,
    log,
    signer: signerFor(environment, configuration),
    publicKeys: publicKeysOf(configuration.publishing.publicKeys),
    meter,
    traceCall: traces?.traceCall,
    now,
    timeSource,
    temporalUrl,
    alert,
    wentWell: async (run) => {
      if (await ping?.send()) log.info({ run }, "dead-man's switch pinged");
    },
    ...notifyingFor({ environment, configuration, location, site, log, now }, vault.own, alert),
  });
  closing.add("the notifiers", settled);
  closing.add("the leases of endpoints, and the service's connections", () => composition.close());
  const identity = await identify({ vault, site }, { configuration, namespace });
  return { ...composition.dependencies, installation: installationId(identity) };
}

/** Dependencies that are handed on as they are. */
type Given = Pick<
  Dependencies,
  | "configuration"
  | "theme"
  | "leases"
  | "log"
  | "alert"
  | "signer"
  | "publicKeys"
  | "timeSource"
  | "now"
  | "traceCall"
  | "noteChange"
  | "notifyChanges"
>;

export interface Parts extends Given, RealService, Partial<Pick<Dependencies, "wentWell" | "temporalUrl">> {
  readonly proxies: Environment["proxies"];
  readonly vault: Store;
  readonly site: Store;
  /** Meter for the metrics; without it, nothing is counted. */
  readonly meter?: MetricMeter;
  /** Whether the sandbox answers. Pictures may then come from this machine too. */
  readonly isSandbox?: boolean;
}

export function compose({
  endpoints: addresses,
  credentials,
  proxies,
  meter = noopMetricMeter,
  isSandbox = false,
  ...given
}: Parts) {
  const { configuration, theme, log, alert, timeSource, now } = given;
  const { pictures, site } = configuration;
  const onTime = timeSource?.record;
  const settings = settingsFrom(configuration);
  const service = createService({ ...settings, endpoints: addresses, credentials, proxies, now, onTime });
  const metrics = createMetrics(meter);
  const watched = (name: StoreName, store: Store) => countedStore(name, store, { metrics, alert, now });
  const vault = createVault(watched("vault", given.vault), site.id);
  const leases = given.leases ?? new Leases({ store: vault.store, where: "this process", log });
  const purpose = "almanac worker";
  const endpoints = createEndpoints({ configuration, vault, alert, log, metrics, leases, purpose });
  const hosts = listedPictureHosts(pictures);
  const mirrored = { hosts, loopback: isSandbox, store: vault.store, log, now };
  const dependencies: Dependencies = {
    temporalUrl: undefined,
    wentWell: async () => undefined,
    ...given,
    vault,
    site: watched("site", given.site),
    siteId: site.id,
    fingerprint: fingerprintOf(siteSettingsOf(configuration, theme)),
    pictures: pictures.mirror && createMirror({ ...mirrored, ...pictures.mirror }),
    workings: workingsOf(),
    service,
    endpoints,
    merged: new MergedCalls(),
    metrics,
    unstored: new Map(),
    takenOn: new Map(),
    requestTime: timeSource && createTimeRequest(addresses, proxies, timeSource),
  };
  const close = async (): Promise<void> => {
    await Promise.all(endpointNames.map((endpoint) => endpoints[endpoint].close()));
    await service.close();
  };
  return { dependencies, close };
}

/** Rate limit, shorter than the 15 minutes between turns. A publish calls it for each language whose date is in doubt. */
const repeatAfterMs = 10 * 60_000;

/** Calls the first endpoint that uses HTTPS, because only that can be a time source. */
function createTimeRequest(
  endpoints: RealService["endpoints"],
  proxies: Environment["proxies"],
  timeSource: TimeSource,
): () => Promise<boolean> {
  const address = Object.values(endpoints).find((one) => one?.startsWith("https:"));
  let requestedMs = -Infinity;
  return async () => {
    if (address === undefined || performance.now() - requestedMs < repeatAfterMs) return false;
    requestedMs = performance.now();
    const date = await fetchServerTime(address, proxies);
    if (date !== undefined) timeSource.record(address, date);
    return date !== undefined;
  };
}

export function countedStore(
  name: StoreName,
  store: Store,
  { metrics, alert, now }: Pick<Dependencies, "metrics" | "alert" | "now">,
): Store {
  async function failed(error: unknown): Promise<never> {
    if (!(error instanceof StoreFailure)) throw error;
    const { doing } = error.facts;
    metrics.storeFailures.add(1, { store: name, doing });
    if (doing === "write" || doing === "remove") {
      const text = `Cannot write to the ${name}: ${error.message}. Runs retry by themselves, but publish nothing until the write succeeds. Next: run \`almanac check\`, which tries the store and reports what is missing.`;
      const hour = now().toISOString().slice(0, "2026-11-21T03".length);
      await alert({ kind: "store-unwritable", text, once: `${name} ${hour}` });
    }
    throw error;
  }
  const { link } = store;
  return {
    writesAtOnce: store.writesAtOnce,
    holdsBytes: store.holdsBytes,
    forgets: store.forgets,
    read: (key) => store.read(key).catch(failed),
    async write(key, body, headers, when, fence) {
      const { length } = body;
      const answer = await store.write(key, body, headers, when, fence).catch(failed);
      metrics.puts.add(1, { store: name });
      metrics.putBytes.add(length, { store: name });
      return answer;
    },
    link:
      link &&
      (async (...linked) => {
        const isLinked = await link(...linked).catch(failed);
        if (isLinked) metrics.puts.add(1, { store: name });
        return isLinked;
      }),
    async *list(prefix) {
      try {
        yield* store.list(prefix);
      } catch (error) {
        await failed(error);
      }
    },
    async *keys(prefix) {
      try {
        yield* store.keys(prefix);
      } catch (error) {
        await failed(error);
      }
    },
    remove: (keys, fence) => store.remove(keys, fence).catch(failed),
  };
}
