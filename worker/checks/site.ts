// Checks of the published site: whether this vault published its state last, languages with a date in the future because a
// publisher's clock was wrong, and hosts of pictures that are missing from the pages.
import { datesAhead } from "../../publish/state/published-files.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { openStore } from "../../store/kinds.ts";
import { type Store, StoreFailure } from "../../store/store.ts";
import { leftOutPictures } from "../../vault/site-notes.ts";
import { createVault, type Vault } from "../../vault/vault.ts";
import { publishedState } from "../published-state.ts";
import { type Environment, now } from "../settings/environment.ts";
import type { SiteLocation } from "../opened-site.ts";
import { broken, type Check, right, warning } from "./check.ts";

interface SiteStores {
  readonly vault: Vault;
  readonly site: Store;
  readonly configuration: Configuration;
}

export async function checkSite(
  location: SiteLocation,
  environment: Environment,
  configuration: Configuration,
): Promise<Check[]> {
  const { s3 } = environment;
  const vault = createVault(openStore(location.vault, s3), configuration.site.id);
  const stores = { vault, site: openStore(location.site, s3), configuration };
  const checks = [checkState(stores), checkDates(stores, now(environment)), checkPictures(stores)];
  return (await Promise.all(checks.map(unlessUnanswered))).flat();
}

/** The checks of the stores report a store that fails. */
async function unlessUnanswered(check: Promise<Check[]>): Promise<Check[]> {
  return check.catch((error: unknown) => {
    if (error instanceof StoreFailure) return [];
    throw error;
  });
}

async function checkState(stores: SiteStores): Promise<Check[]> {
  const name = "published state";
  const { pointer, refusal } = await publishedState(stores);
  if (refusal !== undefined) return [broken(name, refusal.seen, refusal.remedy)];
  if (pointer === undefined) return [right(name, "nothing is published yet")];
  return [right(name, `version ${pointer.version}, published by this vault`)];
}

async function checkDates({ site, configuration }: SiteStores, at: Date): Promise<Check[]> {
  const found = await datesAhead(site, configuration, at);
  return found === undefined ? [] : [broken("published dates", found.seen, found.remedy)];
}

async function checkPictures({ vault, configuration }: SiteStores): Promise<Check[]> {
  const found = await leftOutPictures(vault.own, configuration.pictures);
  return found === undefined ? [] : [warning("pictures", found.seen, found.remedy)];
}
