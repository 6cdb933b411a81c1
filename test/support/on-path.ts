// Path of a program on this machine.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The first of these programs in a folder of PATH. */
export function onPath(...names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
