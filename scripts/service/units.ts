// The systemd units of one machine: the worker, the embedded Temporal unless the settings name another server, and the timers for
// maintenance.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { UpkeepTask } from "../../vault/site-notes.ts";
import packageJson from "../../package.json" with { type: "json" };
import { pinnedVersion } from "../../worker/temporal/temporal-executable.ts";
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
    unit(unitNames.worker, workerUnitOf(plan)),
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

/** Version and port in deploy/, which has the units for a manual installation. */
const byHand = { version: pinnedVersion, port: temporalPort };

function temporalUnit(places: Places, embedded: EmbeddedTemporal) {
  const lines = (at: Places, { version, port }: EmbeddedTemporal) => {
    const executable = executableOf(at, version);
    const words = serverWords({ databasePath: at.database }, port, port + uiPortAfter);
    return [
      `ExecStart=${[executable, ...words].join(" ")}\n`,
      `until ${executable} operator namespace describe --address 127.0.0.1:${port} `,
      `WorkingDirectory=${dirname(at.database)}\n`,
      `Environment=HOME=${dirname(at.database)}\n`,
    ];
  };
  const own = lines(places, embedded);
  const changes = lines(placesBelow("/"), byHand).map((line, at): UnitChange => [line, own[at] ?? ""]);
  const introduction = `# The embedded Temporal server for the worker beside it, on its SQLite file (docs/one-machine.md). \`almanac service install\` writes
# both units; its makers call this server one for development.
`;
  return changedUnit("temporal", [[introduction, heading(unitNames.temporal)], ...changes]);
}

/** A oneshot unit derived from the worker's. */
function upkeepUnitOf(plan: ServicePlan, { task, about }: Upkeep) {
  const words = plan.command.join(" ");
  const changes: readonly UnitChange[] = [
    [heading(unitNames.worker), heading(upkeepUnit(task, "service"))],
    ["Description=Almanac worker\n", `Description=${about}\n`],
    ["Type=exec\n", "Type=oneshot\n"],
    [workerStart(words), `ExecStart=${words} ${task}\n`],
    [
      `
# What died is started again; what is configured wrongly would only die again.
Restart=on-failure
RestartSec=10s
RestartPreventExitStatus=2
# More than ALMANAC_DRAIN_SECONDS: what is cut off is asked again.
TimeoutStopSec=60s
`,
      "",
    ],
    [
      `User=${serviceUser}\n`,
      `User=${serviceUser}\n${task === "backup" && plan.backupFolder !== undefined ? `ReadWritePaths=${plan.backupFolder}\n` : ""}`,
    ],
    [
      `
[Install]
WantedBy=multi-user.target
`,
      "",
    ],
  ];
  return changedText(workerUnitOf(plan), changes);
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

const workerStart = (words: string) => `ExecStart=${words} worker
# Creates or updates the schedules. A paused one stays paused.
ExecStartPost=${words} schedule apply --unless-removed
`;

function workerUnitOf(plan: ServicePlan) {
  const { places, command, temporal, outside } = plan;
  const settings = Object.entries(serviceSettings(plan)).map(([name, value]) => `${name}=${value}`);
  const words = command.join(" ");
  const wanted = temporal === undefined ? "" : ` ${unitNames.temporal}`;
  const paths = outside.length === 0 ? "" : `ReadWritePaths=${outside.join(" ")}\n`;
  return changedUnit("worker", [
    [
      `# A worker on a dedicated machine: the checkout in /opt/almanac (npm ci --omit=dev), Node 24 as /usr/bin/node.
# docs/deployment.md lists the files in /etc/almanac.
`,
      heading(unitNames.worker),
    ],
    ["Documentation=file:///opt/almanac/docs/deployment.md\n", ""],
    ["network-online.target time-sync.target\n", `network-online.target time-sync.target${wanted}\n`],
    ["ExecStart=/usr/bin/node /opt/almanac/scripts/almanac.js worker\n", workerStart(words)],
    ["WorkingDirectory=/var/lib/almanac\n", `WorkingDirectory=${places.state}\n`],
    ["EnvironmentFile=/etc/almanac/environment\n", `EnvironmentFile=${places.environment}\n`],
    [
      "Environment=NODE_ENV=production ALMANAC_CONFIG=/etc/almanac/almanac.config.ts ALMANAC_MONITOR_ADDRESS=9464 ALMANAC_DRAIN_SECONDS=45\n",
      `Environment=${settings.join(" ")}\n`,
    ],
    [
      `# systemd reads them as root and shows them to this service alone. A rotated one needs a restart here, which costs no call.
LoadCredential=token:/etc/almanac/token
LoadCredential=api-key:/etc/almanac/api-key
Environment=READING_SERVICE_TOKEN_FILE=%d/token READING_SERVICE_API_KEY_FILE=%d/api-key
`,
      "",
    ],
    ["DynamicUser=yes\n", `User=${serviceUser}\n${paths}`],
    // The web server must be able to read the site. The vault stays private, because it is below the state folder.
    ["UMask=0027\n", "UMask=0022\n"],
  ]);
}

const deployed = {
  worker: new URL("../../deploy/systemd/almanac-worker.service", import.meta.url),
  temporal: new URL("../../deploy/systemd/almanac-temporal.service", import.meta.url),
};

export type UnitChange = readonly [from: string, to: string];

/** Applies the changes to a unit of deploy/. */
export function changedUnit(name: keyof typeof deployed, changes: readonly UnitChange[]): string {
  return changedText(readFileSync(deployed[name], "utf8"), changes);
}

/** Throws if the unit does not contain a text to be replaced. */
export function changedText(unit: string, changes: readonly UnitChange[]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the unit of deploy/ has no ${JSON.stringify(from)}`);
    return text.replaceAll(from, () => to);
  }, unit);
}
