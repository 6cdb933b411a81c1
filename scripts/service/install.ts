// `almanac service install` and `remove`. All that could stop them is looked at before the first file is written.
import { dirname } from "node:path";
import { NotSetUp } from "../terminal/errors.ts";
import { type Lines, printAs, say, styled } from "../terminal/output.ts";
import { handOver, placeTemporal, removePrograms, serviceIds } from "./machine.ts";
import { placesBelow } from "./places.ts";
import { planService } from "./plan.ts";
import { requireSystemd, startSteps, type SystemStep, stopSteps, take, userStep } from "./systemd.ts";
import { changedUnits, ownUnits, removeUnits, writeUnits } from "./unit-files.ts";
import { type ServicePlan, type Unit, serviceUnits, unitNames } from "./units.ts";

interface InstallOptions {
  readonly print?: true | undefined;
  /** A folder in place of the machine's root; nothing is started then. */
  readonly root?: string | undefined;
  readonly port?: number | undefined;
  readonly json?: true | undefined;
}

export async function installService({ print: isPrint, root, port, json }: InstallOptions): Promise<void> {
  const isTrial = root !== undefined;
  const places = placesBelow(root ?? "/");
  if (!isTrial && isPrint !== true) requireSystemd();
  const { plan, lacking } = planService(places, { port, isTrial });
  const units = serviceUnits(plan);
  if (isPrint === true) return printUnits(units, lacking, json);
  if (lacking.length > 0) throw new NotSetUp(["the service lacks what it needs:", ...lacking].join("\n  "));
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
        `${styled("yellow", "removed")}  ${name}: ${name === unitNames.temporal ? "the settings name another Temporal" : "ALMANAC_BACKUP is not set"}`,
    ),
    changed.length + gone.length === 0 && "the units are as they are to be",
    isTrial ? notDone(plan, [userStep, ...stopSteps(gone), ...starting]) : startedLines,
  ]);
}

const startedLines: Lines = [
  "started, now and whenever the machine starts",
  "see how it goes:  journalctl -u almanac-worker -o cat -f",
  "ask it:           sudo npx almanac service run -- check",
];

function notDone({ places, outside }: ServicePlan, steps: readonly SystemStep[]): Lines {
  const notMade = outside.filter((path) => !places.has(path));
  return [
    notMade.map(
      (path) =>
        `not made  ${path}: not below this root; on the machine itself a folder of the service's user`,
    ),
    "nothing is started below another root; on the machine itself comes:",
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

/** The units go, and Temporal's program, which is fetched again; all that was ever kept stays. */
export function removeService({ root, json }: Omit<InstallOptions, "print" | "port">): void {
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
    names.length === 0 && "no unit here was made by this command",
    "all data is where it was:",
    Object.entries(kept).map(([what, where]) => `  ${what.padEnd(8)}  ${where}`),
  ]);
}
