// Vault and site on plain stores, and the folder of a site in a vault; the site has the default id unless one is named.
import type { Store } from "../../store/store.ts";
import { createVault } from "../../vault/vault.ts";

const defaultId = "almanac";

export function placeOn({ vault, site }: { readonly vault: Store; readonly site: Store }) {
  return { vault: createVault(vault, defaultId), site };
}

/** The vault's files of a site, within its folder. */
export function ownOf(vault: Store, id = defaultId): Store {
  return createVault(vault, id).own;
}

/** The key in the vault of a file of the site. */
export function ownKey(key: string): string {
  return `sites/${defaultId}/${key}`;
}
