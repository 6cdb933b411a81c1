// The commands that systemd is given. Each says itself what is wrong, on stderr.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { NotSetUp } from "../terminal/errors.ts";
import { serviceUser } from "./places.ts";
import { unitNames } from "./units.ts";

export type SystemStep = readonly [command: string, ...words: string[]];

/** Thrown where a step fails: the files are as they were written. */
export class StepFailed extends Error {
  override readonly name = "StepFailed";
}

/** The usual sign of a machine that systemd has started. */
export function requireSystemd(): void {
  if (!existsSync("/run/systemd/system")) {
    throw new NotSetUp(
      "this machine is not run by systemd: `almanac service install --print` shows the units, and docs/deployment.md what else Almanac runs under",
    );
  }
  if (process.getuid?.() === 0) return;
  throw new NotSetUp("it takes root to write units: put sudo before this command");
}

/** It is there, or is made. */
export const userStep: SystemStep = [
  "systemd-sysusers",
  "--inline",
  `u ${serviceUser} - "Almanac" /var/lib/${serviceUser}`,
];

function isServer(name: string) {
  return Object.values<string>(unitNames).includes(name);
}

/** A worker reads its settings at its start; Temporal goes on unless its unit is another. */
export function startSteps(names: readonly string[], changed: readonly string[]): SystemStep[] {
  // A timer starts its own service, when its time has come.
  const started = names.filter((name) => name.endsWith(".timer") || isServer(name));
  const restarted = started.filter((name) => name === unitNames.worker || changed.includes(name));
  return [
    ...(changed.length === 0 ? [] : [["systemctl", "daemon-reload"] as const]),
    ["systemctl", "enable", ...started],
    ["systemctl", "restart", ...restarted],
  ];
}

/** Before the units are taken away; the worker, which is named last, ends before its Temporal does. */
export const stopSteps = (names: readonly string[]): SystemStep[] =>
  names.length === 0 ? [] : [["systemctl", "disable", "--now", ...names]];

export function take(steps: readonly SystemStep[]): void {
  for (const [command, ...words] of steps) {
    try {
      execFileSync(command, words, { stdio: ["ignore", 2, 2] });
    } catch (error) {
      throw new StepFailed(
        `${[command, ...words].join(" ")} failed: \`journalctl -u almanac-temporal -u almanac-worker -n 30\` says why`,
        { cause: error },
      );
    }
  }
}
