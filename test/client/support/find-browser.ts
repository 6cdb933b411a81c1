// Where the Chromium of this machine is.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

export function findBrowser(): string {
  const { CHROMIUM_PATH, PATH = "" } = process.env;
  const folders = PATH.split(delimiter);
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = CHROMIUM_PATH ?? places.find(isExecutable);
  if (found !== undefined && isExecutable(found)) return found;
  throw new Error(
    `${CHROMIUM_PATH ?? "Chromium"} is not on this machine: \`apt-get install chromium\`, or name one in CHROMIUM_PATH`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
