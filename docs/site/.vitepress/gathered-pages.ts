// Copies the pages and their pictures below this folder with their paths, because the generator resolves its own modules from a
// page's folder, and outside this one it would find the repository's.
import { cpSync, rmSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pages } from "../menu.ts";

export const repository = fileURLToPath(new URL("../../../", import.meta.url));
export const gathered = fileURLToPath(new URL("../.pages/", import.meta.url));

/** Returns their folder. In `dev`, each later change is copied too. */
export function gatherPages(): string {
  rmSync(gathered, { recursive: true, force: true });
  const copy = (path: string): void =>
    cpSync(join(repository, path), join(gathered, path), { recursive: true });
  for (const path of [...pages.values(), "docs/images", "docs/pictures"]) copy(path);
  if (process.argv.includes("dev")) {
    for (const file of pages.values()) watch(join(repository, file), () => copy(file));
  }
  return basename(gathered);
}
