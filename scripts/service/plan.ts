// Plans the service from the state of the machine, and lists everything missing, each with a remedy.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ending } from "../../publish/render/fingerprint.ts";
import { readEnvironment, WrongSettings } from "../../worker/settings/environment.ts";
import { machineLocation } from "../../worker/opened-site.ts";
import { pinnedVersion } from "../../worker/temporal/temporal-executable.ts";
import { type Places, type ServicePlan, serviceSettings, temporalPort, unitNames } from "./units.ts";

interface Planned {
  readonly plan: ServicePlan;
  readonly lacking: readonly string[];
}

/** Entry file of the command line, in a checkout or in a package. */
const entry = join(import.meta.dirname, ending === ".ts" ? "../almanac.js" : "../../../scripts/almanac.js");

interface PlanOptions {
  readonly port?: number | undefined;
  /** Whether the installation is below another root, where no unit is started. */
  readonly isTrial: boolean;
}

export function planService(places: Places, { port, isTrial }: PlanOptions): Planned {
  const text = readOrNothing(places.environment);
  const settings = settingsIn(text ?? "");
  const configuration = settings["ALMANAC_CONFIG"] ?? join(process.cwd(), "almanac.config.ts");
  const command = [process.execPath, entry];
  const isElsewhere = Object.keys(settings).some((name) => name.startsWith("TEMPORAL_") && !isOurs.has(name));
  const temporal = isElsewhere ? undefined : { version: pinnedVersion, port: port ?? portBefore(places) };
  const outside = Object.values(folders(settings)).filter(
    (path) => !`${path}/`.startsWith(`${places.state}/`),
  );
  const backupFolder = machineLocation(settings["ALMANAC_BACKUP"] ?? "")?.folder;
  const plan = { places, command, configuration, settings, temporal, outside, backupFolder };
  return { plan, lacking: [...lackingIn(plan, text !== undefined, isTrial)] };
}

/** Temporal's port in the installed unit, so that `--port` is needed only once. */
function portBefore({ units }: Places) {
  const [, port] = / --port (\d+) /.exec(readOrNothing(join(units, unitNames.temporal)) ?? "") ?? [];
  return port === undefined ? temporalPort : Number(port);
}

/** `TEMPORAL_` variables that do not name a server. */
const isOurs = new Set(["TEMPORAL_CLI_PATH", "TEMPORAL_WORKER_BUILD_ID", "TEMPORAL_DEPLOYMENT_NAME"]);

/** Parses the settings file, without empty values. */
function settingsIn(text: string): Record<string, string> {
  const given = Object.entries(parseEnv(text));
  return Object.fromEntries(given.flatMap(([name, value = ""]) => (value === "" ? [] : [[name, value]])));
}

function readOrNothing(path: string) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

const backups = { ALMANAC_BACKUP: "/mnt/copies/almanac" };
const stores = { ALMANAC_VAULT: "/var/lib/almanac/vault", ALMANAC_SITE: "/srv/almanac/site" };

/** The folders of vault and site, as far as they are folders on this machine. */
export function folders(settings: ServicePlan["settings"]): Partial<Record<keyof typeof stores, string>> {
  const pathOfStore = (name: keyof typeof stores) => {
    const path = machineLocation(settings[name] ?? "")?.folder;
    return path === undefined ? {} : { [name]: path };
  };
  return { ...pathOfStore("ALMANAC_VAULT"), ...pathOfStore("ALMANAC_SITE") };
}

const credentials = { READING_SERVICE_TOKEN_FILE: "access token", READING_SERVICE_API_KEY_FILE: "API key" };

/** Everything missing, with the remedy. */
function* lackingIn(plan: ServicePlan, isWritten: boolean, isTrial: boolean): Generator<string> {
  const { places, command, configuration, settings, outside, backupFolder } = plan;
  const { environment } = places;
  if (isWritten) {
    const named = { ...stores, ...(settings["ALMANAC_BACKUP"] !== undefined && backups) };
    for (const [name, usual] of Object.entries(named))
      if (machineLocation(settings[name] ?? "") === undefined)
        yield `${name} in ${environment} must be a bucket or an absolute folder: ${name}=file://${usual}`;
    yield* wrongIn(plan);
  } else {
    const from = existsSync(".env.example") ? ".env.example" : "/dev/null";
    yield `the settings file ${environment} is missing: sudo install -D -m 600 ${from} ${environment} && sudoedit ${environment}`;
  }
  const all: Readonly<Record<string, string>> = { ...serviceSettings(plan), ...settings };
  for (const [name, what] of Object.entries(credentials)) {
    const path = all[name];
    if (path !== undefined && !existsSync(path))
      yield `the ${what} ${path} is missing: sudo install -D -m 600 /dev/stdin ${path}, paste it, press Enter, then Ctrl-D`;
  }
  if (!existsSync(configuration))
    yield `${configuration} is missing: run this command in the site's folder, which contains almanac.config.ts`;
  for (const path of [
    ...command,
    configuration,
    ...outside,
    ...(backupFolder === undefined ? [] : [backupFolder]),
  ])
    yield* unfitPath(path, isTrial);
}

function wrongIn(plan: ServicePlan) {
  try {
    readEnvironment({ ...serviceSettings(plan), ...plan.settings });
    return [];
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    return error.wrong.map(({ name, problem }) => `${name} in ${plan.places.environment}: ${problem}`);
  }
}

const hidden = /^\/(?:home|root|run\/user|tmp|var\/tmp)\//;

/** Reports paths that a unit can't use: in home or temporary folders, which are hidden from it, or with characters special to systemd. */
function unfitPath(path: string, isTrial: boolean) {
  if (hidden.test(path) && !isTrial) {
    const remedy =
      path === process.execPath
        ? "install Node for all users, such as to /usr/bin/node"
        : "move it, such as to /opt/almanac";
    return [`the service cannot read ${path}, because it is in a home or temporary folder: ${remedy}`];
  }
  if (/^[\w@+=:,./-]+$/.test(path)) return [];
  return [`${path} contains a space or another character that a unit cannot contain: rename it`];
}
