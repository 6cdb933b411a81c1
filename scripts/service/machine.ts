// Changes to the machine: Temporal's executable, files and folders of the service user, unit files, and systemd commands.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { cacheFolderIn, findTemporal } from "../../worker/temporal/temporal-executable.ts";
import { NotSetUp } from "../terminal/errors.ts";
import { say } from "../terminal/output.ts";
import { folders } from "./plan.ts";
import {
  allUnitNames,
  executableOf,
  ownMark,
  type Places,
  type ServicePlan,
  serviceSettings,
  serviceUser,
  type Unit,
  unitNames,
} from "./units.ts";

/** Installs Temporal where every user can run it, unless it is there. PATH is not searched: it may have any version. */
export async function placeTemporal({ places, temporal }: ServicePlan): Promise<void> {
  if (temporal === undefined) return;
  const target = executableOf(places, temporal.version);
  if (existsSync(target)) return;
  const { cacheHome, temporalCliPath: cliPath } = readEnvironment();
  const cacheFolder = cacheFolderIn(cacheHome);
  const { path, version } = await findTemporal({ cliPath, path: "", cacheFolder, onProgress: say });
  if (version !== temporal.version) {
    throw new NotSetUp(
      `TEMPORAL_CLI_PATH names Temporal ${version}, but this version of Almanac needs ${temporal.version}. Name that one, or unset the variable`,
    );
  }
  mkdirSync(places.programs, { recursive: true });
  copyFileSync(path, `${target}.tmp`);
  chmodSync(`${target}.tmp`, 0o755);
  renameSync(`${target}.tmp`, target);
}

/** Removes executables that the units no longer use; without a Temporal in the plan, all of them. */
export function removePrograms({ places, temporal }: Pick<ServicePlan, "places" | "temporal">): void {
  if (!existsSync(places.programs)) return;
  const kept = temporal === undefined ? "" : executableOf(places, temporal.version);
  for (const name of readdirSync(places.programs)) {
    const path = join(places.programs, name);
    if (name.startsWith("temporal-") && path !== kept) rmSync(path);
  }
}

interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

/** Ids of the service user; undefined if it does not exist. */
export function serviceIds(): UserIds | undefined {
  try {
    const [uid, gid] = ["-u", "-g"].map((which) =>
      Number(execFileSync("id", [which, serviceUser], { encoding: "utf8", stdio: "pipe" })),
    );
    return uid === undefined || gid === undefined ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

/**
 * Makes settings and credentials readable only by the service user, which also gets the folders of vault and site. Leaves paths outside
 * the root unchanged.
 */
export function handOver(plan: ServicePlan, ids: UserIds | undefined): void {
  const { places, settings, outside, backupFolder } = plan;
  const own = [places.state, ...outside, ...(backupFolder === undefined ? [] : [backupFolder])].filter(
    places.has,
  );
  for (const path of own) {
    // The web server must be able to read the site.
    mkdirSync(path, { recursive: true, mode: path === folders(settings).ALMANAC_SITE ? 0o755 : 0o700 });
  }
  const all: Readonly<Record<string, string>> = { ...serviceSettings(plan), ...settings };
  const names = ["READING_SERVICE_TOKEN_FILE", "READING_SERVICE_API_KEY_FILE"];
  const secrets = [places.environment, ...names.flatMap((name) => all[name] ?? [])].filter(places.has);
  for (const path of secrets) chmodSync(path, 0o400);
  if (ids === undefined) return;
  for (const path of [...secrets, ...own]) chownSync(path, ids.uid, ids.gid);
}

/** Names of the installed units that this command wrote. */
export function ownUnits({ units }: Places): string[] {
  return allUnitNames.filter((name) => thereAt(join(units, name)) === "own");
}

/** Throws if one of the unit files is not ours. */
export function changedUnits(units: readonly Unit[]): Unit[] {
  const others = units.filter(({ path }) => thereAt(path) === "another's").map(({ path }) => path);
  if (others.length > 0) {
    throw new NotSetUp(
      `${others.join(" and ")} was not written by this command. Remove it first. \`almanac service install --print\` shows its replacement`,
    );
  }
  return units.filter(({ path, text }) => !existsSync(path) || readFileSync(path, "utf8") !== text);
}

function thereAt(path: string) {
  if (!existsSync(path)) return "nothing";
  return readFileSync(path, "utf8").startsWith(ownMark) ? "own" : "another's";
}

/** Writes each file atomically: the machine may lose power at any moment. */
export function writeUnits(units: readonly Unit[]): void {
  for (const { path, text } of units) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.tmp`, text, { mode: 0o644 });
    renameSync(`${path}.tmp`, path);
  }
}

export function removeUnits({ units }: Places, names: readonly string[]): void {
  for (const name of names) rmSync(join(units, name));
}

export type SystemStep = readonly [command: string, ...words: string[]];

/** Thrown if a command fails. The written files are not rolled back. */
export class StepFailed extends Error {
  override readonly name = "StepFailed";
}

/** Checks for /run/systemd/system, which exists if systemd is the init system, and for root. */
export function requireSystemd(): void {
  if (!existsSync("/run/systemd/system")) {
    throw new NotSetUp(
      "this machine does not use systemd. `almanac service install --print` shows the units, and docs/deployment.md lists other ways to run Almanac",
    );
  }
  if (process.getuid?.() === 0) return;
  throw new NotSetUp("writing units needs root. Run this command with sudo");
}

/** Creates the service user if it does not exist. */
export const userStep: SystemStep = [
  "systemd-sysusers",
  "--inline",
  `u ${serviceUser} - "Almanac" /var/lib/${serviceUser}`,
];

function isServer(name: string) {
  return Object.values<string>(unitNames).includes(name);
}

/** Restarts the worker, which reads its settings only at startup. Temporal is restarted only if its unit has changed. */
export function startSteps(names: readonly string[], changed: readonly string[]): SystemStep[] {
  // The services of timers are started by their timers.
  const started = names.filter((name) => name.endsWith(".timer") || isServer(name));
  const restarted = started.filter((name) => name === unitNames.worker || changed.includes(name));
  return [
    ...(changed.length === 0 ? [] : [["systemctl", "daemon-reload"] as const]),
    ["systemctl", "enable", ...started],
    ["systemctl", "restart", ...restarted],
  ];
}

/** Stops the units before they are removed. */
export const stopSteps = (names: readonly string[]): SystemStep[] =>
  names.length === 0 ? [] : [["systemctl", "disable", "--now", ...names]];

export function take(steps: readonly SystemStep[]): void {
  for (const [command, ...words] of steps) {
    try {
      execFileSync(command, words, { stdio: ["ignore", 2, 2] });
    } catch (error) {
      throw new StepFailed(
        `${[command, ...words].join(" ")} failed. For the reason: \`journalctl -u almanac-temporal -u almanac-worker -n 30\``,
        { cause: error },
      );
    }
  }
}
