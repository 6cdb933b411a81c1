// A trial run: the real thing on stores whose writes do nothing but tell.
import type { Publishing } from "../publish/state/publishing-place.ts";
import { createVault } from "../vault/vault.ts";
import { openDry } from "../store/dry.ts";

export interface Written {
  objects: number;
  bytes: number;
}

/** `written` counts the objects that would be put in the site. */
export function onTrial(publishing: Publishing): {
  readonly publishing: Publishing;
  readonly written: Written;
} {
  const written: Written = { objects: 0, bytes: 0 };
  const site = openDry(publishing.site, (told) => {
    if (told.kind !== "write" || !told.key.startsWith("v1/objects/")) return;
    written.objects += 1;
    written.bytes += told.sizeBytes;
  });
  const vault = createVault(openDry(publishing.vault.store, () => undefined));
  return { publishing: { ...publishing, site, vault, announce: undefined }, written };
}
