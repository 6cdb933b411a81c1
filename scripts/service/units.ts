// The systemd units of one machine, made from those in deploy/systemd: the worker, the embedded Temporal unless the settings name another
// server, and the timers for maintenance.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { UpkeepTask } from "../../vault/site-notes.ts";
import packageJson from "../../package.json" with { type: "json" };
import { serverWords } from "../../worker/temporal/temporal-server.ts";

export type Places = ReturnType<typeof placesBelow>;

export function placesBelow(root: string) {
  const below = (path: string) => join(resolve(root), path);
  return {
    /** Whether a path is below this root; paths from the settings may be elsewhere. */
    has: (path: string) => `${resolve(path)}/`.startsWith(below("/")),
    units: below("/etc/systemd/system"),
    /** The owner's settings file; the two credentials have their own files. */
    environment: below("/etc/almanac/environment"),
    token: below("/etc/almanac/token"),
    apiKey: below("/etc/almanac/api-key"),
    /** The worker's folder, which may contain the vault. */
    state: below("/var/lib/almanac"),
    database: below("/var/lib/almanac-temporal/temporal.sqlite"),
    /** Folder of Temporal's executables, one file per version. */
    programs: below("/usr/local/lib/almanac"),
  };
}

/** Inputs of the units. */
export interface ServicePlan {
  readonly places: Places;
  /** Command line of `almanac`: Node and the entry file. */
  readonly command: readonly string[];
  readonly configuration: string;
  /** Variables in the owner's settings file. */
  readonly settings: Readonly<Record<string, string>>;
  /** The embedded Temporal; undefined if the settings name another server. */
  readonly temporal: { readonly version: string; readonly port: number } | undefined;
  /** Folders of vault and site outside the worker's folder. */
  readonly outside: readonly string[];
  /** The folder of the backup, or none. */
  readonly backup: readonly string[];
}

export interface Unit {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

export const unitNames = { worker: "almanac-worker.service", temporal: "almanac-temporal.service" } as const;

interface Upkeep {
  readonly task: UpkeepTask;
  readonly about: string;
  /** systemd calendar expression, in UTC. */
  readonly at: string;
}

/** Maintenance timers, away from the midnights of all languages, as in deploy/kubernetes/upkeep.yaml. */
const upkeep: readonly Upkeep[] = [
  { task: "gc", about: "Almanac: delete files that no kept version needs", at: "Sun 12:40 UTC" },
  { task: "verify", about: "Almanac: verify every published file", at: "Wed 12:10 UTC" },
  { task: "backup", about: "Almanac: back up vault and site", at: "11:40 UTC" },
];

/** Marks a unit file as ours, which may be overwritten or removed. */
export const ownMark = "# Made by `almanac service install`";

/** The units, in the order in which they are started. */
export function serviceUnits(plan: ServicePlan): Unit[] {
  const { places, settings } = plan;
  const unit = (name: string, body: string): Unit => ({
    name,
    path: join(places.units, name),
    text: `${ownMark} of Almanac ${packageJson.version}, which overwrites it.
# To change it, use \`systemctl edit ${name}\`: overrides are kept.
${body}`,
  });
  const tasks = upkeep.filter(({ task }) => task !== "backup" || settings["ALMANAC_BACKUP"] !== undefined);
  return [
    ...(plan.temporal === undefined ? [] : [unit(unitNames.temporal, temporalUnit(places, plan.temporal))]),
    unit(unitNames.worker, unitOf("worker", workerSettings(plan))),
    ...tasks.flatMap((one) => [
      unit(`almanac-${one.task}.service`, upkeepUnit(plan, one)),
      unit(`almanac-${one.task}.timer`, timer(one)),
    ]),
  ];
}

/** Variables set by the worker's unit. The owner's file takes precedence. */
export function serviceSettings({ places, configuration, settings, temporal }: ServicePlan) {
  const named = (name: string) => settings[name] !== undefined || settings[`${name}_FILE`] !== undefined;
  return {
    NODE_ENV: "production",
    ALMANAC_CONFIG: configuration,
    ALMANAC_MONITOR_ADDRESS: "9464",
    ALMANAC_DRAIN_SECONDS: "45",
    ...(temporal === undefined ? {} : { TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}` }),
    ...(named("READING_SERVICE_TOKEN") ? {} : { READING_SERVICE_TOKEN_FILE: places.token }),
    ...(named("READING_SERVICE_API_KEY") ? {} : { READING_SERVICE_API_KEY_FILE: places.apiKey }),
  };
}

export function executableOf(places: Places, version: string): string {
  return join(places.programs, `temporal-${version}`);
}

function temporalUnit({ programs, database }: Places, { version, port }: { version: string; port: number }) {
  const executable = join(programs, `temporal-${version}`);
  const folder = dirname(database);
  const isReady = `${executable} operator namespace describe --address 127.0.0.1:${port} default`;
  return unitOf("temporal", {
    ExecStart: [executable, ...serverWords({ databasePath: database }, port, port + 1_000)].join(" "),
    ExecStartPost: `/bin/sh -c 'until ${isReady} >/dev/null 2>&1; do kill -0 $MAINPID || exit 1; sleep 0.2; done'`,
    WorkingDirectory: folder,
    Environment: `HOME=${folder}`,
  });
}

function workerSettings(plan: ServicePlan) {
  const { places, command, temporal, outside } = plan;
  const words = command.join(" ");
  const targets = `network-online.target time-sync.target${temporal === undefined ? "" : ` ${unitNames.temporal}`}`;
  const variables = Object.entries(serviceSettings(plan)).map(([name, value]) => `${name}=${value}`);
  return {
    Documentation: [],
    Wants: targets,
    After: targets,
    ExecStart: `${words} worker`,
    // Creates or updates the schedules. A paused one stays paused.
    ExecStartPost: `${words} schedule apply --unless-removed`,
    WorkingDirectory: places.state,
    EnvironmentFile: places.environment,
    Environment: variables.join(" "),
    LoadCredential: [],
    DynamicUser: [],
    User: "almanac",
    ReadWritePaths: outside.length === 0 ? [] : outside.join(" "),
    // The web server must be able to read the site. The vault stays private, because it is below the state folder.
    UMask: "0022",
  };
}

/** A oneshot unit with the worker's settings. */
function upkeepUnit(plan: ServicePlan, { task, about }: Upkeep) {
  const worker = workerSettings(plan);
  return unitOf("worker", {
    ...worker,
    Description: about,
    Type: "oneshot",
    ExecStart: `${plan.command.join(" ")} ${task}`,
    ExecStartPost: [],
    Restart: [],
    RestartSec: [],
    RestartPreventExitStatus: [],
    TimeoutStopSec: [],
    ReadWritePaths: [...(task === "backup" ? plan.backup : []), worker.ReadWritePaths].flat(),
    WantedBy: [],
  });
}

function timer({ about, at }: Upkeep) {
  return `[Unit]
Description=${about}

[Timer]
OnCalendar=${at}
RandomizedDelaySec=10m
# Runs at boot if it was missed while the machine was off.
Persistent=true

[Install]
WantedBy=timers.target
`;
}

const deployed = {
  worker: new URL("../../deploy/systemd/almanac-worker.service", import.meta.url),
  temporal: new URL("../../deploy/systemd/almanac-temporal.service", import.meta.url),
};

/**
 * A unit of deploy/systemd without its comments and with other settings. Several values give several lines, and none removes the setting.
 * A setting that the unit does not have is added to its service.
 */
function unitOf(
  name: keyof typeof deployed,
  settings: Readonly<Record<string, string | readonly string[]>>,
): string {
  let text = readFileSync(deployed[name], "utf8").replaceAll(/^(?:#.*)?\n/gm, "");
  for (const [key, values] of Object.entries(settings)) {
    const first = text.search(new RegExp(`^${key}=`, "m"));
    const rest = text.replaceAll(new RegExp(`^${key}=.*\n`, "gm"), "");
    const at = first === -1 ? rest.indexOf("[Install]") : first;
    const lines = [values].flat().map((value) => `${key}=${value}\n`);
    text = [rest.slice(0, at), ...lines, rest.slice(at)].join("");
  }
  const emptySection = /^\[\w+\]\n(?![^[])/gm;
  return text.replaceAll(emptySection, "").replaceAll(/\n\[/g, "\n\n[");
}
