// The systemd units of one machine: the worker, the embedded Temporal unless the settings name another server, and the timers for
// maintenance.
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

/** System user of all units: files written by another user could be read-only for the worker. */
export const serviceUser = "almanac";

/** Inputs of the units. */
export interface ServicePlan {
  readonly places: Places;
  /** Command line of `almanac`: Node and the entry file. */
  readonly command: readonly string[];
  readonly configuration: string;
  /** Variables in the owner's settings file. */
  readonly settings: Readonly<Record<string, string>>;
  /** The embedded Temporal; undefined if the settings name another server. */
  readonly temporal: EmbeddedTemporal | undefined;
  /** Folders of vault and site outside the worker's folder. */
  readonly outside: readonly string[];
  /** The folder of the backup, if it is one; undefined if the settings name no folder. */
  readonly backupFolder: string | undefined;
}

export interface EmbeddedTemporal {
  readonly version: string;
  readonly port: number;
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

const upkeepUnit = (task: UpkeepTask, kind: "service" | "timer") => `almanac-${task}.${kind}`;

/** The names of all units that this command installs, in the order in which they are stopped. */
export const allUnitNames: readonly string[] = [
  ...upkeep.flatMap(({ task }) => [upkeepUnit(task, "timer"), upkeepUnit(task, "service")]),
  unitNames.worker,
  unitNames.temporal,
];
/** Marks a unit file as ours, which may be overwritten or removed. */
export const ownMark = "# Made by `almanac service install`";
export const temporalPort = 7233;
const uiPortAfter = 1_000;

/** The units, in the order in which they are started. */
export function serviceUnits(plan: ServicePlan): Unit[] {
  const { temporal, places } = plan;
  const unit = (name: string, text: string) => ({ name, path: join(places.units, name), text });
  return [
    ...(temporal === undefined ? [] : [unit(unitNames.temporal, temporalUnit(places, temporal))]),
    unit(unitNames.worker, unitOf("worker", heading(unitNames.worker), workerSettings(plan))),
    ...upkeep
      .filter(({ task }) => task !== "backup" || plan.settings["ALMANAC_BACKUP"] !== undefined)
      .flatMap((one) => [
        unit(upkeepUnit(one.task, "service"), upkeepUnitOf(plan, one)),
        unit(upkeepUnit(one.task, "timer"), timerOf(one)),
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

const heading = (name: string) => `${ownMark} of Almanac ${packageJson.version}, which overwrites it.
# To change it, use \`systemctl edit ${name}\`: overrides are kept.
`;

function temporalUnit(places: Places, { version, port }: EmbeddedTemporal) {
  const executable = executableOf(places, version);
  const folder = dirname(places.database);
  const words = serverWords({ databasePath: places.database }, port, port + uiPortAfter);
  const isReady = `${executable} operator namespace describe --address 127.0.0.1:${port} default`;
  return unitOf("temporal", heading(unitNames.temporal), {
    ExecStart: [executable, ...words].join(" "),
    ExecStartPost: `/bin/sh -c 'until ${isReady} >/dev/null 2>&1; do kill -0 $MAINPID || exit 1; sleep 0.2; done'`,
    WorkingDirectory: folder,
    Environment: `HOME=${folder}`,
  });
}

function workerSettings(plan: ServicePlan): UnitSettings {
  const { places, command, temporal, outside } = plan;
  const words = command.join(" ");
  const targets = ["network-online.target time-sync.target", ...(temporal ? [unitNames.temporal] : [])].join(
    " ",
  );
  const variables = Object.entries(serviceSettings(plan)).map(([name, value]) => `${name}=${value}`);
  return {
    Documentation: undefined,
    Wants: targets,
    After: targets,
    ExecStart: `${words} worker`,
    // Creates or updates the schedules. A paused one stays paused.
    ExecStartPost: `${words} schedule apply --unless-removed`,
    WorkingDirectory: places.state,
    EnvironmentFile: places.environment,
    Environment: variables.join(" "),
    LoadCredential: undefined,
    DynamicUser: undefined,
    User: serviceUser,
    ReadWritePaths: outside.length === 0 ? undefined : outside.join(" "),
    // The web server must be able to read the site. The vault stays private, because it is below the state folder.
    UMask: "0022",
  };
}

/** A oneshot unit with the worker's settings. */
function upkeepUnitOf(plan: ServicePlan, { task, about }: Upkeep) {
  const { command, backupFolder } = plan;
  const worker = workerSettings(plan);
  const backup = task === "backup" && backupFolder !== undefined ? [backupFolder] : [];
  return unitOf("worker", heading(upkeepUnit(task, "service")), {
    ...worker,
    Description: about,
    Type: "oneshot",
    ExecStart: `${command.join(" ")} ${task}`,
    ExecStartPost: undefined,
    Restart: undefined,
    RestartSec: undefined,
    RestartPreventExitStatus: undefined,
    TimeoutStopSec: undefined,
    ReadWritePaths: [...backup, ...[worker["ReadWritePaths"] ?? []].flat()],
    WantedBy: undefined,
  });
}

function timerOf({ task, about, at }: Upkeep) {
  return `${heading(upkeepUnit(task, "timer"))}[Unit]
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

/** Several values give several lines; undefined removes the setting. */
type UnitSettings = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A unit of deploy/ with other settings and without its comments. Settings that it does not have are added to its service. */
export function unitOf(name: keyof typeof deployed, head: string, settings: UnitSettings): string {
  const added = new Set(Object.keys(settings));
  const linesFor = (key: string) => [settings[key] ?? []].flat().map((value) => `${key}=${value}`);
  const bare = readFileSync(deployed[name], "utf8").replaceAll(/^(?:#.*)?\n/gm, "");
  const sections = bare.split(/^(?=\[)/m).map((section) => {
    const lines = section
      .trimEnd()
      .split("\n")
      .flatMap((line) => {
        const key = line.split("=", 1).join();
        if (!Object.hasOwn(settings, key)) return [line];
        return added.delete(key) ? linesFor(key) : [];
      });
    return lines[0] === "[Service]" ? lines.concat([...added].flatMap(linesFor)) : lines;
  });
  const written = sections.filter(({ length }) => length > 1);
  return `${head}${written.map((lines) => `${lines.join("\n")}\n`).join("\n")}`;
}
