// What `almanac check` asks: the environment, the configuration, and everything they name, each for real. Every check says
// what it saw and, where that is not right, what to do.
import type { Configuration } from "../../readings/configuration.schema.ts";
import { checkWebhooks } from "./webhooks.ts";
import { type Check, right, warning, wrongSetting } from "./check.ts";
import { checkClock, checkLanguages, checkZones } from "./machine.ts";
import { checkCredentials, checkService } from "./service.ts";
import { checkStores } from "./stores.ts";
import { checkTemporal } from "./temporal.ts";
import { configurationFile, loadConfiguration, WrongConfiguration } from "../settings/configuration.ts";
import { type Environment, readEnvironment, WrongSettings } from "../settings/environment.ts";
import { placeFor } from "../settings/location.ts";
import { signerFor } from "../settings/signer.ts";
import { styleCost } from "../settings/stylesheet.ts";

export type { Check };

/** Each check rests on those before it; one that rests on something wrong is left out. */
export async function runChecks(folder: string, stateFolder: string): Promise<Check[]> {
  const environment = settled("environment", () => readEnvironment());
  const { configPath } = "value" in environment ? environment.value : environment;
  const configuration = await checkConfiguration(configPath, folder);
  const told =
    "value" in configuration
      ? [right("configuration", configPath ?? "almanac.config.ts, or its defaults")]
      : configuration.wrong;
  if (!("value" in environment)) return [...environment.wrong, ...told];
  const settings = "value" in configuration ? configuration.value : undefined;
  const placed = settled("environment", () => placeFor(environment.value, stateFolder));
  const whole =
    "value" in placed ? [right("environment", "every variable that is set is right")] : placed.wrong;
  const [calls, temporal, stores, alert] = await Promise.all([
    "value" in placed ? checkCalls(placed.value.service, settings, environment.value) : none,
    checkTemporal(environment.value, stateFolder, settings),
    "value" in placed ? checkStores(placed.value.place, environment.value, settings) : none,
    checkWebhooks(environment.value),
  ]);
  const own =
    settings === undefined
      ? []
      : [
          checkZones(settings, new Date()),
          checkLanguages(settings),
          ...checkStylesheet(settings),
          ...checkSigning(environment.value, settings),
        ];
  return [...whole, ...told, ...calls, ...own, ...temporal, ...stores, ...alert];
}

const none = Promise.resolve<Check[]>([]);

type Settled<Value> =
  | { readonly value: Value }
  | { readonly wrong: Check[]; readonly configPath: string | undefined };

function settled<Value>(name: string, read: () => Value): Settled<Value> {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    const wrong = error.wrong.map((one) => {
      const remedy = one.meant === undefined ? `mend or unset ${one.name}` : `rename it to ${one.meant}`;
      return wrongSetting(name, `${one.name}: ${one.problem}`, remedy);
    });
    return { wrong, configPath: error.configPath };
  }
}

async function checkConfiguration(
  configPath: string | undefined,
  folder: string,
): Promise<{ readonly value: Configuration } | { readonly wrong: Check[] }> {
  try {
    return { value: await loadConfiguration(configPath, folder) };
  } catch (error) {
    if (!(error instanceof WrongConfiguration)) throw error;
    const remedy = `mend it in ${configurationFile(configPath, folder)}`;
    return { wrong: error.problems.map((problem) => wrongSetting("configuration", problem, remedy)) };
  }
}

/** Makes no call where the credentials can't be read. */
async function checkCalls(
  service: Parameters<typeof checkCredentials>[0],
  configuration: Configuration | undefined,
  environment: Environment,
): Promise<Check[]> {
  const credentials = await checkCredentials(service);
  if (configuration === undefined) return [credentials];
  const isAskable = service !== undefined && credentials.ok;
  const [calls, clock] = await Promise.all([
    isAskable ? checkService(service, configuration, environment) : none,
    checkClock(service, configuration, environment),
  ]);
  return [credentials, ...calls, clock];
}

/** A stylesheet that is too large is no fault: the pages are right, only slower. */
function checkStylesheet(configuration: Configuration): Check[] {
  const { stylesheet } = configuration.site;
  if (stylesheet === undefined) return [];
  const { sizeBytes, mostBytes } = styleCost(configuration);
  const seen = `${stylesheet.path} has ${sizeBytes} bytes compressed, and stands in every page`;
  if (sizeBytes <= mostBytes) return [right("stylesheet", seen)];
  const remedy = `the heaviest pages come to more than 14,336 bytes, what comes in one round trip: ${mostBytes} or less keeps them below`;
  return [warning("stylesheet", seen, remedy)];
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
