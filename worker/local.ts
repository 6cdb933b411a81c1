// Processes and connections of `almanac local`: a Temporal server, a worker, and a client that starts runs.
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { NativeConnection } from "@temporalio/worker";
import type { Closing } from "./shutdown.ts";
import { createLog, installRuntime } from "./monitor/logs.ts";
import type { Opening } from "./opened-site.ts";
import { fallsSilent, patienceMs } from "./temporal/patience.ts";
import { cacheFolderIn, findTemporal } from "./temporal/temporal-executable.ts";
import { startLocalTemporal, type TemporalServer } from "./temporal/temporal-server.ts";
import { openTraces } from "./traces/traces.ts";
import { type Answered, composeFor } from "./compose.ts";
import { startWorking } from "./worker.ts";

const namespace = "default";
/** Drain time; a person at a terminal does not wait half a minute. */
export const drainMs = 13_000;

type Say = (line: string) => void;

export async function openTemporal({ environment, stateFolder }: Opening, say: Say, closing: Closing) {
  const { temporalVariables, temporalCliPath, path, cacheHome } = environment;
  if (temporalVariables.length > 0) {
    say(`ignoring ${temporalVariables.join(", ")}: \`almanac local\` uses its own Temporal server`);
  }
  const found = await findTemporal({
    cliPath: temporalCliPath,
    path,
    cacheFolder: cacheFolderIn(cacheHome),
    onProgress: say,
  });
  const temporal = await startLocalTemporal(stateFolder, found.path);
  // No retry interceptor: fallsSilent repeats its calls itself, and the library's retries would throw on a closed connection.
  const connection = Connection.lazy({ address: temporal.address, interceptors: [] });
  const ended = new AbortController();
  closing.add("the Temporal server", async () => {
    ended.abort();
    await connection.close();
    await temporal.stop();
  });
  void temporal.died.then(() => ended.abort());
  const name = `the local Temporal server at ${temporal.address} (process ${temporal.pid})`;
  const silence = fallsSilent(name, () => connection, ended.signal).then(async (isSilent) => {
    if (!isSilent) return temporal.died;
    temporal.kill(); // else the worker would wait for its answers while it stops
    return `${name} has not answered for more than ${patienceMs / 1000} s`;
  });
  return { ...temporal, died: Promise.race([temporal.died, silence]) };
}

export async function startLocal(
  opening: Answered,
  { address, died }: Pick<TemporalServer, "address" | "died">,
  say: Say,
  closing: Closing,
) {
  const log = createLog(join(opening.stateFolder, "almanac.log"));
  installRuntime(log);
  const { traces: tracing } = opening.environment;
  const traces = tracing && (await openTraces(tracing, log, closing));
  const connection = await NativeConnection.connect({ address });
  closing.add("the worker's connection to Temporal", () => connection.close());
  const dependencies = await composeFor(opening, { log, namespace, say, traces }, closing);
  const workers = await startWorking({ connection, namespace, traces, drainMs }, dependencies, closing);
  const client = new Client({ connection: await Connection.connect({ address }), namespace });
  // Aborted when the client closes: otherwise a pending request would be retried on the closed connection, which throws.
  const leaving = new AbortController();
  let isServerGone = false;
  void died.then(() => (isServerGone = true));
  closing.add("the client", async () => {
    leaving.abort();
    // If the server died, all calls are being retried. On a closed connection that throws, so the connection ends with the process.
    if (!isServerGone) await client.connection.close();
  });
  return { workers, client, leaving: leaving.signal, installation: dependencies.installation };
}
