// `almanac service run`: a command with the service's settings, as the service's user, so that nothing it writes is another's.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { NotSetUp } from "../terminal/errors.ts";
import { serviceIds } from "./machine.ts";
import { placesBelow } from "./places.ts";
import { planService } from "./plan.ts";
import { serviceSettings } from "./units.ts";

/** Answers with the command's exit code. */
export async function runAsService(
  words: readonly string[],
  { root }: { readonly root?: string | undefined },
): Promise<number> {
  const isTrial = root !== undefined;
  const places = placesBelow(root ?? "/");
  if (!isTrial && process.getuid?.() !== 0) {
    throw new NotSetUp("settings and credentials are the service's alone: put sudo before this command");
  }
  const { plan } = planService(places, { isTrial });
  if (!existsSync(places.environment)) {
    throw new NotSetUp(`${places.environment} is not there: \`almanac service install\` says what it needs`);
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
