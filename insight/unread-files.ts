// Files of the vault that this code can't read. Only the newest files of each folder are read, by name: a vault of years is not
// read as a whole to answer a question, and rendering also reads the published texts.
import { inParallel } from "../store/store.ts";
import { faultInFile } from "../vault/file-faults.ts";
import { folderOf, isOfOtherSite, isOfNewerVersion } from "../vault/files.ts";
import type { Vault } from "../vault/vault.ts";

const newestOfEach = 100;

interface UnreadFile {
  readonly file: string;
  readonly reason: string;
}

type VaultFiles = Pick<Vault, "store" | "siteId">;

/** Files of other sites in the vault are left out, because their projects choose their own version. */
export async function findUnreadFiles({ store, siteId }: VaultFiles): Promise<readonly UnreadFile[]> {
  const newest = new Map<string, string[]>();
  for await (const key of store.keys("")) {
    if (isOfOtherSite(key, siteId)) continue;
    const folder = folderOf(key, 2);
    const keys = newest.get(folder) ?? [];
    keys.push(key);
    newest.set(folder, keys.slice(-newestOfEach));
  }
  const keys = [...newest.values()].flat();
  const found = await inParallel(keys, async (key) => {
    const stored = await store.read(key);
    const isNewer = stored && key.endsWith(".json") && isOfNewerVersion(key, stored.body);
    const reason =
      isNewer === true
        ? "only a newer version reads its format"
        : stored && faultInFile(key, stored.body)?.seen;
    return reason === undefined ? [] : [{ file: key, reason }];
  });
  return found.flat();
}
