// Plans the service from the state of the machine, and lists everything missing, each with a remedy.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ending } from "../../publish/render/fingerprint.ts";
import { readEnvironment, WrongSettings } from "../../worker/settings/environment.ts";
import { machineLocation } from "../../worker/opened-site.ts";
import { pinnedVersion } from "../../worker/temporal/temporal-executable.ts";
import { type Places, type ServicePlan, serviceSettings, unitNames } from "./units.ts";

interface PlanOptions {
  readonly port?: number | undefined;
  /** Whether the installation is below another root, where no unit is started. */
  readonly isTrial: boolean;
}

/** Entry file of the command line, in a checkout or in a package. */
const entry = join(import.meta.dirname, ending === ".ts" ? "../almanac.js" : "../../../scripts/almanac.js");

/** `TEMPORAL_` variables that do not name a server. */
const isOurs = new Set(["TEMPORAL_CLI_PATH", "TEMPORAL_WORKER_BUILD_ID", "TEMPORAL_DEPLOYMENT_NAME"]);

export function planService(
  places: Places,
  { port, isTrial }: PlanOptions,
): { plan: ServicePlan; lacking: readonly string[] } {
  const text = readOrNothing(places.environment);
  const given = Object.entries(parseEnv(text ?? ""));
  const settings = Object.fromEntries(
    given.flatMap(([name, value = ""]) => (value === "" ? [] : [[name, value]])),
  );
  // The port of the installed unit, so that `--port` is needed only once.
  const before = / --port (\d+) /.exec(readOrNothing(join(places.units, unitNames.temporal)) ?? "")?.[1];
  const isElsewhere = Object.keys(settings).some((name) => name.startsWith("TEMPORAL_") && !isOurs.has(name));
  const plan: ServicePlan = {
    places,
    command: [process.execPath, entry],
    configuration: settings["ALMANAC_CONFIG"] ?? join(process.cwd(), "almanac.config.ts"),
    settings,
    temporal: isElsewhere ? undefined : { version: pinnedVersion, port: port ?? Number(before ?? 7233) },
    outside: [folderIn(settings, "ALMANAC_VAULT"), folderIn(settings, "ALMANAC_SITE")]
      .flat()
      .filter((path) => !`${path}/`.startsWith(`${places.state}/`)),
    backup: folderIn(settings, "ALMANAC_BACKUP"),
  };
  return { plan, lacking: [...lackingIn(plan, text !== undefined, isTrial)] };
}

function readOrNothing(path: string) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

const usualFolders = {
  ALMANAC_VAULT: "/var/lib/almanac/vault",
  ALMANAC_SITE: "/srv/almanac/site",
  ALMANAC_BACKUP: "/mnt/copies/almanac",
};

/** The folder that a setting names; none for a bucket. */
export function folderIn(settings: ServicePlan["settings"], name: keyof typeof usualFolders): string[] {
  const folder = machineLocation(settings[name] ?? "")?.folder;
  return folder === undefined ? [] : [folder];
}

const credentials = { READING_SERVICE_TOKEN_FILE: "access token", READING_SERVICE_API_KEY_FILE: "API key" };

/** Everything missing, with the remedy. */
function* lackingIn(plan: ServicePlan, isWritten: boolean, isTrial: boolean): Generator<string> {
  const { places, command, configuration, settings, outside, backup } = plan;
  const { environment } = places;
  const all: Readonly<Record<string, string>> = { ...serviceSettings(plan), ...settings };
  if (isWritten) {
    for (const [name, usual] of Object.entries(usualFolders)) {
      if (name === "ALMANAC_BACKUP" && settings[name] === undefined) continue;
      if (machineLocation(settings[name] ?? "") === undefined)
        yield `${name} in ${environment} must be a bucket or an absolute folder: ${name}=file://${usual}`;
    }
    yield* wrongIn(all).map(({ name, problem }) => `${name} in ${environment}: ${problem}`);
  } else {
    const from = existsSync(".env.example") ? ".env.example" : "/dev/null";
    yield `the settings file ${environment} is missing: sudo install -D -m 600 ${from} ${environment} && sudoedit ${environment}`;
  }
  for (const [name, what] of Object.entries(credentials)) {
    const path = all[name];
    if (path !== undefined && !existsSync(path))
      yield `the ${what} ${path} is missing: sudo install -D -m 600 /dev/stdin ${path}, paste it, press Enter, then Ctrl-D`;
  }
  if (!existsSync(configuration))
    yield `${configuration} is missing: run this command in the site's folder, which contains almanac.config.ts`;
  for (const path of [...command, configuration, ...outside, ...backup]) {
    if (/^\/(?:home|root|run\/user|tmp|var\/tmp)\//.test(path) && !isTrial) {
      const isNode = path === process.execPath;
      const remedy = isNode
        ? "install Node for all users, such as to /usr/bin/node"
        : "move it, such as to /opt/almanac";
      yield `the service cannot read ${path}, because it is in a home or temporary folder: ${remedy}`;
    } else if (!/^[\w@+=:,./-]+$/.test(path))
      yield `${path} contains a space or another character that a unit cannot contain: rename it`;
  }
}

function wrongIn(settings: Readonly<Record<string, string>>) {
  try {
    readEnvironment(settings);
    return [];
  } catch (error) {
    if (error instanceof WrongSettings) return error.wrong;
    throw error;
  }
}
