// `almanac service`: runs the site permanently on this machine with systemd: a worker and, unless the settings name another server,
// the embedded Temporal (docs/one-machine.md).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { addSubcommand, type Define } from "../terminal/command.ts";
import { NotSetUp } from "../terminal/errors.ts";
import { portIn } from "../terminal/options.ts";
import { type Lines, printAs, say, styled } from "../terminal/output.ts";
import {
  changedUnits,
  handOver,
  ownUnits,
  placeTemporal,
  removePrograms,
  removeUnits,
  requireSystemd,
  serviceIds,
  startSteps,
  stopSteps,
  type SystemStep,
  take,
  userStep,
  writeUnits,
} from "./machine.ts";
import { planService } from "./plan.ts";
import {
  placesBelow,
  type ServicePlan,
  serviceSettings,
  serviceUnits,
  type Unit,
  unitNames,
} from "./units.ts";

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
  if (isPrint === true) return printUnits(units, lacking, json);
  if (lacking.length > 0)
    throw new NotSetUp(["requirements of the service are missing:", ...lacking].join("\n  "));
  const changed = changedUnits(units);
  const names = units.map(({ name }) => name);
  const gone = ownUnits(places).filter((name) => !names.includes(name));
  const steps = (which: readonly SystemStep[]) => (isTrial ? undefined : take(which));

  await placeTemporal(plan);
  steps([userStep]);
  handOver(plan, isTrial ? undefined : serviceIds());
  steps(stopSteps(gone));
  removeUnits(places, gone);
  writeUnits(changed);
  const changedNames = [...gone, ...changed.map(({ name }) => name)];
  const starting = startSteps(names, changedNames);
  steps(starting);
  removePrograms(plan);
  printAs(json, { written: changed.map(({ path }) => path), removed: gone, started: !isTrial }, [
    changed.map(({ path }) => `${styled("green", "written")}  ${path}`),
    gone.map(
      (name) =>
        `${styled("yellow", "removed")}  ${name}: ${name === unitNames.temporal ? "the settings name another Temporal server" : "ALMANAC_BACKUP is not set"}`,
    ),
    changed.length + gone.length === 0 && "the units are up to date",
    isTrial ? notDone(plan, [userStep, ...stopSteps(gone), ...starting]) : startedLines,
  ]);
}

const startedLines: Lines = [
  "started, and enabled at boot",
  "follow its log:   journalctl -u almanac-worker -o cat -f",
  "check it:         sudo npx almanac service run -- check",
];

function notDone({ places, outside }: ServicePlan, steps: readonly SystemStep[]): Lines {
  const notMade = outside.filter((path) => !places.has(path));
  return [
    notMade.map(
      (path) => `skipped  ${path}: outside this root. On the machine itself it belongs to the service's user`,
    ),
    "nothing is started below another root. On the machine itself, these commands follow:",
    steps.map((step) => `  ${step.map((word) => (word.includes(" ") ? `'${word}'` : word)).join(" ")}`),
  ];
}

function printUnits(units: readonly Unit[], lacking: readonly string[], json: true | undefined) {
  printAs(
    json,
    { units: units.map(({ path, text }) => ({ path, text })), lacking },
    units.flatMap(({ path, text }) => [`# ${path}`, text]),
  );
  if (lacking.length > 0)
    say(
      "lacking:",
      lacking.map((line) => `  ${line}`),
    );
}

/** Removes the units and Temporal's executable, which can be downloaded again. All data stays. */
function removeService({ root, json }: Omit<InstallOptions, "print" | "port">): void {
  const isTrial = root !== undefined;
  const places = placesBelow(root ?? "/");
  if (!isTrial) requireSystemd();
  const names = ownUnits(places);
  const steps = (which: readonly SystemStep[]) => (isTrial ? undefined : take(which));
  steps(stopSteps(names));
  removeUnits(places, names);
  removePrograms({ places, temporal: undefined });
  if (names.length > 0) steps([["systemctl", "daemon-reload"]]);
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
  const [program = "", ...door] = plan.command;
  const { path } = readEnvironment();
  const child = spawn(program, [...door, ...words], {
    stdio: "inherit",
    cwd: places.state,
    env: { PATH: path, HOME: places.state, ...serviceSettings(plan), ...plan.settings },
    ...(isTrial ? {} : serviceIds()),
  });
  const [code]: unknown[] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}
