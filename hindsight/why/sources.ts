// The sources of an answer of `almanac why`: the published state, the withheld texts, and the vault. A file that can't be read
// is noted and passed over.
import type { Store } from "../../store/store.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { keptReader } from "../../vault/kept-readings.ts";
import { createPartReader } from "../../publish/state/parts.ts";
import { readState } from "../../publish/state/state.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { type Damaged, UnreadableFile } from "../../vault/json.ts";
import type { Vault } from "../../vault/vault.ts";

export interface WhyInput {
  readonly configuration: Configuration;
  readonly vault: Vault;
  readonly site: Store;
  readonly now: Date;
  /** The id that a night would have if it began now. */
  readonly run: string;
}

export type WhySources = Awaited<ReturnType<typeof openWhySources>>;

export async function openWhySources(looking: WhyInput) {
  const { configuration, vault, site } = looking;
  const damaged: Damaged[] = [];
  const note = (found: readonly Damaged[]) => {
    for (const { file, reason } of found)
      if (!damaged.some((one) => one.file === file)) damaged.push({ file, reason });
  };
  const state = await readState(site);
  const published = { site, manifest: state?.manifest, reader: createPartReader(site) };
  const withheld = await readWithheld(vault.store);
  const standIns = new Set(await vault.standIns());
  const readKept = keptReader(vault, standIns);
  return {
    ...looking,
    state,
    published,
    withheld,
    // What sheets are read from.
    source: { configuration, vault, withheld },
    /** Reads captures from the vault and notes the damaged ones. */
    read: async (requests: readonly ReadingRequest[]) => {
      const found = await readKept(requests);
      note(found.damaged);
      return found.kept;
    },
    // The keys of answers that are shown until another answer has their place.
    standIns,
    damaged,
    note,
    /** Undefined where the file is damaged or of another form, which is noted. */
    async unlessNoted<Result>(file: string, read: () => Promise<Result>) {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        note([{ file, reason: error.message }]);
        return undefined;
      }
    },
  };
}
