// What most commands begin with: the environment, the configuration, where the site lives and its stores; a client of
// Temporal where one is needed.
import { resolve } from "node:path";
import type { Client } from "@temporalio/client";
import { folders } from "../vault/layout.ts";
import type { RunRequest } from "../readings/run-messages.ts";
import { createVault } from "../vault/vault.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { languagesOf } from "../readings/operations.ts";
import { isOneAtATime, openStore } from "../store/open.ts";
import { loadConfiguration, WrongConfiguration } from "../worker/settings/configuration.ts";
import { type Environment, readEnvironment, WrongSettings } from "../worker/settings/environment.ts";
import { type Place, placeFor } from "../worker/settings/place.ts";
import { WrongUsage } from "./terminal/errors.ts";

export type Opening = Awaited<ReturnType<typeof open>>;

export async function open(placeIn: (environment: Environment, stateFolder: string) => Place = placeToAsk) {
  const { environment, configuration } = await readSettings();
  const stateFolder = resolve(".almanac");
  const place = placeIn(environment, stateFolder);
  const vault = createVault(openStore(place.vault, environment.s3, { passing: folders.claims }));
  return {
    environment,
    configuration,
    stateFolder,
    place,
    vault,
    site: openStore(place.site, environment.s3),
  };
}

/** Environment and configuration; where both are wrong, both are told, so that they can be mended in one go. */
export async function readSettings(): Promise<{ environment: Environment; configuration: Configuration }> {
  try {
    const environment = readEnvironment();
    return { environment, configuration: await loadConfiguration(environment.configPath, process.cwd()) };
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    const wrong: unknown = await loadConfiguration(error.configPath, process.cwd()).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (wrong instanceof WrongConfiguration) throw new WrongSettings(error.wrong, error.configPath, wrong);
    throw error;
  }
}

/** For a command that never asks the service: named stores serve it without the service's credentials too. */
export function openSite(): Promise<Opening> {
  return open((environment, stateFolder) => {
    const { vault, site } = environment;
    if (vault === undefined || site === undefined) return placeToAsk(environment, stateFolder);
    return { kind: "service", vault, site };
  });
}

function placeToAsk(environment: Environment, stateFolder: string): Place {
  return placeFor(environment, stateFolder).place;
}

/** Where the store takes one publisher at a time, this process is it until the block ends. */
export async function onlyPublisher(
  opening: Opening,
  purpose: string,
  isTrial = false,
): Promise<AsyncDisposable> {
  const { environment, place, stateFolder, configuration } = opening;
  await using stack = new AsyncDisposableStack();
  if (isTrial || !isOneAtATime(place.site, environment.s3)) return stack.move();
  const { clientFor, temporalFor } = await import("../worker/temporal/temporal-client.ts");
  const { holdPublishing } = await import("../worker/only-publisher.ts");
  const client = await clientFor(await temporalFor(environment, stateFolder));
  stack.defer(() => client.connection.close());
  stack.use(await holdPublishing(client, configuration.site.id, purpose));
  return stack.move();
}

/** The connection ends with the work. */
export async function withClient<Result>(
  { environment, stateFolder }: Opening,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  // Loaded here alone: it takes longer than all that `quarantine` or `plan` does, and they need none of it.
  const { clientFor, temporalFor } = await import("../worker/temporal/temporal-client.ts");
  const client = await clientFor(await temporalFor(environment, stateFolder));
  try {
    return await work(client);
  } finally {
    await client.connection.close();
  }
}

/** What a command is narrowed to has to be part of the site: anything else would silently be nothing. */
export function requirePart(
  { languages, operations }: Configuration,
  only: Pick<RunRequest, "languages" | "operations">,
): void {
  const language = only.languages?.find((one) => !languages.includes(one));
  if (language !== undefined) {
    throw new WrongUsage(`--languages: this site has no ${language}`, undefined, {
      allowed: `it has ${languages.join(", ")} ("languages" in almanac.config.ts)`,
    });
  }
  const operation = only.operations?.find((one) => !operations.includes(one));
  if (operation !== undefined) {
    throw new WrongUsage(`--operations: this site has no ${operation}`, undefined, {
      allowed: `it has ${operations.join(", ")} ("operations" in almanac.config.ts)`,
    });
  }
  const wanted = only.languages ?? languages;
  const offered = (only.operations ?? operations).some((one) =>
    languagesOf(one).some((each) => wanted.includes(each)),
  );
  if (!offered) {
    throw new WrongUsage(
      `the service gives none of these operations in ${wanted.join(", ")}: \`almanac reading --list\` shows what it gives`,
    );
  }
}

/** Dates that were given one by one may still be no span, such as a first one after tomorrow. */
export async function wrongDates<Result>(planning: Promise<Result>): Promise<Result> {
  try {
    return await planning;
  } catch (error) {
    if (error instanceof RangeError) throw new WrongUsage(`--from and --to: ${error.message}`);
    throw error;
  }
}
