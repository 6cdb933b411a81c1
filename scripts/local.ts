// `almanac local`: everything on this machine. Temporal, the sandbox or the real service, a worker, a night, a preview.
import { homedir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { NativeConnection } from "@temporalio/worker";
import type { RunProgress, RunRequest } from "../readings/run-messages.ts";
import { Secret } from "../service/secret.ts";
import type { Vault } from "../vault/vault.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { spawnSandboxProcess } from "../sandbox/spawn.ts";
import type { Store } from "../store/store.ts";
import type { Environment } from "../worker/settings/environment.ts";
import { createLog, installRuntime } from "../worker/monitor/logs.ts";
import { placeFor, type RealService } from "../worker/settings/place.ts";
import { startPreview } from "../worker/preview.ts";
import { startNightly } from "../worker/temporal/runs.ts";
import { applySchedules } from "../worker/temporal/schedules.ts";
import { defaultCacheFolder, findTemporal } from "../worker/temporal/temporal-cli.ts";
import { type LocalTemporal, useOrStartTemporal } from "../worker/temporal/temporal-local.ts";
import { Closing } from "./terminal/closing.ts";
import type { Define } from "./terminal/command.ts";
import { endLines, exitCodeOf, followToEnd } from "./run/end.ts";
import { type ExitCode, exitCodes } from "./terminal/errors.ts";
import { open, requirePart } from "./opening.ts";
import { concurrencyIn, languagesIn, portIn, rateIn } from "./terminal/options.ts";
import { printJson, say } from "./terminal/output.ts";
import { paced, sandboxPace } from "./run/pace-options.ts";
import { sayStopping, sayUnclosed, startWorking } from "./working.ts";

const namespace = "default";
/** Whoever sits at a terminal does not wait for half a minute. */
const drainMs = 13_000;

export const define: Define = (command) => {
  command
    .option("--once", "end after the night; no schedule, no preview")
    .option("--languages <codes>", "only these, such as en,hi", languagesIn)
    .option("--rate <calls>", "calls a second, per address", rateIn)
    .option("--concurrency <calls>", "calls in flight, per address", concurrencyIn)
    .option(
      "--port <number>",
      "of the preview (that of the site's URL unless said; 0 for a free one)",
      portIn,
    )
    .action(async (options) => {
      process.exitCode = await local(options);
    });
};

interface LocalOptions {
  readonly once?: true | undefined;
  readonly languages?: RunRequest["languages"];
  readonly rate?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly port?: number | undefined;
  readonly json?: true | undefined;
}

async function local(options: LocalOptions): Promise<ExitCode> {
  const { environment, configuration: configured, stateFolder, site, vault } = await open();
  const { place, service } = placeFor(environment, stateFolder);
  const configuration = paced(
    configured,
    place.kind === "sandbox" ? { ...sandboxPace, ...options } : options,
  );
  requirePart(configuration, options);
  const log = createLog(join(stateFolder, "almanac.log"));
  installRuntime(log);
  let temporal: LocalTemporal | undefined;
  const closing = new Closing(() => temporal?.kill(), sayStopping);
  try {
    temporal = await openTemporal(environment, stateFolder, closing);
    const { address, uiUrl } = temporal;
    const connection = await NativeConnection.connect({ address });
    const answering = service ?? (await openSandbox(closing));
    const parts = {
      environment,
      configuration,
      place,
      service: answering,
      log,
      connection,
      namespace,
      drainMs,
      say,
    };
    const workers = await startWorking(parts, closing);
    const client = new Client({ connection: await Connection.connect({ address }), namespace });
    const leaving = new AbortController();
    closing.add("the client", async () => {
      leaving.abort(); // a question still out would be asked again on a closed connection, which throws
      await client.connection.close();
    });
    if (options.once !== true) await openPreview(site, configuration, options, uiUrl, closing);
    const stopped = closing.stopped.then(() => undefined);
    const gathering = client.withAbortSignal(leaving.signal, () =>
      night(client, configuration, options, vault),
    );
    gathering.catch(() => undefined); // it fails where it is left behind
    const ended = await Promise.race([gathering, stopped, workers.done]);
    if (ended === undefined) return exitCodes.failed;
    if (options.json === true) printJson(ended);
    if (options.once !== true) {
      await applySchedules(client, configuration);
      say("the schedules run from here on; Ctrl-C ends");
      await Promise.race([stopped, workers.done]);
    }
    return exitCodeOf(ended);
  } finally {
    await closing.all(sayUnclosed);
  }
}

async function night(
  client: Client,
  configuration: Configuration,
  { languages }: LocalOptions,
  vault: Vault,
): Promise<RunProgress> {
  const run = await startNightly(client, configuration.site.id, { languages }, new Date());
  say(run.attached ? `${run.id} goes on where it stood` : `${run.id} begins`);
  const ended = await followToEnd(run, vault);
  for (const line of endLines(ended)) say(line);
  return ended;
}

/** From the start, so that the first pages can be looked at while the others are on their way. */
async function openPreview(
  site: Store,
  configuration: Configuration,
  { port }: LocalOptions,
  uiUrl: string,
  closing: Closing,
): Promise<void> {
  const preview = await startPreview(site, port ?? Number(new URL(configuration.site.url).port || 0));
  closing.add("the preview", () => preview.close());
  say(`the site:    ${preview.url}`);
  say(`Temporal UI: ${uiUrl}`);
}

async function openTemporal(
  environment: Environment,
  stateFolder: string,
  closing: Closing,
): Promise<LocalTemporal> {
  if (environment.temporalVariables.length > 0) {
    say(`local serves one site with its own server and ignores ${environment.temporalVariables.join(", ")}`);
  }
  const { path } = await findTemporal({
    ...(environment.temporalCliPath === undefined ? {} : { cliPath: environment.temporalCliPath }),
    path: environment.path,
    cacheFolder: defaultCacheFolder({ xdgCacheHome: environment.cacheHome, home: homedir() }),
    onProgress: say,
  });
  const temporal = await useOrStartTemporal({ stateFolder, executable: path });
  closing.add("the Temporal server", () => temporal.stop());
  return temporal;
}

async function openSandbox(closing: Closing): Promise<RealService> {
  const sandbox = await spawnSandboxProcess();
  closing.add("the sandbox", () => sandbox.close());
  say(
    "no credentials are set: asking the sandbox, whose texts are invented and stay under .almanac/sandbox/",
  );
  const credentials = { token: new Secret(sandbox.token), apiKey: new Secret(sandbox.apiKey) };
  return { addresses: sandbox.addresses, credentials: async () => credentials };
}
