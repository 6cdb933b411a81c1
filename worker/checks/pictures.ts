// Reports the hosts whose pictures are missing from the published pages, as recorded by the last publish of each language.
import type { Configuration } from "../../readings/configuration.schema.ts";
import { openStore } from "../../store/kinds.ts";
import { StoreFailure } from "../../store/store.ts";
import { leftOutPictures } from "../../vault/left-out-pictures.ts";
import { createVault } from "../../vault/vault.ts";
import type { Environment } from "../settings/environment.ts";
import type { SiteLocation } from "../settings/location.ts";
import { type Check, warning } from "./check.ts";

/** Store failures are ignored here: the store checks report them. */
export async function checkPictures(
  { vault }: SiteLocation,
  { s3 }: Environment,
  { site, pictures }: Configuration,
): Promise<Check[]> {
  try {
    const { own } = createVault(openStore(vault, s3), site.id);
    const found = await leftOutPictures(own, pictures);
    return found === undefined ? [] : [warning("pictures", found.seen, found.remedy)];
  } catch (error) {
    if (error instanceof StoreFailure) return [];
    throw error;
  }
}
