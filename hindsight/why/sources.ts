// The sources of an answer of `almanac why`: the published state, the withheld texts, and the vault. A file that can't be read
// is noted and passed over.
import type { PublishedSite } from "../../publish/state/published-files.ts";
import type { Store } from "../../store/store.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { ReadingRequest, RequestKey } from "../../readings/request.ts";
import { type KeptReading, keptReader } from "../../vault/kept-readings.ts";
import { createPartReader } from "../../publish/state/parts.ts";
import { readState, type SiteState } from "../../publish/state/state.ts";
import { readWithheld, type Withheld } from "../../vault/withheld.ts";
import { type Damaged, UnreadableFile } from "../../vault/json.ts";
import type { Vault } from "../../vault/vault.ts";
import type { SheetSource } from "../../vault/whole-sheet.ts";

export interface WhyInput {
  readonly configuration: Configuration;
  readonly vault: Vault;
  readonly site: Store;
  readonly now: Date;
  /** The id that a night would have if it began now. */
  readonly run: string;
}

export interface WhySources extends WhyInput {
  readonly state: SiteState | undefined;
  readonly published: PublishedSite;
  readonly withheld: Withheld;
  /** What sheets are read from. */
  readonly source: SheetSource;
  /** Reads captures from the vault and notes the damaged ones. */
  readonly read: (requests: readonly ReadingRequest[]) => Promise<readonly KeptReading[]>;
  /** The keys of answers that are shown until another answer has their place. */
  readonly standIns: ReadonlySet<RequestKey>;
  readonly damaged: readonly Damaged[];
  note(damaged: readonly Damaged[]): void;
  /** Undefined where the file is damaged or of another form, which is noted. */
  unlessNoted<Result>(file: string, read: () => Promise<Result>): Promise<Result | undefined>;
}

export async function openWhySources(looking: WhyInput): Promise<WhySources> {
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
    source: { configuration, vault, withheld },
    async read(requests) {
      const found = await readKept(requests);
      note(found.damaged);
      return found.kept;
    },
    standIns,
    damaged,
    note,
    async unlessNoted(file, read) {
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
