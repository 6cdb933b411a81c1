// Which vault and which site these are: each has a marker with the names of both, made with their first use. By it a run goes to
// workers of the same place alone, and a vault that is empty is told from one whose disk is off.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { pathOf } from "../site/paths.ts";
import type { Store } from "../store/store.ts";
import { readJson, unlessDamaged } from "./json.ts";
import { folders, layout, siteFolders, siteLayout } from "./layout.ts";
import { type FoundNote, lookAt, type Note, swapNote } from "./note.ts";
import { sha256 } from "./sha256.ts";
import type { Vault } from "./vault.ts";

const name = z.string().regex(/^[0-9a-f]{16}$/);
export interface PlaceIdentity {
  readonly vault: string;
  readonly site: string;
}

/** Its check tells a name of which a bit has changed from another place's. */
const markerSchema = z
  .object({ vault: name, site: name, check: name })
  .refine(({ check, ...identity }) => check === checkOf(identity), "a name has changed")
  .transform(({ vault, site }): PlaceIdentity => ({ vault, site }));

function checkOf(identity: PlaceIdentity): string {
  return sha256(placeWord(identity)).slice(0, 16);
}

type Marker = Note<PlaceIdentity, undefined>;
export const vaultMarker: Marker = { key: layout.vault, schema: markerSchema, empty: undefined };
const siteMarker: Marker = { key: pathOf({ row: "marker" }), schema: markerSchema, empty: undefined };

interface Stores {
  readonly vault: Pick<Vault, "store">;
  readonly site: Store;
}

interface Place extends Stores {
  readonly vault: Pick<Vault, "store" | "own">;
}

/** Why the stores can't be used together. */
export class WrongPlace extends Error {
  override readonly name = "WrongPlace";
}

/** Throws if the two are exchanged, or the vault is of an earlier version. Reads only; an empty store is either. */
export async function requireKinds({ vault: { store: vault }, site }: Stores): Promise<void> {
  const [isOther, isPrivate] = await Promise.all([
    isVault(vault).then(async (right) => !right && (await isSite(vault))),
    isSite(site).then(async (right) => !right && (await isVault(site))),
  ]);
  if (isOther && isPrivate) {
    throw new WrongPlace(
      "ALMANAC_VAULT names a published site, and ALMANAC_SITE a private vault; nothing was written: exchange the two settings",
    );
  }
  if (isOther) {
    throw new WrongPlace(
      "ALMANAC_VAULT names a published site, whose files readers can fetch; nothing was written: set it to the site's own vault, or to an empty place",
    );
  }
  if (isPrivate) {
    throw new WrongPlace(
      "ALMANAC_SITE names a private vault; nothing was written: set it to the vault's own site, or to an empty place",
    );
  }
  await requireLayout(async (key) => (await vault.read(key)) !== undefined);
}

/** The marker of vaults that earlier versions made. */
const earlierMarker = "marker.json";

/** Throws if a vault with such files was made by an earlier version. */
export async function requireLayout(has: (key: string) => boolean | Promise<boolean>): Promise<void> {
  if ((await has(layout.vault)) || !(await has(earlierMarker))) return;
  throw new WrongPlace(
    `the vault has the layout of an earlier version of Almanac (${earlierMarker}), which this version cannot read; nothing was written: ` +
      "set ALMANAC_VAULT and ALMANAC_SITE to empty places",
  );
}

async function isVault(store: Store): Promise<boolean> {
  return (await store.read(vaultMarker.key)) !== undefined || !(await isEmpty(store, folders.responses));
}

async function isSite(store: Store): Promise<boolean> {
  const [marker, pointed] = await Promise.all([
    store.read(siteMarker.key),
    store.read(pathOf({ row: "pointer" })),
  ]);
  return marker !== undefined || pointed !== undefined;
}

/** What the markers say, without a change. */
export interface FoundMarkers {
  readonly own: FoundNote<PlaceIdentity | undefined>;
  readonly theirs: FoundNote<PlaceIdentity | undefined>;
  /** Whether the vault has nothing at all, but the site was published. */
  readonly isVaultMissing: boolean;
}

export async function findMarkers({ vault, site }: Stores): Promise<FoundMarkers> {
  const [own, theirs] = await Promise.all([lookAt(vault.store, vaultMarker), lookAt(site, siteMarker)]);
  const isBare = own.version === undefined && (await isEmpty(vault.store, ""));
  const isVaultMissing = isBare && (theirs.version !== undefined || (await isPublished(site)));
  return { own, theirs, isVaultMissing };
}

/** Throws where the markers say that the stores do not belong together, or that the vault is not there. */
export function requireFitting({ own, theirs, isVaultMissing }: FoundMarkers): void {
  if (isVaultMissing) {
    const whose = theirs.value === undefined ? "" : ` by the vault ${theirs.value.vault}`;
    throw new WrongPlace(
      `the vault is empty, although the site was published${whose}: see that its disk is there and that ALMANAC_VAULT is right. ` +
        "Is the vault lost? Bring it back from a copy or, without one, go on with `almanac repair --new-vault`",
    );
  }
  if (own.value === undefined || theirs.value === undefined) return;
  if (own.value.vault === theirs.value.vault && own.value.site === theirs.value.site) return;
  throw new WrongPlace(
    `the vault ${own.value.vault} belongs to the site ${own.value.site}, but the site ${theirs.value.site} to the vault ` +
      `${theirs.value.vault}: correct ALMANAC_VAULT or ALMANAC_SITE. If the site's own vault is lost, \`almanac repair --new-vault\``,
  );
}

/** The identity of vault and site. Markers are made where they have none, as at their first use. */
export async function identify(place: Place): Promise<PlaceIdentity> {
  for (;;) {
    const found = await findMarkers(place);
    requireFitting(found);
    const { own, theirs } = found;
    if (own.value === undefined) {
      await swapMarker(place.vault.store, vaultMarker, theirs.value ?? newIdentity(), own.version);
      continue; // somebody else's marker may have come first
    }
    // What became of a site that was published and is empty now, every publish judges (publish/step/site-state.ts).
    if (theirs.value !== undefined || (await isEmptied(place))) return own.value;
    await swapMarker(place.site, siteMarker, own.value, theirs.version);
  }
}

/** Puts a marker that is lost or damaged back, and says which. Where there never was one, the first run makes it. */
export async function mendMarkers(place: Place): Promise<string[]> {
  const found = await findMarkers(place);
  requireFitting(found);
  const { own, theirs } = found;
  if (own.version === undefined && theirs.version === undefined) return [];
  await identify(place);
  return [
    ...(own.value === undefined ? [vaultMarker.key] : []),
    ...(theirs.value === undefined ? [siteMarker.key] : []),
  ];
}

/** Takes this vault for the site's own, by a person's word. */
export async function identifyAnew(place: Place): Promise<PlaceIdentity> {
  const { own, theirs } = await findMarkers(place);
  const { vault, site } = newIdentity();
  const identity = { vault: own.value?.vault ?? vault, site: theirs.value?.site ?? site };
  await swapMarker(place.vault.store, vaultMarker, identity, own.version);
  await swapMarker(place.site, siteMarker, identity, theirs.version);
  return identify(place);
}

async function swapMarker(
  store: Store,
  marker: Marker,
  identity: PlaceIdentity,
  version: string | undefined,
) {
  const made = { ...identity, check: checkOf(identity) };
  await swapNote(store, marker, made, version);
}

/** The identity as one word, which a run and a worker carry. */
export function placeWord({ vault, site }: PlaceIdentity): string {
  return `${vault}.${site}`;
}

/** The id of the vault, by a place's word; `none` for a process that has no place, as in tests. */
export function vaultOf(word = "none"): string {
  return word.split(".")[0] ?? word;
}

function newIdentity(): PlaceIdentity {
  return { vault: randomBytes(8).toString("hex"), site: randomBytes(8).toString("hex") };
}

async function isEmptied({ vault, site }: Place): Promise<boolean> {
  return !(await isPublished(site)) && !(await isEmpty(vault.own, siteFolders.manifests));
}

const pointer = z.object({ manifest: z.string() });

/** What is damaged, or no pointer at all, every publish judges. */
async function isPublished(site: Store): Promise<boolean> {
  const path = pathOf({ row: "pointer" });
  return (await unlessDamaged(() => readJson(site, path, pointer))) !== undefined;
}

/** The lease of a site does not count: a process that finds a lost vault may have taken one there. */
async function isEmpty(store: Store, prefix: string): Promise<boolean> {
  for await (const { key } of store.list(prefix)) if (!key.endsWith(`/${siteLayout.lease}`)) return false;
  return true;
}
