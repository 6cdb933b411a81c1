// A worker within this process, opened piece by piece and closed in the reverse order: what `local` and `worker` share.
import type { MetricMeter } from "@temporalio/common";
import type { NativeConnection } from "@temporalio/worker";
import { folders } from "../vault/layout.ts";
import type { Dependencies } from "../activities/dependencies.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { isOneAtATime, openStore } from "../store/open.ts";
import { compose } from "../worker/compose.ts";
import type { Environment } from "../worker/settings/environment.ts";
import type { createLog } from "../worker/monitor/logs.ts";
import { requireConditions } from "../worker/only-publisher.ts";
import { announcingFor, createOutside } from "../worker/alerts/outside.ts";
import type { Place, RealService } from "../worker/settings/place.ts";
import { signerFor } from "../worker/settings/signer.ts";
import { bundleWorkflows } from "../worker/bundle.ts";
import { startWorkers, type Workers } from "../worker/worker.ts";
import type { Queue } from "../workflows/names.ts";
import type { Closing } from "./terminal/closing.ts";
import { say } from "./terminal/output.ts";

export interface WorkingOptions {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly place: Place;
  readonly service: RealService;
  readonly log: ReturnType<typeof createLog>;
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** From being told to stop to having stopped. */
  readonly drainMs: number;
  readonly version?: Environment["version"];
  readonly queues?: readonly Queue[] | undefined;
  /** For alerts, where the log is a file. */
  readonly say?: ((line: string) => void) | undefined;
  /** Opens what is to be there before the workers and to stay until they have stopped. */
  readonly beside?: ((dependencies: Dependencies) => Promise<void>) | undefined;
  /** Where metrics are counted. */
  readonly meter?: MetricMeter | undefined;
  readonly now?: (() => Date) | undefined;
}

export async function startWorking(options: WorkingOptions, closing: Closing): Promise<Workers> {
  const { environment, configuration, place, service, log, connection, namespace, meter, now } = options;
  closing.add("the worker's connection to Temporal", () => connection.close());
  const site = openStore(place.site, environment.s3);
  const oneAtATime = isOneAtATime(place.site, environment.s3);
  if (!oneAtATime) await requireConditions(place, site);
  const vault = openStore(place.vault, environment.s3, { passing: folders.claims });
  const telling = {
    environment,
    configuration,
    place,
    log,
    say: options.say,
    now: now ?? (() => new Date()),
  };
  const outside = createOutside(telling, vault);
  const composition = compose({
    configuration,
    ...service,
    proxies: environment.proxies,
    vault,
    site,
    oneAtATime,
    isSandbox: place.kind === "sandbox",
    log,
    signer: signerFor(environment, configuration),
    meter,
    now,
    alert: outside.alert,
    wentWell: outside.wentWell,
    announce: announcingFor(telling),
  });
  closing.add("what is being told", () => outside.settled());
  closing.add("the service's connections", () => composition.close());
  const { dependencies } = composition;
  await options.beside?.(dependencies);
  const bundle = await bundleWorkflows();
  const { drainMs, version, queues } = options;
  const workers = await startWorkers(
    { connection, namespace, workflowBundle: bundle, drainMs, version, queues },
    dependencies,
  );
  closing.add("the worker", async () => {
    workers.stop();
    await workers.done;
  });
  return workers;
}

/** Ctrl-C once: drain. Twice: `atOnce`, and nothing is left running. */
export function sayStopping(): void {
  say("stopping: calls in flight may end; once more to stop at once");
}

export function sayUnclosed(what: string, error: unknown): void {
  say(`could not close ${what}: ${String(error)}`);
}
