// `almanac worker`: a worker for production, until it is told to stop.
import { resolve } from "node:path";
import { openStore } from "../store/open.ts";
import { compose } from "../worker/compose.ts";
import { loadConfiguration } from "../worker/configuration.ts";
import { readEnvironment } from "../worker/environment.ts";
import { createLog, installRuntime } from "../worker/logs.ts";
import { placeFor } from "../worker/place.ts";
import { temporalFor } from "../worker/temporal-client.ts";
import { bundleWorkflows, startWorkers } from "../worker/worker.ts";
import { Closing } from "./closing.ts";
import { type Define } from "./command.ts";
import { NotSetUp } from "./errors.ts";
import { say } from "./output.ts";

export const define: Define = (command) => {
  command.action(async () => {
    await work();
  });
};

async function work(): Promise<void> {
  const environment = readEnvironment();
  const configuration = await loadConfiguration(environment.configPath, process.cwd());
  const { place, service } = placeFor(environment, resolve(".almanac"));
  if (service === undefined) {
    throw new NotSetUp(
      "a worker asks a real service: set READING_SERVICE_URL, READING_SERVICE_TRANSLATOR_URL, READING_SERVICE_TOKEN and READING_SERVICE_API_KEY (`almanac sandbox` prints some to try with)",
    );
  }
  const log = createLog(undefined);
  installRuntime(log);
  const closing = new Closing(
    () => undefined,
    () => say("stopping: calls in flight may end; once more to stop at once"),
  );
  try {
    const temporal = await temporalFor(environment, resolve(".almanac"));
    const { dependencies, close } = compose({
      configuration,
      ...service,
      proxies: environment.proxies,
      vault: openStore(place.vault),
      site: openStore(place.site),
      log,
      alert: async (alert) => log.error({ alert: alert.kind }, alert.text),
    });
    closing.add("the service's connections", close);
    const connection = await temporal.connectNative();
    closing.add("the connection to Temporal", () => connection.close());
    const workers = await startWorkers(connection, temporal.namespace, await bundleWorkflows(), dependencies);
    closing.add("the worker", async () => {
      workers.stop();
      await workers.done;
    });
    say(`working for ${configuration.site.id} at ${temporal.address}`);
    await Promise.race([closing.stopped, workers.done]);
  } finally {
    await closing.all((what, error) => say(`could not close ${what}: ${String(error)}`));
  }
}
