// A project's configuration and theme import Almanac by its name, and would get the version that is installed there. While another
// version looks at the project, it is that name.
import { existsSync, realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import packageJson from "../../package.json" with { type: "json" };

/** `command` is the path of the command that this process runs. A checkout has no compiled exports, and is not imported by name. */
export function answerToOwnName(command: string): void {
  const root = dirname(dirname(realpathSync(command)));
  if (existsSync(join(root, "scripts/almanac.ts"))) return;
  const parentURL = pathToFileURL(join(root, "package.json")).href;
  const isOwn = (specifier: string) =>
    specifier === packageJson.name || specifier.startsWith(`${packageJson.name}/`);
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, isOwn(specifier) ? { ...context, parentURL } : context),
  });
}
