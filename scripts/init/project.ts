// What of a project is in a folder already, held against what would be written there.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withParts } from "./package-parts.ts";
import type { ProjectFile } from "./project-files.ts";

export interface ComparedFile {
  readonly path: string;
  /** The text that is to be written. */
  readonly text: string;
  /** The text there now. */
  readonly there: string | undefined;
  /** `lacking`: only added to, nothing of the owner's is lost. */
  readonly state: "same" | "missing" | "lacking" | "different";
}

export function hasProject(folder: string): boolean {
  return existsSync(join(folder, "almanac.config.ts"));
}

export async function readIfThere(path: string): Promise<string | undefined> {
  return existsSync(path) ? readFile(path, "utf8") : undefined;
}

export async function compareProject(folder: string, files: readonly ProjectFile[]): Promise<ComparedFile[]> {
  return Promise.all(
    files.map(async (file) => compareFile(file, await readIfThere(join(folder, file.path)))),
  );
}

function compareFile({ path, text, isOwners }: ProjectFile, there: string | undefined): ComparedFile {
  if (there === undefined) return { path, text, there, state: "missing" };
  if (isOwners === true || there === text) return { path, text, there, state: "same" };
  if (path !== "package.json") return { path, text, there, state: "different" };
  const whole = withParts(there, text);
  return { path, text: whole, there, state: whole === there ? "same" : "lacking" };
}

/** What is missing is made only if it still is: nothing is written over that was not looked at. */
export async function writeProjectFile(folder: string, { path, text, there }: ComparedFile): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  const mode = path === ".env" ? 0o600 : 0o666; // it is to hold credentials
  await writeFile(file, text, { flag: there === undefined ? "wx" : "w", mode });
}
