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
import { reviewOn } from "./reference.ts";
import { BrokenPromise } from "./decisions.ts";
import type { World } from "./world.ts";

export async function requireSound({ reference, stores, stage, signer }: World): Promise<void> {
  const stored = await stores.site.read(pointerPath);
  if (stored === undefined) throw new BrokenPromise("the pointer is gone");
  const { manifest } = parseJson(pointerPath, stored.body, pointerSchema);
  if (manifest !== reference.pointer?.manifest) throw new BrokenPromise("the pointer is not ours");
  reference.isDisturbed = false;
  const withheld = await readWithheld(ownOf(stores.vault));
  const { withdrawn } = withheld.note;
  for (const { key } of withdrawn) reference.withdrawn.add(key);
  reference.decisions.requireJournal(await withheld.entries(), withdrawn);
  await reference.requireOurs(manifest, "the last state");
  const now = () => new Date(stage.atMs);
  const { findings } = await verify(storeSource(stores.site), { publicKeys: [signer], now });
  if (findings.length > 0) throw new BrokenPromise(JSON.stringify(findings.slice(0, 3)));
}

/** The texts that a client must see now: path -> words. */
export async function textsDue({ reference, stores, stage, configuration, marks }: World) {
  const at = new Date(stage.atMs);
  const withheld = await readWithheld(ownOf(stores.vault));
  const isDue = (request: ReadingRequest) => {
    const today = localDate(zoneOf(configuration, request.language), at);
    if (request.period > today || withheld.isEditionPinned(request.language, today)) return false;
    return !withheld.isSetPinned(request) && !withheld.isWithdrawn(requestKey(request));
  };
  const decided = (request: ReadingRequest) => {
    const key = requestKey(request);
    const [received = ""] = reference.kept.get(key) ?? [];
    return reference.decisions.due(received, reviewOn(key, configuration, stage.atMs));
  };
  const due = new Map<string, string>();
  for (const { requests } of catalogue(configuration, at)) {
    if (!requests.every((request) => reference.kept.has(requestKey(request)))) continue;
    const own = requests.filter(isDue);
    if (!own.every((request) => decided(request).isOpen)) {
      if (own.some((request) => !reference.seen.has(decided(request).word)))
        marks.reach("a text that waits for review");
      continue;
    }
    for (const request of own) {
      const path = dataPathOf(request);
      if (path !== undefined) due.set(path, decided(request).word);
    }
  }
  return due;
}
