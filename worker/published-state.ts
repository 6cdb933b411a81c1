// Read-only check whether the site's pointer names the last state that this vault published. Read-only commands show the published
// state anyway, and warn if no publisher would build on it.
import type { Configuration } from "../readings/configuration.schema.ts";
import { emptySiteRemedy } from "../publish/repair/current-state.ts";
import { type FoundSite, lookAtSite, StateRefused } from "../publish/step/site-state.ts";
import type { Store } from "../store/store.ts";
import { openTrial } from "../store/trial.ts";
import { type Log, createVault, type Vault } from "../vault/vault.ts";
import { publicKeysOf } from "./settings/credentials.ts";
import { findMarkers, missingVaultWords } from "../vault/installation.ts";
import { now } from "./settings/environment.ts";

interface PublishedStores {
  readonly configuration: Pick<Configuration, "publishing">;
  readonly site: Store;
  readonly vault: Pick<Vault, "store" | "siteId">;
}

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Checks the state without writing anything. Reports an empty vault or site as missing if the site was published. */
export async function publishedState({ configuration, site, vault }: PublishedStores): Promise<FoundSite> {
  const found = await lookAtSite({
    site: openTrial(site),
    vault: createVault(openTrial(vault.store), vault.siteId),
    now,
    log: silent,
    fingerprint: "",
    publicKeys: publicKeysOf(configuration.publishing.publicKeys),
  });
  const { judgement, record } = found;
  if (judgement === "nothing" && record.value.current !== null) {
    const seen = `the site's store is empty, although version ${record.value.current.version} was published`;
    return { ...found, refusal: new StateRefused(seen, emptySiteRemedy) };
  }
  if (found.refusal === undefined) return found;
  const { theirs, isVaultMissing } = await findMarkers({ vault, site });
  if (!isVaultMissing) return found;
  const { seen, remedy } = missingVaultWords(theirs.value);
  return { ...found, refusal: new StateRefused(seen, remedy.charAt(0).toLowerCase() + remedy.slice(1)) };
}
