// Checks of the published site: whether this vault published its state last, languages with a date in the future because a
// publisher's clock was wrong, hosts of pictures that are missing from the pages, and texts that wait for review.
import { setsToReview } from "../../insight/review-list.ts";
import { datesAhead } from "../../publish/state/published-files.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { addDays, localDate } from "../../readings/calendar.ts";
import { type Language, languageNames } from "../../readings/tables.ts";
import { openStore } from "../../store/kinds.ts";
import { type Store, StoreFailure } from "../../store/store.ts";
import { unlessDamaged } from "../../vault/files.ts";
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
  const at = now(environment);
  const checks = [checkState(stores), checkDates(stores, at), checkPictures(stores), checkReview(stores, at)];
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

/** The languages under review, and their sets that nobody has approved for tomorrow. */
export async function checkReview({ configuration, ...stores }: SiteStores, at: Date): Promise<Check[]> {
  const name = "review";
  const isReviewed = (language: Language) => {
    const { mode = "none", operations = {} } = configuration.review[language] ?? {};
    return [mode, ...Object.values(operations)].some((one) => one !== "none");
  };
  const named = languageNames.filter(isReviewed);
  if (named.length === 0) return [];
  const missing = named.filter((language) => !configuration.languages.includes(language));
  if (missing.length > 0) {
    const seen = `it names ${missing.join(", ")}, which the site does not have`;
    return [warning(name, seen, 'add it to "languages", or remove it from "review" in almanac.config.ts')];
  }
  const tomorrow = { languages: named, dateIn: (zone: string) => addDays(localDate(zone, at), 1) };
  const sets = await unlessDamaged(() => setsToReview(tomorrow, { ...stores, configuration, now: at }));
  const { length } = (sets ?? []).filter(({ state }) => state === "waiting");
  if (length === 0) return [right(name, `${named.join(", ")}; no set of tomorrow waits for review`)];
  const seen = `${named.join(", ")}; ${length} ${length === 1 ? "set of tomorrow waits" : "sets of tomorrow wait"} for review`;
  const remedy = "read them, then run `almanac review approve <language> --date tomorrow`";
  return [warning(name, seen, remedy)];
}
