// Opens what most commands need: the environment, the configuration, the site's stores, the service that answers its requests,
// and a client of Temporal where one is needed.
import { resolve } from "node:path";
import type { Client } from "@temporalio/client";
import { openStore } from "../store/kinds.ts";
import { createVault } from "../vault/vault.ts";
import { loadConfiguration, WrongConfiguration } from "./settings/configuration.ts";
import { readEnvironment, WrongSettings } from "./settings/environment.ts";
import { placeFor } from "./settings/location.ts";

export type Settings = Awaited<ReturnType<typeof readSettings>>;
export type Opening = ReturnType<typeof openIn>;

export async function open(): Promise<Opening> {
  return openIn(resolve(".almanac"), await readSettings());
}

/** Opens a site for a command that never asks the service: named stores need no credentials then. */
export async function openSite(): Promise<Opening> {
  const settings = await readSettings();
  const { vault, site } = settings.environment;
  if (vault === undefined || site === undefined) return openIn(resolve(".almanac"), settings);
  const place = { kind: "service", vault, site } as const;
  return openIn(resolve(".almanac"), settings, { place, service: undefined });
}

export function openIn(
  stateFolder: string,
  { environment, configuration }: Settings,
  { place, service } = placeFor(environment, stateFolder),
) {
  const vault = createVault(openStore(place.vault, environment.s3));
  const site = openStore(place.site, environment.s3);
  return { environment, configuration, stateFolder, place, service, vault, site };
}

/** Environment and configuration; where both are wrong, the error names both, so that they can be mended in one go. */
export async function readSettings() {
  try {
    const environment = readEnvironment();
    const configuration = await loadConfiguration(environment.configPath, process.cwd());
    return { environment, configuration };
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

/** Runs work with a client, whose connection ends with the work. */
export async function withClient<Result>(
  { environment, stateFolder }: Pick<Opening, "environment" | "stateFolder">,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  // The client is loaded here alone: that takes longer than all that `quarantine` or `plan` do, and they need none of it.
  const { temporalClientFor: clientFor, temporalFor } = await import("./temporal/temporal-client.ts");
  const client = await clientFor(await temporalFor(environment, stateFolder));
  try {
    return await work(client);
  } finally {
    await client.connection.close();
  }
}
