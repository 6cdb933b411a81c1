// `almanac service`: runs the site permanently on this machine with systemd: a worker and, unless the settings name another server,
// the embedded Temporal (docs/one-machine.md). It writes its files atomically, because the machine may lose power at any moment.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
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
import { addSubcommand, type Define } from "../terminal/command.ts";
import { NotSetUp } from "../terminal/errors.ts";
import { portIn } from "../terminal/options.ts";
import { type Lines, printAs, say, styled } from "../terminal/output.ts";
import { folderIn, planService } from "./plan.ts";
import { createSteps, requireSystemd, startSteps, type SystemSteps } from "./systemd.ts";
import {
  executableOf,
  ownMark,
  type Places,
  placesBelow,
  type ServicePlan,
  serviceSettings,
  serviceUnits,
  unitNames,
} from "./units.ts";

/** System user of all units: files written by another user could be read-only for the worker. */
const serviceUser = "almanac";
const rootFlag = "--root <folder>";

export const define: Define = (command) => {
  command.addHelpText(
    "after",
    `
Settings are in /etc/almanac/environment, credentials next to it in token and api-key. If one is missing, the command lists it with
the command that creates it, and writes nothing. If TEMPORAL_ADDRESS is set there, that Temporal server is used and none is
installed.

Example: install the service. Run it again after you change the settings or version:
  sudo npx almanac service install`,
  );
  addSubcommand(command, "install", "Write the systemd units, start them, and enable them at boot")
    .option("--print", "Print the units, and change nothing")
    .option(rootFlag, "Write files under this folder instead of /, and don't start services")
    .option(
      "--port <number>",
      "Port of Temporal, on this machine only. Default: the previous port, or 7233",
      portIn,
    )
    .action((options, self) => installService({ ...options, json: self.optsWithGlobals().json }));
  addSubcommand(command, "remove", "Remove the units, keep all data, and print its location")
    .option(rootFlag, "Remove the units under this folder instead of /, and don't stop services")
    .action((options, self) => removeService({ ...options, json: self.optsWithGlobals().json }));
  addSubcommand(command, "run", "Run a command with the service's settings, as its user")
    .argument("<words...>", "Command and options after `--`, such as `-- nightly --wait`")
    .option(rootFlag, "Use the settings under this folder instead of /, as the current user")
    .action(async (words, options) => {
      process.exitCode = await runAsService(words, options);
    });
};

interface InstallOptions {
  readonly print?: true | undefined;
  /** A folder in place of the machine's root; nothing is started then. */
  readonly root?: string | undefined;
  readonly port?: number | undefined;
  readonly json?: true | undefined;
}

/** Checks all preconditions before it writes the first file. */
async function installService({ print: isPrint, root, port, json }: InstallOptions): Promise<void> {
  const isTrial = root !== undefined;
  const places = placesBelow(root ?? "/");
  if (!isTrial && isPrint !== true) requireSystemd();
  const { plan, lacking } = planService(places, { port, isTrial });
  const units = serviceUnits(plan);
  if (isPrint === true) {
    const shown = units.map(({ path, text }) => ({ path, text }));
    printAs(
      json,
      { units: shown, lacking },
      shown.map(({ path, text }) => [`# ${path}`, text]),
    );
    return say(lacking.length > 0 && ["lacking:", lacking.map((line) => `  ${line}`)]);
  }
  if (lacking.length > 0)
    throw new NotSetUp(["requirements of the service are missing:", ...lacking].join("\n  "));
  const changed = units.filter(({ path, text }) => readUnit(path) !== text);
  const others = changed.filter(({ path }) => existsSync(path) && !readUnit(path).startsWith(ownMark));
  if (others.length > 0) {
    throw new NotSetUp(
      `${others.map(({ path }) => path).join(" and ")} was not written by this command. Remove it first. \`almanac service install --print\` shows its replacement`,
    );
  }
  const names = units.map(({ name }) => name);
  const gone = ownUnits(places).filter((name) => !names.includes(name));
  const steps = createSteps(isTrial);

  await placeTemporal(plan);
  steps.take(["systemd-sysusers", "--inline", `u ${serviceUser} - "Almanac" /var/lib/${serviceUser}`]);
  handOver(plan, steps);
  removeUnits(places, gone, steps);
  for (const { path, text } of changed) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.tmp`, text, { mode: 0o644 });
    renameSync(`${path}.tmp`, path);
  }
  steps.take(...startSteps(names, [...gone, ...changed.map(({ name }) => name)]));
  removePrograms(plan);
  const written = changed.map(({ path }) => path);
  printAs(json, { written, removed: gone, started: !isTrial }, [
    written.map((path) => `${styled("green", "written")}  ${path}`),
    gone.map((name) => `${styled("yellow", "removed")}  ${name}: ${reasonOfRemoval(name)}`),
    written.length + gone.length === 0 && "the units are up to date",
    isTrial ? trialLines(plan, steps) : startedLines,
  ]);
}

function reasonOfRemoval(name: string) {
  return name === unitNames.temporal
    ? "the settings name another Temporal server"
    : "ALMANAC_BACKUP is not set";
}

const startedLines: Lines = [
  "started, and enabled at boot",
  "follow its log:   journalctl -u almanac-worker -o cat -f",
  "check it:         sudo npx almanac service run -- check",
];

function trialLines({ places, outside }: ServicePlan, steps: SystemSteps): Lines {
  const skipped = outside.filter((path) => !places.has(path));
  return [
    skipped.map(
      (path) => `skipped  ${path}: outside this root. On the machine itself it belongs to the service's user`,
    ),
    "nothing is started below another root. On the machine itself, these commands follow:",
    steps.lines(),
  ];
}

/** Removes the units and Temporal's executable, which can be downloaded again. All data stays. */
function removeService({ root, json }: Omit<InstallOptions, "print" | "port">): void {
  const isTrial = root !== undefined;
  const places = placesBelow(root ?? "/");
  if (!isTrial) requireSystemd();
  const names = ownUnits(places);
  const steps = createSteps(isTrial);
  removeUnits(places, names, steps);
  removePrograms({ places, temporal: undefined });
  if (names.length > 0) steps.take(["systemctl", "daemon-reload"]);
  const { settings } = planService(places, { isTrial }).plan;
  const kept = {
    settings: dirname(places.environment),
    vault: settings["ALMANAC_VAULT"] ?? places.state,
    site: settings["ALMANAC_SITE"] ?? places.state,
    temporal: dirname(places.database),
  };
  printAs(json, { removed: names, kept }, [
    names.map((name) => `${styled("yellow", "removed")}  ${name}`),
    names.length === 0 && "no unit here was written by this command",
    "all data is kept:",
    Object.entries(kept).map(([what, where]) => `  ${what.padEnd(8)}  ${where}`),
  ]);
}

/** Answers with the command's exit code. */
async function runAsService(
  words: readonly string[],
  { root }: { readonly root?: string | undefined },
): Promise<number> {
  const isTrial = root !== undefined;
  const places = placesBelow(root ?? "/");
  if (!isTrial && process.getuid?.() !== 0) {
    throw new NotSetUp("only the service may read its settings and credentials. Run this command with sudo");
  }
  const { plan } = planService(places, { isTrial });
  if (!existsSync(places.environment)) {
    throw new NotSetUp(
      `${places.environment} is missing. \`almanac service install\` lists the requirements`,
    );
  }
  const user = ["setpriv", `--reuid=${serviceUser}`, `--regid=${serviceUser}`, "--clear-groups"];
  const [program = "", ...more] = [...(isTrial ? [] : user), ...plan.command, ...words];
  const { path } = readEnvironment();
  const child = spawn(program, more, {
    stdio: "inherit",
    cwd: places.state,
    env: { PATH: path, HOME: places.state, ...serviceSettings(plan), ...plan.settings },
  });
  const [code]: unknown[] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

/** Installs Temporal where every user can run it, unless it is there. PATH is not searched: it may have any version. */
async function placeTemporal({ places, temporal }: ServicePlan): Promise<void> {
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
function removePrograms({ places, temporal }: Pick<ServicePlan, "places" | "temporal">): void {
  if (!existsSync(places.programs)) return;
  const kept = temporal === undefined ? "" : executableOf(places, temporal.version);
  for (const name of readdirSync(places.programs)) {
    const path = join(places.programs, name);
    if (name.startsWith("temporal-") && path !== kept) rmSync(path);
  }
}

/** Makes settings and credentials readable only by the service user, which also gets the folders of its stores. */
function handOver(plan: ServicePlan, steps: SystemSteps): void {
  const { places, settings, outside, backup } = plan;
  const own = [places.state, ...outside, ...backup].filter(places.has);
  for (const path of own) {
    // The web server must be able to read the site.
    const isSite = folderIn(settings, "ALMANAC_SITE").includes(path);
    mkdirSync(path, { recursive: true, mode: isSite ? 0o755 : 0o700 });
  }
  const all: Readonly<Record<string, string>> = { ...serviceSettings(plan), ...settings };
  const names = ["READING_SERVICE_TOKEN_FILE", "READING_SERVICE_API_KEY_FILE"];
  const secrets = [places.environment, ...names.flatMap((name) => all[name] ?? [])].filter(places.has);
  for (const path of secrets) chmodSync(path, 0o400);
  steps.take(["chown", `${serviceUser}:`, ...secrets, ...own]);
}

function readUnit(path: string) {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Names of the installed units that this command wrote. */
function ownUnits({ units }: Places): string[] {
  const names = existsSync(units) ? readdirSync(units) : [];
  const ours = names.filter((name) => /^almanac-\w+\.(?:service|timer)$/.test(name));
  return ours.filter((name) => readUnit(join(units, name)).startsWith(ownMark));
}

function removeUnits({ units }: Places, names: readonly string[], steps: SystemSteps): void {
  if (names.length > 0) steps.take(["systemctl", "disable", "--now", ...names]);
  for (const name of names) rmSync(join(units, name));
}
