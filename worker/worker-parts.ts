// A worker within this process, opened part by part and closed in the reverse order, for `local` and `worker`.
import type { MetricMeter } from "@temporalio/common";
import type { Dependencies } from "../activities/dependencies.ts";
import { identify, installationId } from "../vault/installation.ts";
import { createOutside } from "./alerts.ts";
import { bundleWorkflows } from "./bundle.ts";
import type { Closing } from "./shutdown.ts";
import { compose } from "./compose.ts";
import type { createLog } from "./monitor/logs.ts";
import { requireConditions, openLeases, type Opening } from "./opened-site.ts";
import { notifyingFor } from "./notifiers/notifying.ts";
import { now as clock } from "./settings/environment.ts";
import type { RealService } from "./settings/location.ts";
import { publicKeysOf, signerFor } from "./settings/credentials.ts";
import type { Traces } from "./traces/telemetry.ts";
import { startWorkers, type WorkersOptions } from "./worker.ts";

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
  const notifying = { environment, configuration, location, log, say, now };
  const { settled, alert, wentWell } = createOutside(notifying, vault.own);
  const composition = compose({
    configuration,
    theme,
    ...service,
    proxies: environment.proxies,
    vault: vault.store,
    site,
    leases: openLeases({ environment, location }, log),
    isSandbox: location.kind === "sandbox",
    log,
    signer: signerFor(environment, configuration),
    publicKeys: publicKeysOf(configuration.publishing.publicKeys),
    meter,
    traceCall: traces?.traceCall,
    now,
    timeSource,
    temporalUrl,
    alert,
    wentWell,
    notifying: notifyingFor(notifying, vault.own, alert),
  });
  closing.add("the notifiers", settled);
  closing.add("the leases of endpoints, and the service's connections", () => composition.close());
  const identity = await identify({ vault, site }, { configuration, namespace });
  return { ...composition.dependencies, installation: installationId(identity) };
}

export async function startWorking(
  options: Omit<WorkersOptions, "workflowBundle">,
  dependencies: Dependencies,
  closing: Closing,
) {
  const workflowBundle = await bundleWorkflows(options.traces !== undefined);
  const workers = await startWorkers({ ...options, workflowBundle }, dependencies);
  closing.add("the worker", async () => {
    workers.stop();
    await workers.done;
  });
  return workers;
}
