// Real disk folders for tests of durability: other tests' folders are in memory (vitest.config.ts).
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const disk = process.env["ALMANAC_TEST_DISK"] ?? tmpdir();

/** Temporary files of a folder store: begun, and not in place yet. */
export async function temporaryNames(root: string): Promise<string[]> {
  const entries = await readdir(join(root, ".writing"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.name !== "lock").map(({ name }) => name);
}
