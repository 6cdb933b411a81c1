// The checks of `almanac check`: the environment, the configuration, and a real request to everything that they name. Each check
// reports its finding and, if something is wrong, the remedy.
import { existsSync } from "node:fs";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { checkNotifiers, checkWebhooks } from "./notifiers.ts";
import { type Check, right, wrongSetting } from "./check.ts";
import { checkSite } from "./site.ts";
import { checkClock, checkLanguages, checkZones } from "./machine.ts";
import { checkCredentials, checkService } from "./service.ts";
import { checkStores, knownInstallation } from "./stores.ts";
import { checkTemporal } from "./temporal.ts";
import { checkTheme, type SampleOf, themeHere } from "./theme/theme.ts";
import { configurationFile, loadConfiguration, requireProject } from "../settings/configuration.ts";
import { WrongConfiguration } from "../settings/configuration-problems.ts";
import { type Environment, readEnvironment, WrongSettings, now } from "../settings/environment.ts";
import type { WrongSetting } from "../settings/variables.ts";
import { chooseLocation } from "../opened-site.ts";
import { signerFor } from "../settings/credentials.ts";

export type { Check };

function configurationSeen(configPath: string | undefined, folder: string): string {
  const isThere = existsSync(configurationFile(configPath, folder));
  return configPath ?? (isThere ? "almanac.config.ts" : "no almanac.config.ts, so all defaults apply");
}

/** Runs every check whose prerequisites passed, and skips the others. */
export async function runChecks(folder: string, stateFolder: string, sampleOf: SampleOf): Promise<Check[]> {
  const environment = settled("environment", () => readEnvironment());
  if (environment.value !== undefined) requireProject(environment.value, folder);
  const { configPath } = environment.value ?? environment;
  const configuration = await checkConfiguration(configPath, folder);
  const noted =
    configuration.value === undefined
      ? configuration.wrong
      : [right("configuration", configurationSeen(configPath, folder))];
  const given = environment.value;
  if (given === undefined) return [...environment.wrong, ...noted];
  const settings = configuration.value;
  const { value: located, wrong } = settled("environment", () => chooseLocation(given, stateFolder));
  const whole = located ? [right("environment", "all variables are valid")] : wrong;
  const configFile = configurationFile(configPath, folder);
  const [calls, temporal, stores, site, theme, alert, notifiers] = await Promise.all([
    located ? checkCalls(located, settings, given) : [],
    checkTemporal(given, stateFolder, settings, {
      installation:
        located && settings && (await knownInstallation(located.location, given, settings.site.id)),
      theme: settings && (await themeHere(settings, configFile)),
    }),
    located ? checkStores(located.location, given, settings) : [],
    located && settings ? checkSite(located.location, given, settings) : [],
    settings ? checkTheme(settings, configFile, sampleOf) : [],
    checkWebhooks(given),
    settings ? checkNotifiers(given, settings) : [],
  ]);
  const own =
    settings === undefined
      ? []
      : [checkZones(settings, now(given)), checkLanguages(settings), ...checkSigning(given, settings)];
  const around = [...temporal, ...stores, ...site, ...alert, ...notifiers];
  return [...whole, ...noted, ...calls, ...own, ...theme, ...around];
}

/** Returns the value, or the errors of its settings as failed checks. */
function settled<Value>(name: string, read: () => Value) {
  try {
    return { value: read(), wrong: [] };
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    const wrong = error.wrong.map((one) => {
      return wrongSetting(name, `${one.name}: ${one.problem}`, remedyFor(one));
    });
    return { value: undefined, wrong, configPath: error.configPath };
  }
}

function remedyFor({ name, meant, isUnset }: WrongSetting): string {
  if (meant !== undefined) return `rename it to ${meant}`;
  return isUnset === true ? `set ${name} or ${name}_FILE` : `fix or remove ${name}`;
}

async function checkConfiguration(configPath: string | undefined, folder: string) {
  try {
    return { value: await loadConfiguration(configPath, folder), wrong: [] };
  } catch (error) {
    if (!(error instanceof WrongConfiguration)) throw error;
    const remedy = `fix it in ${configurationFile(configPath, folder)}`;
    const wrong = error.problems.map((problem) => wrongSetting("configuration", problem, remedy));
    return { value: undefined, wrong };
  }
}

/** Makes no call if the credentials can't be read. */
async function checkCalls(
  { service, location }: ReturnType<typeof chooseLocation>,
  configuration: Configuration | undefined,
  environment: Environment,
): Promise<Check[]> {
  const credentials = await checkCredentials(service);
  if (configuration === undefined) return [credentials];
  const isAskable = service !== undefined && credentials.ok;
  const [calls, clock] = await Promise.all([
    isAskable ? checkService(service, configuration, environment, location) : [],
    checkClock(service, environment),
  ]);
  return [credentials, ...calls, clock];
}

function checkSigning(environment: Environment, configuration: Configuration): Check[] {
  const name = "signing key";
  const { value: signer, wrong } = settled(name, () => signerFor(environment, configuration));
  if (wrong.length > 0) return wrong;
  if (signer !== undefined) return [right(name, "Ed25519 key found; the pointer is signed with it")];
  const { publicKeys } = configuration.publishing;
  if (publicKeys.length === 0) return [right(name, "none; the pointer is not signed")];
  const seen = "none, but publishing.publicKeys requires a signed pointer";
  return [
    wrongSetting(name, seen, "set ALMANAC_SIGNING_KEY or ALMANAC_SIGNING_KEY_FILE where the worker runs"),
  ];
}
