// The pages and their pictures, copied below this folder with their paths: the generator looks for its own parts from where a page lies,
// and outside it would find the repository's.
import { cpSync, rmSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pages } from "../menu.ts";

export const repository = fileURLToPath(new URL("../../../", import.meta.url));
export const gathered = fileURLToPath(new URL("../.pages/", import.meta.url));

/** Says where they are. While pages are written, which the generator does in `dev`, each change comes after. */
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
