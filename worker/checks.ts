// What `almanac check` asks: the environment, the configuration, and everything they name, each for real. Every check says
// what it saw and, where that is not right, what to do.
import { addressVariables } from "../activities/addresses.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import type { ServiceAddress } from "../readings/fields.ts";
import { isLoopback } from "../site/address.ts";
import { isOneAtATime, openStore, WrongStoreAddress } from "../store/open.ts";
import { probe } from "../store/probe.ts";
import { loadConfiguration, WrongConfiguration } from "./configuration.ts";
import { CredentialsUnreadable } from "./credentials.ts";
import { type Environment, readEnvironment, WrongSettings } from "./environment.ts";
import { type Place, placeFor, type RealService } from "./place.ts";
import { signerFor } from "./signer.ts";
import { styleCost } from "./stylesheet.ts";
import { clientFor, NoTemporal, temporalFor } from "./temporal-client.ts";
import { readLocal } from "./temporal-record.ts";

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly seen: string;
  readonly remedy?: string | undefined;
  /** Wrong in the settings, and not in what they name. */
  readonly isSetting?: true | undefined;
}

/** In the order in which one rests on the other: what rests on something wrong is not asked. */
export async function runChecks(folder: string, stateFolder: string): Promise<Check[]> {
  const environment = settled("environment", () => readEnvironment());
  if (!("value" in environment)) return environment.wrong;
  const { value: variables } = environment;
  const configuration = await checkConfiguration(variables, folder);
  const placed = settled("environment", () => placeFor(variables, stateFolder));
  const checks = [
    "value" in placed ? right("environment", "every variable that is set is right") : placed.wrong,
    "value" in configuration
      ? right("configuration", variables.configPath ?? "almanac.config.ts, or its defaults")
      : configuration.wrong,
  ].flat();
  const settings = "value" in configuration ? configuration.value : undefined;
  if ("value" in placed) checks.push(...(await checkCredentials(placed.value.service, settings)));
  if (settings !== undefined) checks.push(...checkStylesheet(settings), ...checkSigning(variables, settings));
  checks.push(await checkTemporal(variables, stateFolder));
  if ("value" in placed) checks.push(...(await checkStores(placed.value.place, variables, settings)));
  return checks;
}

type Settled<Value> = { readonly value: Value } | { readonly wrong: Check[] };

function settled<Value>(name: string, read: () => Value): Settled<Value> {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    const wrong = error.wrong.map((one) =>
      wrongSetting(name, `${one.name}: ${one.problem}`, `mend ${one.name}`),
    );
    return { wrong };
  }
}

function right(name: string, seen: string): Check {
  return { name, ok: true, seen };
}

function wrongSetting(name: string, seen: string, remedy: string): Check {
  return { name, ok: false, seen, remedy, isSetting: true };
}

async function checkConfiguration(
  { configPath }: Environment,
  folder: string,
): Promise<Settled<Configuration>> {
  try {
    return { value: await loadConfiguration(configPath, folder) };
  } catch (error) {
    if (!(error instanceof WrongConfiguration)) throw error;
    const seen = error.message.replaceAll(/\n\s*/g, " ");
    return { wrong: [wrongSetting("configuration", seen, "mend these settings in that file")] };
  }
}

async function checkCredentials(
  service: RealService | undefined,
  configuration: Configuration | undefined,
): Promise<Check[]> {
  const name = "credentials";
  if (service === undefined) {
    return [right(name, "none are set: `almanac local` asks the sandbox, whose texts are invented")];
  }
  const missing = configuration === undefined ? [] : missingAddresses(service, configuration);
  const checks = missing.map((variable) =>
    wrongSetting(
      "service",
      `${variable} is not set, and the configuration has texts from there`,
      `set ${variable}`,
    ),
  );
  try {
    await service.credentials();
    return [right(name, "a token and an API key are there"), ...checks];
  } catch (error) {
    if (!(error instanceof CredentialsUnreadable)) throw error;
    return [wrongSetting(name, error.message, "see to that file"), ...checks];
  }
}

function missingAddresses({ addresses }: RealService, { languages, operations }: Configuration): string[] {
  const wanted: Record<ServiceAddress, boolean> = {
    english: languages.includes("en") && operations.some((operation) => operation !== "daily-tarot-legacy"),
    translator: languages.some((language) => language !== "en"),
    legacy: languages.includes("en") && operations.includes("daily-tarot-legacy"),
  };
  const names = ["english", "translator", "legacy"] as const;
  return names
    .filter((name) => wanted[name] && addresses[name] === undefined)
    .map((name) => addressVariables[name]);
}

/** Too large is no fault: the pages are right, and slower. */
function checkStylesheet(configuration: Configuration): Check[] {
  const { stylesheet } = configuration.site;
  if (stylesheet === undefined) return [];
  const { sizeBytes, mostBytes } = styleCost(configuration);
  const seen = `${stylesheet.path} has ${sizeBytes} bytes compressed, and stands in every page`;
  if (sizeBytes <= mostBytes) return [right("stylesheet", seen)];
  const remedy = `the heaviest pages come to more than 14,336 bytes, what comes in one round trip: ${mostBytes} or less keeps them below`;
  return [{ ...right("stylesheet", `warning: ${seen}`), remedy }];
}

function checkSigning(environment: Environment, configuration: Configuration): Check[] {
  const name = "signing key";
  const signer = settled(name, () => signerFor(environment, configuration));
  if (!("value" in signer)) return signer.wrong;
  if (signer.value !== undefined)
    return [right(name, "an Ed25519 key is there: the pointer is signed with it")];
  const { publicKeys } = configuration.publishing;
  if (publicKeys.length === 0) return [right(name, "none: the pointer is not signed")];
  const seen = "none, and publishing.publicKeys says that the pointer is signed";
  return [
    wrongSetting(name, seen, "set ALMANAC_SIGNING_KEY or ALMANAC_SIGNING_KEY_FILE where the worker runs"),
  ];
}

async function checkTemporal(environment: Environment, stateFolder: string): Promise<Check> {
  const name = "Temporal";
  if (environment.temporalVariables.length === 0 && (await readLocal(stateFolder)) === undefined) {
    return right(name, "none is named, and none runs here: `almanac local` starts one");
  }
  try {
    const temporal = await temporalFor(environment, stateFolder);
    const client = await clientFor(temporal);
    try {
      await client.workflowService.describeNamespace({ namespace: temporal.namespace });
    } finally {
      await client.connection.close();
    }
    return right(name, `${temporal.address} answers, and has the namespace ${temporal.namespace}`);
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    const remedy =
      error instanceof NoTemporal
        ? "see that it runs and that TEMPORAL_ADDRESS names it"
        : "see that TEMPORAL_NAMESPACE is there, and that the key or the certificate may use it";
    return { name, ok: false, seen, remedy };
  }
}

async function checkStores(
  place: Place,
  { s3 }: Environment,
  configuration: Configuration | undefined,
): Promise<Check[]> {
  const url = configuration?.site.url;
  // The preview of this machine serves the site only while it runs, and no address at all what the sandbox invented.
  const isServed = url !== undefined && !isLoopback(new URL(url).hostname) && place.kind === "service";
  const publicUrl = isServed ? url : undefined;
  return [
    ...(await checkStore("vault", place.vault, s3, undefined)),
    ...(await checkStore("site", place.site, s3, publicUrl)),
  ];
}

async function checkStore(
  name: "vault" | "site",
  location: string,
  s3: Environment["s3"],
  publicUrl: string | undefined,
): Promise<Check[]> {
  try {
    const probes = await probe(openStore(location, s3), {
      publicUrl,
      oneAtATime: isOneAtATime(location, s3),
    });
    return probes.map(({ name: what, ok, seen, remedy }) => ({ name: `${name}: ${what}`, ok, seen, remedy }));
  } catch (error) {
    if (!(error instanceof WrongStoreAddress)) throw error;
    return [wrongSetting(name, error.message, `mend ALMANAC_${name.toUpperCase()}`)];
  }
}
