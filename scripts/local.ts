// `almanac local`: everything on this machine. Temporal, the sandbox or the real service, a worker, a night, a preview.
import type { Client } from "@temporalio/client";
import type { Configuration } from "../readings/configuration.schema.ts";
import { spawnSandboxProcess } from "../sandbox/spawn.ts";
import { Secret } from "../service/secret.ts";
import type { Vault } from "../vault/vault.ts";
import { Closing } from "../worker/shutdown.ts";
import { startLocal, openTemporal } from "../worker/local.ts";
import { open } from "../worker/opened-site.ts";
import { startPublishedServer } from "../worker/published-server.ts";
import { freePorts } from "../worker/temporal/ports.ts";
import { startNightly } from "../worker/temporal/runs.ts";
import { applySchedules } from "../worker/temporal/schedules.ts";
import type { LocalTemporal } from "../worker/temporal/temporal-local.ts";
import { endLines, exitCodeOf, followToEnd } from "./terminal/run-end.ts";
import { paced, sandboxPace } from "./terminal/pace-options.ts";
import type { Define, NewCommand } from "./terminal/command.ts";
import { exitCodes } from "./terminal/errors.ts";
import { requirePart } from "./terminal/narrowing.ts";
import { concurrencyIn, languagesIn, portIn, rateIn } from "./terminal/options.ts";
import { printJson, say } from "./terminal/output.ts";

const withOptions = (command: NewCommand) =>
  command
    .option("--once", "end after the night; no schedule, no preview")
    .option("--languages <codes>", "only these, such as en,hi", languagesIn)
    .option("--rate <calls>", "calls a second, per address", rateIn)
    .option("--concurrency <calls>", "calls in flight, per address", concurrencyIn)
    .option(
      "--port <number>",
      "of the preview (that of the site's URL unless said; 0 for a free one)",
      portIn,
    );

export const define: Define = (command) => {
  withOptions(command).action(async (options) => {
    process.exitCode = await local(options);
  });
};

type LocalOptions = ReturnType<ReturnType<typeof withOptions>["opts"]>;

async function local(options: LocalOptions) {
  const opening = await open();
  const { site, vault } = opening;
  const pace = opening.place.kind === "sandbox" ? { ...sandboxPace, ...options } : options;
  const configuration = paced(opening.configuration, pace);
  requirePart(configuration, options);
  let temporal: LocalTemporal | undefined;
  const closing = new Closing(
    () => temporal?.kill(),
    () => say("stopping: calls in flight may end; once more to stop at once"),
  );
  try {
    temporal = await openTemporal(opening, say, closing);
    const service = opening.service ?? (await openSandbox(closing));
    const { address, uiUrl } = temporal;
    const answered = { ...opening, configuration, service };
    const { workers, client, leaving, place } = await startLocal(answered, address, say, closing);
    if (options.once !== true) {
      // From the start, so that the first pages can be looked at while others are on their way.
      const wished = options.port ?? Number(new URL(configuration.site.url).port);
      const [port = 0] = await freePorts([wished === 0 ? undefined : wished]);
      const preview = await startPublishedServer(site, port);
      closing.add("the preview", () => preview.close());
      say(`the site:    ${preview.url}`, `Temporal UI: ${uiUrl}`);
    }
    const stopped = closing.stopped.then(() => undefined);
    const gathering = client.withAbortSignal(leaving, () =>
      night(client, configuration, options, { vault, place }),
    );
    gathering.catch(() => undefined); // it fails where it is left behind
    const ended = await Promise.race([gathering, stopped, workers.done]);
    if (ended === undefined) return exitCodes.failed;
    if (options.json === true) printJson(ended);
    if (options.once !== true) {
      await applySchedules(client, configuration, place);
      say("the schedules run from here on; Ctrl-C ends");
      await Promise.race([stopped, workers.done]);
    }
    return exitCodeOf(ended);
  } finally {
    await closing.all((what, error) => say(`could not close ${what}: ${String(error)}`));
  }
}

async function night(
  client: Client,
  configuration: Configuration,
  { languages }: LocalOptions,
  { vault, place }: { readonly vault: Vault; readonly place: string },
) {
  const run = await startNightly(client, configuration.site.id, { languages }, new Date(), place);
  say(run.attached ? `${run.id} goes on where it stood` : `${run.id} begins`);
  const ended = await followToEnd(run, vault);
  say(endLines(ended));
  return ended;
}

async function openSandbox(closing: Closing) {
  const sandbox = await spawnSandboxProcess(["--faces"]);
  closing.add("the sandbox", () => sandbox.close());
  say(
    "no credentials are set: asking the sandbox, whose texts are invented and stay under .almanac/sandbox/",
  );
  const credentials = { token: new Secret(sandbox.token), apiKey: new Secret(sandbox.apiKey) };
  return { addresses: sandbox.addresses, credentials: async () => credentials };
}
