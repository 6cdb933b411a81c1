// Checks whether the published state is the last one that this vault published.
import type { Configuration } from "../../readings/configuration.schema.ts";
import { openStore } from "../../store/kinds.ts";
import { StoreFailure } from "../../store/store.ts";
import { publishedState } from "../published-state.ts";
import type { Environment } from "../settings/environment.ts";
import type { SiteLocation } from "../settings/location.ts";
import { broken, type Check, right } from "./check.ts";

export async function checkState(
  { vault, site }: SiteLocation,
  { s3 }: Environment,
  configuration: Configuration,
): Promise<Check[]> {
  const name = "published state";
  try {
    const stores = {
      vault: { store: openStore(vault, s3), siteId: configuration.site.id },
      site: openStore(site, s3),
    };
    const { pointer, refusal } = await publishedState({ ...stores, configuration });
    if (refusal !== undefined) return [broken(name, refusal.seen, refusal.remedy)];
    const seen =
      pointer === undefined
        ? "nothing is published yet"
        : `version ${pointer.version}, published by this vault`;
    return [right(name, seen)];
  } catch (error) {
    if (error instanceof StoreFailure) return []; // the checks of the stores say it
    throw error;
  }
}
