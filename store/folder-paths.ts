// From a key to a path that lies in the store's root, whatever links stand there.
import { constants, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { codeOf, InTheWay } from "./folder-faults.ts";

/** Opens nothing that is a link, and does not hang on a pipe. */
export const reading = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The root may itself be reached through links: that is the operator's choice. Undefined when it is not there yet. */
export function folderRootOf(location: string): string | undefined {
  try {
    return realpathSync.native(location);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The folder below the root; undefined when it is not there. Each step is looked at: a link could lead a key out of the root. */
export function descend(root: string, steps: readonly string[]): string | undefined {
  let folder = root;
  for (const step of steps) {
    folder = `${folder}/${step}`; // as plain as it is: `join` took a tenth of the time of a write
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (found.isSymbolicLink()) throw new InTheWay(folder, "ELOOP");
    if (!found.isDirectory()) throw new InTheWay(folder, "ENOTDIR");
  }
  return folder;
}

/**
 * Makes what is missing on the way down; answers the folder and, after it, the folders above that got a new entry. Those in
 * `sound` are passed without a look, and those that are looked at are added to it.
 */
export function descendMaking(
  root: string,
  steps: readonly string[],
  sound = new Set<string>(),
): [string, ...string[]] {
  const changed: string[] = [];
  let folder = root;
  for (const step of steps) {
    const above = folder;
    folder = `${above}/${step}`;
    if (sound.has(folder)) continue;
    if (descend(above, [step]) === undefined) {
      make(folder);
      changed.push(above);
    }
    sound.add(folder);
  }
  return [folder, ...changed];
}

/** Makes one folder. `recursive` is not used: on a read-only disk it reports that nothing is there. */
function make(folder: string) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error; // another process has made it
    descend(dirname(folder), [basename(folder)]); // or has it put something else there?
  }
}

export function stepsTo(key: string): string[] {
  return key.split("/").slice(0, -1);
}

/** The folders from `folder` up to the root, the root left out. */
export function upwards(root: string, folder: string): string[] {
  return folder === root ? [] : [folder, ...upwards(root, dirname(folder))];
}
