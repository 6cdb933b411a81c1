// The project of a command: the working directory, or the place that the environment names.
import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { configurationFile } from "./configuration.ts";
import type { Environment } from "./environment.ts";

/** Thrown in a folder that nothing makes a project. Nobody would want a default site. */
export class NoProject extends Error {
  override readonly name = "NoProject";

  constructor(folder: string) {
    super(
      `${folder} has no almanac.config.ts, so there is no project here. Change to a project's folder, or create a project: \`almanac init stars\``,
    );
  }
}

export function requireProject(
  { configPath, vault, site }: Pick<Environment, "configPath" | "vault" | "site">,
  folder: string,
): void {
  if (configPath !== undefined || vault !== undefined || site !== undefined) return;
  // A checkout shows its default site, and a folder with .almanac/ was already used as a project.
  const signs = [configurationFile(undefined, folder), ".almanac", "scripts/almanac.ts"];
  if (signs.some((path) => existsSync(resolve(folder, path)))) return;
  if (!hasOurVariables(resolve(folder, ".env"))) throw new NoProject(folder);
}

/** Other programs also have a `.env`, and Python may have a folder of that name. */
function hasOurVariables(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const names = Object.keys(parseEnv(readFileSync(file, "utf8")));
  return names.some((name) => /^(?:ALMANAC|READING_SERVICE|TEMPORAL)_/.test(name));
}
