// Stores in folders for the crash tests.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFolder } from "../../../store/folder.ts";
import { type Open, openResettable } from "./resettable.ts";
import type { Stores } from "../../support/stores.ts";

export interface Folders {
  readonly open: Open;
  remove(): Promise<void>;
}

export async function openFolders(): Promise<Folders> {
  const root = await mkdtemp(join(tmpdir(), "almanac-crash-"));
  let count = 0;
  return {
    open: openResettable(() => storesIn(join(root, String((count += 1))))),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

export function storesIn(folder: string): Stores {
  return { site: openFolder(join(folder, "site")), vault: openFolder(join(folder, "vault")) };
}
