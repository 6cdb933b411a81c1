// Stores in folders for the crash tests: a state is written once, and each run works on a copy of its own. The copy shares
// the files, which is safe because a folder store never writes into one: it puts another in its place.
import { linkSync, mkdirSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFolder } from "../../../store/file.ts";
import { type Open } from "./resettable.ts";
import { type Scenario } from "./scenarios.ts";
import { fill, type Stores } from "./stores.ts";

export interface Folders {
  readonly open: Open;
  readonly root: string;
  remove(): Promise<void>;
}

export async function openFolders(): Promise<Folders> {
  const root = await mkdtemp(join(tmpdir(), "almanac-crash-"));
  const originals = new Map<Scenario, Promise<string>>();
  let copies = 0;

  async function original(scenario: Scenario, folder: string): Promise<string> {
    mkdirSync(folder);
    await fill(storesIn(folder), await scenario.before());
    return folder;
  }

  return {
    root,
    async open(scenario) {
      const known = originals.get(scenario) ?? original(scenario, join(root, `original-${originals.size}`));
      originals.set(scenario, known);
      const copy = join(root, `copy-${(copies += 1)}`);
      copyLinked(await known, copy);
      return storesIn(copy);
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

export function storesIn(folder: string): Stores {
  return { site: openFolder(join(folder, "site")), vault: openFolder(join(folder, "vault")) };
}

function copyLinked(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === ".writing") continue; // the lock is each store's own
    if (entry.isDirectory()) copyLinked(join(from, entry.name), join(to, entry.name));
    else linkSync(join(from, entry.name), join(to, entry.name));
  }
}
