// Workers of several worlds in one process, because most of what a small night costs a worker is its start and the first
// run of its code. Each is put together as `almanac worker` does it, and logs to its own world's folder.
import { join } from "node:path";
import { NativeConnection } from "@temporalio/worker";
import { z } from "zod";
import { Closing } from "../../worker/closing.ts";
import { loadConfiguration } from "../../worker/settings/configuration.ts";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { createLog, installRuntime } from "../../worker/monitor/logs.ts";
import { openIn } from "../../worker/opening.ts";
import { composeFor, startWorking } from "../../worker/working.ts";

const start = z.object({
  kind: z.literal("start"),
  id: z.number(),
  folder: z.string(),
  env: z.record(z.string(), z.string()),
});
const wish = z.discriminatedUnion("kind", [start, z.object({ kind: z.literal("stop"), id: z.number() })]);

const closings = new Map<number, Closing>();

installRuntime(createLog(undefined));
process.setMaxListeners(0);
process.on("disconnect", () => process.exit());
process.on("message", (message) => {
  const wished = wish.parse(message);
  const doing = wished.kind === "start" ? begin(wished) : end(wished.id);
  doing.then(
    () => process.send?.({ id: wished.id }),
    (error: unknown) => process.send?.({ id: wished.id, error: String(error) }),
  );
});

async function begin({ id, folder, env }: z.infer<typeof start>): Promise<void> {
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
  const { testClockOffsetMs } = environment;
  const log = createLog(join(folder, "worker.log"));
  const now = testClockOffsetMs === undefined ? undefined : () => new Date(Date.now() + testClockOffsetMs);
  const dependencies = await composeFor({ ...opening, service }, { log, now }, closing);
  const options = { connection, namespace: "default", drainMs: 10_000 };
  const workers = await startWorking(options, dependencies, closing);
  workers.done.catch((error: unknown) => log.error(String(error)));
}

async function end(id: number): Promise<void> {
  await closings.get(id)?.all((what, error) => console.error(`could not close ${what}: ${String(error)}`));
  closings.delete(id);
}
