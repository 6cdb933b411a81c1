// Final invariants after all faults: the state is ours and complete to the last byte, and a new client is shown the vault's
// readings, except those that an operator withholds.
import { ownOf } from "../../support/places.ts";
import { storeSource } from "../../../publish/repair/store-source.ts";
import { verify } from "../../../publish/repair/verify.ts";
import { parseJson } from "../../../vault/files.ts";
import { pointerSchema } from "../../../site/manifest.schema.ts";
import { pointerPath } from "../../../publish/state/state.ts";
import { catalogue, zoneOf } from "../../../readings/catalogue.ts";
import { type ReadingRequest, requestKey } from "../../../readings/request.ts";
import { localDate } from "../../../readings/calendar.ts";
import { dataPathOf } from "../../../site/paths.ts";
import { readWithheld } from "../../../vault/withheld.ts";
import { BrokenPromise } from "./reference.ts";
import type { World } from "./world.ts";

export async function requireSound({ reference, stores, stage, signer }: World): Promise<void> {
  const stored = await stores.site.read(pointerPath);
  if (stored === undefined) throw new BrokenPromise("the pointer is gone");
  const { manifest } = parseJson(pointerPath, stored.body, pointerSchema);
  if (manifest !== reference.pointer?.manifest) throw new BrokenPromise("the pointer is not ours");
  reference.isDisturbed = false;
  for (const { key } of (await readWithheld(ownOf(stores.vault))).note.withdrawn)
    reference.withdrawn.add(key);
  await reference.requireOurs(manifest, "the last state");
  const now = () => new Date(stage.atMs);
  const { findings } = await verify(storeSource(stores.site), { publicKeys: [signer], now });
  if (findings.length > 0) throw new BrokenPromise(JSON.stringify(findings.slice(0, 3)));
}

/** The texts that a client must see now: path -> words. */
export async function textsDue({ reference, stores, stage, configuration }: World) {
  const at = new Date(stage.atMs);
  const withheld = await readWithheld(ownOf(stores.vault));
  const isDue = (request: ReadingRequest) => {
    const today = localDate(zoneOf(configuration, request.language), at);
    if (request.period > today || withheld.isEditionPinned(request.language, today)) return false;
    return !withheld.isSetPinned(request) && !withheld.isWithdrawn(requestKey(request));
  };
  const due = new Map<string, string>();
  for (const { requests } of catalogue(configuration, at)) {
    if (!requests.every((request) => reference.kept.has(requestKey(request)))) continue;
    for (const request of requests.filter(isDue)) {
      const path = dataPathOf(request);
      if (path !== undefined) due.set(path, reference.kept.get(requestKey(request))?.join() ?? "");
    }
  }
  return due;
}
