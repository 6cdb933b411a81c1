// Workers of several worlds in one process, because most of a small night's cost is a worker's start and the first run of its code.
// Each is composed like `almanac worker`, and logs to its own world's folder.
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NativeConnection } from "@temporalio/worker";
import { z } from "zod";
import { Closing } from "../../worker/shutdown.ts";
import { loadConfiguration } from "../../worker/settings/configuration.ts";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { createLog, installRuntime } from "../../worker/monitor/logs.ts";
import { openIn } from "../../worker/opened-site.ts";
import { queues as allQueues } from "../../workflows/names.ts";
import { serve, type Wish } from "./host.ts";
import { composeFor } from "../../worker/compose.ts";
import { startWorking } from "../../worker/worker.ts";

const wanted = z.object({
  folder: z.string(),
  env: z.record(z.string(), z.string()),
  queues: z.array(z.enum(allQueues)).optional(),
});
const closings = new Map<number, Closing>();

const runFolder = process.env["ALMANAC_TEST_RUN"] ?? tmpdir();
mkdirSync(runFolder, { recursive: true });
installRuntime(createLog(join(runFolder, `workers-${process.pid}.log`)));
process.setMaxListeners(0);
serve(begin, end);

/** Returns this process's id, by which Temporal knows its workers. */
async function begin({ id, ...wish }: Wish): Promise<number> {
  const { folder, env, queues } = wanted.parse(wish);
  // The SDK reads its own variables; all worlds of a run have one S3 server.
  for (const [name, value] of Object.entries(env)) if (name.startsWith("AWS_")) process.env[name] = value;
  const environment = readEnvironment(env);
  const configuration = await loadConfiguration(environment.configPath, folder);
  const opening = openIn(join(folder, ".almanac"), { environment, configuration });
  const { service } = opening;
  if (service === undefined) throw new Error("a worker here asks its world's sandbox: name it");
  const closing = new Closing(
    () => undefined,
    () => undefined,
  );
  closings.set(id, closing);
  const connection = await NativeConnection.connect({ address: env["TEMPORAL_ADDRESS"] ?? "" });
  closing.add("the worker's connection to Temporal", () => connection.close());
  const namespace = "default";
  const log = createLog(join(folder, "worker.log"));
  const dependencies = await composeFor({ ...opening, service }, { log, namespace }, closing);
  const options = { connection, namespace, version: environment.version, drainMs: 10_000, queues };
  const workers = await startWorking(options, dependencies, closing);
  workers.done.catch((error: unknown) => log.error(String(error)));
  return process.pid;
}

async function end(id: number): Promise<void> {
  await closings.get(id)?.all((what, error) => console.error(`cannot close ${what}: ${String(error)}`));
  closings.delete(id);
}
