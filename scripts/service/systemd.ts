// Commands of systemd that `almanac service` runs.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { NotSetUp } from "../terminal/errors.ts";
import { unitNames } from "./units.ts";

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

/** Thrown if a command fails. The written files are not rolled back. */
class StepFailed extends Error {
  override readonly name = "StepFailed";
}

type SystemStep = readonly [command: string, ...words: string[]];
export type SystemSteps = ReturnType<typeof createSteps>;

/** Commands of the system. A trial takes none of them, and prints them. */
export function createSteps(isTrial: boolean) {
  const all: SystemStep[] = [];
  return {
    take(...steps: readonly SystemStep[]) {
      all.push(...steps);
      if (isTrial) return;
      for (const [command, ...words] of steps) {
        try {
          execFileSync(command, words, { stdio: ["ignore", 2, 2] });
        } catch (cause) {
          const remedy = "For the reason: `journalctl -u almanac-temporal -u almanac-worker -n 30`";
          throw new StepFailed(`${[command, ...words].join(" ")} failed. ${remedy}`, { cause });
        }
      }
    },
    lines: () =>
      all.map((step) => `  ${step.map((word) => (word.includes(" ") ? `'${word}'` : word)).join(" ")}`),
  };
}

/** Restarts the worker, which reads its settings only at startup. Temporal is restarted only if its unit has changed. */
export function startSteps(names: readonly string[], changed: readonly string[]): SystemStep[] {
  // The services of timers are started by their timers.
  const servers: readonly string[] = Object.values(unitNames);
  const started = names.filter((name) => name.endsWith(".timer") || servers.includes(name));
  const restarted = started.filter((name) => name === unitNames.worker || changed.includes(name));
  return [
    ...(changed.length === 0 ? [] : [["systemctl", "daemon-reload"] as const]),
    ["systemctl", "enable", ...started],
    ["systemctl", "restart", ...restarted],
  ];
}
